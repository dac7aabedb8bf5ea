#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compaction/algorithm.hpp"

namespace warpsieve::labs {

/// What varies along a sweep.
enum class SweepAxis : std::uint8_t {
    num_items,  ///< powers of two
    multiples,  ///< of 65,536 items
    density,
    item_size,
    vector_width,
    threads,
    blocks,
    sequences,
};

/// What a sweep's plot shows of each setting.
enum class SweepShows : std::uint8_t { time, share_of_copy, items_per_second };

struct SweepSettings {
    SweepAxis axis = SweepAxis::num_items;
    SweepShows shows = SweepShows::time;
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
    SweepShows shows = SweepShows::time;

    bool operator==(const StepsSettings&) const = default;
};

}  // namespace warpsieve::labs
