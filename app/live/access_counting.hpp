#pragma once

#include <cstdint>
#include <future>
#include <memory>
#include <span>

#include "app/trace/access_counts.hpp"
#include "compaction/item.hpp"
#include "compaction/options.hpp"

namespace warpsieve {

/// The accesses of one compaction.
struct CountedAccesses {
    std::shared_ptr<const compaction::AccessTrace> trace;
    trace::AccessCounts counts;
};

/// Traces and counts the accesses of the compaction of a simulated GPU on a thread of its own.
class AccessCounting {
  public:
    using Result = std::shared_ptr<const CountedAccesses>;

    /// Whether to call `begin` in this frame: after a change, and now and then as the stream changes.
    bool due(std::uint64_t frame) const;
    /// `items`: 4-byte handles, copied.
    void begin(const compaction::Algorithm& algorithm, const compaction::Options& options,
               std::span<const compaction::Item> items, std::uint64_t seed, std::uint64_t frame);
    /// Collects counts that have arrived. Never waits.
    void collect();
    /// Drops the counts of an earlier algorithm, option or length.
    void reset();

    /// Null before the first, after a change, and for algorithms without a trace.
    const Result& result() const { return result_; }

  private:
    std::future<Result> counting_;
    bool outdated_ = false;  ///< the count in progress is of earlier settings
    bool changed_ = true;    ///< since the last count began
    std::uint64_t last_begin_frame_ = 0;
    Result result_;
};

}  // namespace warpsieve
