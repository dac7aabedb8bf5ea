#include "app/labs/steps.hpp"

#include <algorithm>
#include <array>

#include "app/labs/sweep_lines.hpp"

namespace warpsieve::labs {
namespace {

using compaction::Algorithm;
using compaction::Operation;
using compaction::Option;

/// What the steps of a problem are measured for.
struct StepQuestion {
    compaction::Operation operation;
    SweepAxis axis;
    std::string_view look_for;  ///< one sentence
};

constexpr std::array problems{Operation::copy, Operation::count, Operation::scan};

constexpr std::array questions{
    StepQuestion{
        Operation::copy, SweepAxis::threads,
        "Part 3 of the posts asks how threads and vectors are best laid out for a copy: look for the "
        "lowest point of each line, and whether pairs and quads move it."},
    StepQuestion{
        Operation::copy, SweepAxis::blocks,
        "Grid-stride loops against sequences: look for how many blocks each needs before its line is "
        "flat, and for the local minima that the posts found on the way."},
    StepQuestion{
        Operation::copy, SweepAxis::vector_width,
        "Vector against scalar access: look for lines that fall from 1 to 4; on the cards of the posts "
        "warp strides gained most from pairs."},
    StepQuestion{
        Operation::copy, SweepAxis::num_items,
        "Look for where a line meets the dashed copy: up to there a launch costs more than moving the "
        "items."},
    StepQuestion{
        Operation::count, SweepAxis::num_items,
        "Look for the vector width whose line lies lowest on long streams, and for how far below the "
        "dashed copy it comes: counting moves half of what copying does."},
    StepQuestion{
        Operation::count, SweepAxis::vector_width,
        "Part 4 of the posts counts by blocks and by sequences: look for whether sequences gain more "
        "from quads, for a block meets at a barrier for every item of a vector."},
    StepQuestion{
        Operation::count, SweepAxis::threads,
        "Look for the block size at which counting by blocks is fastest, and how little the sequences "
        "care."},
    StepQuestion{Operation::count, SweepAxis::density,
                 "Counting reads every item whatever it is: lines that are not level say that something else "
                 "than reading takes the time."},
    StepQuestion{
        Operation::scan, SweepAxis::num_items,
        "Look for the slopes: the naive scan goes over its data once for every doubling of the length, "
        "the work-efficient one a fixed number of times, a library's scan once."},
    StepQuestion{Operation::scan, SweepAxis::threads,
                 "The student projects tuned their block sizes: look for how flat the lines are on this "
                 "machine."},
};

}  // namespace

std::string_view what_to_look_for(Operation operation, SweepAxis axis) {
    const auto found = std::ranges::find_if(questions, [&](const StepQuestion& question) {
        return question.operation == operation && question.axis == axis;
    });
    return found == questions.end() ? info_of(axis).meaning : found->look_for;
}

std::span<const Operation> step_operations() {
    return problems;
}

Job steps_job(const Settings& settings, std::uint64_t slots) {
    const StepsSettings& chosen = settings.labs.steps;
    Job job = job_for("steps", settings);
    std::vector<SweepLine> lines;
    for (const Algorithm& step : compaction::steps()) {
        if (step.engine != settings.run.engine || step.operation != chosen.operation) continue;
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
    experiments::StreamSpec stream = stream_of(settings, slots);
    // Scans add 32-bit words.
    if (chosen.operation == Operation::scan && chosen.axis != SweepAxis::item_size)
        stream.item_size = compaction::ItemSize::bytes_4;
    add_sweep(job, chosen.axis, lines, stream);
    job.title = std::string(name_of(chosen.operation)) + ": " + std::to_string(lines.size()) +
                (lines.size() == 1 ? " kind over " : " kinds over ") +
                std::string(name_of(chosen.axis, settings.run.engine)) + "; " +
                what_stays(chosen.axis, stream);
    if (stream.item_size != settings.labs.item_size) job.title += "; scans add 4-byte words alone";
    return job;
}

}  // namespace warpsieve::labs
