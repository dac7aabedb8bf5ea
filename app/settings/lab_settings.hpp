#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compaction/algorithm.hpp"
#include "compaction/item.hpp"
#include "experiments/setting.hpp"
#include "workloads/streams.hpp"

namespace warpsieve::labs {

/// The parameter that varies along a sweep.
enum class SweepAxis : std::uint8_t {
    num_items,  ///< powers of two
    multiples,  ///< multiples of 65,536 items
    keep_fraction,
    item_size,
    vector_width,
    threads,
    blocks,
    sequences,
};

/// The quantity on the y axis of a sweep's plot.
enum class SweepMetric : std::uint8_t { time, fraction_of_copy, items_per_second };

struct SweepSettings {
    SweepAxis axis = SweepAxis::num_items;
    SweepMetric metric = SweepMetric::time;
    /// Ids of the algorithms in the sweep; those of other engines are skipped.
    std::vector<std::string> algorithms{"single_pass",     "cub_select",      "sequence_wise",
                                        "masked_two_pass", "block_wise",      "billeter_scaled",
                                        "atomic_append",   "cpu_single_pass", "cpu_sequence_wise",
                                        "cpu_simd",        "cpu_loop",        "std_copy_if_par"};

    bool operator==(const SweepSettings&) const = default;
};

struct StepsSettings {
    compaction::Operation operation = compaction::Operation::copy;
    SweepAxis axis = SweepAxis::threads;
    SweepMetric metric = SweepMetric::time;

    bool operator==(const StepsSettings&) const = default;
};

/// How much of the published results one job repeats.
enum class ReproduceScope : std::uint8_t { table, document, everything };

struct ReproduceSettings {
    std::string table = "p1_implementations";  ///< id of the published table that is shown
    ReproduceScope scope = ReproduceScope::table;

    bool operator==(const ReproduceSettings&) const = default;
};

/// How long each setting is measured.
enum class MeasurementQuality : std::uint8_t { quick, normal, careful };

/// Settings of the labs. Slots, live fraction and seed are those of the run.
struct LabSettings {
    std::string lab = "compare";  ///< id of the lab that is shown
    MeasurementQuality quality = MeasurementQuality::quick;
    bool hold_scene = true;  ///< stop the scene while a lab measures
    workloads::Pattern pattern = workloads::Pattern::random;
    compaction::ItemSize item_size = compaction::ItemSize::bytes_4;
    experiments::Cache cache = experiments::Cache::cold;
    std::string base;   ///< id of the algorithm that speed-ups refer to; empty: the default of the engine
    std::string tuned;  ///< id of the algorithm or step to tune; empty: the one the window runs

    SweepSettings sweep;
    StepsSettings steps;
    ReproduceSettings reproduce;

    bool operator==(const LabSettings&) const = default;
};

}  // namespace warpsieve::labs
