#include "app/labs/steps.hpp"

#include <algorithm>
#include <array>

namespace warpsieve::labs {
namespace {

using compaction::Algorithm;
using compaction::Operation;
using compaction::Option;

struct StepHint {
    compaction::Operation operation;
    SweepAxis axis;
    std::string_view text;
};

constexpr std::array hints{
    StepHint{Operation::copy, SweepAxis::threads,
             "Part 3 of the series asks for the best threads and vectors for a copy. Look for the lowest "
             "point of each line, and whether pairs and quads move it."},
    StepHint{Operation::copy, SweepAxis::blocks,
             "Grid-stride loops against sequences. Look for the number of blocks from which each line is "
             "flat, and for the local minima that the series found below it."},
    StepHint{Operation::copy, SweepAxis::vector_width,
             "Vector against scalar access. Look for lines that fall from 1 to 4. On the GPUs of the "
             "series, warp strides gained most from pairs."},
    StepHint{Operation::copy, SweepAxis::num_items,
             "Look for where a line meets the dashed copy. Below that length, the launch costs more than "
             "moving the items."},
    StepHint{Operation::count, SweepAxis::num_items,
             "Look for the fastest vector width on long streams, and for its distance from the dashed "
             "copy: counting moves half the bytes of a copy."},
    StepHint{Operation::count, SweepAxis::vector_width,
             "Part 4 of the series counts by blocks and by sequences. Look for whether blocks gain more "
             "from quads, and whether both are then equally fast, as the series found."},
    StepHint{Operation::count, SweepAxis::threads,
             "Look for the fastest block size of counting by blocks. Sequences should hardly depend on it."},
    StepHint{Operation::count, SweepAxis::keep_fraction,
             "Counting reads every item in any case. A line that is not level shows that something other "
             "than reading takes time."},
    StepHint{Operation::scan, SweepAxis::num_items,
             "Look at the slopes: the naive scan passes over its data once for every doubling of the "
             "length, the work-efficient one a fixed number of times, a library's scan once."},
    StepHint{Operation::scan, SweepAxis::threads,
             "The student projects tuned their block sizes. Look at how flat the lines are on this machine."},
};

}  // namespace

std::string_view what_to_look_for(Operation operation, SweepAxis axis) {
    const auto found = std::ranges::find_if(
        hints, [&](const StepHint& hint) { return hint.operation == operation && hint.axis == axis; });
    return found == hints.end() ? info_of(axis).meaning : found->text;
}

Job steps_job(const RunConfig& run, const LabSettings& labs, std::uint64_t slots) {
    const StepsSettings& chosen = labs.steps;
    Job job = job_for("steps", run, labs);
    std::vector<SweepLine> lines;
    for (const Algorithm& step : compaction::steps()) {
        if (step.engine != run.engine || step.operation != chosen.operation || step.truncates) continue;
        const compaction::LegalRange* widths = step.range_of(Option::vector_width);
        if (!widths || chosen.axis == SweepAxis::vector_width) {
            lines.push_back({&step});
            continue;
        }
        for (const std::uint32_t width : widths->values()) {
            lines.push_back({&step});
            lines.back().options[Option::vector_width] = width;
        }
    }
    experiments::StreamSpec stream = stream_of(run, labs, slots);
    // Scans support only 4-byte items.
    if (chosen.operation == Operation::scan && chosen.axis != SweepAxis::item_size)
        stream.item_size = compaction::ItemSize::bytes_4;
    add_sweep(job, chosen.axis, lines, stream);
    job.title = std::string(name_of(chosen.operation)) + ": " + std::to_string(lines.size()) +
                (lines.size() == 1 ? " step over " : " steps over ") +
                std::string(name_of(chosen.axis, run.engine)) + "; " + fixed_parameters(chosen.axis, stream);
    if (stream.item_size != labs.item_size) job.title += "; scans support only 4-byte items";
    return job;
}

}  // namespace warpsieve::labs
