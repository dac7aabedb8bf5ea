#pragma once

#include <cstdint>
#include <future>
#include <memory>

#include "app/trace/traced_run.hpp"
#include "compaction/algorithm.hpp"
#include "compaction/timing.hpp"

namespace warpsieve {

/// Prepares one trace after another on a thread of its own, because a trace of 100,000 blocks takes longer to
/// prepare than a frame.
class TracePreparation {
  public:
    /// Whether a trace is being prepared, or has not been collected.
    bool busy() const { return preparing_.valid(); }
    /// Begins to prepare a trace; see trace::prepare. Do not call it while busy().
    void begin(const compaction::Algorithm& algorithm, std::uint64_t frame, compaction::RunTrace trace,
               double whole_us);
    /// The trace if it is ready, null otherwise. Never waits.
    std::shared_ptr<const trace::TracedRun> collect();
    /// Waits until the trace is ready for collect().
    void wait() const;

  private:
    std::future<std::shared_ptr<const trace::TracedRun>> preparing_;
};

}  // namespace warpsieve
