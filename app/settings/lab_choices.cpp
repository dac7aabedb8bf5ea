#include "app/settings/lab_choices.hpp"

#include <array>

namespace warpsieve::labs {
namespace {

using compaction::Operation;
using compaction::Option;

experiments::Policy policy_of(double time_limit_s, double noise) {
    experiments::Policy policy = experiments::Policy::within(time_limit_s);
    policy.noise = noise;
    return policy;
}

const std::array all_qualities{
    MeasurementQualityInfo{
        MeasurementQuality::quick, "quick",
        "At most 0.2 s per setting, until the median is known to 2 %. Good for exploring. Differences "
        "below 5 % are often not significant.",
        policy_of(0.2, 0.02)},
    MeasurementQualityInfo{
        MeasurementQuality::normal, "normal",
        "At most 1 s per setting, until the median is known to 1 %. Good for choosing between two "
        "algorithms of similar speed.",
        policy_of(1, 0.01)},
    MeasurementQualityInfo{
        MeasurementQuality::careful, "careful",
        "At most 2 s per setting, until the median is known to 0.5 %: the default of `warpsieve "
        "bench`. Use it for figures that you publish.",
        experiments::Policy{}},
};

constexpr std::array all_axes{
    SweepAxisInfo{SweepAxis::num_items, "n", "length",
                  "Powers of two from 2^10 on. Short streams show the cost of a launch, long ones the "
                  "bandwidth of memory."},
    SweepAxisInfo{SweepAxis::multiples, "n64k", "length, in steps of 65,536",
                  "Multiples of 65,536 items, as in part 5 of the series Parallel Stream Compaction. The "
                  "cost of rounding up to whole sequences shows as steps."},
    SweepAxisInfo{SweepAxis::keep_fraction, "density", "keep fraction",
                  "The share of items that are kept, from none to all. The more are kept, the more must be "
                  "written."},
    SweepAxisInfo{SweepAxis::item_size, "item-size", "item size",
                  "Items of 4, 8 and 16 bytes, at the same number of items."},
    SweepAxisInfo{SweepAxis::vector_width, "vector-width", "vector width",
                  "Items for each access to memory: scalar, pair or quad.", Option::vector_width},
    SweepAxisInfo{SweepAxis::threads, "threads", "threads per block",
                  "On a GPU the threads of a block, on a CPU the worker threads.", Option::threads_per_block},
    SweepAxisInfo{SweepAxis::blocks, "blocks", "blocks", "The blocks of the grid.", Option::blocks},
    SweepAxisInfo{SweepAxis::sequences, "sequences", "sequences",
                  "The number of parts that the stream is divided into.", Option::sequences},
};

constexpr std::array all_metrics{
    SweepMetricInfo{SweepMetric::time, "time", "time",
                    "Microseconds per call: the median with its quartiles."},
    SweepMetricInfo{SweepMetric::fraction_of_copy, "share", "% of copy bandwidth",
                    "Effective bandwidth over copy bandwidth: the copy takes the same stream, from the same "
                    "caches, in turn with the algorithm."},
    SweepMetricInfo{SweepMetric::items_per_second, "items", "items per second",
                    "Items of the stream over the time per call."},
};

constexpr std::array steps_of_compaction{Operation::copy, Operation::count, Operation::scan};

}  // namespace

std::span<const MeasurementQualityInfo> measurement_qualities() {
    return all_qualities;
}

std::span<const SweepAxisInfo> sweep_axes() {
    return all_axes;
}

std::span<const SweepMetricInfo> sweep_metrics() {
    return all_metrics;
}

std::span<const Operation> step_operations() {
    return steps_of_compaction;
}

}  // namespace warpsieve::labs
