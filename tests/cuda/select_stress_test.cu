// Many selections of random length, alignment, path and grid, on concurrent streams, while another kernel
// keeps a part of the GPU busy. Up to four follow each other before their checks, so that they overlap.
// Results are checked on the GPU, so a million of them take a minute:
// WARPSIEVE_STRESS_RUNS=1000000 select_test --gtest_filter='*Stress*'
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cuda/ptx>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "compaction/cuda/select.cuh"
#include "tests/cuda/select_fixture.cuh"

namespace {

namespace detail = compaction::cuda::detail;
using compaction::cuda::select_flagged;
using compaction::cuda::select_if;
using compaction::cuda::SelectState;
using select_testing::Below;
using select_testing::DeviceArray;
using select_testing::OnCudaDevice;
using select_testing::random_records;
using Item = select_testing::Record<1>;
using Selection = detail::Selection<Item, detail::ByPredicate<Below>, std::uint32_t>;

constexpr std::uint32_t longest = 1U << 22;
constexpr std::uint32_t margin = 64;  ///< items on either side of an output that must not change
constexpr std::uint32_t poison = 0xeeeeeeeeU;

/// The items that all selections read from, and the expected results of every part.
class Pool {
  public:
    static constexpr std::array<std::uint32_t, 4> limits{0x02000000U, 0x80000000U, 0xe6000000U, 0xffffffffU};

    Pool()
        : items_(random_records<Item>(longest + margin, 41)),
          d_items_(items_.size()),
          d_flags_(items_.size()) {
        d_items_.upload(items_);
        for (std::size_t which = 0; which < limits.size(); ++which) {
            std::vector<Item> kept;
            auto& before = selected_before_[which];
            for (const Item& item : items_) {
                before.push_back(static_cast<std::uint32_t>(kept.size()));
                if (Below{limits[which]}(item)) kept.push_back(item);
            }
            before.push_back(static_cast<std::uint32_t>(kept.size()));
            d_kept_[which] = std::make_unique<DeviceArray<Item>>(kept.size());
            d_kept_[which]->upload(kept);
        }
        // Flags that select the same items as the limit of one half.
        std::vector<std::uint8_t> flags;
        for (const Item& item : items_) flags.push_back(Below{limits[1]}(item) ? 1 : 0);
        d_flags_.upload(flags);
    }

    const Item* items() { return d_items_.data(); }
    const std::uint8_t* flags() { return d_flags_.data(); }
    /// The kept items of [first, first + count), and their number.
    const Item* kept(std::size_t which, std::uint32_t first, std::uint32_t count,
                     std::uint32_t& num_expected) {
        const auto& before = selected_before_[which];
        num_expected = before[first + count] - before[first];
        return d_kept_[which]->data() + before[first];
    }

  private:
    std::vector<Item> items_;
    DeviceArray<Item> d_items_;
    DeviceArray<std::uint8_t> d_flags_;
    std::array<std::vector<std::uint32_t>, limits.size()> selected_before_;
    std::array<std::unique_ptr<DeviceArray<Item>>, limits.size()> d_kept_;
};

struct Verdict {
    unsigned long long checked;
    unsigned long long wrong;
    unsigned long long first_wrong;  ///< number of the run
};

/// Checks the output and its margins, and poisons them again for the next selection.
__global__ void check(const Item* expected, std::uint32_t num_expected, std::uint32_t* num_selected,
                      Item* out, unsigned long long run, Verdict* verdict) {
    bool right = true;
    for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < num_expected + 2 * margin;
         i += gridDim.x * blockDim.x) {
        Item& item = out[static_cast<std::int64_t>(i) - margin];
        const bool inside = i >= margin && i < margin + num_expected;
        right = right && item.word[0] == (inside ? expected[i - margin].word[0] : poison);
        item.word[0] = poison;
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        right = right && *num_selected == num_expected;
        *num_selected = poison;
        atomicAdd(&verdict->checked, 1ULL);
    }
    if (!right) {
        atomicAdd(&verdict->wrong, 1ULL);
        atomicMin(&verdict->first_wrong, run);
    }
}

/// Keeps a part of the GPU busy.
__global__ void occupy(unsigned long long nanoseconds) {
    const std::uint64_t start = ::cuda::ptx::get_sreg_globaltimer();
    while (::cuda::ptx::get_sreg_globaltimer() - start < nanoseconds) {
    }
}

constexpr std::size_t temp_bytes =
    sizeof(detail::TileState) + detail::ticket_words<Item>(longest + margin) * sizeof(std::uint32_t) + 256;

constexpr std::uint32_t max_calls_in_a_row = 4;

/// One stream and the memory of its selections. Lanes share only the pool.
struct Lane {
    cudaStream_t stream = nullptr;
    SelectState state;
    DeviceArray<detail::TileState> tile_state{1};
    DeviceArray<std::uint32_t> tickets{detail::ticket_words<Item>(longest + margin)};
    DeviceArray<char> temp{temp_bytes};
    std::vector<std::unique_ptr<DeviceArray<Item>>> outs;
    DeviceArray<std::uint32_t> nums_selected{max_calls_in_a_row};

    explicit Lane(bool overlaps) {
        EXPECT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
        EXPECT_EQ(state.reserve<Item>(longest + margin), cudaSuccess);
        state.let_launches_overlap(overlaps);
        tile_state.fill(0);
        temp.fill(0x5a);
        for (std::uint32_t i = 0; i < max_calls_in_a_row; ++i) {
            outs.push_back(std::make_unique<DeviceArray<Item>>(longest + 4 * margin));
            outs.back()->fill(0xee);
        }
        nums_selected.fill(0xee);
    }
    Lane(const Lane&) = delete;
    Lane& operator=(const Lane&) = delete;
    ~Lane() { cudaStreamDestroy(stream); }
};

class SelectStress : public OnCudaDevice {
  protected:
    void SetUp() override {
        OnCudaDevice::SetUp();
        if (IsSkipped()) return;
        ASSERT_EQ(detail::query_current_device(device_), cudaSuccess);
        ASSERT_EQ(Selection::query_pipeline(device_, has_pipeline_), cudaSuccess);
        pool_ = std::make_unique<Pool>();
        verdict_ = std::make_unique<DeviceArray<Verdict>>(1);
        verdict_->upload({{0, 0, std::numeric_limits<unsigned long long>::max()}});
        for (int i = 0; i < 4; ++i) lanes_.push_back(std::make_unique<Lane>(i % 2 == 1));
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    }

    std::uint32_t draw(std::uint32_t low, std::uint32_t high) {
        return low + static_cast<std::uint32_t>(random_() % (high - low + 1));
    }

    /// A random length, uniform on a logarithmic scale.
    std::uint32_t draw_length(std::uint32_t high) {
        const double exponent =
            std::uniform_real_distribution<double>(0, std::log2(double{1} + high))(random_);
        return std::min(high, static_cast<std::uint32_t>(std::exp2(exponent)) - draw(0, 1));
    }

    detail::Start draw_start() {
        return draw(0, 1) == 0 ? detail::Start::after_previous : detail::Start::during_previous;
    }

    cudaError_t select_by_any_path(Lane& lane, const Item* in, Item* out, std::uint32_t* count,
                                   std::uint32_t length, std::size_t which) {
        const Below below{Pool::limits[which]};
        const std::uint32_t kind = draw(0, 9);
        if (kind < 4) return select_if(lane.state, in, out, count, length, below, lane.stream);
        if (kind == 4) {
            std::size_t bytes = temp_bytes;
            return select_if(lane.temp.data(), bytes, in, out, count, length, below, lane.stream);
        }
        const Selection selection =
            detail::make_selection(in, out, count, std::uint64_t{length}, detail::ByPredicate<Below>{below});
        const std::uint64_t end = selection.input.end;
        if (kind < 7 && end <= 1U << 19) {
            detail::Plan plan{.path = detail::Path::single_wave,
                              .tile_size = detail::TileSize{static_cast<std::uint8_t>(draw(0, 3))}};
            plan.blocks = static_cast<unsigned>(detail::with_policy(plan.tile_size, [&](auto policy) {
                return detail::single_wave_shape<Item, decltype(policy)>.num_tiles(end);
            }));
            const bool gives_up_early = end < 100'000 && draw(0, 9) == 0;
            return selection.launch(device_, plan, draw_start(), lane.tile_state.data(), nullptr, lane.stream,
                                    {.spins = gives_up_early ? draw(0, 20) : detail::default_spin_limit});
        }
        if (kind < 9 && has_pipeline_ && end > 0) {
            // With more blocks than multiprocessors, it goes on by tickets.
            const detail::Plan plan{.path = detail::Path::pipeline,
                                    .blocks = draw(1, detail::max_pipeline_blocks)};
            return selection.launch(device_, plan, draw_start(), lane.tile_state.data(), lane.tickets.data(),
                                    lane.stream, {.polls = draw(1, 40)});
        }
        detail::Plan plan;
        if (const cudaError_t error = Selection::choose(device_, end, draw(1, 300), plan)) return error;
        const std::size_t bytes = (std::size_t{1} + plan.num_tiles) * sizeof(std::uint32_t);
        if (const cudaError_t error = cudaMemsetAsync(lane.tickets.data(), 0, bytes, lane.stream))
            return error;
        return selection.launch(device_, plan, detail::Start::after_previous, nullptr, lane.tickets.data(),
                                lane.stream);
    }

    /// Where a selection stores, and what it must store there.
    struct Output {
        Item* items;
        std::uint32_t* num_selected;
        const Item* expected;
        std::uint32_t num_expected;
    };

    cudaError_t enqueue_selection(Lane& lane, std::uint32_t index, Output& output) {
        const std::uint32_t length = draw_length(draw(0, 19) == 0 ? longest : 1U << 17);
        const std::uint32_t first = draw(0, longest + margin - length);
        const bool by_flags = draw(0, 19) == 0;
        const std::size_t which = by_flags ? 1 : draw(0, static_cast<std::uint32_t>(Pool::limits.size() - 1));
        const Item* const in = pool_->items() + first;
        output.items = lane.outs[index]->data() + margin + draw(0, margin);
        output.num_selected = lane.nums_selected.data() + index;
        output.expected = pool_->kept(which, first, length, output.num_expected);
        return by_flags ? select_flagged(lane.state, in, pool_->flags() + first, output.items,
                                         output.num_selected, length, lane.stream)
                        : select_by_any_path(lane, in, output.items, output.num_selected, length, which);
    }

    /// Enqueues random selections that may overlap, and then their checks. Returns how many.
    std::uint64_t enqueue_some(Lane& lane) {
        std::vector<Output> outputs(draw(1, max_calls_in_a_row));
        for (std::uint32_t i = 0; i < outputs.size(); ++i)
            EXPECT_EQ(enqueue_selection(lane, i, outputs[i]), cudaSuccess);
        for (const Output& output : outputs) {
            check<<<std::min(32U, output.num_expected / 2048 + 1), 256, 0, lane.stream>>>(
                output.expected, output.num_expected, output.num_selected, output.items, runs_++,
                verdict_->data());
            EXPECT_EQ(cudaGetLastError(), cudaSuccess);
        }
        return outputs.size();
    }

    /// Replays a graph of some selections; returns how many ran.
    std::uint64_t replay_some(Lane& lane) {
        constexpr int captures = 10;
        constexpr int replays = 10;
        std::uint64_t captured = 0;
        EXPECT_EQ(cudaStreamBeginCapture(lane.stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
        for (int i = 0; i < captures; ++i) captured += enqueue_some(lane);
        cudaGraph_t graph = nullptr;
        EXPECT_EQ(cudaStreamEndCapture(lane.stream, &graph), cudaSuccess);
        cudaGraphExec_t executable = nullptr;
        EXPECT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
        for (int i = 0; i < replays; ++i) EXPECT_EQ(cudaGraphLaunch(executable, lane.stream), cudaSuccess);
        EXPECT_EQ(cudaStreamSynchronize(lane.stream), cudaSuccess);
        EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
        EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
        return captured * replays;
    }

    detail::DeviceProperties device_;
    bool has_pipeline_ = false;
    std::mt19937_64 random_{20261121};
    std::unique_ptr<Pool> pool_;
    std::unique_ptr<DeviceArray<Verdict>> verdict_;
    std::vector<std::unique_ptr<Lane>> lanes_;
    unsigned long long runs_ = 0;
};

TEST_F(SelectStress, ConcurrentSelectionsOnABusyGpu) {
    const char* const asked = std::getenv("WARPSIEVE_STRESS_RUNS");
    const std::uint64_t wanted = asked ? std::strtoull(asked, nullptr, 10) : 100'000;
    cudaStream_t busy = nullptr;
    COMPACTION_CHECK(cudaStreamCreateWithFlags(&busy, cudaStreamNonBlocking));
    std::uint64_t done = 0;
    for (std::uint64_t turn = 0; done < wanted; ++turn) {
        if (turn % 2'000 == 1'999) {
            done += replay_some(*lanes_[draw(0, 3)]);
            const Verdict verdict = verdict_->download()[0];
            ASSERT_EQ(verdict.wrong, 0U) << "first in run " << verdict.first_wrong;
        }
        if (turn % 50 == 0) {
            occupy<<<draw(1, device_.multiprocessors / 2), 1024, 0, busy>>>(draw(5, 100) * 1'000ULL);
            COMPACTION_CHECK(cudaGetLastError());
        }
        done += enqueue_some(*lanes_[draw(0, 3)]);
        ASSERT_FALSE(HasFailure()) << "after " << done << " selections";
    }
    COMPACTION_CHECK(cudaDeviceSynchronize());
    const Verdict verdict = verdict_->download()[0];
    EXPECT_EQ(verdict.wrong, 0U) << "first in run " << verdict.first_wrong;
    EXPECT_EQ(verdict.checked, done);
    RecordProperty("selections", std::to_string(done));
    COMPACTION_CHECK(cudaStreamDestroy(busy));
}

}  // namespace
