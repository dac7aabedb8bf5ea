// Each path of compaction/cuda/select.cuh on chosen grids. Short streams on a few blocks use every round,
// stage and status word that long streams use, and are small enough for compute-sanitizer.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "compaction/cuda/select.cuh"
#include "tests/cuda/select_fixture.cuh"

namespace {

namespace detail = compaction::cuda::detail;
using detail::Path;
using detail::Plan;
using detail::TileSize;
using Source = detail::LaunchTags::Source;
using select_testing::Below;
using select_testing::DeviceArray;
using select_testing::key_of;
using select_testing::OnCudaDevice;
using select_testing::random_records;
using select_testing::Record;

/// Keeps the same records, but reads the limit from device memory.
struct BelowLimitAt {
    const std::uint32_t* limit;

    template <typename RecordT>
    __device__ bool operator()(const RecordT& record) const {
        return key_of(record) < *limit;
    }
};
static_assert(compaction::cuda::reads_memory<BelowLimitAt> && !compaction::cuda::reads_memory<Below>);

/// Equates records on the same side of a limit.
struct SameSide {
    std::uint32_t limit;

    template <typename RecordT>
    __host__ __device__ bool operator()(const RecordT& a, const RecordT& b) const {
        return (key_of(a) < limit) == (key_of(b) < limit);
    }
};

template <typename RecordT>
class SelectPaths : public OnCudaDevice {
  protected:
    using PositionT =
        std::conditional_t<sizeof(RecordT) == sizeof(std::uint64_t), std::uint64_t, std::uint32_t>;
    using Selection = detail::Selection<RecordT, detail::ByPredicate<Below>, std::uint64_t>;

    void SetUp() override {
        OnCudaDevice::SetUp();
        if (IsSkipped()) return;
        ASSERT_EQ(detail::query_current_device(device_), cudaSuccess);
        tile_state_.emplace(1);
        tile_state_->fill(0);
    }

    static std::vector<PositionT> positions_below(const std::vector<RecordT>& in, std::uint32_t limit) {
        std::vector<PositionT> positions;
        for (std::size_t i = 0; i < in.size(); ++i) {
            if (Below{limit}(in[i])) positions.push_back(static_cast<PositionT>(i));
        }
        return positions;
    }

    void expect_positions_of_flags(const Plan& plan, const detail::LaunchShape& shape,
                                   const std::vector<RecordT>& in, std::uint32_t limit,
                                   std::size_t in_offset) {
        std::vector<std::uint8_t> flags(in.size());
        std::transform(in.begin(), in.end(), flags.begin(), Below{limit});
        DeviceArray<std::uint8_t> d_flags(in.size() + in_offset);
        d_flags.upload(flags, in_offset);
        const RecordT* const no_items = nullptr;
        expect_output(plan, shape, no_items, in.size(),
                      detail::PositionsOf<detail::ByFlag<std::uint8_t>>{{d_flags.data() + in_offset}},
                      positions_below(in, limit));
    }

    /// Selects by that path from in[in_offset...]. All launches share one tile state, as in real use.
    void expect_selected(const Plan& plan, const detail::LaunchShape& shape, const std::vector<RecordT>& in,
                         std::uint32_t limit, std::size_t in_offset) {
        const Below below{limit};
        std::vector<RecordT> kept, rejected, firsts;
        for (std::size_t i = 0; i < in.size(); ++i) {
            if (i == 0 || !SameSide{limit}(in[i - 1], in[i])) firsts.push_back(in[i]);
            (below(in[i]) ? kept : rejected).push_back(in[i]);
        }
        DeviceArray<RecordT> d_in(in.size() + in_offset);
        d_in.upload(in, in_offset);
        const RecordT* const from = d_in.data() + in_offset;
        const auto select = [&](const auto& selector, const auto& expected) {
            expect_output(plan, shape, from, in.size(), selector, expected);
        };
        DeviceArray<std::uint32_t> d_limit(1);
        d_limit.upload({limit});
        using detail::ByPredicate;
        if (limit_in_memory_) return select(ByPredicate<BelowLimitAt>{{d_limit.data()}}, kept);
        select(ByPredicate<Below>{below}, kept);
        if constexpr (sizeof(RecordT) == sizeof(PositionT)) {
            expect_positions_of_flags(plan, shape, in, limit, in_offset);
            select(detail::PositionsOf<ByPredicate<Below>>{{below}}, positions_below(in, limit));
        }
        if constexpr (detail::is_vector_item<RecordT>) {
            select(detail::FirstOfRun<RecordT, SameSide>{from, {limit}}, firsts);
            DeviceArray<RecordT> d_rejected(in.size());
            d_rejected.fill(0xee);
            const auto expect_rejected = [&](std::size_t begin) {
                std::vector<RecordT> all = d_rejected.download();
                const auto first = all.begin() + static_cast<std::ptrdiff_t>(begin);
                EXPECT_TRUE(std::equal(rejected.begin(), rejected.end(), first)) << in.size() << " items";
            };
            select(detail::Partitioned<ByPredicate<Below>, RecordT, false>{{below}, d_rejected.data()}, kept);
            expect_rejected(0);
            select(detail::Partitioned<ByPredicate<Below>, RecordT, true>{{below},
                                                                          d_rejected.data() + in.size()},
                   kept);
            std::reverse(rejected.begin(), rejected.end());
            expect_rejected(in.size() - rejected.size());
            if (plan.path != Path::pipeline) expect_three_parts(plan, shape, from, in, below);
            // Last, because it overwrites the input.
            if (plan.path != Path::pipeline) select(detail::InPlace<ByPredicate<Below>>{{below}}, kept);
        }
    }

    /// Partitions into three parts: the items below a limit, those below half the way from there to the
    /// largest key, and the rest.
    void expect_three_parts(const Plan& plan, const detail::LaunchShape& shape, const RecordT* from,
                            const std::vector<RecordT>& in, const Below& below) {
        using detail::ByPredicate;
        const Below below_second{below.limit + (~std::uint32_t{0} - below.limit) / 2};
        std::vector<RecordT> parts[3];
        for (const RecordT& item : in) parts[below(item) ? 0 : below_second(item) ? 1 : 2].push_back(item);
        DeviceArray<RecordT> d_second(in.size()), d_rest(in.size());
        d_second.fill(0xee);
        d_rest.fill(0xee);
        using Kept = detail::TwoParts<ByPredicate<Below>, ByPredicate<Below>, RecordT>;
        const Kept kept{{below}, {below_second}, d_second.data()};
        expect_output(plan, shape, from, in.size(),
                      detail::Partitioned<Kept, RecordT, false>{kept, d_rest.data()}, parts[0],
                      parts[1].size());
        const auto begins_with = [](const std::vector<RecordT>& all, const std::vector<RecordT>& part) {
            return std::equal(part.begin(), part.end(), all.begin());
        };
        EXPECT_TRUE(begins_with(d_second.download(), parts[1])) << in.size() << " items";
        EXPECT_TRUE(begins_with(d_rest.download(), parts[2])) << in.size() << " items";
    }

    /// Expects the output of a selection with any selector. expected: the items of the output, or their bits.
    /// num_second: the items of the second part, if the selector keeps two.
    template <typename SelectorT, typename ExpectedT>
    void expect_output(Plan plan, const detail::LaunchShape& shape, const RecordT* in, std::size_t size,
                       const SelectorT& selector, const std::vector<ExpectedT>& expected,
                       std::uint64_t num_second = 0) {
        static_assert(sizeof(ExpectedT) == sizeof(RecordT));
        DeviceArray<ExpectedT> d_out(size);
        DeviceArray<std::uint64_t> d_num_selected(detail::num_parts<SelectorT>);
        d_out.fill(0xee);
        d_num_selected.fill(0xee);
        RecordT* const out = detail::selects_in_place<SelectorT> ? const_cast<RecordT*>(in)
                                                                 : reinterpret_cast<RecordT*>(d_out.data());
        const auto selection = detail::make_selection(in, out, d_num_selected.data(), size, selector);
        plan.num_tiles = static_cast<unsigned>(shape.num_tiles(selection.input.end));
        if (plan.path == Path::single_wave) plan.blocks = plan.num_tiles;
        DeviceArray<std::uint32_t> tickets(detail::ticket_words<RecordT>(size));
        tickets.fill(0);
        detail::LaunchTags tags;
        if (source_ == Source::graph_counter) tags = {counter_base, 11, source_};
        if (source_ == Source::host) tags = {detail::take_tags(selection.num_tags(plan)), 0, source_};
        ASSERT_EQ(selection.launch(device_, plan, detail::Start::after_previous, tile_state_->data(),
                                   tickets.data(), nullptr, limits_, tags),
                  cudaSuccess);
        std::vector<std::uint64_t> num_expected{expected.size()};
        if (detail::num_parts<SelectorT> == 2) num_expected.push_back(num_second);
        ASSERT_EQ(d_num_selected.download(), num_expected);
        if (detail::selects_in_place<SelectorT>) {
            COMPACTION_CHECK(cudaMemcpy(d_out.data(), out, size * sizeof(RecordT), cudaMemcpyDeviceToDevice));
        }
        std::vector<ExpectedT> selected = d_out.download();
        selected.resize(expected.size());
        EXPECT_TRUE(selected == expected) << size << " items by " << plan.blocks << " blocks, written as "
                                          << (detail::writes_positions<SelectorT>   ? "positions"
                                              : detail::selects_in_place<SelectorT> ? "items in place"
                                                                                    : "items")
                                          << ", " << selection.input.begin << " items after a vector";
    }

    void expect_path(const Plan& plan, const detail::LaunchShape& shape, std::size_t longest) {
        for (const std::size_t size : {std::size_t{1}, longest / 7, longest}) {
            const auto in = random_records<RecordT>(size, 3);
            const std::size_t in_offset = size % 3 + 9 * (size % 2);  // also in the middle of 16 narrow items
            for (const std::uint32_t limit : {0x04000000U, 0x80000000U, 0xffffffffU}) {
                ASSERT_NO_FATAL_FAILURE(expect_selected(plan, shape, in, limit, in_offset));
            }
        }
    }

    void expect_single_wave(detail::TileSize size, std::size_t longest) {
        detail::with_policy(size, [&](auto policy) {
            using PolicyT = decltype(policy);
            expect_path({.path = Path::single_wave, .tile_size = size},
                        detail::single_wave_shape<RecordT, PolicyT>, longest);
        });
    }

    void TearDown() override {
        if (IsSkipped()) return;
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    }

    detail::DeviceProperties device_;
    /// Calls `expect` with each source of tags that allows a tile state of any content.
    template <typename ExpectT>
    void with_any_content(ExpectT expect) {
        for (const Source source : {Source::host, Source::graph_counter}) {
            source_ = source;
            tile_state_->fill(0x5a);
            ASSERT_NO_FATAL_FAILURE(expect());
        }
    }

    static constexpr detail::Tag counter_base = 0x1'2345'6789'abcd;
    Source source_ = Source::state;
    detail::WaitLimits limits_;
    bool limit_in_memory_ = false;
    std::optional<DeviceArray<detail::TileState>> tile_state_;
};

using OfEverySize = testing::Types<Record<1, std::uint8_t>, Record<1, std::uint16_t>, Record<1>, Record<2>,
                                   Record<3>, Record<4>, Record<6>>;
TYPED_TEST_SUITE(SelectPaths, OfEverySize);

TYPED_TEST(SelectPaths, ShortStreamsInOneWave) {
    this->expect_single_wave(TileSize::small, 20'000);
    this->expect_single_wave(TileSize::medium, 40'000);
    this->expect_single_wave(TileSize::large, 60'000);
    // More tiles than a block has threads, so each thread reads several status words.
    this->expect_single_wave(TileSize::largest,
                             std::size_t{260} * detail::single_wave_items<TypeParam, detail::LargestTile>);
}

TYPED_TEST(SelectPaths, ShortStreamsInOneWaveWithAnyContent) {
    this->with_any_content([&] {
        this->expect_single_wave(TileSize::small, 20'000);
        this->expect_single_wave(TileSize::medium, 40'000);
        this->expect_single_wave(TileSize::large, 60'000);
        this->expect_single_wave(
            TileSize::largest, std::size_t{260} * detail::single_wave_items<TypeParam, detail::LargestTile>);
    });
}

/// Blocks that never wait for a missing status word count those tiles themselves.
TYPED_TEST(SelectPaths, ShortStreamsInOneWaveWithoutSpinning) {
    this->limits_.spins = 0;
    this->expect_single_wave(TileSize::small, 30'000);
    this->expect_single_wave(TileSize::medium, 50'000);
    this->expect_single_wave(TileSize::largest, 100'000);
}

TYPED_TEST(SelectPaths, ShortStreamsThroughThePipeline) {
    bool has_pipeline = false;
    ASSERT_EQ(TestFixture::Selection::query_pipeline(this->device_, has_pipeline), cudaSuccess);
    if (!has_pipeline) GTEST_SKIP() << "This GPU, or the code of this test, has no bulk copies (sm_90).";
    // At least twenty rounds on two blocks: every stage is used three times.
    constexpr auto shape = detail::pipeline_shape<TypeParam>;
    for (const unsigned blocks : {2U, 3U}) {
        for (const bool in_memory : {false, true}) {
            this->limit_in_memory_ = in_memory;
            this->expect_path({.path = Path::pipeline, .num_tiles = 0, .blocks = blocks}, shape,
                              std::size_t{shape.tile_items} * 41 + 5);
        }
    }
}

/// The blocks beyond one for each multiprocessor start only when others have ended.
TYPED_TEST(SelectPaths, TooManyBlocksForThePipelineGoOnByTickets) {
    bool has_pipeline = false;
    ASSERT_EQ(TestFixture::Selection::query_pipeline(this->device_, has_pipeline), cudaSuccess);
    if (!has_pipeline) GTEST_SKIP() << "This GPU, or the code of this test, has no bulk copies (sm_90).";
    const unsigned blocks = this->device_.multiprocessors + 3;
    if (blocks > detail::max_pipeline_blocks)
        GTEST_SKIP() << "This GPU has as many multiprocessors as a launch has blocks.";
    constexpr auto shape = detail::pipeline_shape<TypeParam>;
    const auto expect = [&] {
        this->expect_path({.path = Path::pipeline, .num_tiles = 0, .blocks = blocks}, shape,
                          std::size_t{shape.tile_items} * blocks * 5 / 2);
    };
    for (const bool in_memory : {false, true}) {
        this->limit_in_memory_ = in_memory;
        expect();
    }
    this->with_any_content(expect);
}

TYPED_TEST(SelectPaths, ShortStreamsThroughThePipelineWithAnyContent) {
    bool has_pipeline = false;
    ASSERT_EQ(TestFixture::Selection::query_pipeline(this->device_, has_pipeline), cudaSuccess);
    if (!has_pipeline) GTEST_SKIP() << "This GPU, or the code of this test, has no bulk copies (sm_90).";
    constexpr auto shape = detail::pipeline_shape<TypeParam>;
    this->with_any_content([&] {
        for (const unsigned blocks : {2U, 3U}) {
            this->expect_path({.path = Path::pipeline, .num_tiles = 0, .blocks = blocks}, shape,
                              std::size_t{shape.tile_items} * 41 + 5);
        }
    });
}

TYPED_TEST(SelectPaths, ShortStreamsByTickets) {
    constexpr int few = detail::few_rows;
    constexpr int many = detail::many_rows;
    this->expect_path({.path = Path::ticketed, .rows = few, .num_tiles = 0, .blocks = 2},
                      detail::ticketed_shape<TypeParam, few>, 40'000);
    this->expect_path({.path = Path::ticketed, .rows = many, .num_tiles = 0, .blocks = 3},
                      detail::ticketed_shape<TypeParam, many>, 80'000);
}

/// A tile state as earlier launches leave it, but with wrong counts. A kernel that uses any of these words
/// selects wrongly or writes outside its output.
class SelectTileStates : public OnCudaDevice {
  protected:
    using Item = Record<1>;
    using Selection = detail::Selection<Item, detail::ByPredicate<Below>, std::uint64_t>;
    static constexpr detail::Tag tag_mask = (detail::Tag{1} << detail::tag_bits) - 1;

    /// Fills every word with the latest content that is possible after `before` launches or rounds, or with
    /// that of `older` launches earlier.
    static void fill(detail::TileState& state, detail::Tag before, detail::Tag older) {
        const auto stale = [&](detail::Tag tag) { return (tag & tag_mask) << detail::count_bits | 3U; };
        state.single_wave.launches = before << detail::arrivals_bits;
        state.pipeline.rounds = before << detail::arrivals_bits;
        state.pipeline.fell_back = state.pipeline.tickets_ready = before - older;
        std::ranges::fill(state.pipeline.arrived, before - older);
        for (auto& copy : state.single_wave.words) {
            for (auto& word : copy) word = stale(before - older);
        }
        for (auto& copy : state.pipeline.words) {
            for (unsigned index = 0; index < detail::pipeline_window; ++index) {
                const detail::Tag age = (before - index) % detail::pipeline_window;
                for (auto& word : copy[index]) word = stale(before - age - older * detail::pipeline_window);
            }
        }
    }
};

TEST_F(SelectTileStates, StatusWordsOfOtherLaunchesAreIgnored) {
    detail::DeviceProperties device;
    ASSERT_EQ(detail::query_current_device(device), cudaSuccess);
    DeviceArray<detail::TileState> tile_state(1);
    bool has_pipeline = false;
    ASSERT_EQ(Selection::query_pipeline(device, has_pipeline), cudaSuccess);
    const std::vector<std::pair<Path, std::size_t>> paths{
        {Path::single_wave, std::size_t{2'000} * device.multiprocessors},
        {Path::pipeline, std::size_t{50'000} * device.multiprocessors}};
    for (const auto& [path, size] : paths) {
        if (path == Path::pipeline && !has_pipeline) continue;
        const Below below{select_testing::keep_half};
        const auto in = random_records<Item>(size, 13);
        const auto kept = static_cast<std::uint64_t>(std::count_if(in.begin(), in.end(), below));
        DeviceArray<Item> d_in(size), d_out(size);
        DeviceArray<std::uint64_t> d_num_selected(1);
        DeviceArray<std::uint32_t> tickets(detail::ticket_words<Item>(size));
        d_in.upload(in);
        const Selection selection = detail::make_selection(d_in.data(), d_out.data(), d_num_selected.data(),
                                                           size, detail::ByPredicate<Below>{below});
        Plan plan;
        ASSERT_EQ(selection.choose(device, size, 0, plan), cudaSuccess);
        ASSERT_EQ(plan.path, path);
        for (const detail::Tag before :
             {0ULL, 1ULL, 17ULL, 0xffffULL, 0xfffffffeULL, 0xffffffffULL, 0x7ffffffffff0ULL}) {
            // The latest, one launch old, and such as equal new ones in fewer tag bits.
            for (const detail::Tag older : {0ULL, 1ULL, 0xffffULL, 0xffffffffULL}) {
                std::vector<detail::TileState> stale(1);
                fill(stale[0], before, older);
                tile_state.upload(stale);
                for (detail::Tag launch = 1; launch <= 2; ++launch) {
                    d_num_selected.fill(0xee);
                    ASSERT_EQ(selection.launch(device, plan, detail::Start::after_previous, tile_state.data(),
                                               tickets.data(), nullptr),
                              cudaSuccess);
                    ASSERT_EQ(d_num_selected.download()[0], kept)
                        << before << " launches before, words " << older << " older";
                    if (path == Path::single_wave) {
                        ASSERT_EQ(tile_state.download()[0].single_wave.launches,
                                  (before + launch) << detail::arrivals_bits);
                    } else {
                        const detail::Tag rounds = selection.schedule(plan.blocks).num_rounds;
                        ASSERT_EQ(tile_state.download()[0].pipeline.rounds, (before + launch * rounds)
                                                                                << detail::arrivals_bits);
                    }
                }
            }
        }
    }
}

}  // namespace
