// Items without a default constructor, with an operator & of their own, or volatile; iterators whose
// operators are not const.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "compaction/cuda/select_columns.cuh"
#include "compaction/cuda/select_indices.cuh"
#include "compaction/cuda/select_iterators.cuh"
#include "compaction/cuda/select_partition.cuh"
#include "compaction/cuda/select_unique.cuh"
#include "tests/cuda/select_family_fixture.cuh"

namespace {

using compaction::cuda::column;
using compaction::cuda::device_length;
using compaction::cuda::indices_if;
using compaction::cuda::padded;
using compaction::cuda::partition_if;
using compaction::cuda::select_columns_if;
using compaction::cuda::select_flagged;
using compaction::cuda::select_flagged_if;
using compaction::cuda::select_if;
using compaction::cuda::unique;
using compaction::cuda::unique_by_key;
using select_testing::Count;
using select_testing::DeviceArray;
using select_testing::GuardedOutput;
using select_testing::OnCudaDevice;
using select_testing::random_items;
using select_testing::with_every_workspace;
using Word = std::uint32_t;

/// Has no default constructor and no address.
template <std::size_t Words>
struct Strict {
    __host__ __device__ explicit Strict(Word word) : words{word} {}
    void operator&() const = delete;
    Word words[Words];
};
/// Has a default constructor, but no address.
template <std::size_t Words>
struct WithoutAddress {
    void operator&() const = delete;
    Word words[Words];
};

struct HasOddWord {
    __host__ __device__ bool operator()(Word word) const { return word % 2 != 0; }
    template <typename ItemT>
    __host__ __device__ bool operator()(const ItemT& item) const {
        return item.words[0] % 2 != 0;
    }
};
struct SameLastBit {
    template <typename ItemT>
    __host__ __device__ bool operator()(const ItemT& a, const ItemT& b) const {
        return a.words[0] % 2 == b.words[0] % 2;
    }
};

struct SameWord {
    __host__ __device__ bool operator()(Word a, Word b) const { return a == b; }
};

struct NonConstIterator {
    using iterator_category = std::random_access_iterator_tag;
    using value_type = Word;
    using difference_type = std::ptrdiff_t;
    using pointer = Word*;
    using reference = Word&;
    Word* words;

    __host__ __device__ Word& operator*() { return *words; }
    __host__ __device__ Word& operator[](difference_type i) { return words[i]; }
    __host__ __device__ NonConstIterator operator+(difference_type i) { return {words + i}; }
};

class SelectForeign : public OnCudaDevice {
  protected:
    static constexpr std::size_t size = 10'001;

    /// The items that HasOddWord keeps, each of `words` words.
    static std::vector<Word> odd_items(const std::vector<Word>& in, std::size_t words) {
        std::vector<Word> odd;
        for (std::size_t i = 0; i < in.size(); i += words) {
            if (in[i] % 2 != 0) odd.insert(odd.end(), in.begin() + i, in.begin() + i + words);
        }
        return odd;
    }
    static std::vector<Word> items_from(const std::vector<Word>& in, std::size_t first) {
        return {in.begin() + first, in.end()};
    }

    /// call(workspace..., in, out, count) selects the odd items. The input begins `lead` words behind an
    /// address that is aligned to anything.
    template <typename ItemT, typename CallT>
    static void expect_odd(CallT call, std::size_t lead = 0) {
        constexpr std::size_t words = sizeof(ItemT) / sizeof(Word);
        const auto in = random_items<Word>(lead + size * words, 1);
        DeviceArray<Word> d_in(in.size());
        d_in.upload(in);
        const std::vector<Word> expected = odd_items(items_from(in, lead), words);
        GuardedOutput<Word> out(expected.size());
        Count count;
        auto* const from = reinterpret_cast<ItemT*>(d_in.data() + lead);
        auto* const to = reinterpret_cast<ItemT*>(out.data());
        with_every_workspace([&](auto&... workspace) { return call(from, to, count.data(), workspace...); },
                             [&] {
                                 ASSERT_NO_FATAL_FAILURE(count.expect(expected.size() / words));
                                 ASSERT_NO_FATAL_FAILURE(out.expect(expected));
                             });
    }
    template <typename ItemT>
    static void expect_selected(std::size_t lead = 0) {
        expect_odd<ItemT>(
            [](const ItemT* in, ItemT* out, std::uint64_t* count, auto&... workspace) {
                return select_if(workspace..., in, out, count, size, HasOddWord{});
            },
            lead);
    }
};

TEST_F(SelectForeign, ItemsWithoutADefaultConstructor) {
    ASSERT_NO_FATAL_FAILURE(expect_selected<Strict<1>>());
    ASSERT_NO_FATAL_FAILURE(expect_selected<Strict<3>>());
    ASSERT_NO_FATAL_FAILURE(expect_selected<Strict<4>>());
    ASSERT_NO_FATAL_FAILURE(expect_selected<Strict<4>>(1)) << "not aligned to an item";
    ASSERT_NO_FATAL_FAILURE(expect_selected<Strict<8>>());
    using Item = Strict<4>;
    DeviceArray<std::uint64_t> length(1);
    length.upload({size});
    const auto select = [&](Item* in, Item* out, std::uint64_t* count, auto&... workspace) {
        return select_if(workspace..., in, out, count, device_length(length.data(), size + 10), HasOddWord{});
    };
    ASSERT_NO_FATAL_FAILURE(expect_odd<Item>(select));
    const auto flagged_by_items = [](Item* in, Item* out, std::uint64_t* count, auto&... workspace) {
        return select_flagged_if(workspace..., in, in, out, count, size, HasOddWord{});
    };
    ASSERT_NO_FATAL_FAILURE(expect_odd<Item>(flagged_by_items));
    const auto columns = [](Item* in, Item* out, std::uint64_t* count, auto&... workspace) {
        return select_columns_if(workspace..., in, count, size, HasOddWord{}, nullptr, column(in, out));
    };
    ASSERT_NO_FATAL_FAILURE(expect_odd<Item>(columns));
}

TEST_F(SelectForeign, ItemsWithoutADefaultConstructorInAPartition) {
    using Item = Strict<2>;
    const auto in = random_items<Word>(size * 2, 2);
    DeviceArray<Word> d_in(in.size());
    d_in.upload(in);
    const std::vector<Word> odd = odd_items(in, 2);
    DeviceArray<Word> out(in.size());
    Count count;
    with_every_workspace(
        [&](auto&... workspace) {
            return partition_if(workspace..., reinterpret_cast<Item*>(d_in.data()),
                                reinterpret_cast<Item*>(out.data()), count.data(), size, HasOddWord{});
        },
        [&] {
            ASSERT_NO_FATAL_FAILURE(count.expect(odd.size() / 2));
            const std::vector<Word> all = out.download();
            EXPECT_EQ(std::vector<Word>(all.begin(), all.begin() + odd.size()), odd);
            for (std::size_t i = odd.size(); i < all.size(); i += 2) ASSERT_EQ(all[i] % 2, 0U);
        });
}

TEST_F(SelectForeign, RunsOfItemsWithoutADefaultConstructor) {
    using Item = Strict<2>;
    const auto in = random_items<Word>(size * 2, 3);
    DeviceArray<Word> d_in(in.size());
    d_in.upload(in);
    std::vector<Word> expected;
    for (std::size_t i = 0; i < in.size(); i += 2) {
        if (i == 0 || in[i] % 2 != in[i - 2] % 2) expected.insert(expected.end(), {in[i], in[i + 1]});
    }
    auto* const keys = reinterpret_cast<Item*>(d_in.data());
    GuardedOutput<Word> out(expected.size()), values(expected.size());
    Count count;
    const auto check = [&] {
        ASSERT_NO_FATAL_FAILURE(count.expect(expected.size() / 2));
        ASSERT_NO_FATAL_FAILURE(out.expect(expected));
    };
    with_every_workspace(
        [&](auto&... workspace) {
            return unique(workspace..., keys, reinterpret_cast<Item*>(out.data()), count.data(), size,
                          SameLastBit{});
        },
        check);
    with_every_workspace(
        [&](auto&... workspace) {
            return unique_by_key(workspace..., keys, keys, reinterpret_cast<Item*>(out.data()),
                                 reinterpret_cast<Item*>(values.data()), count.data(), size, SameLastBit{});
        },
        check);
}

TEST_F(SelectForeign, ItemsWithAnOperatorForTheirAddress) {
    ASSERT_NO_FATAL_FAILURE(expect_selected<WithoutAddress<1>>());
    ASSERT_NO_FATAL_FAILURE(expect_selected<WithoutAddress<3>>()) << "passed to CUB";
    ASSERT_NO_FATAL_FAILURE(expect_selected<WithoutAddress<8>>());
    using Item = WithoutAddress<3>;
    const auto pads = [](Item* in, Item* out, std::uint64_t* count, auto&... workspace) {
        return select_if(workspace..., in, padded(out, 10, Item{}), count, 10, HasOddWord{});
    };
    DeviceArray<Item> d_in(10), d_out(10);
    d_in.fill(1);
    Count count;
    with_every_workspace(
        [&](auto&... workspace) { return pads(d_in.data(), d_out.data(), count.data(), workspace...); },
        [&] { ASSERT_NO_FATAL_FAILURE(count.expect(10)); });
}

TEST_F(SelectForeign, VolatileItems) {
    const auto select = [](auto from, auto to) {
        return [=](Word* in, Word* out, std::uint64_t* count, auto&... workspace) {
            return select_if(workspace..., from(in), to(out), count, size, HasOddWord{});
        };
    };
    const auto plain = [](Word* words) { return words; };
    const auto as_volatile = [](Word * words) -> volatile Word* {
        return words;
    };
    ASSERT_NO_FATAL_FAILURE(expect_odd<Word>(select(as_volatile, plain)));
    ASSERT_NO_FATAL_FAILURE(expect_odd<Word>(select(plain, as_volatile)));
    ASSERT_NO_FATAL_FAILURE(expect_odd<Word>(select(as_volatile, as_volatile)));
    const auto by_flags = [](volatile Word* in, volatile Word* out, std::uint64_t* count,
                             auto&... workspace) {
        return select_flagged_if(workspace..., in, in, out, count, size, HasOddWord{});
    };
    ASSERT_NO_FATAL_FAILURE(expect_odd<Word>(by_flags));
    const auto columns = [](volatile Word* in, volatile Word* out, std::uint64_t* count, auto&... workspace) {
        return select_columns_if(workspace..., in, count, size, HasOddWord{}, nullptr, column(in, out));
    };
    ASSERT_NO_FATAL_FAILURE(expect_odd<Word>(columns));
    DeviceArray<Word> words(size), positions(size);
    words.fill(1);
    Count count;
    volatile Word* const in = words.data();
    volatile Word* const out = positions.data();
    with_every_workspace(
        [&](auto&... workspace) {
            return indices_if(workspace..., in, out, count.data(), size, HasOddWord{});
        },
        [&] { ASSERT_NO_FATAL_FAILURE(count.expect(size)); });
}

TEST_F(SelectForeign, VolatileFlagsAndCounts) {
    const auto in = random_items<Word>(size, 4);
    DeviceArray<Word> d_in(size);
    d_in.upload(in);
    DeviceArray<bool> flags(size);
    flags.fill(1);
    const volatile bool* const marks = flags.data();
    GuardedOutput<Word> out(size);
    Count count;
    volatile std::uint64_t* const num_selected = count.data();
    const Word* const from = d_in.data();
    with_every_workspace(
        [&](auto&... workspace) {
            return select_flagged(workspace..., from, marks, out.data(), num_selected, size);
        },
        [&] {
            ASSERT_NO_FATAL_FAILURE(count.expect(size));
            ASSERT_NO_FATAL_FAILURE(out.expect(in));
        });
}

TEST_F(SelectForeign, IteratorsWhoseOperatorsAreNotConst) {
    const auto select = [](Word* in, Word* out, std::uint64_t* count, auto&... workspace) {
        return select_if(workspace..., NonConstIterator{in}, NonConstIterator{out}, count, size,
                         HasOddWord{});
    };
    ASSERT_NO_FATAL_FAILURE(expect_odd<Word>(select)) << "passed to CUB";
    const auto flagged = [](Word* in, Word* out, std::uint64_t* count, auto&... workspace) {
        return select_flagged_if(workspace..., NonConstIterator{in}, NonConstIterator{in}, out, count, size,
                                 HasOddWord{});
    };
    ASSERT_NO_FATAL_FAILURE(expect_odd<Word>(flagged)) << "passed to CUB";
    DeviceArray<std::uint64_t> length(1);
    length.upload({size});
    const auto by_mask = [&](Word* in, Word* out, std::uint64_t* count, auto&... workspace) {
        return select_if(workspace..., NonConstIterator{in}, NonConstIterator{out}, count,
                         device_length(length.data(), size), HasOddWord{});
    };
    ASSERT_NO_FATAL_FAILURE(expect_odd<Word>(by_mask));
    const auto columns = [](Word* in, Word* out, std::uint64_t* count, auto&... workspace) {
        return select_columns_if(workspace..., NonConstIterator{in}, count, size, HasOddWord{}, nullptr,
                                 column(NonConstIterator{in}, NonConstIterator{out}));
    };
    ASSERT_NO_FATAL_FAILURE(expect_odd<Word>(columns));
}

TEST_F(SelectForeign, IteratorsWhoseOperatorsAreNotConstInRunsAndPlace) {
    DeviceArray<Word> words(size), out(size), positions(size);
    words.fill(1);
    Count count;
    const auto expect_one = [&] { ASSERT_NO_FATAL_FAILURE(count.expect(1)); };
    with_every_workspace(
        [&](auto&... workspace) {
            return unique(workspace..., NonConstIterator{words.data()}, NonConstIterator{out.data()},
                          count.data(), size, SameWord{});
        },
        expect_one);
    const auto expect_all = [&] { ASSERT_NO_FATAL_FAILURE(count.expect(size)); };
    with_every_workspace(
        [&](auto&... workspace) {
            return indices_if(workspace..., NonConstIterator{words.data()},
                              NonConstIterator{positions.data()}, count.data(), size, HasOddWord{});
        },
        expect_all);
    with_every_workspace(
        [&](auto&... workspace) {
            return select_if(workspace..., NonConstIterator{words.data()}, count.data(), size, HasOddWord{});
        },
        expect_all);
    DeviceArray<std::uint64_t> length(1);
    length.upload({size});
    with_every_workspace(
        [&](auto&... workspace) {
            return select_if(workspace..., NonConstIterator{words.data()}, count.data(),
                             device_length(length.data(), size), HasOddWord{});
        },
        expect_all);
}

TEST_F(SelectForeign, NullAsTheStreamOfARun) {
    DeviceArray<Word> words(size), out(size), values(size);
    words.fill(1);
    Count count;
    const auto expect_one = [&] { ASSERT_NO_FATAL_FAILURE(count.expect(1)); };
    with_every_workspace(
        [&](auto&... workspace) {
            return unique(workspace..., words.data(), out.data(), count.data(), size, NULL);
        },
        expect_one);
    with_every_workspace(
        [&](auto&... workspace) {
            return unique_by_key(workspace..., words.data(), words.data(), out.data(), values.data(),
                                 count.data(), size, NULL);
        },
        expect_one);
}

}  // namespace
