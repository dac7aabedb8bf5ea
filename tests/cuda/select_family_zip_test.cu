// select_iterators.cuh with zip iterators over arrays as input and output.
#include <gtest/gtest.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "compaction/cuda/select_iterators.cuh"
#include "tests/cuda/select_family_fixture.cuh"

namespace {

namespace detail = compaction::cuda::detail;
using compaction::cuda::device_length;
using compaction::cuda::select_flagged;
using compaction::cuda::select_flagged_if;
using compaction::cuda::select_if;
using select_testing::Bulk;
using select_testing::Count;
using select_testing::DeviceArray;
using select_testing::lengths_of_all_paths;
using select_testing::OnCudaDevice;
using select_testing::random_items;
using select_testing::with_every_workspace;

using Byte = std::uint8_t;
using Half = std::uint16_t;
using Word = std::uint32_t;
using Long = std::uint64_t;

template <typename T>
__host__ __device__ Byte low_byte(const T& value) {
    return static_cast<Byte>(value);
}
template <std::size_t Bytes, typename AlignT>
__host__ __device__ Byte low_byte(const Bulk<Bytes, AlignT>& value) {
    return value.bytes[0];
}

/// Keeps tuples by the low byte of their last element.
struct LastBelow {
    unsigned limit;

    template <typename... Ts>
    __host__ __device__ bool operator()(const thrust::tuple<Ts...>& tuple) const {
        return low_byte(thrust::get<sizeof...(Ts) - 1>(tuple)) < limit;
    }
    __host__ __device__ bool operator()(Byte flag) const { return flag < limit; }
};

/// Takes its tuple by value and by a reference through which it changes it.
struct FirstIsGreater {
    __host__ __device__ bool operator()(thrust::tuple<Word, Word> pair) const {
        return thrust::get<0>(pair) > thrust::get<1>(pair);
    }
};
struct SpoilingFirstIsGreater {
    bool is_spoiled = false;
    __host__ __device__ bool operator()(thrust::tuple<Word, Word>& pair) {
        const bool keep = !is_spoiled && FirstIsGreater{}(pair);
        is_spoiled = true;
        pair = {0, 0};
        return keep;
    }
};

/// Items that are kept.
using Kept = std::vector<char>;

/// A column: its items on the host and the device, and the output with guards around it. Input and output
/// begin `in_lead` and `out_lead` items after an address that is aligned to anything.
template <typename T>
class Column {
  public:
    Column(std::size_t size, std::uint32_t seed, std::size_t in_lead, std::size_t out_lead, const Kept& kept)
        : in_(random_items<T>(size, seed)), in_lead_(in_lead), in_memory_(size + in_lead) {
        in_memory_.upload(in_, in_lead);
        for (std::size_t i = 0; i < size; ++i) {
            if (kept[i]) expected_.push_back(in_[i]);
        }
        out_begin_ = guard_bytes + out_lead * sizeof(T);
        out_memory_ = std::make_unique<DeviceArray<unsigned char>>(out_begin_ + expected_.size() * sizeof(T) +
                                                                   guard_bytes);
        out_memory_->fill(0xee);
    }
    const T* in() const { return in_memory_.data() + in_lead_; }
    T* out() { return reinterpret_cast<T*>(out_memory_->data() + out_begin_); }

    /// The output is as expected, and nothing is written around it. Erases it.
    void expect() {
        std::vector<unsigned char> bytes(out_memory_->size(), 0xee);
        if (!expected_.empty())
            std::memcpy(bytes.data() + out_begin_, expected_.data(), expected_.size() * sizeof(T));
        const std::vector<unsigned char> found = out_memory_->download();
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            ASSERT_EQ(found[i], bytes[i]) << "byte " << static_cast<std::ptrdiff_t>(i - out_begin_) << " of "
                                          << expected_.size() << " elements of " << sizeof(T) << " bytes";
        }
        out_memory_->fill(0xee);
        ASSERT_TRUE(in_.empty() || std::memcmp(in_memory_.download().data() + in_lead_, in_.data(),
                                               in_.size() * sizeof(T)) == 0)
            << "the input has changed";
    }

  private:
    static constexpr std::size_t guard_bytes = 256;
    std::vector<T> in_;
    std::vector<T> expected_;
    std::size_t in_lead_;
    DeviceArray<T> in_memory_;
    std::size_t out_begin_ = 0;
    std::unique_ptr<DeviceArray<unsigned char>> out_memory_;
};

/// The columns of a selection.
template <typename... Ts>
class Columns {
  public:
    /// Lead: the number by which each column's begin is shifted, in items; 0 aligns all columns.
    Columns(std::size_t size, std::size_t lead, const Kept& kept) : Columns(size, lead, kept, Indices{}) {}

    auto in() const {
        return std::apply([](const auto&... columns) { return thrust::make_zip_iterator(columns->in()...); },
                          columns_);
    }
    auto out() {
        return std::apply([](auto&... columns) { return thrust::make_zip_iterator(columns->out()...); },
                          columns_);
    }
    void expect() {
        std::apply([](auto&... columns) { (columns->expect(), ...); }, columns_);
    }

  private:
    using Indices = std::index_sequence_for<Ts...>;
    template <std::size_t... I>
    Columns(std::size_t size, std::size_t lead, const Kept& kept, std::index_sequence<I...>)
        : columns_(
              std::make_unique<Column<Ts>>(size, seed_of(I), lead * (I + 1), lead * (2 * I + 3), kept)...) {}

  public:
    static constexpr std::uint32_t seed_of(std::size_t column) { return static_cast<std::uint32_t>(column); }

  private:
    std::tuple<std::unique_ptr<Column<Ts>>...> columns_;
};

/// Whether a call with zip iterators over such columns has code for the kernels of select.cuh.
template <typename... Ts>
constexpr bool has_fast_path() {
    using In = decltype(thrust::make_zip_iterator(static_cast<const Ts*>(nullptr)...));
    using Out = decltype(thrust::make_zip_iterator(static_cast<Ts*>(nullptr)...));
    return detail::columns_have_fast_path<In, Out, std::uint64_t*, detail::ByPredicate<LastBelow>>();
}

template <typename TypesT>
class SelectZips;
template <typename... Ts>
class SelectZips<std::tuple<Ts...>> : public OnCudaDevice {
  protected:
    static Kept kept_by_last(std::size_t size, unsigned limit) {
        using Last = std::tuple_element_t<sizeof...(Ts) - 1, std::tuple<Ts...>>;
        Kept kept(size);
        std::ranges::transform(random_items<Last>(size, Columns<Ts...>::seed_of(sizeof...(Ts) - 1)),
                               kept.begin(), [&](const Last& last) { return low_byte(last) < limit; });
        return kept;
    }
    template <typename CallT>
    static void expect_selected(std::size_t size, std::size_t lead, const Kept& kept, CallT call) {
        Columns<Ts...> columns(size, lead, kept);
        Count count;
        with_every_workspace(
            [&](auto&... workspace) { return call(columns.in(), columns.out(), count.data(), workspace...); },
            [&] {
                ASSERT_NO_FATAL_FAILURE(
                    count.expect(static_cast<std::uint64_t>(std::ranges::count(kept, 1))));
                ASSERT_NO_FATAL_FAILURE(columns.expect());
            });
    }
};

using AllTypes = testing::Types<
    // 8 bytes
    std::tuple<Word, Word>, std::tuple<Byte, Word>, std::tuple<Byte, Half, Word>,
    // 12, 16, 20 and 24 bytes
    std::tuple<Word, Long>, std::tuple<Word, Word, Word>, std::tuple<Long, Long>,
    std::tuple<Long, Byte, Word>, std::tuple<Long, Long, Word>, std::tuple<Long, Long, Long>,
    std::tuple<Bulk<12, Word>, Half, Long>,
    // 1, 2 and 4 bytes
    std::tuple<Byte>, std::tuple<Byte, Byte>, std::tuple<Half, Half>, std::tuple<Byte, Byte, Byte>,
    // other sizes of elements, and the most columns
    std::tuple<Bulk<3>, Bulk<5>>, std::tuple<Byte, Byte, Byte, Byte, Byte, Byte, Byte, Word>,
    // for CUB: items of 32 bytes
    std::tuple<Long, Long, Bulk<16>>>;
TYPED_TEST_SUITE(SelectZips, AllTypes);

static_assert(has_fast_path<Word, Word>() && has_fast_path<Byte, Word>() &&
              has_fast_path<Long, Long, Long>());
static_assert(has_fast_path<Long, Long, Long, Word>() && !has_fast_path<Long, Long, Long, Word, Byte>());
static_assert(!has_fast_path<Byte, Byte, Byte, Byte, Byte, Byte, Byte, Byte, Byte>(), "too many columns");

TYPED_TEST(SelectZips, ByAPredicate) {
    std::size_t lead = 0;
    for (const std::size_t size : lengths_of_all_paths(31)) {
        // None, few, half, all.
        for (const unsigned limit : {0U, 9U, 128U, 256U}) {
            if (size > 1'000'000 && limit != 128) continue;  // slow on the host
            const Kept kept = this->kept_by_last(size, limit);
            ASSERT_NO_FATAL_FAILURE(this->expect_selected(
                size, lead, kept,
                [&](auto in, auto out, std::uint64_t* count, auto&... workspace) {
                    return select_if(workspace..., in, out, count, size, LastBelow{limit});
                }))
                << size << " items, limit " << limit << ", lead " << lead;
            lead = (lead + 1) % 4;
        }
        ++lead;  // so that each limit meets each lead
    }
}

template <typename TypesT>
class SelectZipsFlagged : public SelectZips<TypesT> {};
using TypesToFlag =
    testing::Types<std::tuple<Word, Word>, std::tuple<Byte, Long>, std::tuple<Half, Byte, Byte>>;
TYPED_TEST_SUITE(SelectZipsFlagged, TypesToFlag);

TYPED_TEST(SelectZipsFlagged, ByFlags) {
    std::size_t lead = 0;
    for (const std::size_t size : lengths_of_all_paths(32)) {
        auto flags = random_items<Byte>(size, 33);
        DeviceArray<Byte> d_flags(size);
        Kept kept(size);
        std::ranges::transform(flags, kept.begin(), [](Byte flag) { return flag < 100; });
        d_flags.upload(flags);
        ASSERT_NO_FATAL_FAILURE(this->expect_selected(
            size, lead, kept,
            [&](auto in, auto out, std::uint64_t* count, auto&... workspace) {
                return select_flagged_if(workspace..., in, d_flags.data(), out, count, size, LastBelow{100});
            }))
            << size << " items, lead " << lead;
        for (Byte& flag : flags) flag = flag % 5 == 0 ? flag : 0;
        std::ranges::transform(flags, kept.begin(), [](Byte flag) { return flag != 0; });
        d_flags.upload(flags);
        ASSERT_NO_FATAL_FAILURE(this->expect_selected(
            size, lead, kept,
            [&](auto in, auto out, std::uint64_t* count, auto&... workspace) {
                return select_flagged(workspace..., in, d_flags.data(), out, count, size);
            }))
            << size << " items, lead " << lead;
        lead = (lead + 1) % 3;
    }
}

/// Each kernel on a chosen grid, so that short columns use every round, stage and status word.
template <typename TypesT>
class SelectZipPaths;
template <typename... Ts>
class SelectZipPaths<std::tuple<Ts...>> : public SelectZips<std::tuple<Ts...>> {
  protected:
    using Tuple = thrust::tuple<Ts...>;
    using Selector = detail::ZippedColumns<detail::ByPredicate<LastBelow>, Tuple, detail::ElementTypes<Ts...>,
                                           std::index_sequence_for<Ts...>>;
    using Item = typename Selector::Item;
    using Selection = detail::Selection<Item, Selector, std::uint64_t>;

    void SetUp() override {
        OnCudaDevice::SetUp();
        if (this->IsSkipped()) return;
        COMPACTION_CHECK(detail::query_current_device(device_));
        tile_state_ = std::make_unique<DeviceArray<detail::TileState>>(1);
        tile_state_->fill(0);
    }

    void expect_path(detail::Plan plan, const detail::LaunchShape& shape, std::size_t longest) {
        for (const std::size_t size : {std::size_t{1}, longest / 7, longest}) {
            for (const unsigned limit : {9U, 128U, 256U}) {
                for (const std::size_t lead : {0U, 1U, 3U})
                    ASSERT_NO_FATAL_FAILURE(expect_launch(plan, shape, size, limit, lead))
                        << size << " items, limit " << limit << ", lead " << lead;
            }
        }
    }

    void expect_launch(detail::Plan plan, const detail::LaunchShape& shape, std::size_t size, unsigned limit,
                       std::size_t lead) {
        const Kept kept = this->kept_by_last(size, limit);
        Columns<Ts...> columns(size, lead, kept);
        Count count;
        const Selector selector = detail::make_zipped_columns<Tuple>(
            detail::ByPredicate<LastBelow>{{limit}}, detail::columns_behind(columns.in()),
            detail::columns_behind(columns.out()), detail::ElementTypes<Ts...>{},
            std::index_sequence_for<Ts...>{});
        const Selection selection = detail::make_selection(
            static_cast<const Item*>(nullptr), static_cast<Item*>(nullptr), count.data(), size, selector);
        plan.num_tiles = static_cast<unsigned>(shape.num_tiles(size));
        if (plan.path == detail::Path::single_wave) plan.blocks = plan.num_tiles;
        DeviceArray<std::uint32_t> tickets(detail::ticket_words<Item>(size));
        tickets.fill(0);
        COMPACTION_CHECK(selection.launch(device_, plan, detail::Start::after_previous, tile_state_->data(),
                                          tickets.data(), nullptr, limits_));
        ASSERT_NO_FATAL_FAILURE(count.expect(static_cast<std::uint64_t>(std::ranges::count(kept, 1))));
        ASSERT_NO_FATAL_FAILURE(columns.expect());
    }

    void expect_single_wave(detail::TileSize size, std::size_t longest) {
        detail::with_policy(size, [&](auto policy) {
            expect_path({.path = detail::Path::single_wave, .tile_size = size},
                        detail::single_wave_shape<Item, decltype(policy)>, longest);
        });
    }

    /// Expects rounds of the pipeline, unless it is not available.
    void expect_pipeline(unsigned blocks, std::size_t tiles) {
        if (!select_testing::tests_pipeline) GTEST_SKIP() << "This test launches no pipeline.";
        bool available = false;
        COMPACTION_CHECK(Selection::query_pipeline(device_, available));
        if (!available) GTEST_SKIP() << "This GPU, or the code of this test, has no bulk copies (sm_90).";
        if (blocks > detail::max_pipeline_blocks)
            GTEST_SKIP() << "This GPU has as many multiprocessors as a launch has blocks.";
        expect_path({.path = detail::Path::pipeline, .blocks = blocks}, detail::pipeline_shape<Item>,
                    detail::pipeline_shape<Item>.tile_items * tiles + 5);
    }

    detail::DeviceProperties device_;
    detail::WaitLimits limits_;

  private:
    std::unique_ptr<DeviceArray<detail::TileState>> tile_state_;
};

using TypesOfPaths = testing::Types<std::tuple<Word, Word>, std::tuple<Byte, Half, Word>,
                                    std::tuple<Word, Long>, std::tuple<Half, Half>>;
TYPED_TEST_SUITE(SelectZipPaths, TypesOfPaths);

TYPED_TEST(SelectZipPaths, InOneWave) {
    using detail::TileSize;
    this->expect_single_wave(TileSize::small, 5'000);
    this->expect_single_wave(TileSize::medium, 10'000);
    this->expect_single_wave(TileSize::large, 20'000);
    this->expect_single_wave(TileSize::largest, 30'000);
    this->limits_.spins = 0;  // blocks count missing tiles themselves
    this->expect_single_wave(TileSize::small, 5'000);
    this->expect_single_wave(TileSize::largest, 30'000);
}

TYPED_TEST(SelectZipPaths, ThroughThePipeline) {
    this->expect_pipeline(/*blocks=*/2, /*tiles=*/17);
}

/// The blocks beyond one for each multiprocessor start only when others have ended.
TYPED_TEST(SelectZipPaths, TooManyBlocksForThePipelineGoOnByTickets) {
    const unsigned blocks = this->device_.multiprocessors + 3;
    this->expect_pipeline(blocks, /*tiles=*/std::size_t{blocks} * 5 / 2);
}

TYPED_TEST(SelectZipPaths, ByTickets) {
    using Item = typename TestFixture::Item;
    constexpr int few = detail::few_rows;
    constexpr int many = detail::many_rows;
    this->expect_path({.path = detail::Path::ticketed, .rows = few, .blocks = 2},
                      detail::ticketed_shape<Item, few>, 20'000);
    this->expect_path({.path = detail::Path::ticketed, .rows = many, .blocks = 3},
                      detail::ticketed_shape<Item, many>, 40'000);
}

class SelectZippedWords : public SelectZips<std::tuple<Word, Word>> {
  protected:
    static constexpr std::size_t size = 54'321;

    struct Arrays {
        DeviceArray<Word> a{size}, b{size}, out_a{size}, out_b{size};
        DeviceArray<Byte> flags{size};
        DeviceArray<std::uint64_t> count{1};
        DeviceArray<unsigned char> storage{1 << 20};
    };

    void SetUp() override {
        SelectZips::SetUp();
        if (!IsSkipped()) arrays_.emplace();
    }

    std::optional<Arrays> arrays_;

    /// Selects in storage that suffices for any code.
    template <typename LengthT>
    cudaError_t select(const Word* a, const Word* b, Word* out_a, Word* out_b, LengthT num_items,
                       std::uint64_t* count) {
        void* const temp = arrays_->storage.data();
        std::size_t bytes = arrays_->storage.size();
        return select_if(temp, bytes, thrust::make_zip_iterator(a, b),
                         thrust::make_zip_iterator(out_a, out_b), count, num_items, LastBelow{128});
    }
};

TEST_F(SelectZippedWords, PredicatesTakeTheTupleAsTheyLike) {
    const auto first = random_items<Word>(size, 0);
    const auto second = random_items<Word>(size, 1);
    Kept kept(size);
    for (std::size_t i = 0; i < size; ++i) kept[i] = first[i] > second[i];
    const auto expect_by = [&](auto predicate) {
        ASSERT_NO_FATAL_FAILURE(this->expect_selected(
            size, 0, kept, [&](auto in, auto out, std::uint64_t* count, auto&... workspace) {
                return select_if(workspace..., in, out, count, size, predicate);
            }));
    };
    expect_by(FirstIsGreater{});
    expect_by(SpoilingFirstIsGreater{});
}

/// Each code that may select refuses the same columns.
TEST_F(SelectZippedWords, RefusesColumns) {
    DeviceArray<std::uint32_t> length(1);
    length.upload({static_cast<std::uint32_t>(size)});
    arrays_->a.fill(0), arrays_->b.fill(0);
    const auto refused_with = [&](const Word* a, const Word* b, Word* out_a, Word* out_b) {
        const cudaError_t by_kernels = select(a, b, out_a, out_b, size, arrays_->count.data());
        // A count of another type than an integer goes to CUB.
        std::size_t bytes = arrays_->storage.size();
        const cudaError_t by_cub =
            select_if(static_cast<void*>(arrays_->storage.data()), bytes, thrust::make_zip_iterator(a, b),
                      thrust::make_zip_iterator(out_a, out_b),
                      reinterpret_cast<float*>(arrays_->count.data()), size, LastBelow{128});
        EXPECT_EQ(by_kernels, by_cub);
        return by_kernels == cudaErrorInvalidValue;
    };
    const auto refused_by_all = [&](const Word* a, const Word* b, Word* out_a, Word* out_b) {
        const bool refused = refused_with(a, b, out_a, out_b);
        EXPECT_EQ(select(a, b, out_a, out_b, device_length(length.data(), size), arrays_->count.data()) ==
                      cudaErrorInvalidValue,
                  refused);
        return refused;
    };
    Word* const none = nullptr;
    EXPECT_FALSE(
        refused_by_all(arrays_->a.data(), arrays_->b.data(), arrays_->out_a.data(), arrays_->out_b.data()));
    EXPECT_TRUE(refused_by_all(none, arrays_->b.data(), arrays_->out_a.data(), arrays_->out_b.data()));
    EXPECT_TRUE(refused_by_all(arrays_->a.data(), none, arrays_->out_a.data(), arrays_->out_b.data()));
    EXPECT_TRUE(
        refused_by_all(arrays_->a.data(), arrays_->b.data(), arrays_->a.data(), arrays_->out_b.data()));
    EXPECT_TRUE(
        refused_by_all(arrays_->a.data(), arrays_->b.data(), arrays_->b.data(), arrays_->out_b.data()));
    EXPECT_TRUE(
        refused_by_all(arrays_->a.data(), arrays_->b.data(), arrays_->out_a.data(), arrays_->a.data()));
    // The host knows where the inputs end.
    EXPECT_TRUE(refused_with(arrays_->a.data(), arrays_->b.data(), arrays_->out_a.data(),
                             arrays_->b.data() + size - 1));
    EXPECT_TRUE(
        refused_with(arrays_->a.data(), arrays_->b.data(), arrays_->out_a.data(), arrays_->a.data() + 17));
    // The count lies within a column.
    EXPECT_EQ(select(arrays_->a.data(), arrays_->b.data(), arrays_->out_a.data(), arrays_->out_b.data(), size,
                     reinterpret_cast<std::uint64_t*>(arrays_->b.data() + 2)),
              cudaErrorInvalidValue);
    EXPECT_EQ(select(arrays_->a.data(), arrays_->b.data(), arrays_->out_a.data(), arrays_->out_b.data(), size,
                     reinterpret_cast<std::uint64_t*>(arrays_->out_b.data())),
              cudaErrorInvalidValue);
    EXPECT_EQ(select(arrays_->a.data(), arrays_->b.data(), arrays_->out_a.data(), arrays_->out_b.data(), size,
                     nullptr),
              cudaErrorInvalidValue);
    // Nothing to select.
    EXPECT_EQ(select(none, none, none, none, 0, arrays_->count.data()), cudaSuccess);
    COMPACTION_EXPECT(cudaDeviceSynchronize());
}

TEST_F(SelectZippedWords, RefusesFlags) {
    const auto with_flags = [&](const Byte* flags, Word* out_a, Word* out_b) {
        std::size_t bytes = arrays_->storage.size();
        return select_flagged(static_cast<void*>(arrays_->storage.data()), bytes,
                              thrust::make_zip_iterator(arrays_->a.data(), arrays_->b.data()), flags,
                              thrust::make_zip_iterator(out_a, out_b), arrays_->count.data(), size);
    };
    arrays_->flags.fill(0);
    Word* const within_flags = reinterpret_cast<Word*>(arrays_->flags.data() + 8);
    EXPECT_EQ(with_flags(arrays_->flags.data(), arrays_->out_a.data(), arrays_->out_b.data()), cudaSuccess);
    EXPECT_EQ(with_flags(nullptr, arrays_->out_a.data(), arrays_->out_b.data()), cudaErrorInvalidValue);
    EXPECT_EQ(with_flags(arrays_->flags.data(), within_flags, arrays_->out_b.data()), cudaErrorInvalidValue);
    EXPECT_EQ(with_flags(arrays_->flags.data(), arrays_->out_a.data(), within_flags), cudaErrorInvalidValue);
    COMPACTION_EXPECT(cudaDeviceSynchronize());
}

/// An output may be null if nothing is kept.
TEST_F(SelectZippedWords, KeepsNothingInNoArray) {
    arrays_->a.fill(0xff), arrays_->b.fill(0xff);
    COMPACTION_EXPECT(
        select(arrays_->a.data(), arrays_->b.data(), nullptr, nullptr, size, arrays_->count.data()));
    EXPECT_EQ(arrays_->count.download()[0], 0U);
}

/// The storage of the kernels is larger than that of CUB's stand-in, and is refused where it is too small.
TEST_F(SelectZippedWords, ArrayColumnsTakeTheFastPath) {
    std::size_t bytes = 1;
    EXPECT_EQ(select_if(static_cast<void*>(arrays_->storage.data()), bytes,
                        thrust::make_zip_iterator(arrays_->a.data(), arrays_->b.data() + 1),
                        thrust::make_zip_iterator(arrays_->out_a.data() + 1, arrays_->out_b.data()),
                        arrays_->count.data(), size - 1, LastBelow{128}),
              cudaErrorInvalidValue);
}

/// Words at odd addresses go to CUB, which reads them by bytes only where the type says so.
struct __attribute__((packed)) PackedWord {
    Byte bytes[4];
};
__host__ __device__ inline Byte low_byte(const PackedWord& value) {
    return value.bytes[0];
}

TEST_F(SelectZippedWords, LessAlignedColumnsAreSelectedToo) {
    const auto in = random_items<PackedWord>(size, 7);
    DeviceArray<PackedWord> memory(size + 1), out(size + 1);
    memory.upload(in);
    auto* const at = reinterpret_cast<const PackedWord*>(reinterpret_cast<const Byte*>(memory.data()) + 1);
    std::vector<PackedWord> shifted(size);
    COMPACTION_CHECK(cudaMemcpy(shifted.data(), at, (size - 1) * sizeof(PackedWord), cudaMemcpyDeviceToHost));
    std::vector<Byte> expected;
    for (std::size_t i = 0; i < size - 1; ++i) {
        if (shifted[i].bytes[0] < 128)
            expected.insert(expected.end(), shifted[i].bytes, shifted[i].bytes + sizeof(PackedWord));
    }
    auto* const to = reinterpret_cast<PackedWord*>(reinterpret_cast<Byte*>(out.data()) + 3);
    with_every_workspace(
        [&](auto&... workspace) {
            return select_if(workspace..., thrust::make_zip_iterator(arrays_->a.data(), at),
                             thrust::make_zip_iterator(arrays_->out_a.data(), to), arrays_->count.data(),
                             size - 1, LastBelow{128});
        },
        [&] {
            std::vector<Byte> found(expected.size());
            COMPACTION_CHECK(cudaMemcpy(found.data(), to, found.size(), cudaMemcpyDeviceToHost));
            ASSERT_EQ(arrays_->count.download()[0] * sizeof(PackedWord), expected.size());
            ASSERT_EQ(found, expected);
            out.fill(0);
        });
}

}  // namespace
