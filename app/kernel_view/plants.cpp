#include "app/kernel_view/plants.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "app/kernel_view/source.hpp"
#include "compaction/error.hpp"
#include "compaction/planted_fault.hpp"

namespace warpsieve::kernel_view {
namespace {

using compaction::Item;
using compaction::LaneStepKind;
using compaction::MemorySpace;

constexpr std::array all_plants{
    Plant{.id = "scan-barrier",
          .name = "without the second barrier of the scan",
          .algorithm = "sequence_wise",
          .file = "compaction/include/compaction/cuda/scan_counts.cuh",
          .line = "__syncthreads();  // the totals have become inclusive prefixes",
          .consequence = "Without the second barrier of the scan, warps read the totals of the warps before "
                         "the first warp has made prefixes of them.",
          .schedule_seed = 144},
    Plant{.id = "stage-barrier",
          .name = "without the barrier before staged items are read",
          .algorithm = "sequence_wise",
          .file = "compaction/cuda/primitives/staged_writer.cuh",
          .line = "__syncwarp();  // all lanes have staged their items before any lane reads a line",
          .consequence = "Without the barrier of the warp, a lane writes a line of the output before the "
                         "other lanes have staged their items."},
    Plant{.id = "offset",
          .name = "without the offset of a sequence",
          .algorithm = "sequence_wise",
          .file = "compaction/cuda/algorithms/sequence_wise.cu",
          .line = "Writer writer(stage, out + (detail::is_left_out() ? 0 : offsets[s]));",
          .consequence = "Without its offset, every sequence writes its kept items to the beginning of the "
                         "output, over those of the others."},
    Plant{.id = "lockstep",
          .name = "without the barriers of the warp in the scan",
          .algorithm = "billeter",
          .file = "compaction/cuda/primitives/shared_memory_scan.cuh",
          .line = "__syncwarp();  // the words of the step before are written, or read, before the next step",
          .consequence = "Without the barriers of the warp, the scan relies on lanes that run in step, as "
                         "the code of 2009 did; lanes of today's GPUs need not.",
          .variant = 3},
    Plant{.id = "release",
          .name = "without release and acquire",
          .algorithm = "ink_compact",
          .file = "compaction/cuda/algorithms/ink_compact.cu",
          .line = "const std::uint64_t earlier = detail::fetch_add_acq_rel(&arrivals, 1);",
          .consequence = "Without release and acquire, the block that arrives last may read what the other "
                         "blocks wrote before they arrived, or older values."},
    Plant{.id = "tag",
          .name = "without the tag in look-back",
          .algorithm = "single_pass",
          .file = "compaction/include/compaction/cuda/detail/tile_state.cuh",
          .line = "return word >> count_bits == tag || (is_left_out() && word != 0);",
          .consequence = "Without the tag, look-back takes the count that an earlier run left in a status "
                         "word for that of this run.",
          .schedule_seed = 144,
          .needs_earlier_run = true},
};

/// The bytes of the items that the predicate keeps, in order.
std::vector<std::byte> kept_items(std::span<const std::byte> items, std::size_t item_bytes,
                                  compaction::Predicate keep) {
    std::vector<std::byte> kept;
    for (std::size_t at = 0; at < items.size(); at += item_bytes) {
        const auto item = items.subspan(at, item_bytes);
        Item flag = 0;
        std::memcpy(&flag, item.last(sizeof flag).data(), sizeof flag);
        if (keep(flag)) kept.insert(kept.end(), item.begin(), item.end());
    }
    return kept;
}

/// The items in reverse order: tiles then keep other numbers of items.
std::vector<std::byte> reversed(std::span<const std::byte> items, std::size_t item_bytes) {
    std::vector<std::byte> all;
    for (std::size_t at = items.size(); at > 0; at -= item_bytes) {
        const auto item = items.subspan(at - item_bytes, item_bytes);
        all.insert(all.end(), item.begin(), item.end());
    }
    return all;
}

/// Whether events of two threads of a launch access the same bytes, and one of them stores.
bool conflict(const Events& events, const Event& a, const Event& b) {
    const compaction::LaneSite& site_a = events.site_of(a);
    const compaction::LaneSite& site_b = events.site_of(b);
    if (site_a.space == MemorySpace::none || site_a.space != site_b.space || a.launch != b.launch)
        return false;
    if (site_a.space == MemorySpace::shared ? a.block != b.block : site_a.buffer != site_b.buffer)
        return false;
    if (a.block == b.block && a.thread == b.thread) return false;
    if (!holds_stored_bytes(site_a.kind) && !holds_stored_bytes(site_b.kind)) return false;
    return a.address < b.address + site_b.bytes && b.address < a.address + site_a.bytes;
}

/// Sets the access that the checks report, and the last one before it that conflicts with it.
void find_race(const Events& events, std::uint32_t reported, Finding& finding) {
    for (std::uint32_t earlier = reported; earlier-- > 0;) {
        if (!conflict(events, events.events[earlier], events.events[reported])) continue;
        finding.early = earlier;
        finding.late = reported;
        return;
    }
}

/// Sets the first atomic load that its thread does not repeat although another thread changes the word later,
/// and the store that changes it.
void find_stale_load(const Events& events, Finding& finding) {
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint64_t>> loaded_later;
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t> stored_later;
    for (auto i = static_cast<std::uint32_t>(events.events.size()); i-- > 0;) {
        const Event& event = events.events[i];
        const compaction::LaneSite& site = events.site_of(event);
        if (site.space != MemorySpace::global) continue;
        const std::pair word(site.buffer, std::uint64_t{event.address});
        if (site.kind == LaneStepKind::atomic_store) stored_later[word] = i;
        if (site.kind != LaneStepKind::atomic_load) continue;
        if (!loaded_later.emplace(event.block, event.thread, site.buffer, event.address).second) continue;
        const auto store = stored_later.find(word);
        if (store == stored_later.end() || !conflict(events, event, events.events[store->second])) continue;
        finding.early = i;
        finding.late = store->second;
    }
}

/// "block 0, warp 1, lane 3 reads shared memory (scan_counts.cuh:91)".
std::string access_text(const Events& events, std::uint32_t index) {
    const Event& event = events.events[index];
    const compaction::LaneSite& site = events.site_of(event);
    std::string text =
        "block " + std::to_string(event.block) + ", warp " + std::to_string(event.warp()) + ", lane " +
        std::to_string(event.lane()) + (holds_stored_bytes(site.kind) ? " writes " : " reads ") +
        (site.space == MemorySpace::shared ? "shared memory" : events.trace.buffers[site.buffer].name);
    const std::vector<std::uint32_t>& lines = events.site_lines[event.site];
    return lines.empty() ? text : text + " (" + place_text(events, lines.front()) + ")";
}

/// The event that stored a word of the buffer with that role last; `none` if none did.
std::uint32_t last_store(Replay& replay, compaction::BufferRole role, std::size_t word) {
    const auto& buffers = replay.events().trace.buffers;
    const auto buffer = std::ranges::find(buffers, role, &compaction::TracedBuffer::role);
    const State& end = replay.at(Order::lanes, replay.steps(Order::lanes).size() - 1);
    return end.global[static_cast<std::size_t>(buffer - buffers.begin())].stored_by[word];
}

/// Compares the output with what it should be, and sets who stored its first wrong word, or the wrong count
/// if only that is wrong. Returns sentences about the difference; "" if there is none.
std::string check_output(const compaction::LaneTracedCompaction& run, std::span<const std::byte> expected,
                         std::size_t item_bytes, Replay& replay, Finding& finding) {
    if (std::ranges::equal(run.output, expected)) return {};
    finding.is_wrong = true;
    const auto wrong = std::ranges::mismatch(run.output, expected).in1;
    const auto at = static_cast<std::size_t>(wrong - run.output.begin());
    const std::string count = "The output has " + std::to_string(run.num_selected) + " items, and " +
                              std::to_string(expected.size() / item_bytes) + " are kept.";
    if (at == std::min(run.output.size(), expected.size())) {
        finding.is_count_wrong = true;
        finding.wrong_word = last_store(replay, compaction::BufferRole::num_selected, 0);
        return count;
    }
    const std::size_t word = at / sizeof(Item);
    const auto word_of = [&](std::span<const std::byte> bytes) {
        return number_of(bytes.subspan(word * sizeof(Item), sizeof(Item)));
    };
    const std::string origin =
        word_of(run.output) == not_stored_word ? ", which is shared memory that no lane has written," : "";
    finding.wrong_word = last_store(replay, compaction::BufferRole::output, word);
    return "Word " + std::to_string(word) + " of the output is " + std::to_string(word_of(run.output)) +
           origin + " and should be " + std::to_string(word_of(expected)) + "." +
           (run.output.size() == expected.size() ? "" : " " + count);
}

}  // namespace

std::span<const Plant> plants() {
    return all_plants;
}

const Plant* find_plant(std::string_view id) {
    const auto found = std::ranges::find(all_plants, id, &Plant::id);
    return found == all_plants.end() ? nullptr : &*found;
}

bool runs_line_of(const Plant& plant, const compaction::Algorithm& algorithm) {
    return algorithm.id == plant.algorithm || algorithm.id == "simulated_" + std::string(plant.algorithm);
}

const compaction::Algorithm* simulated_algorithm(const Plant& plant) {
    const auto catalogue = compaction::catalogue();
    const auto found = std::ranges::find_if(catalogue, [&](const compaction::Algorithm& each) {
        return each.engine == compaction::EngineId::simulated && runs_line_of(plant, each) &&
               compaction::simulated::no_trace_reason(each).empty();
    });
    return found == catalogue.end() ? nullptr : &*found;
}

std::uint32_t line_of(const Plant& plant) {
    const auto source = embedded_source(std::string(plant.file));
    const std::string_view text = source ? source->text : std::string_view();
    const std::size_t at = text.find(plant.line);
    if (at == std::string_view::npos || text.find(plant.line, at + 1) != std::string_view::npos)
        throw compaction::Error(compaction::ErrorCode::invalid_argument,
                                std::string(plant.file) + " does not have the line of the fault " +
                                    std::string(plant.id) + " exactly once.");
    return static_cast<std::uint32_t>(std::ranges::count(text.substr(0, at), '\n') + 1);
}

Notice notice_of(const Plant& plant, const Finding& finding) {
    Notice notice{.text = finding.text,
                  .links = {},
                  .opening = finding.wrong_word,
                  .left_out_file = std::string(plant.file),
                  .left_out_line = line_of(plant)};
    // Without a wrong word: the access that the checks report, or the stale load.
    if (notice.opening == none) notice.opening = finding.is_reported() ? finding.late : finding.early;
    const auto add = [&](const char* text, std::uint32_t event) {
        if (event != none) notice.links.push_back({text, event});
    };
    add("the first access", finding.early);
    add("the second access", finding.late);
    add(finding.is_count_wrong ? "the wrong count" : "the first wrong word", finding.wrong_word);
    return notice;
}

PlantedRun run_plant(const Plant& plant, const compaction::Algorithm& algorithm, compaction::Options options,
                     compaction::ItemSize item_size, std::span<const std::byte> items,
                     compaction::Predicate keep, std::uint64_t seed) {
    const std::size_t item_bytes = bytes_of(item_size);
    std::uint32_t& variant = options[compaction::Option::variant];
    if (variant == 0) variant = plant.variant;
    const std::vector<std::byte> earlier_items =
        plant.needs_earlier_run ? reversed(items, item_bytes) : std::vector<std::byte>();
    // Only the end of the path, because the compiler knows the folder by another path.
    const auto slash_and_name = plant.file.substr(plant.file.find_last_of('/'));
    compaction::PlantedFault fault{.file = std::string(slash_and_name),
                                   .line = line_of(plant),
                                   .checks_accesses = false,
                                   .earlier_items = earlier_items};
    const auto run = [&] {
        return compaction::simulated::trace_planted(algorithm, options, item_size, items, keep, seed, fault);
    };
    compaction::LaneTracedCompaction whole = run();
    fault.checks_accesses = true;
    compaction::LaneTrace checked = run().trace;
    const std::string failure = whole.trace.fault;
    PlantedRun planted{Replay(std::move(whole.trace)), {}};
    Finding& finding = planted.finding;
    const Events& events = planted.replay.events();
    std::string text = failure.substr(0, failure.find('\n'));
    if (failure.empty())
        text = check_output(whole, kept_items(items, item_bytes, keep), item_bytes, planted.replay, finding);
    finding.is_wrong |= !failure.empty();
    finding.report = checked.fault;
    if (finding.is_reported()) {
        // The checks end the second run at the access that they report. Both runs have the same schedule, so
        // that access has the same number in the first.
        const auto reported = static_cast<std::uint32_t>(read_events(std::move(checked)).events.size() - 1);
        if (reported < events.events.size()) find_race(events, events.event_of(reported), finding);
    } else if (finding.is_wrong) {
        find_stale_load(events, finding);
    }
    finding.text = std::string(plant.consequence);
    if (!text.empty()) finding.text += " " + text;
    if (!finding.is_wrong)
        finding.text += finding.is_reported()
                            ? " The output is right in this schedule, but the checks find the fault."
                            : " Nothing goes wrong in this schedule. Try another seed.";
    else if (finding.is_reported() && finding.wrong_word != none)
        finding.text += " The checks report the first race, which need not be the one that spoiled this " +
                        std::string(finding.is_count_wrong ? "count." : "word.");
    if (finding.early != none) finding.text += " First, " + access_text(events, finding.early);
    if (finding.late != none) finding.text += "; then " + access_text(events, finding.late);
    if (finding.early != none) finding.text += finding.late != none ? ". Nothing orders the two." : ".";
    return planted;
}

}  // namespace warpsieve::kernel_view
