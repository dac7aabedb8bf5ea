// The host side of compaction/cuda/select.cuh on fake GPUs: which path it takes, and how it launches.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>

#include "compaction/cuda/select.cuh"
#include "tests/cuda/select_fixture.cuh"
#include "tests/cuda/select_host_fixture.cuh"

namespace {

namespace detail = compaction::cuda::detail;
using compaction::cuda::select_flagged;
using compaction::cuda::select_if;
using compaction::cuda::SelectState;
using select_testing::h100;
using select_testing::long_stream;
using select_testing::NotZero;
using select_testing::rtx_4090;
using select_testing::SelectOnHost;
using select_testing::short_stream;

using Item = std::uint32_t;

using Selection = detail::Selection<Item, detail::ByPredicate<NotZero>, std::uint64_t>;

class SelectCode : public SelectOnHost {
  protected:
    void TearDown() override {
        runtime_.captures = false;
        SelectOnHost::TearDown();
    }

    /// The last kernel that a selection with a state launches. Only the ticketed kernel follows another one.
    FakeRuntime::Launch launch_of(std::uint64_t num_items, std::optional<bool> overlaps = {}) {
        SelectState state;
        EXPECT_EQ(state.reserve<Item>(num_items), cudaSuccess);
        if (overlaps) state.let_launches_overlap(*overlaps);
        runtime_.launches.clear();
        EXPECT_EQ(select_if(state, in_, out_, num_selected_, num_items, NotZero{}), cudaSuccess);
        if (runtime_.launches.empty()) {
            ADD_FAILURE() << "nothing is launched";
            return {};
        }
        const FakeRuntime::Launch& last = runtime_.launches.back();
        const bool by_tickets = last.is("ticketed_kernel");
        EXPECT_EQ(runtime_.launches.size(), by_tickets ? 2U : 1U);
        if (by_tickets) {
            EXPECT_TRUE(runtime_.launches[0].is("reset_tickets_kernel")) << runtime_.launches[0].kernel;
        }
        return last;
    }

    /// The last kernel that a selection with temporary storage launches.
    FakeRuntime::Launch launch_with_storage(std::uint64_t num_items) {
        std::size_t bytes = 0;
        EXPECT_EQ(select_if(nullptr, bytes, in_, out_, num_selected_, num_items, NotZero{}), cudaSuccess);
        EXPECT_EQ(select_if(memory(4), bytes, in_, out_, num_selected_, num_items, NotZero{}), cudaSuccess);
        return runtime_.launches.empty() ? FakeRuntime::Launch{} : runtime_.launches.back();
    }
};

TEST_F(SelectCode, ForHopperHasThePipeline) {
    use(h100);
    const FakeRuntime::Launch pipeline = launch_of(long_stream);
    EXPECT_TRUE(pipeline.is("pipeline_kernel")) << pipeline.kernel;
    EXPECT_EQ(pipeline.blocks, 132U);
    const FakeRuntime::Launch single_wave = launch_of(short_stream);
    EXPECT_TRUE(single_wave.is("single_wave_kernel")) << single_wave.kernel;
}

/// Selections of any length overlap, but captured ones only if asked to.
TEST_F(SelectCode, ForHopperLetsSelectionsOverlap) {
    use(h100);
    for (const bool captures : {false, true}) {
        runtime_.captures = captures;
        for (const std::uint64_t num_items : {short_stream, long_stream}) {
            EXPECT_EQ(launch_of(num_items).overlaps, !captures);
            EXPECT_EQ(launch_with_storage(num_items).overlaps, !captures);
            EXPECT_TRUE(launch_of(num_items, true).overlaps);
            EXPECT_FALSE(launch_of(num_items, false).overlaps);
        }
    }
    runtime_.destroy_graph();
}

TEST_F(SelectCode, ForHopperLetsTicketsOverlap) {
    use(h100);
    SelectState state;
    ASSERT_EQ(state.reserve<Item>(long_stream), cudaSuccess);
    const std::uint32_t* const in = out_;
    const detail::InPlace<detail::ByPredicate<NotZero>> selector{};
    for (const bool overlaps : {true, false}) {
        state.let_launches_overlap(overlaps);
        runtime_.launches.clear();
        ASSERT_EQ(detail::select_with_state(state, in, out_, num_selected_, long_stream, selector,
                                            /*requested_blocks=*/0, /*stream=*/nullptr),
                  cudaSuccess);
        ASSERT_EQ(runtime_.launches.size(), 2U);
        EXPECT_TRUE(runtime_.launches[1].is("ticketed_kernel")) << runtime_.launches[1].kernel;
        for (const FakeRuntime::Launch& launch : runtime_.launches) EXPECT_EQ(launch.overlaps, overlaps);
    }
}

/// nvcc's default is code for sm_75, which the driver compiles for the GPU.
TEST_F(SelectCode, ForOlderGpusHasNeitherOnHopper) {
    FakeRuntime::Gpu old_code = h100;
    old_code.code_version = 75;
    use(old_code);
    for (const FakeRuntime::Launch& launch : {launch_of(long_stream), launch_with_storage(long_stream)}) {
        EXPECT_TRUE(launch.is("ticketed_kernel")) << launch.kernel;
    }
    for (const FakeRuntime::Launch& launch : {launch_of(short_stream), launch_with_storage(short_stream)}) {
        EXPECT_TRUE(launch.is("single_wave_kernel")) << launch.kernel;
        EXPECT_FALSE(launch.overlaps) << "it cannot wait for the previous launch";
    }
}

TEST_F(SelectCode, WithoutThePipelineRefusesToLaunchIt) {
    FakeRuntime::Gpu old_code = h100;
    old_code.code_version = 80;
    use(old_code);
    detail::DeviceProperties device;
    ASSERT_EQ(detail::query_current_device(device), cudaSuccess);
    const Selection selection =
        detail::make_selection(in_, out_, num_selected_, long_stream, detail::ByPredicate<NotZero>{});
    EXPECT_EQ(selection.launch(device, {.path = detail::Path::pipeline, .blocks = 132},
                               detail::Start::after_previous, nullptr, nullptr, nullptr),
              cudaErrorNoKernelImageForDevice);
    EXPECT_TRUE(runtime_.launches.empty());
}

TEST_F(SelectCode, IsQueriedOncePerDevice) {
    use(h100);
    launch_of(long_stream);
    const int queried = runtime_.kernels_queried;
    launch_of(long_stream);
    EXPECT_EQ(runtime_.kernels_queried, queried);
    use(rtx_4090);
    EXPECT_TRUE(launch_of(long_stream).is("ticketed_kernel"));
    EXPECT_GT(runtime_.kernels_queried, queried);
}

/// A reset lowers the limits of shared memory again, while the occupancy is still known.
TEST_F(SelectCode, IsLaunchedAfterTheDeviceIsReset) {
    use(h100);
    EXPECT_TRUE(launch_of(long_stream).is("pipeline_kernel"));
    runtime_.raised_shared_limits.clear();
    EXPECT_TRUE(launch_of(long_stream).is("pipeline_kernel"));
    use(rtx_4090);
    EXPECT_TRUE(launch_of(long_stream).is("ticketed_kernel"));
    runtime_.raised_shared_limits.clear();
    EXPECT_TRUE(launch_of(long_stream).is("ticketed_kernel"));
}

/// The longest tiles of these items have exactly the shared memory that a kernel may use without a raised
/// limit, as far as it has no other.
TEST_F(SelectCode, CountsStaticSharedMemory) {
    using Wide = select_testing::Record<6>;
    ASSERT_EQ((detail::single_wave_shape<Wide, detail::LargeTile>.shared_bytes), 48U << 10);
    use(h100);
    const std::uint64_t num_items = 300'000;
    SelectState state;
    ASSERT_EQ(state.reserve<Wide>(num_items), cudaSuccess);
    EXPECT_EQ(select_if(state, reinterpret_cast<const Wide*>(in_), reinterpret_cast<Wide*>(out_),
                        num_selected_, num_items, select_testing::Below{1}),
              cudaSuccess);
    ASSERT_EQ(runtime_.launches.size(), 1U);
    EXPECT_EQ(runtime_.launches[0].blocks, (num_items + 2'047) / 2'048) << "the large tile";
}

template <typename RecordT>
class SelectStorage : public SelectOnHost {
  protected:
    using Below = select_testing::Below;
    using Selection = detail::Selection<RecordT, detail::ByPredicate<Below>, std::uint64_t>;
    static constexpr unsigned vector_items = detail::vector_items<RecordT>;

    void SetUp() override {
        SelectOnHost::SetUp();
        // Where a launch resets the storage, the next reads and writes it.
        runtime_.on_launch = [this](const FakeRuntime::Launch& launch) { note_launch(launch); };
    }

    /// Lengths on both sides of every change of the tile policy or the path.
    static std::set<std::uint64_t> lengths_near_limits(const detail::DeviceProperties& device) {
        std::set<std::uint64_t> lengths{0, 1, 3'145'728, 100'000'000};
        const auto around = [&](std::uint64_t end) {
            for (std::uint64_t size = end - std::min<std::uint64_t>(end, 6); size <= end + 6; ++size)
                lengths.insert(size);
        };
        for (std::uint8_t size = 0; size < 4; ++size) {
            detail::with_policy(detail::TileSize{size}, [&](auto policy) {
                using PolicyT = decltype(policy);
                constexpr detail::LaunchShape shape = detail::single_wave_shape<RecordT, PolicyT>;
                const unsigned all = device.multiprocessors;
                for (const unsigned blocks :
                     {1U, all / 2, all, all * 2, all * 3, all * 9 / 2, PolicyT::max_blocks})
                    around(std::uint64_t{blocks} * shape.tile_items);
            });
        }
        around(std::uint64_t{detail::few_tiles_per_multiprocessor} * device.multiprocessors *
               detail::ticketed_shape<RecordT, detail::many_rows>.tile_items);
        return lengths;
    }

    /// Queries the storage size of a stream and provides no more, for every lead within a vector.
    void expect_enough(std::uint64_t num_items) {
        std::size_t bytes = 0;
        const RecordT* const none = nullptr;
        ASSERT_EQ(select_if(nullptr, bytes, none, out(), num_selected_, num_items, Below{1}), cudaSuccess);
        for (unsigned lead = 0; lead < vector_items; ++lead) {
            // The worst alignment.
            auto* const temp = reinterpret_cast<char*>(memory(4)) + 1;
            storage_ = reinterpret_cast<std::uintptr_t>(temp);
            end_of_storage_ = reinterpret_cast<std::uintptr_t>(temp) + bytes;
            reset_begin_ = reset_end_ = 0;
            const std::size_t launched = runtime_.launches.size();
            ASSERT_EQ(select_if(temp, bytes, in() + lead, out(), num_selected_, num_items, Below{1}),
                      cudaSuccess);
            ASSERT_GT(runtime_.launches.size(), launched);
            ASSERT_FALSE(HasFailure()) << num_items << " items, " << lead << " past a vector, by "
                                       << runtime_.launches.back().kernel;
        }
    }

    std::size_t launches_of(const char* kernel) const {
        return static_cast<std::size_t>(std::ranges::count_if(
            runtime_.launches, [&](const FakeRuntime::Launch& launch) { return launch.is(kernel); }));
    }

  private:
    static const RecordT* in() { return reinterpret_cast<const RecordT*>(memory(1)); }
    static RecordT* out() { return reinterpret_cast<RecordT*>(memory(2)); }

    template <typename T>
    static T argument(const FakeRuntime::Launch& launch, int which) {
        return *static_cast<const T*>(launch.arguments[which]);
    }

    void note_reset(const void* begin, std::size_t bytes) {
        reset_begin_ = reinterpret_cast<std::uintptr_t>(begin);
        reset_end_ = reset_begin_ + bytes;
        EXPECT_LE(reset_end_, end_of_storage_) << "reset past the end";
    }

    void expect_reset(const void* begin, std::size_t bytes) const {
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(begin), reset_begin_);
        EXPECT_LE(reinterpret_cast<std::uintptr_t>(begin) + bytes, reset_end_) << "used and not reset";
    }

    /// `begin`: the tile state, which nobody has reset if its tags come from elsewhere.
    void expect_state(const void* begin, std::size_t bytes, const detail::LaunchTags& tags) const {
        if (tags.source == detail::LaunchTags::Source::state) return expect_reset(begin, bytes);
        const auto address = reinterpret_cast<std::uintptr_t>(begin);
        EXPECT_GE(address, storage_);
        EXPECT_LE(address + bytes, end_of_storage_);
    }

    /// Up to the last word of the last copy.
    static std::size_t bytes_of_single_wave(unsigned blocks) {
        return offsetof(detail::SingleWaveState, words) + sizeof(detail::SingleWaveState::words) -
               (detail::max_single_wave_blocks - blocks) * sizeof(detail::StatusWord);
    }

    void note_launch(const FakeRuntime::Launch& launch) {
        if (launch.is("reset_kernel")) {
            const auto single_wave_blocks = argument<unsigned>(launch, 1);
            note_reset(argument<detail::TileState*>(launch, 0), single_wave_blocks > 0
                                                                    ? bytes_of_single_wave(single_wave_blocks)
                                                                    : sizeof(detail::TileState));
        } else if (launch.is("reset_tickets_kernel")) {
            const auto num_words = argument<unsigned>(launch, 1);
            EXPECT_GE(std::uint64_t{launch.blocks} * detail::reset_threads, num_words);
            note_reset(argument<detail::TicketState>(launch, 0).words, num_words * sizeof(std::uint32_t));
        } else if (launch.is("ticketed_kernel")) {
            expect_reset(argument<detail::TicketState>(launch, 2).words,
                         (std::size_t{1} + argument<unsigned>(launch, 1)) * sizeof(std::uint32_t));
        } else if (launch.is("pipeline_kernel")) {
            const auto* const state = argument<detail::TileState*>(launch, 2);
            const auto options = argument<detail::PipelineOptions>(launch, 3);
            expect_state(state, sizeof *state, options.tags);
            EXPECT_GE(static_cast<const void*>(options.tickets), state + 1) << "the tile state is there";
            expect_room_for_tickets(options.tickets, argument<detail::AlignedSpan<RecordT>>(launch, 0).end);
        } else if (launch.blocks > 1) {
            expect_state(argument<detail::TileState*>(launch, 2), bytes_of_single_wave(launch.blocks),
                         argument<detail::SingleWaveOptions>(launch, 1).tags);
        }
    }

    /// A pipeline launch may go on by tickets, which it resets itself.
    void expect_room_for_tickets(const std::uint32_t* tickets, std::uint64_t end) const {
        const std::uint64_t words = 1 + detail::ticketed_shape<RecordT, detail::many_rows>.num_tiles(end);
        EXPECT_LE(reinterpret_cast<std::uintptr_t>(tickets + words), end_of_storage_);
    }

    std::uintptr_t storage_ = 0;
    std::uintptr_t end_of_storage_ = 0;
    std::uintptr_t reset_begin_ = 0;
    std::uintptr_t reset_end_ = 0;
};

using Widths =
    testing::Types<select_testing::Record<1>, select_testing::Record<2>, select_testing::Record<4>>;
TYPED_TEST_SUITE(SelectStorage, Widths);

TYPED_TEST(SelectStorage, IsLargeEnoughForEveryPath) {
    constexpr FakeRuntime::Gpu t4{40, 1'024, 64 << 10, 64 << 10, 7, 75};
    constexpr FakeRuntime::Gpu smallest{1, 1'024, 64 << 10, 64 << 10, 7, 75};
    FakeRuntime::Gpu h100_with_old_code = h100;
    h100_with_old_code.code_version = 75;
    for (const FakeRuntime::Gpu& each : {rtx_4090, t4, smallest, h100, h100_with_old_code}) {
        this->use(each);
        detail::DeviceProperties device;
        ASSERT_EQ(detail::query_current_device(device), cudaSuccess);
        for (const bool lacks_counters : {false, true}) {
            this->runtime_.captures = lacks_counters;
            this->runtime_.user_object_result = lacks_counters ? cudaErrorMemoryAllocation : cudaSuccess;
            const std::size_t resets = this->launches_of("reset_kernel");
            for (const std::uint64_t num_items : this->lengths_near_limits(device))
                ASSERT_NO_FATAL_FAILURE(this->expect_enough(num_items));
            if (!lacks_counters) EXPECT_EQ(this->launches_of("reset_kernel"), resets);
        }
        EXPECT_GT(this->launches_of("single_wave_kernel"), 0U);
    }
    EXPECT_GT(this->launches_of("ticketed_kernel"), 0U);
    EXPECT_GT(this->launches_of("pipeline_kernel"), 0U);
    EXPECT_GT(this->launches_of("reset_kernel"), 0U);
}

}  // namespace
