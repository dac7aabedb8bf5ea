// select_iterators.cuh in place: one array instead of input and output.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "compaction/cuda/select_iterators.cuh"
#include "tests/cuda/select_family_fixture.cuh"

namespace {

using compaction::cuda::device_length;
using compaction::cuda::select_flagged;
using compaction::cuda::select_flagged_if;
using compaction::cuda::select_if;
using select_testing::Count;
using select_testing::DeviceArray;
using select_testing::lengths_to_test;
using select_testing::OnCudaDevice;
using select_testing::random_items;
using select_testing::with_every_workspace;
using Item = std::uint32_t;

struct HasTopBit {
    __host__ __device__ bool operator()(Item item) const { return item >> 31; }
};

struct FlagIsMultipleOf {
    std::uint8_t divisor;
    __host__ __device__ bool operator()(std::uint8_t flag) const { return flag % divisor == 0; }
};

/// An array that is selected in place, flags, and the count.
struct Selected {
    const std::vector<Item>& in;
    std::vector<std::uint8_t> flags;
    DeviceArray<Item> data{in.size()};
    DeviceArray<std::uint8_t> d_flags{in.size()};

    explicit Selected(const std::vector<Item>& items) : in(items), flags(items.size()) {
        for (std::size_t i = 0; i < in.size(); ++i) flags[i] = in[i] % 3 == 0;
        data.upload(in);
        d_flags.upload(flags);
    }

    /// The first `length` items that keep(i) selects.
    template <typename KeepT>
    std::vector<Item> expected(std::size_t length, KeepT keep) const {
        std::vector<Item> kept;
        for (std::size_t i = 0; i < length; ++i) {
            if (keep(i)) kept.push_back(in[i]);
        }
        return kept;
    }
    /// The items are as expected. Writes the input again.
    void expect(const std::vector<Item>& kept) {
        std::vector<Item> out = data.download();
        out.resize(kept.size());
        ASSERT_TRUE(out == kept) << in.size() << " items";
        data.upload(in);
    }
};

class SelectInPlace : public OnCudaDevice {};

TEST_F(SelectInPlace, UpToALengthOnTheHost) {
    for (const std::size_t size : lengths_to_test(12)) {
        const auto in = random_items<Item>(size, 13);
        Selected selected(in);
        const auto by_item = selected.expected(size, [&](std::size_t i) { return HasTopBit{}(in[i]); });
        const auto by_flag = selected.expected(size, [&](std::size_t i) { return selected.flags[i] != 0; });
        Count count;
        const auto expect = [&](const std::vector<Item>& kept) {
            ASSERT_NO_FATAL_FAILURE(count.expect(kept.size()));
            ASSERT_NO_FATAL_FAILURE(selected.expect(kept));
        };
        with_every_workspace(
            [&](auto&... workspace) {
                return select_if(workspace..., selected.data.data(), count.data(), size, HasTopBit{});
            },
            [&] { expect(by_item); });
        with_every_workspace(
            [&](auto&... workspace) {
                return select_flagged(workspace..., selected.data.data(), selected.d_flags.data(),
                                      count.data(), size);
            },
            [&] { expect(by_flag); });
        with_every_workspace(
            [&](auto&... workspace) {
                return select_flagged_if(workspace..., selected.data.data(), selected.d_flags.data(),
                                         count.data(), size, FlagIsMultipleOf{1});
            },
            [&] { expect(in); });
    }
}

TEST_F(SelectInPlace, UpToALengthOnTheDevice) {
    constexpr std::size_t capacity = std::min<std::size_t>(100'000, select_testing::longest_stream);
    const auto in = random_items<Item>(capacity, 14);
    Selected selected(in);
    DeviceArray<std::int64_t> length(1);  // the count is written over it
    for (const std::int64_t items : {-5, 0, 1, 4095, 4096, 4097, 9'999, 2'000'000'000}) {
        const auto used = static_cast<std::size_t>(std::clamp<std::int64_t>(items, 0, capacity));
        const auto to_end = device_length(length.data(), capacity);
        length.upload({items});
        const auto expect = [&](const std::vector<Item>& kept) {
            ASSERT_EQ(length.download()[0], static_cast<std::int64_t>(kept.size()));
            ASSERT_NO_FATAL_FAILURE(selected.expect(kept));
            length.upload({items});
        };
        const auto by_item = selected.expected(used, [&](std::size_t i) { return HasTopBit{}(in[i]); });
        with_every_workspace(
            [&](auto&... workspace) {
                return select_if(workspace..., selected.data.data(), length.data(), to_end, HasTopBit{});
            },
            [&] { expect(by_item); });
        const auto by_flag = selected.expected(used, [&](std::size_t i) { return selected.flags[i] != 0; });
        with_every_workspace(
            [&](auto&... workspace) {
                return select_flagged(workspace..., selected.data.data(), selected.d_flags.data(),
                                      length.data(), to_end);
            },
            [&] { expect(by_flag); });
        const auto unset = selected.expected(used, [&](std::size_t i) { return selected.flags[i] == 0; });
        with_every_workspace(
            [&](auto&... workspace) {
                return select_flagged_if(workspace..., selected.data.data(), selected.d_flags.data(),
                                         length.data(), to_end, FlagIsMultipleOf{2});
            },
            [&] { expect(unset); });
    }
}

TEST_F(SelectInPlace, BadLengthsOnTheDeviceAreRefused) {
    DeviceArray<Item> data(10);
    DeviceArray<std::uint64_t> length(1);
    const std::uint64_t* const no_length = nullptr;
    Item* const no_data = nullptr;
    const auto to_end = device_length(length.data(), 10);
    std::size_t bytes = 0;
    COMPACTION_CHECK(select_if(nullptr, bytes, data.data(), length.data(), to_end, HasTopBit{}));
    DeviceArray<unsigned char> storage(bytes);
    EXPECT_EQ(select_if(storage.data(), bytes, data.data(), length.data(), device_length(no_length, 10),
                        HasTopBit{}),
              cudaErrorInvalidValue);
    EXPECT_EQ(select_if(storage.data(), bytes, no_data, length.data(), to_end, HasTopBit{}),
              cudaErrorInvalidValue);
    std::size_t too_few = 255;
    EXPECT_EQ(select_if(storage.data(), too_few, data.data(), length.data(), to_end, HasTopBit{}),
              cudaErrorInvalidValue);
}

}  // namespace
