#include "app/panels/follow_model.hpp"

#include <algorithm>

#include "app/format/figures.hpp"
#include "app/panels/views/slot_map_model.hpp"
#include "app/trace/stream_parts.hpp"

namespace warpsieve::panels {
namespace {

using compaction::PhaseRole;
using format::grouped;

/// Size of a sample of a whole stream.
constexpr std::uint64_t stream_columns = 256;
constexpr std::uint64_t max_stream_cells = std::uint64_t{1} << 16;

float age_of(const scene::SlotCell& cell) {
    return static_cast<float>(cell.age) / 255;
}

/// The cell that contains a position, counted from the first of the cells; null outside of them.
const scene::SlotCell* cell_at(std::span<const scene::SlotCell> cells, const scene::SlotWindow& window,
                               std::uint64_t first, std::uint64_t position) {
    if (position < first || window.slots_per_cell == 0) return nullptr;
    const std::uint64_t index = (position - first) / window.slots_per_cell;
    return index < cells.size() ? &cells[index] : nullptr;
}

/// Sets what the cells of the slots tell.
void read_slots(const scene::SlotSample& sample, FollowedItem& item) {
    const scene::SlotWindow& window = sample.request.window;
    const scene::SlotCell* const cell = cell_at(sample.in, window, window.first_slot, item.slot);
    if (!cell) return;
    const bool begins_with_item =
        cell->items > 0 && cell->first_handle == scene::handle_of(static_cast<std::uint32_t>(item.slot));
    if (begins_with_item) {
        item.live = true;
        item.age = age_of(*cell);
    } else if (window.slots_per_cell == 1 || cell->items == 0) {
        item.live = false;
    }
}

/// Sets the output index: the one that the search found, or the rank if the output is ordered.
void read_output(const scene::SlotSample& sample, FollowedItem& item) {
    if (item.live == false) return;
    const bool was_searched =
        sample.request.wanted_handle == scene::handle_of(static_cast<std::uint32_t>(item.slot));
    if (was_searched) {
        if (sample.found_output_index != scene::SlotSample::nowhere) {
            item.output_index = sample.found_output_index;
            item.live = true;
        } else {
            item.missing = item.live == true;
        }
    } else if (item.live == true && item.rank && item.algorithm && item.algorithm->stable) {
        item.output_index = item.rank;
    }
    // The output tells the age if the cells of the slots do not.
    if (!item.output_index || item.age) return;
    const scene::SlotCell* const cell =
        cell_at(sample.out, sample.request.window, sample.first_output_index, *item.output_index);
    if (cell && cell->first_handle == scene::handle_of(static_cast<std::uint32_t>(item.slot)))
        item.age = age_of(*cell);
}

}  // namespace

std::optional<FollowedItem> follow_item(const scene::SlotSample& sample, std::uint64_t slot) {
    if (slot >= sample.slots) return std::nullopt;
    FollowedItem item{.slot = slot, .frame = sample.frame, .algorithm = sample.algorithm};
    item.rank = rank_at(sample, slot);
    read_slots(sample, item);
    read_output(sample, item);
    return item;
}

scene::SampleRequest request_for_slot(std::uint64_t slot) {
    return {.window = {.first_slot = slot, .columns = 1, .rows = 1, .slots_per_cell = 1},
            .wanted_handle = scene::handle_of(static_cast<std::uint32_t>(slot))};
}

scene::SampleRequest request_for_stream(std::uint64_t slots) {
    std::uint32_t slots_per_cell = 1;
    while (slots_per_cell < scene::max_slots_per_cell && slots > slots_per_cell * max_stream_cells)
        slots_per_cell *= 2;
    const std::uint64_t num_cells = std::max<std::uint64_t>((slots + slots_per_cell - 1) / slots_per_cell, 1);
    const std::uint64_t rows =
        std::min((num_cells + stream_columns - 1) / stream_columns, scene::max_cells / stream_columns);
    return {.window = {.first_slot = 0,
                       .columns = static_cast<std::uint32_t>(stream_columns),
                       .rows = static_cast<std::uint32_t>(rows),
                       .slots_per_cell = slots_per_cell}};
}

std::optional<std::uint64_t> slot_at_output_index(const scene::SlotSample& sample,
                                                  std::uint64_t output_index) {
    const scene::SlotCell* const cell =
        cell_at(sample.out, sample.request.window, sample.first_output_index, output_index);
    if (!cell || cell->items == 0) return std::nullopt;
    // A wrong output may hold anything.
    const bool is_handle = cell->first_handle != 0 && cell->first_handle <= sample.slots;
    if (!is_handle) return std::nullopt;
    return cell->first_handle - 1;
}

const compaction::Phase* moving_phase(const compaction::Algorithm& algorithm) {
    // The first scatter, else the last fused phase.
    const compaction::Phase* found = nullptr;
    for (const compaction::Phase& phase : algorithm.phases) {
        const bool moves = phase.role == PhaseRole::scatter || phase.role == PhaseRole::fused;
        if (moves && (!found || found->role != PhaseRole::scatter)) found = &phase;
    }
    return found;
}

std::optional<FollowedFact> part_fact(const trace::TracedRun& run, std::uint64_t slot) {
    const compaction::LaunchTrace* const launch = trace::counting_launch(run);
    if (!launch || !launch->parts->contains(slot)) return std::nullopt;
    const compaction::Partition& partition = launch->parts->partition;
    return FollowedFact{std::string(name_of(partition.kind)),
                        number_among(partition.part_of(slot + launch->parts->lead), partition.num_parts)};
}

std::vector<FollowedFact> block_facts(const trace::TracedRun& run, std::uint64_t slot, BlockDetail detail) {
    std::vector<FollowedFact> facts;
    const bool on_cpu = run.algorithm->engine == compaction::EngineId::cpu;
    for (const trace::ItemBlock& item : trace::blocks_of_item(run, slot)) {
        std::string text = "unknown";
        if (item.block) {
            text = on_cpu ? "" : "block " + grouped(*item.block) + " on ";
            const bool is_known = item.span && item.span->blocks == 1;
            text += is_known ? run.processor_word() + (" " + std::to_string(item.span->processor))
                             : std::string("an unknown ") + run.processor_word();
            if (is_known && detail == BlockDetail::processor_and_order) {
                const trace::StartPlace place = trace::start_place(run, *item.span);
                text += ", number " + grouped(place.index + 1) + " of " + grouped(place.count) + " to start";
            }
        }
        facts.push_back({run.phase_name(item.phase), text});
    }
    return facts;
}

std::vector<FollowedFact> facts_of(const FollowedItem& item, const trace::TracedRun* run) {
    std::vector<FollowedFact> facts{{"slot", grouped(item.slot)}};
    if (const auto part = run ? part_fact(*run, item.slot) : std::nullopt) facts.push_back(*part);
    if (item.live == false) {
        facts.push_back({"state", "empty"});
        return facts;
    }
    if (item.rank) facts.push_back({"rank", grouped(*item.rank)});
    facts.push_back({"output index", item.missing        ? "missing"
                                     : item.output_index ? grouped(*item.output_index)
                                                         : "searching"});
    if (item.age) facts.push_back({"age", format::percent_text(static_cast<double>(*item.age))});
    if (const compaction::Phase* phase = item.algorithm ? moving_phase(*item.algorithm) : nullptr) {
        facts.push_back({"moved by", phase->name});
        if (!run) return facts;
        const std::string frame = run->frame != item.frame ? " in frame " + grouped(run->frame) : "";
        for (const FollowedFact& fact : block_facts(*run, item.slot, BlockDetail::processor))
            if (fact.name == phase->name) facts.back().value += ", " + fact.value + frame;
    }
    return facts;
}

}  // namespace warpsieve::panels
