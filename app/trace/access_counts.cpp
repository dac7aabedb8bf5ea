#include "app/trace/access_counts.hpp"

#include <algorithm>

namespace warpsieve::trace {

AccessCounts count_accesses(const compaction::Algorithm& algorithm, const compaction::AccessTrace& trace) {
    using compaction::AccessKind;
    AccessCounts counts{trace.seed, trace.num_items, trace.num_steps, {}};
    for (const compaction::Phase& phase : algorithm.phases) {
        counts.phases.push_back({});
        counts.phases.back().name = phase.name;
        counts.phases.back().role = phase.role;
    }
    compaction::AccessReader reader(trace);
    while (reader.next()) {
        const compaction::WarpAccess& access = reader.access();
        const std::optional<std::uint8_t> index = trace.launches[access.launch].phase;
        if (!index || *index >= counts.phases.size()) continue;
        PhaseAccesses& phase = counts.phases[*index];
        if (phase.end_step == 0) phase.begin_step = access.step;
        phase.begin_step = std::min(phase.begin_step, access.step);
        phase.end_step = std::max(phase.end_step, access.step + 1);
        const std::uint64_t bytes = access.elements.size() * trace.buffers[access.buffer].element_bytes;
        const bool atomic = access.kind == AccessKind::atomic;
        const bool store = stores(access.kind);
        ++(atomic ? phase.atomics : store ? phase.stores : phase.loads);
        if (atomic || !store) phase.bytes_loaded += bytes;
        if (store) phase.bytes_stored += bytes;
    }
    return counts;
}

PhaseAccesses total_of(const AccessCounts& counts) {
    PhaseAccesses total{.name = "total", .end_step = counts.num_steps};
    for (const PhaseAccesses& phase : counts.phases) {
        total.loads += phase.loads;
        total.stores += phase.stores;
        total.atomics += phase.atomics;
        total.bytes_loaded += phase.bytes_loaded;
        total.bytes_stored += phase.bytes_stored;
    }
    return total;
}

}  // namespace warpsieve::trace
