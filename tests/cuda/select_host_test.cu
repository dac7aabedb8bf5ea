// What compaction/cuda/select.cuh does on the host before a kernel runs, on made-up cards: which path it
// takes and how it is launched.
#include <gtest/gtest.h>

#include <cstdint>

#include "compaction/cuda/select.cuh"
#include "tests/cuda/fake_runtime.hpp"

namespace {

namespace detail = compaction::cuda::detail;
using compaction::cuda::select_if;
using compaction::cuda::SelectState;

using Item = std::uint32_t;

struct NotZero {
    __device__ bool operator()(const Item& item) const { return item != 0; }
};

using Selection = detail::Selection<Item, detail::ByPredicate<NotZero>, std::uint64_t>;

constexpr FakeRuntime::Card h100{132, 2'048, 228 << 10, 227 << 10, 9, 90};
constexpr FakeRuntime::Card rtx_4090{128, 1'536, 100 << 10, 99 << 10, 8, 89};
constexpr std::uint64_t short_stream = 100'000;
constexpr std::uint64_t long_stream = 100'000'000;

/// What is found out about a kernel on a card is remembered, so every test has cards of its own.
class SelectOnHost : public testing::Test {
  protected:
    void SetUp() override {
        runtime_.launches.clear();
        runtime_.on_launch = {};
        runtime_.on_memset = {};
    }

    void use(const FakeRuntime::Card& card) {
        static int cards_used = 0;
        ASSERT_LT(cards_used, detail::max_cards);
        runtime_.device = cards_used++;
        runtime_.card = card;
    }

    /// Device memory for so many items; no byte of it is touched.
    static Item* memory(int which) {
        return reinterpret_cast<Item*>(std::uintptr_t{0x1000'0000'0000} * static_cast<unsigned>(which));
    }

    FakeRuntime& runtime_ = fake_runtime();
    Item* const in_ = memory(1);
    Item* const out_ = memory(2);
    std::uint64_t* const num_selected_ = reinterpret_cast<std::uint64_t*>(memory(3));
};

class SelectCode : public SelectOnHost {
  protected:
    /// The kernel that a selection with a state ends in.
    FakeRuntime::Launch launch_of(std::uint64_t num_items) {
        SelectState state;
        EXPECT_EQ(state.reserve<Item>(num_items), cudaSuccess);
        state.let_launches_overlap(true);
        runtime_.launches.clear();
        EXPECT_EQ(select_if(state, in_, out_, num_selected_, num_items, NotZero{}), cudaSuccess);
        EXPECT_EQ(runtime_.launches.size(), 1U);
        return runtime_.launches.empty() ? FakeRuntime::Launch{} : runtime_.launches.back();
    }

    /// The same with storage, whose launch comes after a reset.
    FakeRuntime::Launch launch_with_storage(std::uint64_t num_items) {
        std::size_t bytes = 0;
        EXPECT_EQ(select_if(nullptr, bytes, in_, out_, num_selected_, num_items, NotZero{}), cudaSuccess);
        EXPECT_EQ(select_if(memory(4), bytes, in_, out_, num_selected_, num_items, NotZero{}), cudaSuccess);
        return runtime_.launches.empty() ? FakeRuntime::Launch{} : runtime_.launches.back();
    }
};

TEST_F(SelectCode, MadeForHopperHasTheRingAndLetsLaunchesOverlap) {
    use(h100);
    const FakeRuntime::Launch ring = launch_of(long_stream);
    EXPECT_TRUE(ring.is("ring_kernel")) << ring.kernel;
    EXPECT_TRUE(ring.is_cooperative);
    EXPECT_EQ(ring.blocks, 132U);
    for (const FakeRuntime::Launch& shot : {launch_of(short_stream), launch_with_storage(short_stream)}) {
        EXPECT_TRUE(shot.is("shot_kernel")) << shot.kernel;
        EXPECT_TRUE(shot.may_begin_early);
    }
}

/// What nvcc makes where no -arch is given: code for sm_75, which the driver compiles anew for the card.
TEST_F(SelectCode, MadeForOlderCardsHasNeitherOnHopper) {
    FakeRuntime::Card card = h100;
    card.code_version = 75;
    use(card);
    for (const FakeRuntime::Launch& launch : {launch_of(long_stream), launch_with_storage(long_stream)}) {
        EXPECT_TRUE(launch.is("ticketed_kernel")) << launch.kernel;
        EXPECT_FALSE(launch.is_cooperative);
    }
    for (const FakeRuntime::Launch& shot : {launch_of(short_stream), launch_with_storage(short_stream)}) {
        EXPECT_TRUE(shot.is("shot_kernel")) << shot.kernel;
        EXPECT_FALSE(shot.may_begin_early) << "it cannot wait for the launch before";
    }
}

TEST_F(SelectCode, WithoutARingRefusesALaunchOfIt) {
    FakeRuntime::Card old_code = h100;
    old_code.code_version = 80;
    use(old_code);
    detail::Card card;
    ASSERT_EQ(detail::current_card(card), cudaSuccess);
    const Selection selection =
        detail::make_selection(in_, out_, num_selected_, long_stream, detail::ByPredicate<NotZero>{});
    EXPECT_EQ(selection.launch(card, {.path = detail::Path::ring, .blocks = 132}, detail::Begin::after_launch,
                               nullptr, nullptr, nullptr),
              cudaErrorNoKernelImageForDevice);
    EXPECT_TRUE(runtime_.launches.empty());
}

TEST_F(SelectCode, IsAskedAboutOnceForEachCard) {
    use(h100);
    launch_of(long_stream);
    const int asked = runtime_.kernels_asked_about;
    launch_of(long_stream);
    EXPECT_EQ(runtime_.kernels_asked_about, asked);
    use(rtx_4090);
    EXPECT_TRUE(launch_of(long_stream).is("ticketed_kernel"));
    EXPECT_GT(runtime_.kernels_asked_about, asked);
}

}  // namespace
