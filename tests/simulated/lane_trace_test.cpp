// Traces of lanes tell what ran: playing them gives the output and the values that lanes loaded, collective
// operations have the results of their operands, and stores are those of the trace of accesses.
#include "compaction/lane_trace.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <map>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "compaction/compaction.hpp"
#include "workloads/streams.hpp"

namespace {

using namespace compaction;
using workloads::Pattern;

std::vector<std::byte> items_of(std::uint64_t num_items, ItemSize item_size) {
    const std::vector<Item> stream = workloads::make_stream(Pattern::random, num_items, 0.5, 7);
    const std::vector<Item> words = workloads::widen(stream, item_size, 7);
    std::vector<std::byte> bytes(words.size() * sizeof(Item));
    std::memcpy(bytes.data(), words.data(), bytes.size());
    return bytes;
}

LaneTracedCompaction trace(const Algorithm& algorithm, ItemSize item_size = ItemSize::bytes_4,
                           std::uint64_t num_items = 4'099, const Options& options = {}) {
    return simulated::trace_lanes(algorithm, options, item_size, items_of(num_items, item_size),
                                  keep_non_zero(), 45);
}

std::vector<std::byte> played_output(const LaneTracedCompaction& made, LaneReader& reader) {
    const auto output = std::ranges::find(made.trace.buffers, BufferRole::output, &TracedBuffer::role);
    const auto bytes = reader.buffer(static_cast<std::uint32_t>(output - made.trace.buffers.begin()))
                           .first(made.output.size());
    return {bytes.begin(), bytes.end()};
}

/// What of the trace is not as the run left it; "" if all is.
std::string difference(const LaneTracedCompaction& made) {
    LaneReader reader(made.trace);
    std::uint64_t num_steps = 0;
    while (reader.next()) ++num_steps;
    if (num_steps != made.trace.num_steps) return "the number of steps differs";
    if (played_output(made, reader) != made.output) return "the output differs";
    if (reader.loads_hash() != made.trace.loads_hash) return "a loaded value differs";
    return "";
}

std::vector<const Algorithm*> traced_algorithms() {
    std::vector<const Algorithm*> all;
    for (const Algorithm& algorithm : catalogue())
        if (algorithm.engine == EngineId::simulated && simulated::no_trace_reason(algorithm).empty())
            all.push_back(&algorithm);
    return all;
}

class LaneTraces : public testing::TestWithParam<const Algorithm*> {};

TEST_P(LaneTraces, GiveTheOutputAndTheLoadedValues) {
    for (const ItemSize item_size : GetParam()->item_sizes) {
        const LaneTracedCompaction made = trace(*GetParam(), item_size);
        EXPECT_EQ(difference(made), "") << bytes_of(item_size);
        EXPECT_EQ(made.trace.fault, "");
    }
    EXPECT_EQ(difference(trace(*GetParam(), ItemSize::bytes_4, 0)), "");
}

/// Each recorded store of an item matters.
TEST_P(LaneTraces, AreWrongWithAnotherStoredValue) {
    LaneTracedCompaction made = trace(*GetParam(), ItemSize::bytes_4, 1'000);
    const std::vector<std::byte> packed = made.trace.packed;
    for (std::size_t item = 0; item < made.num_selected; item += 29) {
        const auto first = made.output.begin() + static_cast<std::ptrdiff_t>(item * 4);
        auto found = std::search(packed.begin(), packed.end(), first, first + 4);
        ASSERT_NE(found, packed.end()) << "item " << item;
        for (; found != packed.end(); found = std::search(found + 1, packed.end(), first, first + 4)) {
            made.trace.packed[static_cast<std::size_t>(found - packed.begin())] ^= std::byte{1};
            EXPECT_NE(difference(made), "") << "item " << item;
            made.trace.packed = packed;
        }
    }
}

/// What a collective operation gives each lane of the mask.
std::uint64_t expected_result(const std::string& name, std::uint32_t mask, unsigned lane,
                              const std::map<unsigned, std::vector<std::uint64_t>>& operands) {
    const auto value = [&](unsigned of) { return operands.at(of)[0]; };
    const std::uint64_t parameter = operands.at(lane)[1];
    std::uint64_t all = 0;
    if (name == "a vote")
        for (const auto& [of, each] : operands) all |= std::uint64_t{each[0] != 0} << of;
    if (name == "__reduce_add_sync")
        for (const auto& [of, each] : operands) all += each[0];
    if (name == "__match_any_sync")
        for (const auto& [of, each] : operands) all |= std::uint64_t{each[0] == value(lane)} << of;
    if (!name.starts_with("__shfl")) return all;
    std::uint64_t source = parameter % 32;
    if (name == "__shfl_up_sync") source = lane < parameter ? lane : lane - parameter;
    if (name == "__shfl_down_sync") source = lane + parameter > 31 ? lane : lane + parameter;
    if (name == "__shfl_xor_sync") source = lane ^ parameter;
    return mask >> source & 1U ? value(static_cast<unsigned>(source)) : 0xdddddddddddddddd;
}

TEST_P(LaneTraces, HaveTheResultsOfTheirOperands) {
    const LaneTracedCompaction made = trace(*GetParam());
    // The operands of the lanes of each warp that wait, by name of the operation.
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::string>,
             std::map<unsigned, std::vector<std::uint64_t>>>
        waiting;
    for (LaneReader reader(made.trace); reader.next();) {
        const LaneStep& step = reader.step();
        if (reader.site().kind == LaneStepKind::launch) {
            ASSERT_TRUE(std::ranges::all_of(waiting, [](const auto& each) { return each.second.empty(); }));
        }
        auto& operands = waiting[{step.block, step.warp(), reader.site().name}];
        if (reader.site().kind == LaneStepKind::collective) operands[step.lane()] = step.operands;
        if (reader.site().kind != LaneStepKind::collective_results) continue;
        std::map<unsigned, std::vector<std::uint64_t>> of_mask;
        for (std::uint32_t lanes = step.mask; lanes != 0; lanes &= lanes - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
            ASSERT_TRUE(operands.contains(lane)) << "step " << step.index;
            of_mask[lane] = operands[lane];
            operands.erase(lane);
        }
        std::size_t i = 0;
        for (const auto& [lane, each] : of_mask)
            ASSERT_EQ(step.results[i++], expected_result(reader.site().name, step.mask, lane, of_mask))
                << reader.site().name << " of step " << step.index;
    }
    EXPECT_TRUE(std::ranges::all_of(waiting, [](const auto& each) { return each.second.empty(); }));
}

bool stores_globally(const LaneReader& reader) {
    return !reader.step().stored.empty() && reader.site().space == MemorySpace::global &&
           reader.site().kind != LaneStepKind::copied_to_shared;
}

/// The values that each element of the buffers holds in turn, over all launches.
using Histories = std::map<std::pair<std::uint32_t, std::uint64_t>, std::vector<std::uint64_t>>;

std::uint64_t word_at(std::span<const std::byte> bytes, std::size_t size) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), std::min(size, sizeof word));
    return word;
}

TEST_P(LaneTraces, StoreWhatTheAccessesStore) {
    const LaneTracedCompaction made = trace(*GetParam());
    Histories of_lanes;
    for (LaneReader reader(made.trace); reader.next();) {
        if (!stores_globally(reader)) continue;
        const std::uint32_t buffer = reader.site().buffer;
        const std::size_t element = made.trace.buffers[buffer].element_bytes;
        const std::uint64_t end = reader.step().address + reader.site().bytes;
        for (std::uint64_t i = reader.step().address / element; i * element < end; ++i)
            of_lanes[{buffer, i}].push_back(
                word_at(reader.buffer(buffer).subspan(i * element, element), element));
    }
    const TracedCompaction accesses = simulated::trace_compaction(
        *GetParam(), {}, ItemSize::bytes_4, items_of(4'099, ItemSize::bytes_4), keep_non_zero(), 45);
    Histories of_accesses;
    for (AccessReader reader(accesses.trace); reader.next();) {
        const WarpAccess& access = reader.access();
        if (!stores(access.kind)) continue;
        for (std::size_t i = 0; i < access.elements.size(); ++i)
            of_accesses[{access.buffer, access.elements[i]}].push_back(access.value(i));
    }
    EXPECT_EQ(of_lanes.size(), of_accesses.size());
    for (const auto& [element, values] : of_accesses)
        ASSERT_EQ(of_lanes[element], values)
            << made.trace.buffers[element.first].name << "[" << element.second << "]";
}

/// What a load observes is a store of the same memory, which left the loaded value there.
TEST_P(LaneTraces, SayWhichStoreEachLoadObserves) {
    const LaneTracedCompaction made = trace(*GetParam(), ItemSize::bytes_4, 1'000);
    struct Store {
        bool is_copy;
        MemorySpace space;
        std::uint32_t buffer;
        std::uint64_t address;
        std::vector<std::byte> bytes;
    };
    std::map<std::uint64_t, Store> stored;
    std::uint64_t num_observed = 0;
    for (LaneReader reader(made.trace); reader.next();) {
        const LaneStep& step = reader.step();
        const LaneSite& site = reader.site();
        const bool copies =
            site.kind == LaneStepKind::copied_to_shared || site.kind == LaneStepKind::copied_to_global;
        for (const Observation& each : step.observed) {
            if (copies || each.stored_by == Observation::initial) continue;
            ++num_observed;
            ASSERT_TRUE(stored.contains(each.stored_by));
            const Store& store = stored[each.stored_by];
            if (store.is_copy) continue;
            const std::uint64_t address = step.address + each.offset;
            ASSERT_EQ(store.space, site.space);
            ASSERT_EQ(store.buffer, site.buffer);
            ASSERT_GE(address, store.address);
            ASSERT_LE(address + each.bytes, store.address + store.bytes.size());
            ASSERT_EQ(
                std::memcmp(&step.loaded[each.offset], &store.bytes[address - store.address], each.bytes), 0);
        }
        if (!step.stored.empty())
            stored[step.index] = {copies, site.space, site.buffer, step.address, step.stored};
    }
    EXPECT_GT(num_observed, 0U);
}

TEST_P(LaneTraces, KnowWhereEachStepIs) {
    const std::set<LaneStepKind> without_place{LaneStepKind::launch,
                                               LaneStepKind::memory,
                                               LaneStepKind::barrier_release,
                                               LaneStepKind::mbarrier_phase,
                                               LaneStepKind::copied_to_shared,
                                               LaneStepKind::copied_to_global,
                                               LaneStepKind::end,
                                               LaneStepKind::line};
    const LaneTracedCompaction made = trace(*GetParam(), ItemSize::bytes_4, 300);
    std::size_t longest = 0;
    std::size_t num_frames = 0;
    std::size_t num_named = 0;
    for (const LaneSite& site : made.trace.sites) {
        const std::vector<SourceFrame>& frames = made.trace.places[site.place];
        longest = std::max(longest, frames.size());
        EXPECT_EQ(frames.empty() && !without_place.contains(site.kind), false)
            << name_of(site.kind) << site.name;
        for (const SourceFrame& frame : frames) {
            ++num_frames;
            num_named += !frame.function.empty() && frame.line > 0;
        }
    }
    // Clang inlines less, so that it knows fewer callers than GCC.
    EXPECT_GT(2 * num_named, num_frames);
    EXPECT_GT(longest, 1U) << "a chain of inlined functions";
}

TEST_P(LaneTraces, TakeAtMost20BytesAStep) {
    const LaneTracedCompaction made = trace(*GetParam(), ItemSize::bytes_4, 4'096);
    EXPECT_LE(made.trace.packed.size(), 20 * made.trace.num_steps);
    std::printf("%s: %llu steps, %.2f bytes each, %zu places\n", GetParam()->id.c_str(),
                static_cast<unsigned long long>(made.trace.num_steps),
                static_cast<double>(made.trace.packed.size()) / static_cast<double>(made.trace.num_steps),
                made.trace.places.size());
}

INSTANTIATE_TEST_SUITE_P(All, LaneTraces, testing::ValuesIn(traced_algorithms()),
                         [](const auto& algorithm) { return algorithm.param->id; });

TEST(LaneReader, RefusesADamagedTrace) {
    const LaneTracedCompaction made =
        trace(find_algorithm("simulated_sequence_wise"), ItemSize::bytes_4, 300);
    std::uint64_t num_refused = 0;
    for (std::size_t at = 0; at < made.trace.packed.size(); at += 97) {
        LaneTrace damaged = made.trace;
        damaged.packed[at] ^= std::byte{0x7f};
        try {
            for (LaneReader reader(damaged); reader.next();) {
            }
        } catch (const Error& error) {
            ++num_refused;
            EXPECT_EQ(std::string(error.what()), "The trace is damaged. Record it again.");
        }
    }
    EXPECT_GT(num_refused, 0U);
}

TEST(LaneReader, ContinuesFromACopy) {
    const LaneTracedCompaction made =
        trace(find_algorithm("simulated_single_pass"), ItemSize::bytes_4, 1'000);
    LaneReader reader(made.trace);
    for (std::uint64_t i = 0; i < made.trace.num_steps / 2; ++i) reader.next();
    LaneReader copy = reader;
    while (reader.next()) {
        ASSERT_TRUE(copy.next());
        ASSERT_EQ(copy.step().address, reader.step().address);
        ASSERT_EQ(copy.step().loaded, reader.step().loaded);
    }
    EXPECT_FALSE(copy.next());
    EXPECT_EQ(copy.loads_hash(), made.trace.loads_hash);
}

}  // namespace
