// The host side of compaction/cuda/select.cuh on fake GPUs: what it refuses, and what it reserves.
#include <gtest/gtest.h>

#include <cstdint>

#include "compaction/cuda/select.cuh"
#include "tests/cuda/select_host_fixture.cuh"

namespace {

namespace detail = compaction::cuda::detail;
using compaction::cuda::select_flagged;
using compaction::cuda::select_if;
using compaction::cuda::SelectState;
using select_testing::h100;
using select_testing::NotZero;
using select_testing::rtx_4090;
using select_testing::SelectOnHost;

using Item = std::uint32_t;

/// A refused call enqueues nothing. The last call of each test is accepted, so nothing else was wrong.
class SelectRefuses : public SelectOnHost {
  protected:
    static constexpr std::uint64_t size = 1'000;

    void SetUp() override {
        SelectOnHost::SetUp();
        use(h100);
        ASSERT_EQ(state_.reserve<Item>(longest), cudaSuccess);
        runtime_.on_memset = [](void*, std::size_t) { FAIL() << "memory was set"; };
        runtime_.on_launch = [](const FakeRuntime::Launch& launch) { FAIL() << launch.kernel; };
    }

    /// With a state and with storage. `flags`: null for a predicate.
    template <typename CountT, typename FlagT = std::uint8_t>
    void expect(cudaError_t expected, Item* out, CountT* num_selected, std::uint64_t num_items,
                const FlagT* flags = nullptr) {
        std::size_t bytes =
            sizeof(detail::TileState) + detail::ticket_words<Item>(longest) * sizeof(std::uint32_t) + 255;
        if (flags) {
            EXPECT_EQ(select_flagged(state_, in_, flags, out, num_selected, num_items), expected);
            EXPECT_EQ(select_flagged(memory(4), bytes, in_, flags, out, num_selected, num_items), expected);
        } else {
            EXPECT_EQ(select_if(state_, in_, out, num_selected, num_items, NotZero{}), expected);
            EXPECT_EQ(select_if(memory(4), bytes, in_, out, num_selected, num_items, NotZero{}), expected);
        }
    }

    void expect_accepted_otherwise() {
        runtime_.on_launch = {};
        expect(cudaSuccess, out_, num_selected_, size);
        EXPECT_EQ(runtime_.launches.size(), 2U);
    }

    template <typename T>
    static T* at(const void* pointer, std::ptrdiff_t bytes) {
        return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(pointer) +
                                    static_cast<std::uintptr_t>(bytes));
    }

    static constexpr std::uint64_t longest = std::uint64_t{1} << 33;
    SelectState state_;
};

TEST_F(SelectRefuses, MoreItemsThanTheCountTypeHolds) {
    expect(cudaErrorInvalidValue, out_, at<std::int32_t>(num_selected_, 0), std::uint64_t{1} << 31);
    expect(cudaErrorInvalidValue, out_, at<std::uint32_t>(num_selected_, 0), std::uint64_t{1} << 32);
    expect(cudaErrorInvalidValue, out_, at<std::int8_t>(num_selected_, 0), 128);
    std::size_t bytes = 0;
    EXPECT_EQ(select_if(nullptr, bytes, in_, out_, at<std::uint32_t>(num_selected_, 0),
                        std::uint64_t{1} << 32, NotZero{}),
              cudaErrorInvalidValue);
    runtime_.on_launch = {};
    expect(cudaSuccess, out_, at<std::int32_t>(num_selected_, 0), (std::uint64_t{1} << 31) - 1);
    expect(cudaSuccess, out_, at<std::uint32_t>(num_selected_, 0), (std::uint64_t{1} << 32) - 1);
    expect(cudaSuccess, out_, at<std::int8_t>(num_selected_, 0), 127);
    expect(cudaSuccess, out_, num_selected_, longest);
}

TEST_F(SelectRefuses, AnOutputThatBeginsInAnInput) {
    constexpr std::ptrdiff_t bytes = size * sizeof(Item);
    expect(cudaErrorInvalidValue, in_, num_selected_, size);
    expect(cudaErrorInvalidValue, at<Item>(in_, bytes - 4), num_selected_, size);
    expect(cudaErrorInvalidValue, out_, at<std::uint64_t>(out_, 0), size);
    expect(cudaErrorInvalidValue, out_, at<std::uint64_t>(in_, 8), size);
    expect(cudaErrorInvalidValue, out_, num_selected_, size, at<const std::uint8_t>(out_, 0));
    expect(cudaErrorInvalidValue, out_, num_selected_, size,
           at<const std::uint8_t>(out_, 1 - std::ptrdiff_t{size}));
    expect(cudaErrorInvalidValue, out_, num_selected_, size, at<const std::uint32_t>(out_, 4 - bytes));
    expect(cudaErrorInvalidValue, out_, num_selected_, size, at<const std::uint8_t>(num_selected_, 7));
    runtime_.on_launch = {};
    expect(cudaSuccess, at<Item>(in_, bytes), num_selected_, size);
    expect(cudaSuccess, out_, at<std::uint64_t>(out_, -8), size);
    expect(cudaSuccess, out_, num_selected_, size, at<const std::uint32_t>(in_, 0));
}

/// The output is only as long as what is kept, which the host does not know.
TEST_F(SelectRefuses, NoOutputThatMayEndBeforeOtherData) {
    constexpr std::ptrdiff_t bytes = size * sizeof(Item);
    runtime_.on_launch = {};
    expect(cudaSuccess, at<Item>(in_, -4), num_selected_, size);
    expect(cudaSuccess, out_, at<std::uint64_t>(out_, bytes - 8), size);
    expect(cudaSuccess, out_, num_selected_, size, at<const std::uint8_t>(out_, 4));
    expect(cudaSuccess, nullptr, num_selected_, size);
}

TEST_F(SelectRefuses, MisalignedCountsAndFlags) {
    expect(cudaErrorMisalignedAddress, out_, at<std::uint64_t>(num_selected_, 4), size);
    expect(cudaErrorMisalignedAddress, out_, at<std::uint32_t>(num_selected_, 2), size);
    expect(cudaErrorMisalignedAddress, nullptr, at<std::uint64_t>(num_selected_, 4), 0);
    expect(cudaErrorMisalignedAddress, out_, num_selected_, size, at<const std::uint16_t>(memory(5), 1));
    expect_accepted_otherwise();
}

TEST_F(SelectRefuses, AStateOfAnotherDevice) {
    const int device = runtime_.device;
    use(rtx_4090);
    EXPECT_EQ(select_if(state_, in_, out_, num_selected_, size, NotZero{}), cudaErrorInvalidDevice);
    EXPECT_EQ(state_.reserve<Item>(2 * longest), cudaErrorInvalidDevice);
    unsigned blocks = 0;
    detail::Tiling tiling;
    EXPECT_EQ((state_.blocks<Item, NotZero, std::uint64_t>(size, 0, blocks, tiling)), cudaErrorInvalidDevice);
    runtime_.device = device;
    runtime_.gpu = h100;
    expect_accepted_otherwise();
}

class SelectReserves : public SelectOnHost {
  protected:
    static constexpr std::uint64_t size = 1'000'000;

    void SetUp() override {
        SelectOnHost::SetUp();
        use(rtx_4090);
        allocated_before_ = runtime_.allocated.size();
    }

    void TearDown() override {
        runtime_.malloc_result = runtime_.memset_result = runtime_.synchronise_result = cudaSuccess;
    }

    std::size_t allocated() const { return runtime_.allocated.size() - allocated_before_; }

  private:
    std::size_t allocated_before_ = 0;
};

TEST_F(SelectReserves, AllOrNothing) {
    using Result = cudaError_t FakeRuntime::*;
    for (const Result call :
         {&FakeRuntime::malloc_result, &FakeRuntime::memset_result, &FakeRuntime::synchronise_result}) {
        SelectState state;
        runtime_.*call = cudaErrorMemoryAllocation;
        EXPECT_EQ(state.reserve<Item>(size), cudaErrorMemoryAllocation);
        EXPECT_EQ(allocated(), 0U);
        runtime_.*call = cudaSuccess;
        EXPECT_EQ(select_if(state, in_, out_, num_selected_, size, NotZero{}), cudaErrorInvalidValue)
            << "nothing is reserved";
        EXPECT_EQ(state.reserve<Item>(size), cudaSuccess);
        EXPECT_EQ(select_if(state, in_, out_, num_selected_, size, NotZero{}), cudaSuccess);
    }
    EXPECT_EQ(allocated(), 0U);
}

TEST_F(SelectReserves, MoreWithoutLosingTheFirstReservation) {
    SelectState state;
    ASSERT_EQ(state.reserve<Item>(10 * size), cudaSuccess);
    const std::size_t allocated_once = allocated();
    runtime_.malloc_result = cudaErrorMemoryAllocation;
    EXPECT_EQ(state.reserve<Item>(100 * size), cudaErrorMemoryAllocation);
    EXPECT_EQ(select_if(state, in_, out_, num_selected_, 10 * size, NotZero{}), cudaSuccess);
    EXPECT_EQ(select_if(state, in_, out_, num_selected_, 100 * size, NotZero{}), cudaErrorInvalidValue);
    EXPECT_EQ(state.reserve<Item>(10 * size), cudaSuccess) << "that much is reserved";
    runtime_.malloc_result = cudaSuccess;
    EXPECT_EQ(state.reserve<Item>(100 * size), cudaSuccess);
    EXPECT_EQ(select_if(state, in_, out_, num_selected_, 100 * size, NotZero{}), cudaSuccess);
    EXPECT_EQ(allocated(), allocated_once);
}

}  // namespace
