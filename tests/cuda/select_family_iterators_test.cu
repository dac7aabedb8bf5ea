// select_iterators.cuh with iterators, and with predicates that change themselves or their items.
#include <gtest/gtest.h>
#include <thrust/device_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "compaction/cuda/select_iterators.cuh"
#include "tests/cuda/select_family_fixture.cuh"

namespace {

using compaction::cuda::select_flagged;
using compaction::cuda::select_flagged_if;
using compaction::cuda::select_if;
using select_testing::Count;
using select_testing::DeviceArray;
using select_testing::GuardedOutput;
using select_testing::lengths_to_test;
using select_testing::OnCudaDevice;
using select_testing::random_items;
using select_testing::Spoiling;
using select_testing::with_every_workspace;
using Item = std::uint32_t;

struct Mix {
    __host__ __device__ Item operator()(Item value) const { return value * 2654435761U; }
};
struct TopBit {
    __host__ __device__ bool operator()(Item value) const { return value >> 31; }
    __host__ __device__ bool operator()(const thrust::tuple<Item, Item>& pair) const {
        return thrust::get<0>(pair) > thrust::get<1>(pair);
    }
};

struct IsMultipleOf {
    std::uint8_t divisor;
    __host__ __device__ bool operator()(std::uint8_t flag) const { return flag % divisor == 0; }
};

class SelectIterators : public OnCudaDevice {
  protected:
    /// Selects from an iterator whose items on the host are `values`.
    template <typename IteratorT, typename T>
    static void expect_selected(IteratorT in, const std::vector<T>& values, std::size_t size) {
        std::vector<Item> expected;
        for (std::size_t i = 0; i < size; ++i) {
            if (TopBit{}(values[i])) expected.push_back(values[i]);
        }
        GuardedOutput<Item> out(expected.size());
        Count count;
        with_every_workspace(
            [&](auto&... workspace) {
                return select_if(workspace..., in, out.data(), count.data(), size, TopBit{});
            },
            [&] {
                ASSERT_NO_FATAL_FAILURE(count.expect(expected.size()));
                ASSERT_NO_FATAL_FAILURE(out.expect(expected));
            });
    }
};

TEST_F(SelectIterators, CountingTransformAndPermutation) {
    for (const std::size_t size : lengths_to_test(5)) {
        std::vector<Item> mixed(size), backwards(size);
        for (std::size_t i = 0; i < size; ++i) mixed[i] = Mix{}(static_cast<Item>(i));
        for (std::size_t i = 0; i < size; ++i) backwards[i] = mixed[size - 1 - i];
        const auto counting = thrust::make_counting_iterator(Item{0});
        ASSERT_NO_FATAL_FAILURE(
            this->expect_selected(thrust::make_transform_iterator(counting, Mix{}), mixed, size));
        DeviceArray<Item> d_mixed(size);
        d_mixed.upload(mixed);
        std::vector<Item> order(size);
        for (std::size_t i = 0; i < size; ++i) order[i] = static_cast<Item>(size - 1 - i);
        DeviceArray<Item> d_order(size);
        d_order.upload(order);
        ASSERT_NO_FATAL_FAILURE(this->expect_selected(
            thrust::make_permutation_iterator(d_mixed.data(), d_order.data()), backwards, size));
    }
}

TEST_F(SelectIterators, PointersToVolatile) {
    const auto in = random_items<Item>(12'345, 8);
    DeviceArray<Item> d_in(in.size());
    d_in.upload(in);
    ASSERT_NO_FATAL_FAILURE(
        this->expect_selected(static_cast<const volatile Item*>(d_in.data()), in, in.size()));
    DeviceArray<std::uint8_t> flags(in.size());
    flags.fill(1);
    GuardedOutput<Item> out(in.size());
    Count count;
    const volatile std::uint8_t* const marks = flags.data();
    with_every_workspace(
        [&](auto&... workspace) {
            return select_flagged(workspace..., d_in.data(), marks, out.data(), count.data(), in.size());
        },
        [&] {
            ASSERT_NO_FATAL_FAILURE(count.expect(in.size()));
            ASSERT_NO_FATAL_FAILURE(out.expect(in));
        });
}

TEST_F(SelectIterators, OfDeviceVectorsTakeTheFastPath) {
    const auto in = random_items<Item>(123'457, 6);
    const thrust::device_vector<Item> d_in(in.begin(), in.end());
    thrust::device_vector<Item> d_out(in.size());
    thrust::device_vector<int> d_count(1);
    std::vector<Item> expected;
    for (const Item item : in) {
        if (TopBit{}(item)) expected.push_back(item);
    }
    compaction::cuda::SelectState state;
    COMPACTION_CHECK(state.reserve<Item>(in.size()));
    // Without storage for CUB, only the kernels of select.cuh can answer.
    COMPACTION_CHECK(select_if(state, d_in.begin(), d_out.begin(), d_count.begin(), in.size(), TopBit{}));
    ASSERT_EQ(static_cast<std::size_t>(static_cast<int>(d_count[0])), expected.size());
    std::vector<Item> out(in.size());
    COMPACTION_CHECK(cudaMemcpy(out.data(), thrust::raw_pointer_cast(d_out.data()), out.size() * sizeof(Item),
                                cudaMemcpyDeviceToHost));
    out.resize(expected.size());
    EXPECT_EQ(out, expected);
}

TEST_F(SelectIterators, ZipInAndOut) {
    const std::size_t size = 54'321;
    const auto a = random_items<Item>(size, 9);
    const auto b = random_items<Item>(size, 10);
    std::vector<Item> kept_a, kept_b;
    for (std::size_t i = 0; i < size; ++i) {
        if (a[i] <= b[i]) continue;
        kept_a.push_back(a[i]);
        kept_b.push_back(b[i]);
    }
    DeviceArray<Item> d_a(size), d_b(size);
    d_a.upload(a);
    d_b.upload(b);
    GuardedOutput<Item> out_a(kept_a.size()), out_b(kept_b.size());
    Count count;
    with_every_workspace(
        [&](auto&... workspace) {
            return select_if(workspace..., thrust::make_zip_iterator(d_a.data(), d_b.data()),
                             thrust::make_zip_iterator(out_a.data(), out_b.data()), count.data(), size,
                             TopBit{});
        },
        [&] {
            ASSERT_NO_FATAL_FAILURE(count.expect(kept_a.size()));
            ASSERT_NO_FATAL_FAILURE(out_a.expect(kept_a));
            ASSERT_NO_FATAL_FAILURE(out_b.expect(kept_b));
        });
}

TEST_F(SelectIterators, DiscardedOutputCounts) {
    const auto in = random_items<Item>(40'000, 11);
    DeviceArray<Item> d_in(in.size());
    d_in.upload(in);
    const auto kept = static_cast<std::uint64_t>(std::count_if(in.begin(), in.end(), TopBit{}));
    Count count;
    with_every_workspace(
        [&](auto&... workspace) {
            return select_if(workspace..., d_in.data(), thrust::make_discard_iterator(), count.data(),
                             in.size(), TopBit{});
        },
        [&] { ASSERT_NO_FATAL_FAILURE(count.expect(kept)); });
}

/// By the kernels of select.cuh, which pass their own copies.
TEST_F(SelectIterators, PredicatesMayChangeThemselvesAndTheirItems) {
    const auto in = random_items<Item>(250'000, 14);
    DeviceArray<Item> d_in(in.size());
    d_in.upload(in);
    std::vector<Item> expected;
    for (const Item item : in) {
        if (TopBit{}(item)) expected.push_back(item);
    }
    GuardedOutput<Item> out(expected.size());
    Count count;
    with_every_workspace(
        [&](auto&... workspace) {
            return select_if(workspace..., d_in.data(), out.data(), count.data(), in.size(),
                             Spoiling{TopBit{}});
        },
        [&] {
            ASSERT_NO_FATAL_FAILURE(count.expect(expected.size()));
            ASSERT_NO_FATAL_FAILURE(out.expect(expected));
        });
}

TEST_F(SelectIterators, FlagsWithAPredicate) {
    for (const std::size_t size : lengths_to_test(16)) {
        const auto in = random_items<Item>(size, 17);
        const auto flags = random_items<std::uint8_t>(size, 18);
        std::vector<Item> expected;
        for (std::size_t i = 0; i < size; ++i) {
            if (IsMultipleOf{3}(flags[i])) expected.push_back(in[i]);
        }
        DeviceArray<Item> d_in(size);
        DeviceArray<std::uint8_t> d_flags(size);
        d_in.upload(in);
        d_flags.upload(flags);
        GuardedOutput<Item> out(expected.size());
        Count count;
        with_every_workspace(
            [&](auto&... workspace) {
                return select_flagged_if(workspace..., d_in.data(), d_flags.data(), out.data(), count.data(),
                                         size, IsMultipleOf{3});
            },
            [&] {
                ASSERT_NO_FATAL_FAILURE(count.expect(expected.size()));
                ASSERT_NO_FATAL_FAILURE(out.expect(expected));
            });
    }
}

/// Flags that are computed, with items behind pointers.
TEST_F(SelectIterators, FlagsNeedNotBeAnArray) {
    for (const std::size_t size : lengths_to_test(18)) {
        const auto in = random_items<Item>(size, 19);
        std::vector<Item> expected;
        for (std::size_t i = 0; i < size; ++i) {
            if (Mix{}(static_cast<Item>(i)) >> 31) expected.push_back(in[i]);
        }
        DeviceArray<Item> d_in(size);
        d_in.upload(in);
        const auto numbers = thrust::make_counting_iterator(Item{0});
        const auto mixed = thrust::make_transform_iterator(numbers, Mix{});
        const auto flags = thrust::make_transform_iterator(mixed, TopBit{});
        GuardedOutput<Item> out(expected.size());
        Count count;
        const auto expect = [&] {
            ASSERT_NO_FATAL_FAILURE(count.expect(expected.size()));
            ASSERT_NO_FATAL_FAILURE(out.expect(expected));
        };
        with_every_workspace(
            [&](auto&... workspace) {
                return select_flagged(workspace..., d_in.data(), flags, out.data(), count.data(), size);
            },
            expect);
        with_every_workspace(
            [&](auto&... workspace) {
                return select_flagged_if(workspace..., d_in.data(), mixed, out.data(), count.data(), size,
                                         TopBit{});
            },
            expect);
    }
}

}  // namespace
