// A replay shows the run that was traced: in both orders it ends with the output of the kernels, every load
// reads what it read in the run, and a state is the same however one gets there.
#include "app/kernel_view/replay.hpp"

#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compaction/compaction.hpp"
#include "tests/app/kernel_view/traced.hpp"

namespace {

using namespace compaction;
using namespace warpsieve::kernel_view;
using warpsieve::kernel_view::Replay;

class Replays : public testing::TestWithParam<const Algorithm*> {};

TEST_P(Replays, EndWithTheOutputOfTheKernels) {
    LaneTracedCompaction made = traced(*GetParam(), 1'000);
    const auto output = std::ranges::find(made.trace.buffers, BufferRole::output, &TracedBuffer::role);
    const auto index = static_cast<std::size_t>(output - made.trace.buffers.begin());
    Replay replay(std::move(made.trace));
    for (const Order order : all_orders) {
        const State& state = replay.at(order, replay.steps(order).size() - 1);
        const std::vector<std::byte>& bytes = state.global[index].bytes;
        ASSERT_GE(bytes.size(), made.output.size());
        EXPECT_TRUE(std::equal(made.output.begin(), made.output.end(), bytes.begin())) << id_of(order);
    }
}

TEST_P(Replays, HaveTheSameStateForwardsAndBackwards) {
    Replay replay(traced(*GetParam(), 300).trace);
    Replay played(replay);
    for (const Order order : all_orders) {
        const std::size_t size = replay.steps(order).size();
        std::map<std::size_t, State> states;
        for (std::size_t step = 0; step < size; ++step) {
            const State& state = played.at(order, step);
            if (step % (size / 24 + 1) == 0 || step + 1 == size) states.emplace(step, state);
        }
        for (auto each = states.rbegin(); each != states.rend(); ++each)
            ASSERT_TRUE(replay.at(order, each->first) == each->second) << id_of(order) << " " << each->first;
    }
}

/// Where an event is in an order.
std::vector<std::uint32_t> positions(const Steps& steps) {
    std::vector<std::uint32_t> at(steps.events.size());
    for (std::uint32_t i = 0; i < steps.events.size(); ++i) at[steps.events[i]] = i;
    return at;
}

TEST_P(Replays, HaveEveryEventOnceAndEachLaneInItsOrder) {
    const Replay replay(traced(*GetParam(), 1'000).trace);
    const Events& events = replay.events();
    for (const Order order : all_orders) {
        std::vector<std::uint32_t> sorted = replay.steps(order).events;
        std::ranges::sort(sorted);
        ASSERT_EQ(sorted.size(), events.events.size());
        for (std::uint32_t i = 0; i < sorted.size(); ++i) ASSERT_EQ(sorted[i], i);
        const std::vector<std::uint32_t> at = positions(replay.steps(order));
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> last;  // of threads
        std::uint32_t launch = none;
        for (std::uint32_t i = 0; i < events.events.size(); ++i) {
            const Event& event = events.events[i];
            if (std::exchange(launch, event.launch) != event.launch) last.clear();
            if (performs_copy(events.site_of(event).kind)) continue;
            const auto [found, is_new] = last.try_emplace({event.block, event.thread}, at[i]);
            if (!is_new) {
                ASSERT_LT(found->second, at[i]) << id_of(order) << " event " << i;
            }
            found->second = at[i];
        }
    }
}

/// Plays the stores and compares what the loads read.
TEST_P(Replays, LoadWhatTheRunLoaded) {
    const Replay replay(traced(*GetParam(), 1'000).trace);
    const Events& events = replay.events();
    for (const Order order : all_orders) {
        std::vector<std::vector<std::byte>> global;
        for (const TracedBuffer& buffer : events.trace.buffers) global.push_back(buffer.initial);
        std::map<std::uint32_t, std::vector<std::byte>> shared;
        for (const std::uint32_t index : replay.steps(order).events) {
            const Event& event = events.events[index];
            const LaneSite& site = events.site_of(event);
            if (site.kind == LaneStepKind::launch) shared.clear();
            if (!loads(site.kind) && !holds_stored_bytes(site.kind)) continue;
            std::vector<std::byte>& block = shared[event.block];
            block.resize(events.shared_bytes[event.launch], std::byte{0xdd});
            const bool copies = performs_copy(site.kind);
            const std::uint64_t in_shared = copies ? events.numbers[event.first_number] : event.address;
            const bool loads_shared =
                copies ? site.kind == LaneStepKind::copied_to_global : site.space == MemorySpace::shared;
            const auto loaded = events.loaded(event);
            const std::byte* from = loads_shared ? &block[in_shared] : &global[site.buffer][event.address];
            ASSERT_TRUE(std::equal(loaded.begin(), loaded.end(), from)) << id_of(order) << " event " << index;
            const auto bytes = copies ? loaded : events.stored(event);
            std::byte* to = loads_shared != copies ? &block[in_shared] : &global[site.buffer][event.address];
            std::copy(bytes.begin(), bytes.end(), to);
        }
    }
}

/// Lanes that run an instruction together are one step.
TEST_P(Replays, GroupTheLanesOfAWarp) {
    const Replay replay(traced(*GetParam(), 1'000).trace);
    const Events& events = replay.events();
    const Steps& steps = replay.steps(Order::warps);
    for (std::size_t step = 0; step < steps.size(); ++step) {
        const Event& first = events.events[steps[step][0]];
        std::set<std::uint32_t> lanes;
        for (const std::uint32_t index : steps[step]) {
            const Event& event = events.events[index];
            if (completes_arrival(events.site_of(event).kind)) continue;
            EXPECT_EQ(event.site, first.site);
            EXPECT_EQ(events.warp_of(event), events.warp_of(first));
            EXPECT_TRUE(lanes.insert(event.lane()).second);
        }
    }
    EXPECT_LT(3 * steps.size(), replay.steps(Order::lanes).size());
}

TEST_P(Replays, DescribeEveryStep) {
    const Replay replay(traced(*GetParam(), 300).trace);
    for (const Order order : all_orders) {
        for (std::size_t step = 0; step < replay.steps(order).size(); ++step) {
            const std::string text = replay.sentence(order, step).text();
            EXPECT_NE(text, "");
            EXPECT_EQ(text.find("{}"), std::string::npos) << text;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, Replays, testing::ValuesIn(traced_algorithms()),
                         [](const auto& algorithm) { return algorithm.param->id; });

/// The events of a launch from `begin` to `end` that access memory at the line.
std::vector<const Event*> accesses_at(const Events& events, std::uint32_t begin, std::uint32_t end,
                                      std::uint32_t line, bool stores) {
    std::vector<const Event*> found;
    for (std::uint32_t i = begin; i < end; ++i) {
        const Event& event = events.events[i];
        const LaneStepKind kind = events.site_of(event).kind;
        const std::vector<std::uint32_t>& lines = events.site_lines[event.site];
        if (kind == (stores ? LaneStepKind::store : LaneStepKind::load) && !lines.empty() &&
            lines.front() == line)
            found.push_back(&event);
    }
    return found;
}

/// Whether two threads of a block access the same bytes.
bool meet(const Events& events, const Event& a, const Event& b) {
    const LaneSite& site_a = events.site_of(a);
    const LaneSite& site_b = events.site_of(b);
    return a.block == b.block && a.thread != b.thread && site_a.space == site_b.space &&
           site_a.buffer == site_b.buffer && a.address < b.address + site_b.bytes &&
           b.address < a.address + site_a.bytes;
}

TEST_P(Replays, NameLinesAroundABarrierThatMeetInMemory) {
    const Events events = read_events(traced(*GetParam(), 300).trace);
    for (const auto& [barrier, pairs] : events.ordered_lines) {
        const std::uint32_t launch = events.events[barrier].launch;
        EXPECT_TRUE(std::ranges::is_sorted(pairs));
        for (const OrderedLines& pair : pairs) {
            const auto before =
                accesses_at(events, events.launch_begins[launch], barrier, pair.before, pair.before_stores);
            const auto after =
                accesses_at(events, barrier, events.launch_begins[launch + 1], pair.after, pair.after_stores);
            EXPECT_TRUE(pair.before_stores || pair.after_stores);
            EXPECT_TRUE(std::ranges::any_of(before,
                                            [&](const Event* one) {
                                                return std::ranges::any_of(after, [&](const Event* other) {
                                                    return meet(events, *one, *other);
                                                });
                                            }))
                << place_text(events, pair.before) << " and " << place_text(events, pair.after);
        }
    }
}

/// The steps of sequence_wise, in words.
std::string sentences(const Replay& replay, Order order) {
    std::string text;
    for (std::size_t step = 0; step < replay.steps(order).size(); ++step)
        text += replay.sentence(order, step).text() + '\n';
    return text;
}

TEST(Replay, SaysWhatAStepDoes) {
    const Replay replay(traced(find_algorithm("simulated_sequence_wise"), 1'024).trace);
    const std::string text = sentences(replay, Order::warps);
    for (const char* words :
         {"move_kernel begins: ", "reads 128 bytes of input in 16 sectors; 4 would do\n",
          "words of shared memory in ", "__shfl_up_sync: each lane takes the value of a lane below",
          "__syncthreads: 32 of ", "threads of the block have arrived; without it, writes at ",
          "no load or store of the block would race without it\n", "knows rank"})
        EXPECT_NE(text.find(words), std::string::npos) << words;
}

std::size_t allocated_bytes() {
    const struct mallinfo2 memory = mallinfo2();
    return memory.uordblks + memory.hblkhd;
}

TEST(Replay, TakesLittleMemory) {
    LaneTrace trace = traced(find_algorithm("simulated_sequence_wise"), 1U << 14U).trace;
    const std::size_t before = allocated_bytes();
    Replay replay(std::move(trace));
    for (const Order order : all_orders) replay.at(order, replay.steps(order).size() - 1);
    EXPECT_LT(allocated_bytes() - before, 25'000'000U);
}

TEST(Replay, MayHaveNoSteps) {
    const Replay replay(LaneTrace{});
    for (const Order order : all_orders) EXPECT_EQ(replay.steps(order).size(), 0U);
}

TEST(Replay, NamesValuesOfTheSource) {
    const Replay replay(traced(find_algorithm("simulated_sequence_wise"), 1'024).trace);
    const std::vector<std::string>& names = replay.events().names;
    for (const char* name : {"rank", "sequence", "batch.item[r][k]", "rest"})
        EXPECT_NE(std::ranges::find(names, name), names.end()) << name;
    // A reduction adds what it is given: no variable receives that value alone.
    EXPECT_TRUE(
        std::ranges::any_of(names, [](const std::string& name) { return name.starts_with("warp.cuh:"); }));
}

TEST(Replay, ShowsTheFunctionsThatRan) {
    const Replay replay(traced(find_algorithm("simulated_sequence_wise"), 1'024).trace);
    std::set<std::string> names;
    std::set<std::pair<std::string, std::uint32_t>> begins;
    for (const SourceFunction& function : replay.events().functions) {
        EXPECT_TRUE(begins.emplace(function.file, function.first_line).second) << function.name;
        EXPECT_TRUE(function.file.starts_with("compaction/")) << function.file;
        names.insert(function.name);
    }
    EXPECT_TRUE(names.contains("move_kernel"));
    EXPECT_TRUE(names.contains("stage_kept"));
    EXPECT_FALSE(names.contains("move_single_rows")) << "another variant runs it";
}

/// All lanes of a warp that is at a barrier have run the line of the barrier and those before it.
TEST(Replay, KnowsTheLinesThatLanesHaveRun) {
    Replay replay(traced(find_algorithm("simulated_sequence_wise"), 1'024).trace);
    const Events& events = replay.events();
    for (const Order order : all_orders) {
        const Steps& steps = replay.steps(order);
        std::size_t num_barriers = 0;
        for (std::size_t step = 0; step < steps.size(); step += 7) {
            const Event& event = events.events[steps[step][0]];
            if (events.site_of(event).kind != LaneStepKind::barrier) continue;
            ++num_barriers;
            const std::uint32_t line = events.site_lines[event.site].front();
            const std::uint32_t seen =
                replay.at(order, step).seen[events.warp_of(event) * events.lines.size() + line];
            EXPECT_TRUE(seen >> event.lane() & 1);
        }
        EXPECT_GT(num_barriers, 0U);
    }
}

}  // namespace
