#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "compaction/compaction.hpp"
#include "compaction/lane_trace.hpp"
#include "workloads/streams.hpp"

inline compaction::LaneTracedCompaction traced(const compaction::Algorithm& algorithm,
                                               std::uint64_t num_items, std::uint64_t seed = 45) {
    const std::vector<compaction::Item> items =
        workloads::make_stream(workloads::Pattern::random, num_items, 0.5, 7);
    return compaction::simulated::trace_lanes(algorithm, {}, compaction::ItemSize::bytes_4,
                                              std::as_bytes(std::span(items)), compaction::keep_non_zero(),
                                              seed);
}

inline std::vector<const compaction::Algorithm*> traced_algorithms() {
    std::vector<const compaction::Algorithm*> all;
    for (const compaction::Algorithm& algorithm : compaction::catalogue())
        if (algorithm.engine == compaction::EngineId::simulated &&
            compaction::simulated::no_trace_reason(algorithm).empty())
            all.push_back(&algorithm);
    return all;
}
