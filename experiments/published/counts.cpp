#include "experiments/published/counts.hpp"

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "compaction/access_trace.hpp"
#include "compaction/lane_trace.hpp"
#include "compaction/predicate.hpp"
#include "workloads/streams.hpp"

namespace published {
namespace {

constexpr std::uint64_t seed = 0;
constexpr double lanes_per_warp = 32;

/// Whether the launch is a kernel of the prefix phase.
bool is_prefix_kernel(const experiments::Setting& setting, const compaction::TracedLaunch& launch) {
    return launch.kind == compaction::LaunchKind::kernel && launch.phase &&
           setting.algorithm->phases[*launch.phase].role == compaction::PhaseRole::prefix;
}

double inactive_percent(const compaction::AccessTrace& trace) {
    double active = 0;
    double accesses = 0;
    for (compaction::AccessReader reader(trace); reader.next();) {
        const compaction::WarpAccess& access = reader.access();
        // One lane requests a bulk copy for its warp.
        if (access.kind == compaction::AccessKind::bulk_load ||
            access.kind == compaction::AccessKind::bulk_store)
            continue;
        active += std::popcount(access.lane_mask);
        accesses += 1;
    }
    return accesses > 0 ? 100 * (1 - active / (lanes_per_warp * accesses)) : 0;
}

double count_noted_sums(const compaction::LaneTrace& trace) {
    double sums = 0;
    for (compaction::LaneReader reader(trace); reader.next();) {
        sums += reader.site().kind == compaction::LaneStepKind::note && reader.site().name == "sum";
    }
    return sums;
}

}  // namespace

double count(Quantity quantity, const experiments::Setting& setting) {
    const experiments::StreamSpec& stream = setting.stream;
    const std::vector<compaction::Item> items =
        workloads::make_stream(stream.pattern, stream.num_items, stream.keep_fraction, stream.seed);
    const auto trace = [&](auto trace_run) {
        return trace_run(*setting.algorithm, setting.options, stream.item_size,
                         std::as_bytes(std::span(items)), compaction::keep_non_zero(), seed)
            .trace;
    };
    if (quantity == Quantity::additions) return count_noted_sums(trace(compaction::simulated::trace_lanes));
    const compaction::AccessTrace accesses = trace(compaction::simulated::trace_compaction);
    if (quantity == Quantity::inactive_lanes) return inactive_percent(accesses);
    double counted = 0;
    for (const compaction::TracedLaunch& launch : accesses.launches) {
        if (!is_prefix_kernel(setting, launch)) continue;
        counted += quantity == Quantity::launches ? 1 : static_cast<double>(launch.blocks) * launch.threads;
    }
    return counted;
}

}  // namespace published
