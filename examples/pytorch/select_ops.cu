// PyTorch operators over the select family. nonzero_static and masked_select leave the number of selected
// items on the GPU, so they do not synchronise and can be captured in a CUDA graph. nonzero, select_nonzero
// and masked_select_sized wait for it, and return an array of that length. compare.py builds, checks and
// times them.
#include <ATen/ATen.h>
#include <ATen/Dispatch.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/library.h>

#include <cstdint>
#include <tuple>

#include "compaction/cuda/select_indices.cuh"
#include "compaction/cuda/select_iterators.cuh"

namespace {

using at::Tensor;

struct IsNotZero {
    template <typename T>
    __device__ bool operator()(const T& item) const {
        return item != T(0);
    }
};

/// Temporary storage from PyTorch's allocator, which also serves graphs that are being captured.
struct TorchMemory {
    void* allocate_async(std::size_t bytes, std::size_t, cudaStream_t stream) const {
        return c10::cuda::CUDACachingAllocator::raw_alloc_with_stream(bytes, stream);
    }
    void deallocate_async(void* memory, std::size_t, std::size_t, cudaStream_t) const {
        c10::cuda::CUDACachingAllocator::raw_delete(memory);
    }
};
constexpr TorchMemory torch_memory{};

void check(cudaError_t error) {
    TORCH_CHECK(error == cudaSuccess, "selection: ", cudaGetErrorString(error));
}

void check_array(const Tensor& array, const char* name) {
    TORCH_CHECK(array.dim() == 1 && array.is_contiguous(), name,
                " must be a contiguous array of one dimension");
}

/// The positions of the items that are not zero, cut or filled to `size`; and their number, [1]. As
/// torch.nonzero_static, with one dimension.
std::tuple<Tensor, Tensor> nonzero_static(const Tensor& input, std::int64_t size, std::int64_t fill_value) {
    check_array(input, "input");
    TORCH_CHECK(size >= 0, "size must not be negative");
    const c10::cuda::CUDAGuard guard(input.device());
    const Tensor positions = at::empty({size}, input.options().dtype(at::kLong));
    const Tensor count = at::empty({1}, input.options().dtype(at::kLong));
    AT_DISPATCH_ALL_TYPES_AND3(
        at::kBool, at::kHalf, at::kBFloat16, input.scalar_type(), "nonzero_static", [&] {
            const auto out = compaction::cuda::padded(positions.data_ptr<std::int64_t>(),
                                                      static_cast<std::uint64_t>(size), fill_value);
            check(compaction::cuda::indices_if(torch_memory, input.const_data_ptr<scalar_t>(), out,
                                               count.data_ptr<std::int64_t>(), input.numel(), IsNotZero{},
                                               at::cuda::getCurrentCUDAStream()));
        });
    return {positions, count};
}

/// Items are moved as bits.
template <typename WordT>
void select_words(const Tensor& input, const Tensor& mask, const Tensor& out, std::int64_t* count) {
    check(compaction::cuda::select_flagged(torch_memory, static_cast<const WordT*>(input.const_data_ptr()),
                                           mask.const_data_ptr<bool>(), static_cast<WordT*>(out.data_ptr()),
                                           count, input.numel(), at::cuda::getCurrentCUDAStream()));
}

/// Selects the items whose mask is set to the front of `out`, which is as long as the input.
void select_by_mask(const Tensor& input, const Tensor& mask, const Tensor& out, std::int64_t* count) {
    check_array(input, "input");
    check_array(mask, "mask");
    TORCH_CHECK(mask.scalar_type() == at::kBool, "mask must be of type bool");
    TORCH_CHECK(mask.numel() == input.numel(), "mask must be as long as input");
    TORCH_CHECK(mask.device() == input.device(), "mask and input must be on one device");
    switch (input.element_size()) {
        case 1:
            select_words<std::uint8_t>(input, mask, out, count);
            break;
        case 2:
            select_words<std::uint16_t>(input, mask, out, count);
            break;
        case 4:
            select_words<std::uint32_t>(input, mask, out, count);
            break;
        case 8:
            select_words<std::uint64_t>(input, mask, out, count);
            break;
        default:
            TORCH_CHECK(false, "items must have 1, 2, 4 or 8 bytes");
    }
}

/// The items whose mask is set, at the front of an array as long as the input; and their number, [1].
std::tuple<Tensor, Tensor> masked_select(const Tensor& input, const Tensor& mask) {
    const c10::cuda::CUDAGuard guard(input.device());
    const Tensor out = at::empty_like(input);
    const Tensor count = at::empty({1}, input.options().dtype(at::kLong));
    select_by_mask(input, mask, out, count.data_ptr<std::int64_t>());
    return {out, count};
}

/// The first items of `out`, as many as `select(count)` selects. The kernels write the number to memory of
/// the host, so that reading it needs no copy; a thread waits for each of its selections, so it needs one
/// such word.
template <typename SelectT>
Tensor selected(const Tensor& out, SelectT select) {
    thread_local std::int64_t* const count = [] {
        void* memory = nullptr;
        check(cudaHostAlloc(&memory, sizeof(std::int64_t), cudaHostAllocPortable | cudaHostAllocMapped));
        return static_cast<std::int64_t*>(memory);
    }();
    select(count);
    check(cudaStreamSynchronize(at::cuda::getCurrentCUDAStream()));
    return out.narrow(0, 0, *count);
}

/// As torch.masked_select. The result is a view of an array as long as the input.
Tensor masked_select_sized(const Tensor& input, const Tensor& mask) {
    const c10::cuda::CUDAGuard guard(input.device());
    const Tensor out = at::empty_like(input);
    return selected(out, [&](std::int64_t* count) { select_by_mask(input, mask, out, count); });
}

/// As torch.nonzero, with one dimension. The result is a view of an array as long as the input.
Tensor nonzero(const Tensor& input) {
    check_array(input, "input");
    const c10::cuda::CUDAGuard guard(input.device());
    const Tensor out = at::empty({input.numel()}, input.options().dtype(at::kLong));
    return selected(out, [&](std::int64_t* count) {
        AT_DISPATCH_ALL_TYPES_AND3(at::kBool, at::kHalf, at::kBFloat16, input.scalar_type(), "nonzero", [&] {
            check(compaction::cuda::indices_if(torch_memory, input.const_data_ptr<scalar_t>(),
                                               out.data_ptr<std::int64_t>(), count, input.numel(),
                                               IsNotZero{}, at::cuda::getCurrentCUDAStream()));
        });
    });
}

/// input[input != 0]. The result is a view of an array as long as the input.
Tensor select_nonzero(const Tensor& input) {
    check_array(input, "input");
    const c10::cuda::CUDAGuard guard(input.device());
    const Tensor out = at::empty_like(input);
    return selected(out, [&](std::int64_t* count) {
        AT_DISPATCH_ALL_TYPES_AND3(
            at::kBool, at::kHalf, at::kBFloat16, input.scalar_type(), "select_nonzero", [&] {
                check(compaction::cuda::select_if(torch_memory, input.const_data_ptr<scalar_t>(),
                                                  out.data_ptr<scalar_t>(), count, input.numel(), IsNotZero{},
                                                  at::cuda::getCurrentCUDAStream()));
            });
    });
}

}  // namespace

TORCH_LIBRARY(compaction, library) {
    library.def("nonzero_static(Tensor input, int size, int fill_value=-1) -> (Tensor, Tensor)");
    library.def("masked_select(Tensor input, Tensor mask) -> (Tensor, Tensor)");
    library.def("masked_select_sized(Tensor input, Tensor mask) -> Tensor");
    library.def("nonzero(Tensor input) -> Tensor");
    library.def("select_nonzero(Tensor input) -> Tensor");
}

TORCH_LIBRARY_IMPL(compaction, CUDA, library) {
    library.impl("nonzero_static", nonzero_static);
    library.impl("masked_select", masked_select);
    library.impl("masked_select_sized", masked_select_sized);
    library.impl("nonzero", nonzero);
    library.impl("select_nonzero", select_nonzero);
}
