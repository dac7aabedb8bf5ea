// select_iterators.cuh and select_unique.cuh with more items than cub::DeviceSelect takes without an error.
#include <gtest/gtest.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>

#include <cstdint>
#include <string>

#include "compaction/cuda/detail/cub_limit.cuh"
#include "compaction/cuda/select_iterators.cuh"
#include "compaction/cuda/select_unique.cuh"
#include "tests/cuda/select_fixture.cuh"

namespace {

using compaction::cuda::select_flagged;
using compaction::cuda::select_flagged_if;
using compaction::cuda::select_if;
using compaction::cuda::unique;
using select_testing::DeviceArray;
using select_testing::OnCudaDevice;
using Item = std::uint32_t;

constexpr std::uint64_t too_long = (std::uint64_t{1} << 31) - 1;
constexpr std::uint64_t guard_items = 1 << 20;
constexpr Item guard = 0xabababab;

struct Always {
    template <typename T>
    __host__ __device__ bool operator()(const T&) const {
        return true;
    }
};

/// Counts the items that differ from their index, and the changed items after them.
__global__ void count_wrong(const Item* items, std::uint64_t size, unsigned long long* wrong) {
    const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
    for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < size + guard_items;
         i += step) {
        if (items[i] != (i < size ? static_cast<Item>(i) : guard)) atomicAdd(wrong, 1ULL);
    }
}

/// Selects from a counting iterator, so that only the output takes memory.
class SelectLong : public OnCudaDevice {
  protected:
    static constexpr std::uint64_t longest = too_long + 12'345;

    void SetUp() override {
        OnCudaDevice::SetUp();
        if (IsSkipped()) return;
        std::size_t available = 0, total = 0;
        COMPACTION_CHECK(cudaMemGetInfo(&available, &total));
        if (available < 2 * longest * sizeof(Item))
            GTEST_SKIP() << "This test needs " << 2 * longest * sizeof(Item) << " bytes of GPU memory.";
    }

    /// `call(temp, temp_bytes, out, num_selected, size)` keeps all items.
    template <typename CallT>
    static void expect_all(const std::string& name, CallT call) {
        DeviceArray<Item> out(longest + guard_items);
        DeviceArray<std::uint64_t> num_selected(1);
        DeviceArray<unsigned long long> wrong(1);
        for (const std::uint64_t size : {too_long, longest}) {
            out.fill(0xab);
            wrong.fill(0);
            std::size_t bytes = 0;
            COMPACTION_CHECK(call(nullptr, bytes, out.data(), num_selected.data(), size));
            DeviceArray<std::uint8_t> temp(bytes);
            COMPACTION_CHECK(call(temp.data(), bytes, out.data(), num_selected.data(), size));
            count_wrong<<<1024, 256>>>(out.data(), size, wrong.data());
            COMPACTION_CHECK(cudaDeviceSynchronize());
            EXPECT_EQ(num_selected.download()[0], size) << name;
            EXPECT_EQ(wrong.download()[0], 0U) << name << " of " << size;
        }
    }

    const thrust::counting_iterator<Item> in_{0};
    const thrust::constant_iterator<std::uint8_t> flags_{1};
};

TEST_F(SelectLong, NothingIsWrittenOutsideIfAllItemsAreKept) {
    expect_all("select_if",
               [&](void* temp, std::size_t& bytes, Item* out, std::uint64_t* count, std::uint64_t size) {
                   return select_if(temp, bytes, in_, out, count, size, Always{});
               });
    expect_all("select_flagged",
               [&](void* temp, std::size_t& bytes, Item* out, std::uint64_t* count, std::uint64_t size) {
                   return select_flagged(temp, bytes, in_, flags_, out, count, size);
               });
    expect_all("select_flagged_if",
               [&](void* temp, std::size_t& bytes, Item* out, std::uint64_t* count, std::uint64_t size) {
                   return select_flagged_if(temp, bytes, in_, flags_, out, count, size, Always{});
               });
    // A 0 is a stream, as for CUB.
    expect_all("unique", [&](void* temp, std::size_t& bytes, Item* out, std::uint64_t* count,
                             std::uint64_t size) { return unique(temp, bytes, in_, out, count, size, 0); });
}

/// Where the kernels of select.cuh do not take the items.
struct ThreeWords {
    std::uint32_t words[3];
};

TEST_F(SelectLong, InPlaceIsRefusedWhereCubIsWrong) {
    Item* const data = nullptr;
    ThreeWords* const wide_data = nullptr;
    std::uint64_t* const count = nullptr;
    for (const std::uint64_t size : {compaction::cuda::detail::max_cub_select_items, too_long, longest}) {
        const cudaError_t expected =
            size <= compaction::cuda::detail::max_cub_select_items ? cudaSuccess : cudaErrorInvalidValue;
        std::size_t bytes = 0;
        EXPECT_EQ(select_if(nullptr, bytes, wide_data, count, size, Always{}), expected);
        EXPECT_EQ(select_flagged(nullptr, bytes, wide_data, flags_, count, size), expected);
        EXPECT_EQ(select_flagged_if(nullptr, bytes, wide_data, flags_, count, size, Always{}), expected);
        EXPECT_EQ(select_if(nullptr, bytes, data, count, size, Always{}), cudaSuccess);
    }
    // The count holds fewer items. Where CUB takes them, the size is that of CUB.
    constexpr std::uint64_t too_many = std::uint64_t{1} << 33;
    std::uint32_t* const short_count = nullptr;
    std::size_t bytes = 0;
    EXPECT_EQ(
        select_if(nullptr, bytes, data, short_count, too_many, Always{}),
        too_many > compaction::cuda::detail::max_cub_select_items ? cudaErrorInvalidValue : cudaSuccess);
}

}  // namespace
