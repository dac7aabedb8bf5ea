#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "compaction/lane_trace.hpp"

namespace compaction {

/// FNV-1a (Fowler, Noll and Vo 1991).
constexpr std::uint64_t hash_with(std::uint64_t hash, std::span<const std::byte> bytes) {
    for (const std::byte each : bytes) hash = (hash ^ std::to_integer<std::uint64_t>(each)) * 0x100'0000'01b3;
    return hash;
}

/// Packs steps into a LaneTrace, which describes the format. LaneTrace::sites may grow between calls of add.
class LaneWriter {
  public:
    explicit LaneWriter(LaneTrace& trace) : trace_(trace) {}

    /// Adds the next step: its site, address, operands, mask, results and stored bytes. Here, `step.thread`
    /// counts the threads of the whole launch. Returns where the stored bytes are in LaneTrace::packed; they
    /// may be set later.
    std::size_t add(const LaneStep& step);

  private:
    LaneTrace& trace_;
    LanePrediction prediction_;
    std::uint32_t previous_site_ = 0;
    std::uint32_t thread_in_launch_ = 0;
};

}  // namespace compaction
