#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "compaction/cuda/memory.hpp"
#include "compaction/cuda/stream.hpp"
#include "cuda/support/stamps.hpp"
#include "phases.hpp"

namespace compaction::cuda {

/// The phase times of runs on one stream, from the stamps of their blocks. The blocks of a batch write to
/// device memory; `collect` enqueues one kernel that reduces them to one PhaseStamps for each phase, in
/// pinned memory, and clears the stamps for the next batch. If a run is traced, the times of all its blocks
/// are copied to the host, which reduces them.
class CudaPhaseRecorder : public TimestampRecorder {
  public:
    /// More spans would take long to draw.
    static constexpr std::uint32_t default_max_block_spans = 1U << 17;

    CudaPhaseRecorder(cudaStream_t stream, unsigned num_multiprocessors, float clock_step_us,
                      std::size_t max_runs, std::uint32_t max_traced_blocks = TracedLaunches::max_blocks,
                      std::uint32_t max_block_spans = default_max_block_spans);

    void begin_run(std::uint64_t run) override;
    void begin_phase() override;
    void end_phase() override;
    void end_run() override;
    void collect() override;
    void poll(std::vector<RunTiming>& finished) override;
    std::uint64_t dropped() const override { return dropped_; }
    void request_trace(std::uint32_t roles_block) override;
    std::optional<RunTrace> poll_trace() override;
    Stamps stamps(PhaseEnd end) const override;

  private:
    struct Run {
        std::uint64_t id = 0;  ///< the number given to begin_run
        std::size_t num_phases = 0;
        bool records_all_ends = false;  ///< also of phases that end with start_of_next_phase
    };
    struct Batch {
        std::size_t first = 0;  ///< ring index of its first run
        std::size_t size = 0;   ///< number of runs
        bool traced = false;    ///< the first run of the batch is traced
        Event collected;
    };
    enum class Trace { none, requested, recording, awaiting_copy };

    std::span<const PhaseStamps> stamps_of(std::size_t run) const {
        return {host_stamps_.data() + run * max_phases, runs_[run].num_phases};
    }
    std::size_t run_index_after(std::size_t run, std::size_t distance) const {
        return (run + distance) % runs_.size();
    }
    void add_traced_stamps(std::size_t run);
    template <typename RecordT>
    std::span<const RecordT> records_of(const TracedLaunches::Launch& launch) const {
        const BlockTimes* const end = host_traced_.data() + launch.first_entry + launch.num_entries();
        return {reinterpret_cast<const RecordT*>(end), launch.num_records};  // records follow the entries
    }
    std::optional<BlockParts> read_parts(const TracedLaunches::Launch& launch) const;
    template <typename ToUs>
    LaunchTrace read_launch(const TracedLaunches::Launch& launch, const ToUs& to_us) const;
    std::uint32_t compute_entries_per_span() const;
    template <typename ToUs>
    void add_spans(const TracedLaunches::Launch& launch, std::uint32_t index, std::uint32_t entries_per_span,
                   const ToUs& to_us, RunTrace& trace) const;
    RunTrace read_trace(std::size_t run, const RunTiming& timing) const;

    cudaStream_t stream_;
    unsigned num_multiprocessors_;
    float clock_step_us_;
    std::uint32_t max_block_spans_;
    std::vector<Run> runs_;       ///< ring buffer
    std::vector<Batch> batches_;  ///< ring buffer
    std::size_t oldest_run_ = 0;
    std::size_t runs_in_flight_ = 0;  ///< including those of the open batch
    std::size_t oldest_batch_ = 0;
    std::size_t batches_in_flight_ = 0;
    std::size_t open_batch_size_ = 0;  ///< number of runs since the last collect()
    bool recording_ = false;           ///< between begin_run and end_run of a run that is timed
    bool in_phase_ = false;
    std::uint64_t recorded_ = 0;  ///< number of runs timed so far
    std::uint64_t dropped_ = 0;
    std::size_t batch_capacity_;             ///< maximum number of runs in a batch
    DeviceBuffer<BlockTimes> device_times_;  ///< [batch_capacity_][max_phases][Stamps::num_entries]
    PinnedBuffer<PhaseStamps> host_stamps_;  ///< [max_runs][max_phases]
    Trace trace_ = Trace::none;
    std::uint32_t roles_block_ = 0;
    mutable DescribedLaunches traced_;        ///< launches add to it through the stamps of `stamps`
    DeviceBuffer<BlockTimes> device_traced_;  ///< [TracedLaunches::capacity], all 0 between two traces
    PinnedBuffer<BlockTimes> host_traced_;    ///< [TracedLaunches::capacity]
    DeviceBuffer<RoleRecords> device_roles_;  ///< [1]
    PinnedBuffer<RoleRecords> host_roles_;    ///< [1]
    std::optional<RunTrace> finished_trace_;
};

/// The resolution of the timer that blocks read, in microseconds: the smallest change that one thread sees.
/// Waits for the stream.
float measure_timer_step_us(cudaStream_t stream);

}  // namespace compaction::cuda
