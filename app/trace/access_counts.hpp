#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compaction/access_trace.hpp"

namespace warpsieve::trace {

/// What a phase does to global memory in one compaction on the simulated GPU. A bulk copy counts as one load
/// or store.
struct PhaseAccesses {
    std::string name;  ///< "count"
    compaction::PhaseRole role = compaction::PhaseRole::count;
    std::uint64_t begin_step = 0;
    std::uint64_t end_step = 0;
    std::uint64_t loads = 0;    ///< of warps
    std::uint64_t stores = 0;   ///< of warps
    std::uint64_t atomics = 0;  ///< of warps
    std::uint64_t bytes_loaded = 0;
    std::uint64_t bytes_stored = 0;

    std::uint64_t steps() const { return end_step - begin_step; }
};

/// The accesses of one compaction by phase, in the order of Algorithm::phases.
struct AccessCounts {
    std::uint64_t seed = 0;  ///< of the simulated schedule
    std::uint64_t num_items = 0;
    std::uint64_t num_steps = 0;
    std::vector<PhaseAccesses> phases;
};

/// Leaves out accesses outside of all phases.
AccessCounts count_accesses(const compaction::Algorithm& algorithm, const compaction::AccessTrace& trace);

/// The accesses of all phases together, named "total". Its steps are those of the whole compaction.
PhaseAccesses total_of(const AccessCounts& counts);

}  // namespace warpsieve::trace
