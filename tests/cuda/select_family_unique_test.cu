// The first items of runs, by the kernels of select.cuh, by CUB and by a mask.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <random>
#include <vector>

#include "compaction/cuda/select_unique.cuh"
#include "tests/cuda/select_family_fixture.cuh"

namespace {

using compaction::cuda::device_length;
using compaction::cuda::unique;
using compaction::cuda::unique_by_key;
using select_testing::Count;
using select_testing::DeviceArray;
using select_testing::GuardedOutput;
using select_testing::lengths_of_all_paths;
using select_testing::lengths_to_test;
using select_testing::OnCudaDevice;
using select_testing::random_items;
using select_testing::with_every_workspace;
using Key = std::uint32_t;
using Value = std::uint64_t;

struct SameTens {
    __host__ __device__ bool operator()(Key a, Key b) const { return a / 10 == b / 10; }
};

/// Answers like SameTens, provided that it and its items are copies that end with the call.
struct SpoilingTens {
    bool is_spoiled = false;

    __host__ __device__ bool operator()(Key& a, Key& b) {
        const bool same = !is_spoiled && SameTens{}(a, b);
        is_spoiled = true;
        a = b = 0;
        return same;
    }
};

/// An iterator that is not a pointer.
struct KeyIterator {
    using iterator_category = std::random_access_iterator_tag;
    using value_type = Key;
    using difference_type = std::ptrdiff_t;
    using pointer = const Key*;
    using reference = Key;
    const Key* keys;

    __host__ __device__ Key operator*() const { return *keys; }
    __host__ __device__ Key operator[](difference_type i) const { return keys[i]; }
    __host__ __device__ KeyIterator operator+(difference_type i) const { return {keys + i}; }
};

class SelectUnique : public OnCudaDevice {
  protected:
    /// Runs of one to about twenty keys.
    static std::vector<Key> runs(std::size_t size, std::uint32_t seed) {
        std::mt19937 random(seed);
        std::vector<Key> keys;
        while (keys.size() < size) {
            const Key key = static_cast<Key>(random()) % 50;
            for (std::uint32_t i = random() % 20; i > 0 && keys.size() < size; --i) keys.push_back(key);
        }
        return keys;
    }

    struct Runs {
        std::vector<Key> keys;
        std::vector<Value> values;
    };
    /// call(workspace, data): selects the first items of the runs in `in` in place. `lead`: how many items
    /// after a whole vector the data begin.
    template <typename ItemT, typename CallT>
    static void expect_in_place(const std::vector<ItemT>& in, const std::vector<ItemT>& expected,
                                std::size_t lead, CallT call) {
        constexpr std::size_t guard_items = 64;
        DeviceArray<ItemT> data(lead + in.size() + guard_items);
        data.fill(0xee);
        data.upload(in, lead);
        const std::vector<ItemT> before = data.download();
        Count count;
        with_every_workspace(
            [&](auto&... workspace) {
                const auto with_data = [&](ItemT* items) { return call(items, count.data(), workspace...); };
                return with_data(data.data() + lead);
            },
            [&] {
                ASSERT_NO_FATAL_FAILURE(count.expect(expected.size())) << in.size() << " items";
                const std::vector<ItemT> after = data.download();
                const auto begin = after.begin() + static_cast<std::ptrdiff_t>(lead);
                EXPECT_TRUE(std::equal(expected.begin(), expected.end(), begin)) << in.size() << " items";
                EXPECT_TRUE(std::equal(after.begin(), begin, before.begin())) << "written before the data";
                EXPECT_TRUE(std::equal(after.end() - guard_items, after.end(), before.end() - guard_items))
                    << "written behind the data";
                data.upload(in, lead);
            });
    }

    template <typename EqualT>
    static Runs unique_on_host(const std::vector<Key>& keys, const std::vector<Value>& values,
                               std::size_t size, EqualT equal) {
        Runs out;
        for (std::size_t i = 0; i < size; ++i) {
            if (i > 0 && equal(keys[i - 1], keys[i])) continue;
            out.keys.push_back(keys[i]);
            out.values.push_back(values[i]);
        }
        return out;
    }

    /// call(workspace, keys, values, keys_out, values_out, count): a function that may ignore the values.
    template <typename EqualT, typename CallT>
    static void expect_unique(std::size_t size, std::size_t used, EqualT equal, bool has_values, CallT call) {
        const auto keys = runs(size, 50);
        const auto values = random_items<Value>(size, 51);
        const Runs expected = unique_on_host(keys, values, used, equal);
        DeviceArray<Key> d_keys(size);
        DeviceArray<Value> d_values(size);
        d_keys.upload(keys);
        d_values.upload(values);
        GuardedOutput<Key> keys_out(expected.keys.size());
        GuardedOutput<Value> values_out(expected.keys.size());
        Count count;
        with_every_workspace(
            [&](auto&... workspace) {
                const auto with_arguments = [&](auto... arguments) {
                    return call(arguments..., workspace...);
                };
                return with_arguments(d_keys.data(), d_values.data(), keys_out.data(), values_out.data(),
                                      count.data());
            },
            [&] {
                ASSERT_NO_FATAL_FAILURE(count.expect(expected.keys.size())) << size << " items";
                ASSERT_NO_FATAL_FAILURE(keys_out.expect(expected.keys)) << size << " items";
                if (has_values) {
                    ASSERT_NO_FATAL_FAILURE(values_out.expect(expected.values)) << size << " items";
                }
            });
    }
};

TEST_F(SelectUnique, RefusesNullAndAnOutputThatBeginsWithinAnInput) {
    constexpr std::size_t size = 1'000;
    DeviceArray<Key> d_keys(size), d_out(size);
    DeviceArray<Value> d_values(size), d_values_out(size);
    Count count;
    std::size_t bytes = std::size_t{1} << 20;
    DeviceArray<unsigned char> temp(bytes);
    const auto by_key = [&](const Value* values, Value* values_out) {
        return unique_by_key(temp.data(), bytes, d_keys.data(), values, d_out.data(), values_out,
                             count.data(), size);
    };
    EXPECT_EQ(unique(temp.data(), bytes, d_keys.data(), d_keys.data(), count.data(), size),
              cudaErrorInvalidValue);
    EXPECT_EQ(
        unique(temp.data(), bytes, d_keys.data(), d_keys.data() + size - 1, count.data(), size, SameTens{}),
        cudaErrorInvalidValue);
    EXPECT_EQ(unique(temp.data(), bytes, static_cast<Key*>(nullptr), count.data(), size),
              cudaErrorInvalidValue);
    EXPECT_EQ(unique(temp.data(), bytes, d_keys.data(), count.data(), -1, SameTens{}), cudaErrorInvalidValue);
    EXPECT_EQ(by_key(nullptr, d_values_out.data()), cudaErrorInvalidValue);
    EXPECT_EQ(by_key(d_values.data(), d_values.data()), cudaErrorInvalidValue);
    EXPECT_NE(cudaSetDevice(1'000), cudaSuccess);
    EXPECT_EQ(by_key(d_values.data(), d_values_out.data()), cudaSuccess) << "an earlier error is not its own";
    COMPACTION_CHECK(cudaDeviceSynchronize());
}

TEST_F(SelectUnique, Items) {
    for (const std::size_t size : lengths_of_all_paths(52)) {
        ASSERT_NO_FATAL_FAILURE(
            expect_unique(size, size, std::equal_to<>{}, false,
                          [&](Key* keys, Value*, Key* out, Value*, std::uint64_t* count, auto&... workspace) {
                              return unique(workspace..., keys, out, count, size);
                          }));
    }
}

TEST_F(SelectUnique, ItemsWithAnEqualityOfTheirOwn) {
    for (const std::size_t size : lengths_to_test(53)) {
        ASSERT_NO_FATAL_FAILURE(
            expect_unique(size, size, SameTens{}, false,
                          [&](Key* keys, Value*, Key* out, Value*, std::uint64_t* count, auto&... workspace) {
                              return unique(workspace..., keys, out, count, size, SpoilingTens{});
                          }));
    }
}

/// With CUB, or by a mask if the equality is not `==`.
TEST_F(SelectUnique, ItemsOfAnIterator) {
    for (const std::size_t size : lengths_to_test(56)) {
        const auto with = [size](auto... equal) {
            return [=](Key* keys, Value*, Key* out, Value*, std::uint64_t* count, auto&... workspace) {
                return unique(workspace..., KeyIterator{keys}, out, count, size, equal...);
            };
        };
        ASSERT_NO_FATAL_FAILURE(expect_unique(size, size, std::equal_to<>{}, false, with()));
        ASSERT_NO_FATAL_FAILURE(expect_unique(size, size, SameTens{}, false, with(SpoilingTens{})));
    }
}

TEST_F(SelectUnique, InPlace) {
    for (const std::size_t size : lengths_of_all_paths(57)) {
        const auto in = runs(size, 58);
        const Runs expected = unique_on_host(in, std::vector<Value>(size), size, std::equal_to<>{});
        const std::vector<Value> wide_in(in.begin(), in.end());
        const std::vector<Value> wide_expected(expected.keys.begin(), expected.keys.end());
        const auto call = [size](auto* data, std::uint64_t* count, auto&... workspace) {
            return unique(workspace..., data, count, size);
        };
        ASSERT_NO_FATAL_FAILURE(expect_in_place(in, expected.keys, size % 4, call));
        ASSERT_NO_FATAL_FAILURE(expect_in_place(wide_in, wide_expected, size % 2, call));
    }
}

/// Nothing is removed from the first part, so that its items are written over themselves.
TEST_F(SelectUnique, InPlaceWhereFewItemsAreEqual) {
    for (const std::size_t size : lengths_of_all_paths(59)) {
        std::vector<Key> in(size);
        for (std::size_t i = 0; i < size; ++i) in[i] = static_cast<Key>(i < size / 2 ? i : i / 2);
        const Runs expected = unique_on_host(in, std::vector<Value>(size), size, std::equal_to<>{});
        ASSERT_NO_FATAL_FAILURE(expect_in_place(in, expected.keys, 1,
                                                [size](Key* data, std::uint64_t* count, auto&... workspace) {
                                                    return unique(workspace..., data, count, size, nullptr);
                                                }));
    }
}

/// By an array in the temporary storage.
TEST_F(SelectUnique, InPlaceWithAnEqualityOfItsOwnOrALengthOnTheDevice) {
    DeviceArray<std::uint32_t> d_length(1);
    for (const std::size_t size : lengths_to_test(60)) {
        const auto in = runs(size, 61);
        const std::vector<Value> no_values(size);
        const std::size_t used = size - size / 4;
        d_length.upload({static_cast<std::uint32_t>(used)});
        const auto length = device_length(d_length.data(), size);
        ASSERT_NO_FATAL_FAILURE(expect_in_place(in, unique_on_host(in, no_values, size, SameTens{}).keys, 0,
                                                [&](Key* data, std::uint64_t* count, auto&... workspace) {
                                                    return unique(workspace..., data, count, size,
                                                                  SpoilingTens{});
                                                }));
        ASSERT_NO_FATAL_FAILURE(expect_in_place(in,
                                                unique_on_host(in, no_values, used, std::equal_to<>{}).keys,
                                                1, [&](Key* data, std::uint64_t* count, auto&... workspace) {
                                                    return unique(workspace..., data, count, length);
                                                }));
    }
}

TEST_F(SelectUnique, KeysAndValues) {
    for (const std::size_t size : lengths_of_all_paths(54)) {
        ASSERT_NO_FATAL_FAILURE(expect_unique(size, size, SameTens{}, true,
                                              [&](Key* keys, Value* values, Key* out, Value* values_out,
                                                  std::uint64_t* count, auto&... workspace) {
                                                  return unique_by_key(workspace..., keys, values, out,
                                                                       values_out, count, size, SameTens{});
                                              }));
    }
}

TEST_F(SelectUnique, KeysAndValuesUpToALengthOnTheDevice) {
    DeviceArray<std::uint32_t> d_length(1);
    for (const std::size_t size : lengths_to_test(55)) {
        const std::size_t used = size - size / 4;
        d_length.upload({static_cast<std::uint32_t>(used)});
        const auto length = device_length(d_length.data(), size);
        const cudaStream_t stream = nullptr;
        ASSERT_NO_FATAL_FAILURE(expect_unique(size, used, std::equal_to<>{}, true,
                                              [&](Key* keys, Value* values, Key* out, Value* values_out,
                                                  std::uint64_t* count, auto&... workspace) {
                                                  return unique_by_key(workspace..., keys, values, out,
                                                                       values_out, count, length, stream);
                                              }));
    }
}

}  // namespace
