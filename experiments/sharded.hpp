#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/machine.hpp"
#include "experiments/statistics.hpp"
#include "experiments/table.hpp"

/// Selections over an array that is sharded over the GPUs of one machine: what `bench --gpus` measures, and
/// the bound that each time is compared with. This file holds only data; app/sharded measures.
namespace experiments {

/// The call that a row times.
enum class ShardedCall : std::uint8_t {
    select_alone,        ///< a selection on every GPU at once, without an exchange
    exchange,            ///< the exchange of counts alone, on a stream
    exchange_in_graph,   ///< the exchange of counts in a CUDA graph
    link_copy,           ///< a copy of one GPU's part into the memory of another, by the copy engine
    sharded,             ///< kept items stay on their GPU
    balanced,            ///< equal shards, in the caller's outputs
    balanced_in_state,   ///< equal shards, in the memory of the states
    gathered,            ///< all kept items on the first GPU
    whole_shards_first,  ///< all items sent to the first GPU, which then selects
};

/// The words of the table and of files, such as "balanced in the state".
std::string_view name_of(ShardedCall call);

/// How the length grows with the number of GPUs.
enum class Scaling : std::uint8_t {
    weak,    ///< the same length on each GPU
    strong,  ///< the same length in total
};
std::string_view name_of(Scaling scaling);

/// One row to measure.
struct ShardedSetting {
    ShardedCall call = ShardedCall::sharded;
    unsigned gpus = 1;
    Scaling scaling = Scaling::weak;
    std::uint64_t items_per_gpu = 0;
    double keep_fraction = 0.5;
    bool skewed = false;   ///< all kept items are on the last GPU
    bool network = false;  ///< through NCCL's collectives, not through peer memory

    bool operator==(const ShardedSetting&) const = default;
};

/// The bytes of an item of these measurements.
inline constexpr std::uint64_t sharded_item_bytes = 4;

/// The axes of a measurement.
struct ShardedGrid {
    std::vector<unsigned> gpus;
    std::vector<std::uint64_t> num_items;  ///< on each GPU; in total with strong scaling
    std::vector<double> keep_fractions;
};

/// Every row, in the order of the table. Strong scaling is measured where `gpus` has more than one number.
/// Rows that share GPUs, length, keep fraction, skew and path are neighbours and are sampled in turn.
std::vector<ShardedSetting> expand(const ShardedGrid& grid);

/// A measured row.
struct ShardedRow {
    ShardedSetting setting;
    Summary us;                            ///< time of a call on the slowest GPU
    std::uint64_t busiest_link_bytes = 0;  ///< bytes that the busiest link carries in one direction
    std::string fault;                     ///< why the result is wrong or missing; empty if it is right
};

/// The bound that a time is compared with.
struct ShardedBound {
    std::string what;  ///< in words; empty if there is no bound
    double us = 0;     ///< 0 if the rows that it is made of were not measured
};

/// The bound of a row, made of other rows of the same run.
ShardedBound bound_of(const ShardedRow& row, const std::vector<ShardedRow>& rows);

/// One row per result: the call, its time, its bound, and the time over the bound.
Table sharded_table(const std::vector<ShardedRow>& rows);

/// A CSV file with the machine in its first lines.
std::string sharded_csv(const Machine& machine, const std::vector<ShardedRow>& rows);

}  // namespace experiments
