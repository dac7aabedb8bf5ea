#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "app/kernel_view/page.hpp"
#include "app/kernel_view/replay.hpp"
#include "compaction/algorithm.hpp"
#include "compaction/predicate.hpp"

/// Faults that can be planted into the kernels of the simulated GPU, and what they break.
namespace warpsieve::kernel_view {

/// A fault in one line of a kernel.
struct Plant {
    std::string_view id;
    std::string_view name;            ///< after that of the algorithm: "without a barrier"
    std::string_view algorithm;       ///< Algorithm::id of the algorithm that runs the line
    std::string_view file;            ///< relative to the project
    std::string_view line;            ///< the text of the line, which the file has once
    std::string_view consequence;     ///< a sentence: "Without the barrier, ..."
    std::uint32_t schedule_seed = 0;  ///< a schedule in which the fault shows for `planted_items` items
    std::uint32_t variant = 0;        ///< of the algorithm, unless another one is chosen; 0: the default
    bool needs_earlier_run = false;   ///< shows only where another compaction has run before
};

/// The items for which every fault shows with its own seed.
inline constexpr std::uint32_t planted_items = 4'096;

std::span<const Plant> plants();

/// The plant with that id; null if there is none.
const Plant* find_plant(std::string_view id);

/// Whether the algorithm runs the plant's line: Plant::algorithm, or the same of the simulated GPU.
bool runs_line_of(const Plant& plant, const compaction::Algorithm& algorithm);

/// The algorithm of the simulated GPU that runs the plant's line; null if this build has no simulated GPU.
const compaction::Algorithm* simulated_algorithm(const Plant& plant);
/// Whether this build can run kernels with a fault.
inline bool can_plant() {
    return simulated_algorithm(plants().front()) != nullptr;
}

/// The number of the plant's line. Throws Error{invalid_argument} if the file does not have it exactly once.
std::uint32_t line_of(const Plant& plant);

/// What a fault breaks in one run. Events are indices into Events::events, or `none`.
struct Finding {
    std::string text;                 ///< sentences about the fault and its consequence
    std::string report;               ///< of the checks; "" if they find nothing
    std::uint32_t early = none;       ///< of two accesses that nothing orders: the one that happened first
    std::uint32_t late = none;        ///< and the other one
    std::uint32_t wrong_word = none;  ///< stored the first wrong word of the output, or the wrong count
    bool is_count_wrong = false;      ///< the output has too few or too many items, but no wrong word
    bool is_wrong = false;            ///< the output is wrong, or the run fails

    bool is_reported() const { return !report.empty(); }
};

/// What the page and the window say about a run with the fault. Throws as line_of does.
Notice notice_of(const Plant& plant, const Finding& finding);

struct PlantedRun {
    Replay replay;
    Finding finding;
};

/// Runs the algorithm with the fault, once without checks for the replay and once with them for the report.
/// Throws as trace_lanes does.
PlantedRun run_plant(const Plant& plant, const compaction::Algorithm& algorithm, compaction::Options options,
                     compaction::ItemSize item_size, std::span<const std::byte> items,
                     compaction::Predicate keep, std::uint64_t seed);

}  // namespace warpsieve::kernel_view
