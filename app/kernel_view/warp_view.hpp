#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/kernel_view/replay.hpp"

/// What a step shows of one warp: its lanes beside the source, and its place in the timeline.
namespace warpsieve::kernel_view {

/// A row of the source: a line, or the name of the function that follows.
struct SourceRow {
    std::uint32_t function = 0;  ///< index into Events::functions
    std::uint32_t number = 0;    ///< of the line in its file; 0: the name of the function
    std::uint32_t line = none;   ///< index into Events::lines; `none` if no lane runs it

    bool operator==(const SourceRow&) const = default;
};

/// The functions that lanes of a launch run: the kernel first, those that measure it last.
std::vector<SourceRow> source_rows(const Events& events, std::uint32_t launch);

/// The lanes of a warp at a step.
struct WarpView {
    std::uint32_t warp = 0;           ///< in its launch
    std::uint32_t running = 0;        ///< the lanes that the step runs
    std::vector<std::uint32_t> path;  ///< lines that it runs: the innermost first, then its callers

    /// The line that it runs, as an index into Events::lines; `none` if it is not known.
    std::uint32_t line() const { return path.empty() ? none : path.front(); }
};
WarpView warp_view(const Events& events, std::span<const std::uint32_t> step, std::uint32_t warp);

/// The lanes of a warp, as masks, that are drawn beside a line. A lane is in at most one mask.
struct LineDots {
    std::uint32_t now = 0;   ///< run the line now
    std::uint32_t off = 0;   ///< are not in the step: others of the warp run it now
    std::uint32_t here = 0;  ///< had their last event here
    std::uint32_t was = 0;   ///< ran it earlier

    bool operator==(const LineDots&) const = default;
};
/// The dots of every line of Events::lines. `state`: that of the step.
std::vector<LineDots> line_dots(const Events& events, const State& state, const WarpView& view);

/// 128 bytes of memory that lanes access: a word in each bank of shared memory, or four sectors of global
/// memory.
struct MemoryRow {
    compaction::MemorySpace space = compaction::MemorySpace::global;
    std::string name;            ///< "input[32]", "shared byte 128"
    Value words;                 ///< `known`: the words that are transferred
    std::uint32_t accessed = 0;  ///< the words that lanes load or store
};
/// The memory that the lanes of a step access, by address; empty if the step accesses none. Bulk copies count
/// as none. `state`: that of the step.
std::vector<MemoryRow> accessed_rows(const Events& events, const State& state,
                                     std::span<const std::uint32_t> step);

/// How many words each bank of shared memory serves in the rows: `known` in all lanes.
Value words_of_banks(std::span<const MemoryRow> rows);

/// A shuffle: the value that each lane passes, and what each lane gets from which.
struct Shuffle {
    std::string name;  ///< of what the lanes get
    Value passed;
    Value results;
    std::array<std::uint32_t, 32> source_lane{};  ///< of the lanes that have a result
};
/// The shuffle of the warp that the step completes. Empty if the step completes none, or if some lanes
/// arrived in other steps.
std::optional<Shuffle> shuffle_of(const Events& events, std::span<const std::uint32_t> step,
                                  std::uint32_t warp);

/// What an event is in the timeline. Of the events in one cell, the last in this order shows.
enum class Mark : std::uint8_t {
    nothing,
    other,
    collective,
    warp_barrier,
    shared_read,
    read,
    shared_write,
    write,
    barrier,
};
Mark mark_of(const compaction::LaneSite& site);

/// How the window and the page draw a mark, and name it in their legends. Marks differ in height and position
/// as well as in hue.
struct MarkStyle {
    Mark mark = Mark::nothing;
    const char* name = "";
    const char* colour = "";  ///< name of the colour in the page
    float top = 0;            ///< share of the row's height
    float bottom = 1;         ///< share of the row's height
};
/// In the order of the legends.
inline constexpr std::array mark_styles{
    MarkStyle{Mark::read, "global read", "read", 0, 0.5F},
    MarkStyle{Mark::shared_read, "shared read", "read", 0.25F, 0.5F},
    MarkStyle{Mark::write, "global write", "write", 0.5F, 1},
    MarkStyle{Mark::shared_write, "shared write", "write", 0.5F, 0.75F},
    MarkStyle{Mark::collective, "warp collective", "collective", 0.3F, 0.7F},
    MarkStyle{Mark::warp_barrier, "warp barrier", "barrier", 0.15F, 0.85F},
    MarkStyle{Mark::barrier, "barrier", "barrier", 0, 1},
    MarkStyle{Mark::other, "other", "other", 0.42F, 0.58F}};
/// Its index in `mark_styles`. `mark`: not `nothing`.
std::size_t index_of_style(Mark mark);

/// The steps of a launch: from `begin` up to `end`.
struct StepRange {
    std::size_t begin = 0;
    std::size_t end = 0;

    std::size_t size() const { return end - begin; }
    bool operator==(const StepRange&) const = default;
};
StepRange steps_of_launch(const Events& events, const Steps& steps, std::uint32_t launch);

/// The timeline of a launch in cells: [rows * columns]. A row stands for one warp or several, a column for
/// some steps; of the marks in a cell, it holds the one that Mark lists last.
std::vector<Mark> timeline_cells(const Events& events, const Steps& steps, StepRange range, std::size_t rows,
                                 std::size_t columns);

/// Whether events of the site let lanes go on that waited for each other, or begin a launch.
bool is_milestone(const compaction::LaneSite& site);

/// The next step after `step` (direction 1) or before it (-1) that completes a barrier, or that begins a
/// launch; the last or the first step if there is none.
std::size_t next_milestone(const Events& events, const Steps& steps, std::size_t step, int direction);

/// The next step that runs the line; `step` itself if there is none.
std::size_t next_at_line(const Events& events, const Steps& steps, std::size_t step, int direction,
                         std::span<const std::uint32_t> lines);

/// The step that holds the event.
std::size_t step_with(const Steps& steps, std::uint32_t event);

}  // namespace warpsieve::kernel_view
