// The host side of selections by a mask on fake GPUs: what is launched, in which storage, and what is
// refused.
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

#include "compaction/cuda/detail/cub_dispatch.cuh"
#include "compaction/cuda/select_columns.cuh"
#include "compaction/cuda/select_indices.cuh"
#include "tests/cuda/select_host_fixture.cuh"

namespace {

namespace detail = compaction::cuda::detail;
using compaction::cuda::column;
using compaction::cuda::device_length;
using compaction::cuda::indices_flagged;
using compaction::cuda::indices_if;
using compaction::cuda::padded;
using compaction::cuda::select_columns_if;
using compaction::cuda::SelectState;
using select_testing::h100;
using select_testing::rtx_4090;
using select_testing::SelectOnHost;

/// A word at any alignment.
struct Halves {
    std::uint16_t first, second;
};

struct IsNotZero {
    __device__ bool operator()(std::uint32_t item) const { return item != 0; }
    __device__ bool operator()(const Halves& item) const { return item.first != 0; }
};

class SelectMaskedOnHost : public SelectOnHost {
  protected:
    template <typename OutT, typename LengthT>
    cudaError_t indices(SelectState& state, OutT out, LengthT num_items) {
        return indices_if(state, in_, out, num_selected_, num_items, IsNotZero{});
    }
    template <typename OutT>
    cudaError_t reserve(SelectState& state, OutT out, std::uint64_t num_items) {
        return state.reserve_for([&](void* temp, std::size_t& bytes) {
            return indices_if(temp, bytes, in_, out, num_selected_, num_items, IsNotZero{});
        });
    }

    /// The longest stream whose counts are not scanned.
    static constexpr std::uint64_t longest_summed =
        std::uint64_t{detail::mask_summed_tiles} * detail::mask_tile_items;
    /// Positions of 2 bytes, which only a mask selects.
    std::uint16_t* const positions_ = reinterpret_cast<std::uint16_t*>(out_);
};

TEST_F(SelectMaskedOnHost, LaunchesThreeKernelsThatWaitForEachOther) {
    use(h100);
    SelectState state;
    ASSERT_EQ(reserve(state, positions_, longest_summed + 1), cudaSuccess);
    ASSERT_EQ(indices(state, positions_, longest_summed + 1), cudaSuccess);
    ASSERT_EQ(runtime_.launches.size(), 3U);
    EXPECT_TRUE(runtime_.launches[0].is("mark_kernel")) << runtime_.launches[0].kernel;
    EXPECT_TRUE(runtime_.launches[1].is("scan_in_one_block")) << runtime_.launches[1].kernel;
    EXPECT_TRUE(runtime_.launches[2].is("move_kernel")) << runtime_.launches[2].kernel;
    EXPECT_EQ(runtime_.launches[0].blocks, detail::mask_summed_tiles + 1);
    EXPECT_EQ(runtime_.launches[1].blocks, 1U);
    EXPECT_EQ(runtime_.launches[2].blocks, detail::mask_summed_tiles + 1);
    EXPECT_FALSE(runtime_.launches[0].overlaps) << "it reads what earlier work may write";
    EXPECT_TRUE(runtime_.launches[1].overlaps);
    EXPECT_TRUE(runtime_.launches[2].overlaps);
}

TEST_F(SelectMaskedOnHost, HasNoProgrammaticEdgesInAGraph) {
    use(h100);
    SelectState state;
    ASSERT_EQ(reserve(state, positions_, longest_summed + 1), cudaSuccess);
    runtime_.captures = true;
    ASSERT_EQ(indices(state, positions_, longest_summed + 1), cudaSuccess);
    ASSERT_EQ(runtime_.launches.size(), 3U);
    for (const FakeRuntime::Launch& launch : runtime_.launches) EXPECT_FALSE(launch.overlaps);
    runtime_.captures = false;
}

TEST_F(SelectMaskedOnHost, RefusesACountThatMayNotFit) {
    use(h100);
    SelectState state;
    ASSERT_EQ(reserve(state, positions_, 1'000), cudaSuccess);
    auto* const small_count = reinterpret_cast<std::uint8_t*>(num_selected_);
    const auto select = [&](std::uint64_t num_items) {
        return indices_if(state, in_, positions_, small_count, num_items, IsNotZero{});
    };
    EXPECT_EQ(select(255), cudaSuccess);
    EXPECT_EQ(select(256), cudaErrorInvalidValue);
}

/// Programs get a resource by a function that returns it.
TEST_F(SelectMaskedOnHost, TakesAMemoryResourceThatIsATemporary) {
    use(h100);
    EXPECT_EQ(indices_if(compaction::cuda::StreamOrderedMemory{}, in_, positions_, num_selected_, 1'000,
                         IsNotZero{}),
              cudaSuccess);
    EXPECT_EQ(runtime_.launches.size(), 2U);
}

TEST_F(SelectMaskedOnHost, ReturnsTheErrorOfTheMemory) {
    use(h100);
    for (const cudaError_t error : {cudaErrorMemoryAllocation, cudaErrorIllegalAddress}) {
        runtime_.malloc_result = error;
        EXPECT_EQ(indices_if(compaction::cuda::stream_ordered_memory, in_, positions_, num_selected_, 1'000,
                             IsNotZero{}),
                  error);
    }
    runtime_.malloc_result = cudaSuccess;
}

TEST_F(SelectMaskedOnHost, DoesNotScanFewCounts) {
    use(h100);
    SelectState state;
    ASSERT_EQ(reserve(state, positions_, longest_summed), cudaSuccess);
    for (const std::uint64_t num_items : {std::uint64_t{0}, std::uint64_t{10'000}, longest_summed}) {
        runtime_.launches.clear();
        ASSERT_EQ(indices(state, positions_, num_items), cudaSuccess);
        ASSERT_EQ(runtime_.launches.size(), 2U);
        EXPECT_TRUE(runtime_.launches[0].is("mark_kernel")) << runtime_.launches[0].kernel;
        EXPECT_TRUE(runtime_.launches[1].is("move_kernel")) << runtime_.launches[1].kernel;
        EXPECT_FALSE(runtime_.launches[0].overlaps) << "it reads what earlier work may write";
        EXPECT_TRUE(runtime_.launches[1].overlaps);
    }
}

TEST_F(SelectMaskedOnHost, DoesNotOverlapLaunchesOnOlderGpus) {
    use(rtx_4090);
    SelectState state;
    ASSERT_EQ(reserve(state, positions_, longest_summed + 1), cudaSuccess);
    ASSERT_EQ(indices(state, positions_, longest_summed + 1), cudaSuccess);
    ASSERT_EQ(runtime_.launches.size(), 3U);
    for (const FakeRuntime::Launch& launch : runtime_.launches) EXPECT_FALSE(launch.overlaps);
}

TEST_F(SelectMaskedOnHost, LeavesPositionsAsLongAsTheItemsToTheSinglePass) {
    use(h100);
    SelectState state;
    ASSERT_EQ(reserve(state, out_, 100'000), cudaSuccess);
    ASSERT_EQ(indices(state, out_, 100'000), cudaSuccess);
    ASSERT_EQ(runtime_.launches.size(), 1U);
    EXPECT_TRUE(runtime_.launches[0].is("single_wave_kernel")) << runtime_.launches[0].kernel;
}

/// Positions longer than the items, which are then taken for flags.
TEST_F(SelectMaskedOnHost, LeavesLongPositionsToTheSinglePass) {
    use(h100);
    SelectState state;
    auto* const long_positions = reinterpret_cast<std::uint64_t*>(out_);
    ASSERT_EQ(reserve(state, long_positions, 100'000'000), cudaSuccess);
    ASSERT_EQ(indices(state, long_positions, 100'000'000), cudaSuccess);
    const auto* const flags = reinterpret_cast<const bool*>(in_);
    ASSERT_EQ(indices_flagged(state, flags, long_positions, num_selected_, 100'000'000), cudaSuccess);
    ASSERT_EQ(runtime_.launches.size(), 2U);
    for (const FakeRuntime::Launch& launch : runtime_.launches)
        EXPECT_TRUE(launch.is("pipeline_kernel")) << launch.kernel;
}

TEST_F(SelectMaskedOnHost, ServesItemsBetweenTwoWordsFromTheSameStorage) {
    use(h100);
    SelectState state;
    const auto* const at_a_word = reinterpret_cast<const Halves*>(in_);
    const auto select = [&](const Halves* in) {
        return indices_if(state, in, out_, num_selected_, 100'000, IsNotZero{});
    };
    ASSERT_EQ(state.reserve_for([&](void* temp, std::size_t& bytes) {
        return indices_if(temp, bytes, at_a_word, out_, num_selected_, 100'000, IsNotZero{});
    }),
              cudaSuccess);
    ASSERT_EQ(select(at_a_word), cudaSuccess);
    EXPECT_EQ(runtime_.launches.size(), 1U) << "the single pass";
    const auto* const between_words = reinterpret_cast<const Halves*>(&at_a_word->second);
    ASSERT_EQ(select(between_words), cudaSuccess);
    EXPECT_EQ(runtime_.launches.size(), 3U) << "a mask";

    // The call that asks for the size may have any pointers.
    const auto size_with = [&](const Halves* in) {
        std::size_t bytes = 0;
        EXPECT_EQ(indices_if(nullptr, bytes, in, out_, num_selected_, 100'000, IsNotZero{}), cudaSuccess);
        return bytes;
    };
    EXPECT_EQ(size_with(between_words), size_with(at_a_word));
}

TEST_F(SelectMaskedOnHost, FillsAPaddedOutputInAKernelOfItsOwn) {
    use(h100);
    SelectState state;
    ASSERT_EQ(reserve(state, padded(out_, 500, 7U), 1'000), cudaSuccess);
    ASSERT_EQ(indices(state, padded(out_, 500, 7U), 1'000), cudaSuccess);
    ASSERT_EQ(runtime_.launches.size(), 3U);
    EXPECT_TRUE(runtime_.launches[2].is("fill_kernel")) << runtime_.launches[2].kernel;
    EXPECT_EQ(runtime_.launches[2].blocks, 2U);
}

TEST_F(SelectMaskedOnHost, RefusesAStateThatIsNotReservedForIt) {
    use(h100);
    SelectState state;
    EXPECT_EQ(indices(state, positions_, 1'000), cudaErrorInvalidValue);
    ASSERT_EQ(state.reserve<std::uint32_t>(1'000), cudaSuccess);
    EXPECT_EQ(indices(state, positions_, 1'000), cudaErrorInvalidValue) << "reserved for select.cuh";
    ASSERT_EQ(reserve(state, positions_, 1'000), cudaSuccess);
    EXPECT_EQ(indices(state, positions_, 1'000), cudaSuccess);
    EXPECT_EQ(indices(state, positions_, 1'000'000), cudaErrorInvalidValue) << "too long";
    ASSERT_EQ(reserve(state, positions_, 1'000'000), cudaSuccess);
    EXPECT_EQ(indices(state, positions_, 1'000'000), cudaSuccess);
    SelectState moved = std::move(state);
    EXPECT_EQ(indices(moved, positions_, 1'000'000), cudaSuccess);
    use(h100);
    EXPECT_EQ(indices(moved, positions_, 1'000), cudaErrorInvalidDevice);
    EXPECT_EQ(reserve(moved, positions_, 2'000'000), cudaErrorInvalidDevice);
}

TEST_F(SelectMaskedOnHost, RefusesBadArgumentsBeforeAnyLaunch) {
    use(h100);
    SelectState state;
    ASSERT_EQ(reserve(state, positions_, 1'000), cudaSuccess);
    const std::uint32_t* const no_length = nullptr;
    EXPECT_EQ(indices(state, positions_, device_length(no_length, 1'000)), cudaErrorInvalidValue);
    EXPECT_EQ(indices(state, positions_, -1), cudaErrorInvalidValue);
    EXPECT_EQ(indices(state, positions_, (std::uint64_t{1} << 40) + 1), cudaErrorInvalidValue);
    std::uint64_t* const no_count = nullptr;
    EXPECT_EQ(indices_if(state, in_, positions_, no_count, 1'000, IsNotZero{}), cudaErrorInvalidValue);
    const std::uint32_t* const no_items = nullptr;
    EXPECT_EQ(indices_if(state, no_items, positions_, num_selected_, 1'000, IsNotZero{}),
              cudaErrorInvalidValue);
    EXPECT_EQ(indices(state, padded(positions_, static_cast<std::uint64_t>(-1), 7U), 1'000),
              cudaErrorInvalidValue);
    EXPECT_EQ(indices(state, padded(static_cast<std::uint64_t*>(nullptr), 10, 7U), 1'000),
              cudaErrorInvalidValue);
    const auto columns = [&](const std::uint32_t* column_in) {
        std::size_t bytes = std::size_t{1} << 30;
        return select_columns_if(memory(4), bytes, in_, num_selected_, 1'000, IsNotZero{}, nullptr,
                                 column(in_, out_), column(column_in, out_ + 1'000));
    };
    EXPECT_EQ(columns(nullptr), cudaErrorInvalidValue);
    EXPECT_EQ(columns(out_), cudaErrorInvalidValue) << "the first output is the second input";
    EXPECT_EQ(columns(out_ - 999), cudaErrorInvalidValue) << "it begins at the last item";
    EXPECT_TRUE(runtime_.launches.empty());
    EXPECT_EQ(columns(out_ - 1'000), cudaSuccess);
    EXPECT_EQ(indices_if(state, no_items, positions_, num_selected_, 0, IsNotZero{}), cudaSuccess);
}

/// CUB itself would read null, and stop at an error that an earlier call left.
TEST_F(SelectOnHost, ChecksWhatCubDoesNot) {
    int calls = 0;
    const auto call = [&](void*, std::size_t&) {
        ++calls;
        return cudaGetLastError();
    };
    const auto dispatch = [&](auto* count, std::uint64_t items, const auto*... inputs) {
        std::size_t bytes = 1;
        return detail::cub_dispatch(memory(4), bytes, count, items, call, inputs...);
    };
    const std::uint32_t* const missing = nullptr;
    EXPECT_EQ(dispatch(num_selected_, 10, in_, missing), cudaErrorInvalidValue);
    EXPECT_EQ(dispatch(num_selected_, 10, missing, in_), cudaErrorInvalidValue);
    EXPECT_EQ(dispatch(static_cast<std::uint64_t*>(nullptr), 10, in_), cudaErrorInvalidValue);
    EXPECT_EQ(calls, 0);
    EXPECT_EQ(dispatch(num_selected_, 0, missing), cudaSuccess);
    runtime_.last_error = cudaErrorInvalidConfiguration;
    EXPECT_EQ(dispatch(num_selected_, 10, in_), cudaSuccess);
    EXPECT_EQ(calls, 2);
}

TEST_F(SelectMaskedOnHost, KeepsTheStreamOrderedMemoryOfEachDevice) {
    using compaction::cuda::stream_ordered_memory;
    const auto call = [&] {
        return indices_if(stream_ordered_memory, in_, positions_, num_selected_, 1'000, IsNotZero{});
    };
    runtime_.kept_bytes.clear();
    use(h100);
    EXPECT_EQ(call(), cudaSuccess);
    EXPECT_EQ(call(), cudaSuccess);
    ASSERT_EQ(runtime_.kept_bytes.size(), 1U);
    EXPECT_EQ(runtime_.kept_bytes.begin()->second, ~std::uint64_t{0})
        << "whatever is freed stays in the pool";
    use(h100);
    EXPECT_EQ(call(), cudaSuccess);
    EXPECT_EQ(runtime_.kept_bytes.size(), 2U);
    EXPECT_EQ(stream_ordered_memory.trim(4'096), cudaSuccess);
    EXPECT_EQ(runtime_.trimmed_to, 4'096U);
}

/// As on virtual GPUs whose kernels cannot opt in to more.
TEST_F(SelectOnHost, UsesTheDefaultLimitOfSharedMemoryWhereNoneCanBeRaised) {
    FakeRuntime::Gpu gpu = h100;
    gpu.shared_bytes_per_block = 0;
    use(gpu);
    detail::DeviceProperties properties;
    ASSERT_EQ(detail::query_current_device(properties), cudaSuccess);
    EXPECT_EQ(properties.max_shared_bytes, 48U << 10);
}

/// The arrays of the storage follow each other without overlap, and end within what the call asks for.
TEST_F(SelectMaskedOnHost, CutsItsStorageWithoutOverlap) {
    for (const std::uint64_t items : {0U, 1U, 4'096U, 4'097U, 4'194'304U, 4'194'305U, 123'456'789U}) {
        constexpr std::uintptr_t begin = 0x1000'0000'0001;
        const detail::MaskStorage storage(reinterpret_cast<void*>(begin), items);
        const std::size_t tiles = storage.num_tiles;
        EXPECT_GE(tiles * detail::mask_tile_items, items);
        const auto end_of = [](auto* array, std::size_t size) {
            return reinterpret_cast<std::uintptr_t>(array + size);
        };
        const detail::MaskState& state = storage.state;
        EXPECT_GE(reinterpret_cast<std::uintptr_t>(state.total), begin);
        EXPECT_LE(end_of(state.total, 1), end_of(state.counts, 0));
        EXPECT_EQ(state.offsets != nullptr, tiles > detail::mask_summed_tiles);
        if (state.offsets) {
            EXPECT_LE(end_of(state.total, 1), end_of(state.offsets, 0));
            EXPECT_LE(end_of(state.offsets, tiles), end_of(state.counts, 0));
        }
        EXPECT_LE(end_of(state.counts, tiles), end_of(state.words, 0));
        EXPECT_LE(end_of(state.words, tiles * detail::mask_tile_words), begin + storage.needed());
        for (const std::uintptr_t array : {end_of(state.offsets, 0), end_of(state.counts, 0)}) {
            EXPECT_EQ(array % 16, 0U) << "the scan reads and writes vectors";
        }
    }
}

/// Beside code for the other calls that takes a byte, whatever the count can hold.
TEST_F(SelectOnHost, NeverTakesLessStorageForMoreItems) {
    use(h100);
    const auto check = [&](auto* count) {
        std::size_t before = 0;
        for (const std::uint64_t items : {0U, 1U, 127U, 128U, 1'000U, 32'767U, 32'768U, 9'000'000U}) {
            std::size_t bytes = 0;
            EXPECT_EQ(
                detail::select_any(nullptr, bytes, in_, out_, count, items, detail::MarkIf{in_, IsNotZero{}},
                                   detail::ByPredicate<IsNotZero>{}, nullptr,
                                   [](void*, std::size_t& needed, const auto&...) {
                                       needed = 1;
                                       return cudaSuccess;
                                   }),
                cudaSuccess);
            EXPECT_GE(bytes, before) << items << " items, a count of " << sizeof *count << " bytes";
            before = bytes;
        }
    };
    check(reinterpret_cast<std::int8_t*>(num_selected_));
    check(reinterpret_cast<std::int16_t*>(num_selected_));
    check(reinterpret_cast<std::int32_t*>(num_selected_));
}

}  // namespace
