// Traces of the library's own kernels on the simulated GPU tell what ran: playing their stores gives the
// output, and what they read, count and scan is the stream.
#include "compaction/access_trace.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compaction/compaction.hpp"
#include "compaction/simulated_schedule.hpp"
#include "tests/support/option_sets.hpp"
#include "workloads/streams.hpp"

namespace {

using namespace compaction;
using workloads::Pattern;

/// A run to trace.
struct TracedRun {
    const Algorithm* algorithm = nullptr;
    Options options{};
    ItemSize item_size = ItemSize::bytes_4;
    Pattern pattern = Pattern::random;
    std::uint64_t num_items = 4'099;
    std::uint64_t seed = 45;

    std::vector<Item> stream() const { return workloads::make_stream(pattern, num_items, 0.5, 7); }
    std::vector<std::byte> items() const {
        const std::vector<Item> words = workloads::widen(stream(), item_size, 7);
        std::vector<std::byte> bytes(words.size() * sizeof(Item));
        std::memcpy(bytes.data(), words.data(), bytes.size());
        return bytes;
    }
    std::string text() const {
        return algorithm->id + ", " + testing_support::describe(options) + ", " +
               std::to_string(bytes_of(item_size)) + " bytes, " +
               std::string(workloads::info_of(pattern).name) + ", " + std::to_string(num_items) +
               " items, seed " + std::to_string(seed);
    }
};

TracedCompaction trace(const TracedRun& run) {
    return simulated::trace_compaction(*run.algorithm, run.options, run.item_size, run.items(),
                                       keep_non_zero(), run.seed);
}

std::vector<WarpAccess> accesses_of(const AccessTrace& trace) {
    std::vector<WarpAccess> all;
    for (AccessReader reader(trace); reader.next();) all.push_back(reader.access());
    return all;
}

/// The contents of the buffers after the accesses.
std::vector<std::vector<std::byte>> play(const AccessTrace& trace, const std::vector<WarpAccess>& accesses) {
    std::vector<std::vector<std::byte>> buffers;
    for (const TracedBuffer& buffer : trace.buffers) buffers.push_back(buffer.initial);
    for (const WarpAccess& access : accesses) {
        if (!stores(access.kind)) continue;
        const std::size_t bytes = trace.buffers[access.buffer].element_bytes;
        for (std::size_t i = 0; i < access.elements.size(); ++i)
            std::memcpy(buffers[access.buffer].data() + access.elements[i] * bytes,
                        access.values.data() + i * bytes, bytes);
    }
    return buffers;
}

std::uint64_t word_at(const std::vector<std::byte>& buffer, std::size_t index, std::size_t bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, buffer.data() + index * bytes, std::min(bytes, sizeof word));
    return word;
}

/// What of the trace is not as the run left it; "" if all is.
std::string difference(const TracedCompaction& made, const std::vector<WarpAccess>& accesses) {
    const AccessTrace& trace = made.trace;
    const auto buffers = play(trace, accesses);
    const std::uint32_t output = *trace.buffer_of(BufferRole::output);
    const std::uint32_t num_selected = *trace.buffer_of(BufferRole::num_selected);
    if (word_at(buffers[num_selected], 0, 8) != made.num_selected) return "the number selected differs";
    std::vector<std::byte> expected = made.output;
    expected.resize(buffers[output].size());
    if (buffers[output] != expected) return "the output differs";
    return "";
}

/// The items that the stream keeps, in order.
std::vector<std::byte> kept_items(const TracedRun& run) {
    const std::vector<Item> stream = run.stream();
    const std::vector<std::byte> items = run.items();
    const std::size_t bytes = bytes_of(run.item_size);
    std::vector<std::byte> kept;
    for (std::size_t i = 0; i < stream.size(); ++i)
        if (stream[i] != 0)
            kept.insert(kept.end(), items.begin() + static_cast<std::ptrdiff_t>(i * bytes),
                        items.begin() + static_cast<std::ptrdiff_t>((i + 1) * bytes));
    return kept;
}

std::vector<std::string> sorted_items(const std::vector<std::byte>& items, std::size_t bytes) {
    std::vector<std::string> sorted;
    for (std::size_t i = 0; i < items.size(); i += bytes)
        sorted.emplace_back(reinterpret_cast<const char*>(items.data()) + i, bytes);
    std::ranges::sort(sorted);
    return sorted;
}

/// The trace gives the output, which is that of the stream.
void expect_output(const TracedRun& run, const TracedCompaction& made,
                   const std::vector<WarpAccess>& accesses) {
    EXPECT_EQ(difference(made, accesses), "");
    const std::vector<std::byte> kept = kept_items(run);
    const std::size_t bytes = bytes_of(run.item_size);
    EXPECT_EQ(made.num_selected * bytes, kept.size());
    if (run.algorithm->stable) {
        EXPECT_EQ(made.output, kept);
    } else {
        EXPECT_EQ(sorted_items(made.output, bytes), sorted_items(kept, bytes));
    }
}

/// Every phase has a launch.
void expect_phases(const TracedRun& run, const AccessTrace& trace) {
    std::set<std::size_t> phases;
    for (const TracedLaunch& launch : trace.launches) {
        ASSERT_TRUE(launch.phase) << launch.kernel;
        phases.insert(*launch.phase);
    }
    if (run.num_items > 0) {
        EXPECT_EQ(phases.size(), run.algorithm->phases.size());
        EXPECT_EQ(*phases.rbegin() + 1, run.algorithm->phases.size());
    }
}

/// Steps do not decrease, a multiprocessor issues one access a step, and warps belong to their launches.
void expect_steps(const AccessTrace& trace, const std::vector<WarpAccess>& accesses) {
    std::set<std::pair<std::uint64_t, std::uint32_t>> issued;
    std::uint64_t last = 0;
    for (const WarpAccess& access : accesses) {
        const TracedLaunch& launch = trace.launches[access.launch];
        ASSERT_GE(access.step, last);
        ASSERT_TRUE(issued.emplace(access.step, access.multiprocessor).second) << "step " << access.step;
        ASSERT_GE(access.step, launch.begin_step);
        ASSERT_LT(access.step, launch.end_step);
        ASSERT_LT(access.block, launch.blocks);
        last = access.step;
    }
    EXPECT_EQ(trace.num_steps, accesses.empty() ? 0 : last + 1);
}

/// Every kept item is loaded before it is stored.
void expect_loads_before_stores(const TracedRun& run, const AccessTrace& trace,
                                const std::vector<WarpAccess>& accesses) {
    const std::uint32_t output = *trace.buffer_of(BufferRole::output);
    const std::size_t bytes = bytes_of(run.item_size);
    const std::vector<std::byte> items = run.items();
    const std::vector<Item> stream = run.stream();
    std::map<std::string, std::vector<std::uint64_t>> loads;  // of each value
    std::vector<bool> is_loaded(stream.size());
    for (const WarpAccess& access : accesses) {
        if (access.buffer == 0) {
            ASSERT_FALSE(stores(access.kind));
            for (const std::uint64_t i : access.elements) {
                if (i >= stream.size()) continue;
                if (!is_loaded[i])
                    loads[std::string(reinterpret_cast<const char*>(items.data()) + i * bytes, bytes)]
                        .push_back(access.step);
                is_loaded[i] = true;
            }
        }
        if (access.buffer != output || !stores(access.kind)) continue;
        for (std::size_t i = 0; i < access.elements.size(); ++i) {
            const std::string value(reinterpret_cast<const char*>(access.values.data()) + i * bytes, bytes);
            ASSERT_TRUE(loads.contains(value)) << "output item " << access.elements[i];
            ASSERT_LT(loads[value].front(), access.step) << "output item " << access.elements[i];
        }
    }
    EXPECT_TRUE(std::ranges::all_of(is_loaded, [](bool each) { return each; }));
}

/// The last counts and offsets are those of the stream, where each part has one of each.
void expect_counts(const TracedRun& run, const AccessTrace& trace, const std::vector<WarpAccess>& accesses) {
    const auto buffers = play(trace, accesses);
    const auto counts = trace.buffer_of(BufferRole::counts);
    const auto offsets = trace.buffer_of(BufferRole::offsets);
    const auto flags = trace.buffer_of(BufferRole::flags);
    const auto engine = open_engine(EngineId::simulated, static_cast<int>(run.seed));
    const auto& algorithm = find_algorithm("simulated_" + run.algorithm->id.substr(10));
    const Partition parts =
        engine->make_compactor(algorithm, run.options, run.item_size)->partition(run.num_items);
    const std::vector<Item> stream = run.stream();
    std::vector<std::uint64_t> kept(parts.known() ? parts.num_parts : 0);
    for (std::uint64_t part = 0; part < kept.size(); ++part)
        for (std::uint64_t i = parts.begin(part); i < parts.end(part); ++i) kept[part] += stream[i] != 0;
    std::uint64_t before = 0;
    for (std::uint64_t part = 0; counts && part < kept.size(); ++part) {
        ASSERT_EQ(word_at(buffers[*counts], part, trace.buffers[*counts].element_bytes), kept[part])
            << "part " << part;
        if (!offsets) continue;
        ASSERT_EQ(word_at(buffers[*offsets], part, trace.buffers[*offsets].element_bytes), before)
            << "part " << part;
        before += kept[part];
    }
    if (!flags || trace.buffers[*flags].format.is_mask) return;
    before = 0;
    for (std::uint64_t i = 0; i < stream.size(); ++i) {
        ASSERT_EQ(word_at(buffers[*flags], i, 4), stream[i] != 0 ? 1U : 0U) << "item " << i;
        ASSERT_EQ(word_at(buffers[*offsets], i, 4), before) << "item " << i;
        before += stream[i] != 0;
    }
}

void expect_right(const TracedRun& run) {
    SCOPED_TRACE(run.text());
    try {
        const TracedCompaction made = trace(run);
        const std::vector<WarpAccess> accesses = accesses_of(made.trace);
        EXPECT_EQ(accesses.size(), made.trace.num_accesses);
        expect_output(run, made, accesses);
        expect_phases(run, made.trace);
        expect_steps(made.trace, accesses);
        expect_loads_before_stores(run, made.trace, accesses);
        expect_counts(run, made.trace, accesses);
    } catch (const Error& error) {
        FAIL() << error.what();
    }
}

std::vector<const Algorithm*> traced_algorithms() {
    std::vector<const Algorithm*> all;
    for (const Algorithm& algorithm : catalogue())
        if (algorithm.engine == EngineId::simulated && simulated::no_trace_reason(algorithm).empty())
            all.push_back(&algorithm);
    return all;
}

class AccessTraces : public testing::TestWithParam<const Algorithm*> {};

TEST_P(AccessTraces, GiveTheOutputOfEveryPattern) {
    for (const workloads::PatternInfo& info : workloads::patterns())
        expect_right({.algorithm = GetParam(), .pattern = info.pattern});
}

TEST_P(AccessTraces, GiveTheOutputOfEveryWidthAndItemSize) {
    for (const ItemSize item_size : GetParam()->item_sizes) {
        expect_right({.algorithm = GetParam(), .item_size = item_size});
        const LegalRange* const widths = GetParam()->range_of(Option::vector_width);
        for (std::uint32_t width = 1; widths && width <= max_vector_width(item_size); width *= 2) {
            Options options;
            options[Option::vector_width] = width;
            expect_right({.algorithm = GetParam(), .options = options, .item_size = item_size});
        }
    }
}

TEST_P(AccessTraces, GiveTheOutputOfOtherSchedules) {
    for (const std::uint64_t seed : {4U, 8U, 152U}) expect_right({.algorithm = GetParam(), .seed = seed});
    expect_right({.algorithm = GetParam(), .num_items = 0});
}

TEST_P(AccessTraces, GiveTheOutputOfALongStream) {
    expect_right({.algorithm = GetParam(), .num_items = 65'536});
}

/// Each recorded store to the output matters.
TEST_P(AccessTraces, AreWrongWithoutOneStoreOrWithAnotherValue) {
    const TracedCompaction made = trace({.algorithm = GetParam()});
    const std::vector<WarpAccess> accesses = accesses_of(made.trace);
    const std::uint32_t output = *made.trace.buffer_of(BufferRole::output);
    std::vector<std::size_t> to_output;
    for (std::size_t i = 0; i < accesses.size(); ++i)
        if (accesses[i].buffer == output && stores(accesses[i].kind)) to_output.push_back(i);
    ASSERT_FALSE(to_output.empty());
    const std::size_t sampled = std::max<std::size_t>(1, to_output.size() / 20);
    for (std::size_t i = 0; i < to_output.size(); i += sampled) {
        std::vector<WarpAccess> altered = accesses;
        altered[to_output[i]].values.back() ^= std::byte{1};
        EXPECT_EQ(difference(made, altered), "the output differs");
        altered.erase(altered.begin() + static_cast<std::ptrdiff_t>(to_output[i]));
        EXPECT_EQ(difference(made, altered), "the output differs");
    }
}

INSTANTIATE_TEST_SUITE_P(All, AccessTraces, testing::ValuesIn(traced_algorithms()),
                         [](const auto& algorithm) { return algorithm.param->id; });

/// The counts of tiles in a status buffer, by tile.
std::map<std::uint64_t, std::uint64_t> published(const AccessTrace& trace, std::string_view name) {
    std::map<std::uint64_t, std::uint64_t> counts;
    for (AccessReader reader(trace); reader.next();) {
        const WarpAccess& access = reader.access();
        const TracedBuffer& buffer = trace.buffers[access.buffer];
        if (buffer.name != name || access.kind != AccessKind::store) continue;
        const std::uint64_t num_tiles = buffer.num_elements / buffer.format.copies;
        for (std::size_t i = 0; i < access.elements.size(); ++i)
            counts[access.elements[i] % num_tiles] = buffer.format.number_in(access.value(i));
    }
    return counts;
}

/// The published counts are those of the tiles of the stream.
void expect_published(const TracedRun& run, std::string_view name) {
    SCOPED_TRACE(run.text());
    const auto engine = open_engine(EngineId::simulated, static_cast<int>(run.seed));
    const auto compactor = engine->make_compactor(*run.algorithm, run.options);
    compactor->reserve(run.num_items);
    const Partition parts = compactor->partition(run.num_items);
    const std::vector<Item> stream = run.stream();
    const auto counts = published(trace(run).trace, name);
    EXPECT_GE(counts.size() + 1, parts.num_parts);
    for (const auto& [tile, count] : counts) {
        std::uint64_t kept = 0;
        for (std::uint64_t i = parts.begin(tile); i < parts.end(tile); ++i) kept += stream[i] != 0;
        EXPECT_EQ(count, kept) << "tile " << tile;
    }
}

/// The kernels that ran.
std::set<std::string> kernels_of(const TracedRun& run) {
    std::set<std::string> kernels;
    for (const TracedLaunch& launch : trace(run).trace.launches) kernels.insert(launch.kernel);
    return kernels;
}

TEST(SinglePassTraces, HoldEachPath) {
    const Algorithm& algorithm = find_algorithm("simulated_single_pass");
    const std::uint64_t one_multiprocessor =
        simulated::seed_of(simulated::Order::forward, simulated::CopyTime::late, 1);
    Options tickets;
    tickets[Option::blocks] = 3;
    const TracedRun single_wave{.algorithm = &algorithm};
    const TracedRun pipeline{.algorithm = &algorithm, .num_items = 65'536, .seed = one_multiprocessor};
    const TracedRun ticketed{.algorithm = &algorithm, .options = tickets, .num_items = 65'536};
    EXPECT_TRUE(kernels_of(single_wave).contains("single_wave_kernel"));
    EXPECT_TRUE(kernels_of(pipeline).contains("pipeline_kernel"));
    EXPECT_TRUE(kernels_of(ticketed).contains("ticketed_kernel"));
    for (const TracedRun& run : {single_wave, pipeline, ticketed}) expect_right(run);
    expect_published(single_wave, "counts of tiles");
    expect_published(ticketed, "counts of ticketed tiles");
}

TEST(AccessTraceReasons, LibrariesStepsAndTheCpuHaveNone) {
    for (const Algorithm& algorithm : catalogue()) {
        const bool is_library =
            algorithm.id.find("cub") != std::string::npos || algorithm.id.find("thrust") != std::string::npos;
        const bool has_trace = algorithm.engine != EngineId::cpu && !is_library;
        EXPECT_EQ(simulated::no_trace_reason(algorithm).empty(), has_trace) << algorithm.id;
    }
    EXPECT_NE(simulated::no_trace_reason(find_algorithm("scan_naive")), "");
    EXPECT_THROW(simulated::trace_compaction(find_algorithm("cub_select"), {}, ItemSize::bytes_4, {},
                                             keep_non_zero(), 0),
                 Error);
}

}  // namespace
