// Partitions into two parts, by a predicate and by flags, and into three.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "compaction/cuda/select_partition.cuh"
#include "tests/cuda/select_family_fixture.cuh"

namespace {

using compaction::cuda::device_length;
using compaction::cuda::partition_flagged;
using compaction::cuda::partition_if;
using select_testing::Bulk;
using select_testing::Count;
using select_testing::DeviceArray;
using select_testing::GuardedOutput;
using select_testing::lengths_of_all_paths;
using select_testing::lengths_to_test;
using select_testing::OnCudaDevice;
using select_testing::random_items;
using select_testing::Spoiling;
using select_testing::with_every_workspace;
using Item = std::uint32_t;

struct LeavesRest {
    Item divisor;
    Item rest;
    __host__ __device__ bool operator()(Item item) const { return item % divisor == rest; }
};

/// Whether the first byte of an item is below a limit.
struct StartsBelow {
    unsigned limit;

    template <typename ItemT>
    __host__ __device__ bool operator()(const ItemT& item) const {
        std::uint8_t byte;
        memcpy(&byte, &item, 1);
        return byte < limit;
    }
};

class SelectPartition : public OnCudaDevice {
  protected:
    /// Partitions by a predicate and by flags. The input begins `lead` items after a whole vector.
    template <typename ItemT>
    static void expect_two_outputs(std::size_t size, std::uint32_t seed, std::size_t lead) {
        SCOPED_TRACE(std::to_string(size) + " items of " + std::to_string(sizeof(ItemT)) + " bytes, lead " +
                     std::to_string(lead));
        const StartsBelow keep{seed % 257};
        const auto in = random_items<ItemT>(size, seed);
        std::vector<ItemT> parts[2];
        std::vector<std::uint8_t> flags;
        for (const ItemT& item : in) {
            parts[keep(item) ? 0 : 1].push_back(item);
            flags.push_back(keep(item) ? 3 : 0);
        }
        DeviceArray<ItemT> d_in(size + lead);
        d_in.upload(in, lead);
        DeviceArray<std::uint8_t> d_flags(size);
        d_flags.upload(flags);
        GuardedOutput<ItemT> selected(parts[0].size()), rejected(parts[1].size());
        Count count;
        const auto expect_parts = [&] {
            ASSERT_NO_FATAL_FAILURE(count.expect(parts[0].size()));
            ASSERT_NO_FATAL_FAILURE(selected.expect(parts[0]));
            ASSERT_NO_FATAL_FAILURE(rejected.expect(parts[1]));
        };
        with_every_workspace(
            [&](auto&... workspace) {
                return partition_if(workspace..., d_in.data() + lead, selected.data(), rejected.data(),
                                    count.data(), size, keep);
            },
            expect_parts);
        with_every_workspace(
            [&](auto&... workspace) {
                return partition_flagged(workspace..., d_in.data() + lead, d_flags.data(), selected.data(),
                                         rejected.data(), count.data(), size);
            },
            expect_parts);
    }

    /// Partitions into three outputs; those of empty parts are null. The input begins `lead` items after a
    /// whole vector.
    template <typename ItemT>
    static void expect_three_outputs(std::size_t size, const StartsBelow& is_first,
                                     const StartsBelow& is_second, std::size_t lead) {
        SCOPED_TRACE(std::to_string(size) + " items of " + std::to_string(sizeof(ItemT)) + " bytes, limits " +
                     std::to_string(is_first.limit) + " and " + std::to_string(is_second.limit) + ", lead " +
                     std::to_string(lead));
        const auto in = random_items<ItemT>(size, is_first.limit + 1);
        std::vector<ItemT> parts[3];
        for (const ItemT& item : in) parts[is_first(item) ? 0 : is_second(item) ? 1 : 2].push_back(item);
        DeviceArray<ItemT> d_in(size + lead);
        d_in.upload(in, lead);
        GuardedOutput<ItemT> outs[]{GuardedOutput<ItemT>(parts[0].size()),
                                    GuardedOutput<ItemT>(parts[1].size()),
                                    GuardedOutput<ItemT>(parts[2].size())};
        const auto out = [&](int part) { return parts[part].empty() ? nullptr : outs[part].data(); };
        DeviceArray<std::uint64_t> counts(3);
        counts.fill(0xee);
        with_every_workspace(
            [&](auto&... workspace) {
                return partition_if(workspace..., d_in.data() + lead, out(0), out(1), out(2), counts.data(),
                                    size, is_first, is_second);
            },
            [&] {
                const std::vector<std::uint64_t> expected{parts[0].size(), parts[1].size(),
                                                          0xeeee'eeee'eeee'eeee};
                ASSERT_EQ(counts.download(), expected);
                counts.fill(0xee);
                for (int part = 0; part < 3; ++part)
                    ASSERT_NO_FATAL_FAILURE(outs[part].expect(parts[part])) << "part " << part;
            });
    }

    template <typename KeepT>
    static std::vector<Item> partition_on_host(const std::vector<Item>& in, KeepT keep) {
        std::vector<Item> front, back;
        for (std::size_t i = 0; i < in.size(); ++i) (keep(i) ? front : back).push_back(in[i]);
        front.insert(front.end(), back.rbegin(), back.rend());
        return front;
    }

    /// Partitions the `length` first items of `d_in`, which are `in`, by predicates that answer as is_even
    /// and is_multiple do.
    template <typename LengthT, typename IsFirstT, typename IsSecondT>
    static void expect_three_parts(const std::vector<Item>& in, DeviceArray<Item>& d_in, LengthT length,
                                   IsFirstT is_first, IsSecondT is_second) {
        std::vector<Item> parts[3];
        for (const Item item : in) parts[is_even(item) ? 0 : is_multiple(item) ? 1 : 2].push_back(item);
        GuardedOutput<Item> first(parts[0].size()), second(parts[1].size()), rest(parts[2].size());
        DeviceArray<std::uint64_t> counts(2);
        with_every_workspace(
            [&](auto&... workspace) {
                return partition_if(workspace..., d_in.data(), first.data(), second.data(), rest.data(),
                                    counts.data(), length, is_first, is_second);
            },
            [&] {
                const std::vector<std::uint64_t> expected{parts[0].size(), parts[1].size()};
                ASSERT_EQ(counts.download(), expected) << in.size() << " items";
                counts.fill(0xee);
                ASSERT_NO_FATAL_FAILURE(first.expect(parts[0]));
                ASSERT_NO_FATAL_FAILURE(second.expect(parts[1]));
                ASSERT_NO_FATAL_FAILURE(rest.expect(parts[2]));
            });
    }

    static constexpr LeavesRest is_even{2, 0};
    static constexpr LeavesRest is_multiple{3, 0};
};

TEST_F(SelectPartition, IntoTwoByAPredicate) {
    const LeavesRest keep{3, 1};
    for (const std::size_t size : lengths_of_all_paths(40)) {
        const auto in = random_items<Item>(size, 41);
        const auto expected = partition_on_host(in, [&](std::size_t i) { return keep(in[i]); });
        const std::size_t lead = size % 4;
        DeviceArray<Item> d_in(size + lead);
        d_in.upload(in, lead);
        GuardedOutput<Item> out(size);
        Count count;
        with_every_workspace(
            [&](auto&... workspace) {
                return partition_if(workspace..., d_in.data() + lead, out.data(), count.data(), size, keep);
            },
            [&] {
                ASSERT_NO_FATAL_FAILURE(
                    count.expect(static_cast<std::uint64_t>(std::count_if(in.begin(), in.end(), keep))));
                ASSERT_NO_FATAL_FAILURE(out.expect(expected)) << size << " items";
            });
    }
}

TEST_F(SelectPartition, IntoTwoOutputs) {
    std::uint32_t seed = 60;
    for (const std::size_t size : lengths_of_all_paths(49)) {
        seed += 37;
        ASSERT_NO_FATAL_FAILURE(expect_two_outputs<Item>(size, seed, size % 4));
        ASSERT_NO_FATAL_FAILURE((expect_two_outputs<Bulk<8, std::uint64_t>>(size, seed, size % 2)));
        ASSERT_NO_FATAL_FAILURE((expect_two_outputs<Bulk<16, uint4>>(size, seed, 0)));
        if (size > 10'000) continue;
        ASSERT_NO_FATAL_FAILURE(expect_two_outputs<Bulk<3>>(size, seed, 1));
    }
}

TEST_F(SelectPartition, IntoTwoByFlags) {
    for (const std::size_t size : lengths_to_test(42)) {
        const auto in = random_items<Item>(size, 43);
        auto flags = random_items<std::uint8_t>(size, 44);
        for (std::uint8_t& flag : flags) flag = flag < 50;
        const auto expected = partition_on_host(in, [&](std::size_t i) { return flags[i] != 0; });
        DeviceArray<Item> d_in(size);
        DeviceArray<std::uint8_t> d_flags(size);
        d_in.upload(in);
        d_flags.upload(flags);
        GuardedOutput<Item> out(size);
        Count count;
        with_every_workspace(
            [&](auto&... workspace) {
                return partition_flagged(workspace..., d_in.data(), d_flags.data(), out.data(), count.data(),
                                         size);
            },
            [&] {
                ASSERT_NO_FATAL_FAILURE(
                    count.expect(static_cast<std::uint64_t>(std::count(flags.begin(), flags.end(), 1))));
                ASSERT_NO_FATAL_FAILURE(out.expect(expected)) << size << " items";
            });
    }
}

TEST_F(SelectPartition, InPlace) {
    for (const std::size_t size : lengths_of_all_paths(62)) {
        const auto in = random_items<Item>(size, 63);
        std::vector<std::uint8_t> flags(size);
        std::transform(in.begin(), in.end(), flags.begin(), is_even);
        const auto expected = partition_on_host(in, [&](std::size_t i) { return is_even(in[i]); });
        const std::size_t lead = size % 4;
        DeviceArray<Item> data(size + lead + 1);
        data.fill(0xee);
        const std::vector<Item> around = data.download();
        data.upload(in, lead);
        DeviceArray<std::uint8_t> d_flags(size);
        d_flags.upload(flags);
        Count count;
        const auto expect = [&] {
            ASSERT_NO_FATAL_FAILURE(
                count.expect(static_cast<std::uint64_t>(std::count_if(in.begin(), in.end(), is_even))));
            const std::vector<Item> after = data.download();
            EXPECT_TRUE(std::equal(expected.begin(), expected.end(),
                                   after.begin() + static_cast<std::ptrdiff_t>(lead)))
                << size << " items";
            EXPECT_EQ(after.front(), lead > 0 || size == 0 ? around.front() : expected.front());
            EXPECT_EQ(after.back(), around.back()) << "written behind the data";
            data.upload(in, lead);
        };
        with_every_workspace(
            [&](auto&... workspace) {
                return partition_if(workspace..., data.data() + lead, count.data(), size, is_even);
            },
            expect);
        // A literal 0 is the stream.
        with_every_workspace(
            [&](auto&... workspace) {
                return partition_flagged(workspace..., data.data() + lead, d_flags.data(), count.data(), size,
                                         0);
            },
            expect);
    }
}

TEST_F(SelectPartition, IntoThree) {
    for (const std::size_t size : lengths_to_test(45)) {
        const auto in = random_items<Item>(size, 46);
        DeviceArray<Item> d_in(size);
        d_in.upload(in);
        ASSERT_NO_FATAL_FAILURE(expect_three_parts(in, d_in, size, is_even, is_multiple));
        // CUB would not copy these predicates.
        ASSERT_NO_FATAL_FAILURE(expect_three_parts(in, d_in, size, Spoiling{is_even}, Spoiling{is_multiple}));
    }
}

TEST_F(SelectPartition, IntoThreeOutputs) {
    std::uint32_t seed = 100;
    for (const std::size_t size : lengths_of_all_paths(50)) {
        seed += 37;
        const StartsBelow is_first{seed % 200}, is_second{150 + seed % 90};
        ASSERT_NO_FATAL_FAILURE(expect_three_outputs<Item>(size, is_first, is_second, size % 4));
        ASSERT_NO_FATAL_FAILURE(
            (expect_three_outputs<Bulk<8, std::uint64_t>>(size, is_first, is_second, size % 2)));
        ASSERT_NO_FATAL_FAILURE((expect_three_outputs<Bulk<16, uint4>>(size, is_first, is_second, 0)));
        if (size > 10'000) continue;
        ASSERT_NO_FATAL_FAILURE(expect_three_outputs<Bulk<3>>(size, is_first, is_second, 1));
    }
}

TEST_F(SelectPartition, IntoThreeOutputsSomeOfThemEmpty) {
    for (const std::size_t size : {std::size_t{1'000}, std::size_t{60'001}}) {
        for (const unsigned first : {0U, 128U, 256U}) {
            for (const unsigned second : {0U, 200U, 256U}) {
                ASSERT_NO_FATAL_FAILURE(
                    expect_three_outputs<Item>(size, StartsBelow{first}, StartsBelow{second}, 3));
            }
        }
    }
}

TEST_F(SelectPartition, IntoThreeOutputsOneOfThemNotAlignedToAnItem) {
    using Bytes = Bulk<4>;
    constexpr std::size_t size = 9'000;
    const StartsBelow is_first{100}, is_second{200};
    const auto in = random_items<Bytes>(size, 51);
    std::vector<Bytes> parts[3];
    for (const Bytes& item : in) parts[is_first(item) ? 0 : is_second(item) ? 1 : 2].push_back(item);
    DeviceArray<Bytes> d_in(size);
    d_in.upload(in);
    DeviceArray<std::uint64_t> counts(2);
    for (int shifted = 0; shifted < 3; ++shifted) {
        DeviceArray<std::uint8_t> outs[]{DeviceArray<std::uint8_t>(size * sizeof(Bytes) + 1),
                                         DeviceArray<std::uint8_t>(size * sizeof(Bytes) + 1),
                                         DeviceArray<std::uint8_t>(size * sizeof(Bytes) + 1)};
        const auto out = [&](int part) {
            return reinterpret_cast<Bytes*>(outs[part].data() + (part == shifted ? 1 : 0));
        };
        with_every_workspace(
            [&](auto&... workspace) {
                return partition_if(workspace..., d_in.data(), out(0), out(1), out(2), counts.data(), size,
                                    is_first, is_second);
            },
            [&] {
                ASSERT_EQ(counts.download()[0], parts[0].size());
                ASSERT_EQ(counts.download()[1], parts[1].size());
                for (int part = 0; part < 3; ++part) {
                    const std::vector<std::uint8_t> bytes = outs[part].download();
                    EXPECT_EQ(std::memcmp(bytes.data() + (part == shifted ? 1 : 0), parts[part].data(),
                                          parts[part].size() * sizeof(Bytes)),
                              0)
                        << "part " << part << ", part " << shifted << " is shifted";
                    outs[part].fill(0xee);
                }
            });
    }
}

TEST_F(SelectPartition, RefusesNullAndAnOutputThatBeginsWithinAnInput) {
    constexpr std::size_t size = 1'000;
    DeviceArray<Item> d_in(size), d_out(size);
    DeviceArray<std::uint8_t> d_flags(size);
    Count count;
    std::size_t bytes = 0;
    COMPACTION_CHECK(
        partition_flagged(nullptr, bytes, d_in.data(), d_flags.data(), d_out.data(), count.data(), size));
    DeviceArray<unsigned char> temp(bytes);
    const auto by_flags = [&](const std::uint8_t* flags, Item* out) {
        return partition_flagged(temp.data(), bytes, d_in.data(), flags, out, count.data(), size);
    };
    DeviceArray<Item> d_second(size), d_rest(size);
    DeviceArray<std::uint64_t> counts(2);
    const auto into_three = [&](Item* first, Item* second, Item* rest, std::uint64_t* num_selected) {
        std::size_t needed = 0;
        COMPACTION_EXPECT(partition_if(nullptr, needed, d_in.data(), d_out.data(), d_out.data(), rest,
                                       counts.data(), size, is_even, is_multiple));
        DeviceArray<unsigned char> storage(needed);
        return partition_if(storage.data(), needed, d_in.data(), first, second, rest, num_selected, size,
                            is_even, is_multiple);
    };
    EXPECT_EQ(by_flags(nullptr, d_out.data()), cudaErrorInvalidValue);
    EXPECT_EQ(by_flags(d_flags.data(), nullptr), cudaErrorInvalidValue);
    EXPECT_EQ(by_flags(d_flags.data(), d_in.data()), cudaErrorInvalidValue);
    EXPECT_EQ(by_flags(d_flags.data(), d_in.data() + size - 1), cudaErrorInvalidValue);
    Item* const in = d_in.data();
    Item* const first = d_out.data();
    Item* const second = d_second.data();
    Item* const rest = d_rest.data();
    EXPECT_EQ(into_three(in, second, rest, counts.data()), cudaErrorInvalidValue);
    EXPECT_EQ(into_three(first, in + size - 1, rest, counts.data()), cudaErrorInvalidValue);
    EXPECT_EQ(into_three(first, second, in + 1, counts.data()), cudaErrorInvalidValue);
    EXPECT_EQ(into_three(first, first, rest, counts.data()), cudaErrorInvalidValue);
    EXPECT_EQ(into_three(first, second, first, counts.data()), cudaErrorInvalidValue);
    EXPECT_EQ(into_three(first, second, second, counts.data()), cudaErrorInvalidValue);
    auto* const second_count = reinterpret_cast<Item*>(counts.data() + 1);
    EXPECT_EQ(into_three(second_count, second, rest, counts.data()), cudaErrorInvalidValue);
    EXPECT_EQ(into_three(first, second_count, rest, counts.data()), cudaErrorInvalidValue);
    EXPECT_EQ(into_three(first, second, second_count, counts.data()), cudaErrorInvalidValue);
    EXPECT_EQ(into_three(first, second, rest, reinterpret_cast<std::uint64_t*>(in + size - 2)),
              cudaErrorInvalidValue);
    EXPECT_EQ(into_three(first, second, rest, nullptr), cudaErrorInvalidValue);
    EXPECT_EQ(into_three(first, second, rest, counts.data()), cudaSuccess);
    DeviceArray<Item> d_rejected(size);
    const auto into_two = [&](Item* selected, Item* rejected, auto* num_selected) {
        std::size_t needed = 0;
        COMPACTION_EXPECT(partition_flagged(nullptr, needed, d_in.data(), d_flags.data(), d_out.data(),
                                            d_rejected.data(), count.data(), size));
        DeviceArray<unsigned char> storage(needed);
        return partition_flagged(storage.data(), needed, d_in.data(), d_flags.data(), selected, rejected,
                                 num_selected, size);
    };
    EXPECT_EQ(into_two(d_out.data(), d_out.data(), count.data()), cudaErrorInvalidValue);
    EXPECT_EQ(into_two(d_out.data(), d_in.data() + 1, count.data()), cudaErrorInvalidValue);
    EXPECT_EQ(into_two(d_out.data(), d_rejected.data(), static_cast<std::uint64_t*>(nullptr)),
              cudaErrorInvalidValue);
    DeviceArray<std::uint8_t> small_count(1);
    EXPECT_EQ(into_two(d_out.data(), d_rejected.data(), small_count.data()), cudaErrorInvalidValue);
    std::size_t bytes_in_place = 0;
    COMPACTION_CHECK(partition_if(nullptr, bytes_in_place, d_in.data(), count.data(), size, is_even));
    DeviceArray<unsigned char> storage_in_place(bytes_in_place);
    const auto in_place = [&](Item* data, std::uint64_t* num_selected, std::int64_t num_items) {
        return partition_if(storage_in_place.data(), bytes_in_place, data, num_selected, num_items, is_even);
    };
    EXPECT_EQ(in_place(nullptr, count.data(), size), cudaErrorInvalidValue);
    EXPECT_EQ(in_place(d_in.data(), nullptr, size), cudaErrorInvalidValue);
    EXPECT_EQ(in_place(d_in.data(), count.data(), -1), cudaErrorInvalidValue);
    EXPECT_EQ(in_place(d_in.data(), count.data(), 100 * size), cudaErrorInvalidValue) << "too little storage";
    // A literal 0 is the stream, not the length of a call with two outputs.
    EXPECT_EQ(partition_flagged(temp.data(), bytes, d_in.data(), d_flags.data(), d_out.data(), count.data(),
                                size, 0),
              cudaSuccess);
    // An error that an earlier call left is not that of this call, nor of one for the size of its storage.
    EXPECT_NE(cudaSetDevice(1'000), cudaSuccess);
    EXPECT_EQ(by_flags(d_flags.data(), d_out.data()), cudaSuccess);
    EXPECT_EQ(
        partition_flagged(nullptr, bytes, d_in.data(), d_flags.data(), d_out.data(), count.data(), size),
        cudaSuccess);
    COMPACTION_CHECK(cudaDeviceSynchronize());
}

TEST_F(SelectPartition, UpToALengthOnTheDevice) {
    DeviceArray<std::uint32_t> d_length(1);
    for (const std::size_t size : lengths_to_test(47)) {
        auto in = random_items<Item>(size, 48);
        DeviceArray<Item> d_in(size);
        d_in.upload(in);
        in.resize(size - size / 3);
        d_length.upload({static_cast<std::uint32_t>(in.size())});
        const auto length = device_length(d_length.data(), size);
        const auto expected = partition_on_host(in, [&](std::size_t i) { return is_even(in[i]); });
        const auto num_even = static_cast<std::uint64_t>(std::count_if(in.begin(), in.end(), is_even));
        GuardedOutput<Item> out(in.size());
        Count count;
        with_every_workspace(
            [&](auto&... workspace) {
                return partition_if(workspace..., d_in.data(), out.data(), count.data(), length, is_even);
            },
            [&] {
                ASSERT_NO_FATAL_FAILURE(count.expect(num_even));
                ASSERT_NO_FATAL_FAILURE(out.expect(expected)) << in.size() << " items";
            });
        ASSERT_NO_FATAL_FAILURE(expect_three_parts(in, d_in, length, is_even, is_multiple));
        ASSERT_NO_FATAL_FAILURE(
            expect_three_parts(in, d_in, length, Spoiling{is_even}, Spoiling{is_multiple}));
    }
}

}  // namespace
