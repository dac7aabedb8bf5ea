#include "cuda/support/phase_recorder.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "compaction/cuda/check.hpp"
#include "compaction/cuda/detail/launch_kernel.cuh"
#include "compaction/cuda/stamps.cuh"
#include "compaction/cuda/warp.cuh"
#include "phases.hpp"

namespace compaction::cuda {
namespace {

constexpr std::size_t max_batch_runs = 64;
constexpr std::size_t max_batches = 64;
/// One run in this many records phase ends: each recording costs a store. In batches of eight or sixteen
/// runs, the first run never records them, because it often waits for the host.
constexpr std::uint64_t runs_per_recorded_end = 8;
/// An upper bound for the resident threads of a multiprocessor of any GPU.
constexpr unsigned max_resident_threads = 2'048;

template <typename T, typename Reduce>
__device__ T reduce_in_warp(T value, Reduce reduce) {
#pragma unroll
    for (unsigned distance = warp_size / 2; distance > 0; distance /= 2) {
        value = reduce(value, __shfl_xor_sync(all_lanes, value, distance));
    }
    return value;
}

/// Reduces the times of each phase and clears them. One warp for each phase of each run: warp w takes row w.
/// times: [num_rows][Stamps::num_entries]; stamps: ring of [ring_rows], pinned memory.
__global__ void gather_stamps(BlockTimes* times, unsigned num_rows, PhaseStamps* stamps,
                              std::uint64_t first_row, std::uint64_t ring_rows) {
    const unsigned row = warp_in_grid();
    if (row >= num_rows) return;
    BlockTimes reduced;
    for (unsigned i = lane_index(); i < Stamps::num_entries; i += warp_size) {
        BlockTimes& entry = times[std::size_t{row} * Stamps::num_entries + i];
        reduced.arrived = min(reduced.arrived, entry.arrived);
        reduced.begin = min(reduced.begin, entry.begin);
        reduced.end = max(reduced.end, entry.end);
        entry = BlockTimes{};
    }
    const auto minimum = [](unsigned long long a, unsigned long long b) { return min(a, b); };
    const auto maximum = [](unsigned long long a, unsigned long long b) { return max(a, b); };
    reduced.arrived = reduce_in_warp(reduced.arrived, minimum);
    reduced.begin = reduce_in_warp(reduced.begin, minimum);
    reduced.end = reduce_in_warp(reduced.end, maximum);
    if (lane_index() == 0 && stamps)
        stamps[(first_row + row) % ring_rows] = {reduced.arrived, reduced.begin, reduced.end};
}

constexpr unsigned gather_threads = 128;

void enqueue_gather(BlockTimes* times, std::size_t num_rows, PhaseStamps* stamps, std::size_t first_row,
                    std::size_t ring_rows, cudaStream_t stream) {
    check(detail::launch(gather_stamps,
                         {blocks_for(num_rows * warp_size, gather_threads), gather_threads, 0, stream}, times,
                         static_cast<unsigned>(num_rows), stamps, first_row, ring_rows),
          "gather_stamps");
}

/// The smallest difference between two consecutive unequal readings of the timer.
__global__ void find_timer_step(unsigned long long* step_ns) {
    constexpr int changes = 32;
    constexpr int max_reads = 1 << 20;  // so that the loop ends even if the timer stands still
    unsigned long long min_step = ~0ULL;
    unsigned long long last = detail::timer_ns();
    for (int seen = 0, reads = 0; seen < changes && reads < max_reads; ++reads) {
        const unsigned long long now = detail::timer_ns();
        if (now == last) continue;
        if (seen++ > 0) min_step = min(min_step, now - last);
        last = now;
    }
    *step_ns = min_step == ~0ULL ? 0 : min_step;
}

/// Extends the run to all of its spans: only a few blocks record its start and end, and another block may
/// start earlier or end later.
void cover_all_spans(RunTrace& trace) {
    if (trace.spans.empty()) return;
    float early_us = 0;
    for (const WorkSpan& span : trace.spans) early_us = std::max(early_us, -span.begin_us);
    trace.timing.phase_us[0] += early_us;
    float late_us = 0;
    for (WorkSpan& span : trace.spans) {
        span.begin_us += early_us;
        span.end_us += early_us;
        late_us = std::max(late_us, span.end_us - trace.timing.total_us());
    }
    for (LaunchTrace& launch : trace.launches) {
        for (PartWait& wait : launch.waits) {
            if (wait.posted_us) *wait.posted_us += early_us;
            if (wait.summed_us) *wait.summed_us += early_us;
        }
    }
    trace.timing.phase_us[trace.timing.num_phases - 1] += late_us;
}

}  // namespace

float measure_timer_step_us(cudaStream_t stream) {
    const PinnedBuffer<unsigned long long> step_ns(1);
    check(detail::launch(find_timer_step, {1, 1, 0, stream}, step_ns.data()), "find_timer_step");
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    return static_cast<float>(*step_ns.data()) * 1e-3F;
}

CudaPhaseRecorder::CudaPhaseRecorder(cudaStream_t stream, unsigned num_multiprocessors, float clock_step_us,
                                     std::size_t max_runs, std::uint32_t max_traced_blocks,
                                     std::uint32_t max_block_spans)
    : stream_(stream),
      num_multiprocessors_(num_multiprocessors),
      clock_step_us_(clock_step_us),
      max_block_spans_(max_block_spans),
      runs_(max_runs),
      batches_(std::min(max_runs, max_batches)),
      batch_capacity_(std::min(max_runs, max_batch_runs)),
      device_times_(batch_capacity_ * max_phases * Stamps::num_entries),
      host_stamps_(max_runs * max_phases),
      traced_{{.capacity = max_traced_blocks}} {
    // Runs once without a result to clear the times, and to load the kernel now instead of during a frame.
    const std::vector<BlockTimes> no_times(device_times_.size());
    check(cudaMemcpyAsync(device_times_.data(), no_times.data(), no_times.size() * sizeof(BlockTimes),
                          cudaMemcpyHostToDevice, stream_),
          "cudaMemcpyAsync of the stamps");
    enqueue_gather(device_times_.data(), batch_capacity_ * max_phases, /*stamps=*/nullptr,
                   /*first_row=*/0, /*ring_rows=*/1, stream_);
    check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
}

void CudaPhaseRecorder::begin_run(std::uint64_t run) {
    recording_ = runs_in_flight_ < runs_.size() && open_batch_size_ < batch_capacity_ &&
                 batches_in_flight_ < batches_.size();
    if (!recording_) {
        ++dropped_;
        return;
    }
    const bool records_all_ends = ++recorded_ % runs_per_recorded_end == 0;
    runs_[run_index_after(oldest_run_, runs_in_flight_)] = {run, 0, records_all_ends};
    if (trace_ == Trace::requested && open_batch_size_ == 0) {
        check(cudaMemsetAsync(device_roles_.data(), 0, sizeof(RoleRecords), stream_),
              "cudaMemsetAsync of the roles");
        traced_.num_entries = 0;
        traced_.launches.clear();
        traced_.parts.clear();
        traced_.next_description = 0;
        traced_.next_records = {};
        traced_.left_out = 0;
        traced_.launches_left_out = 0;
        trace_ = Trace::recording;
    }
}

void CudaPhaseRecorder::begin_phase() {
    begin_phase_range();
    if (!recording_) return;
    Run& run = runs_[run_index_after(oldest_run_, runs_in_flight_)];
    in_phase_ = run.num_phases < max_phases;
    if (in_phase_) ++run.num_phases;
}

void CudaPhaseRecorder::end_phase() {
    in_phase_ = false;
    end_phase_range();
}

Stamps CudaPhaseRecorder::stamps(PhaseEnd end) const {
    if (!recording_ || !in_phase_) return {};
    const Run& run = runs_[run_index_after(oldest_run_, runs_in_flight_)];
    const std::size_t phase = run.num_phases - 1;
    const bool traced = trace_ == Trace::recording && open_batch_size_ == 0;
    Stamps stamps;
    stamps.first_blocks = std::min(num_multiprocessors_, Stamps::num_entries);
    stamps.phase = static_cast<std::uint32_t>(phase);
    stamps.times = device_times_.data() + (open_batch_size_ * max_phases + phase) * Stamps::num_entries;
    if (traced) {
        stamps.traced = &traced_;
        stamps.roles = device_roles_.data();
        stamps.roles_block = roles_block_;
    }
    if (run.records_all_ends || end == PhaseEnd::end_of_last_block)
        stamps.last_threads = max_resident_threads * num_multiprocessors_;
    return stamps;
}

void CudaPhaseRecorder::end_run() {
    if (!recording_) return;
    recording_ = false;
    in_phase_ = false;
    ++open_batch_size_;
    ++runs_in_flight_;
}

void CudaPhaseRecorder::collect() {
    if (open_batch_size_ == 0) return;
    Batch& batch = batches_[(oldest_batch_ + batches_in_flight_) % batches_.size()];
    batch.first = run_index_after(oldest_run_, runs_in_flight_ - open_batch_size_);
    batch.size = open_batch_size_;
    batch.traced = trace_ == Trace::recording;
    enqueue_gather(device_times_.data(), batch.size * max_phases, host_stamps_.data(),
                   batch.first * max_phases, host_stamps_.size(), stream_);
    if (batch.traced) {
        const std::size_t bytes = traced_.num_entries * sizeof(BlockTimes);
        check(cudaMemcpyAsync(host_traced_.data(), device_traced_.data(), bytes, cudaMemcpyDeviceToHost,
                              stream_),
              "cudaMemcpyAsync of the times of blocks");
        check(cudaMemsetAsync(device_traced_.data(), 0, bytes, stream_),
              "cudaMemsetAsync of the times of blocks");
        check(cudaMemcpyAsync(host_roles_.data(), device_roles_.data(), sizeof(RoleRecords),
                              cudaMemcpyDeviceToHost, stream_),
              "cudaMemcpyAsync of the roles");
        trace_ = Trace::awaiting_copy;
    }
    batch.collected.record(stream_);
    ++batches_in_flight_;
    open_batch_size_ = 0;
}

void CudaPhaseRecorder::poll(std::vector<RunTiming>& finished) {
    while (batches_in_flight_ > 0) {
        const Batch& batch = batches_[oldest_batch_];
        if (!batch.collected.ready()) return;
        std::uint64_t previous_end = 0;
        for (std::size_t i = 0; i < batch.size; ++i) {
            const std::size_t run = run_index_after(batch.first, i);
            if (i == 0 && batch.traced) add_traced_stamps(run);
            const std::span<const PhaseStamps> stamps = stamps_of(run);
            finished.push_back(times_of(runs_[run].id, stamps, previous_end));
            previous_end = end_of(stamps);
            if (i == 0 && batch.traced) {
                finished_trace_ = read_trace(run, finished.back());
                trace_ = Trace::none;
            }
        }
        oldest_run_ = run_index_after(oldest_run_, batch.size);
        runs_in_flight_ -= batch.size;
        oldest_batch_ = (oldest_batch_ + 1) % batches_.size();
        --batches_in_flight_;
    }
}

void CudaPhaseRecorder::request_trace(std::uint32_t roles_block) {
    if (trace_ != Trace::none) return;
    roles_block_ = roles_block;
    if (!traced_.times) {
        device_traced_.grow_to(traced_.capacity);
        host_traced_.grow_to(traced_.capacity);
        device_roles_.grow_to(1);
        host_roles_.grow_to(1);
        check(cudaMemsetAsync(device_traced_.data(), 0, traced_.capacity * sizeof(BlockTimes), stream_),
              "cudaMemsetAsync of the times of blocks");
        traced_.launches.reserve(TracedLaunches::max_launches);
        traced_.parts.reserve(TracedLaunches::max_launches);
        traced_.times = device_traced_.data();
    }
    trace_ = Trace::requested;
}

std::optional<RunTrace> CudaPhaseRecorder::poll_trace() {
    return std::exchange(finished_trace_, std::nullopt);
}

/// Adds the stamps that the blocks of the traced launches would have recorded without a trace.
void CudaPhaseRecorder::add_traced_stamps(std::size_t run) {
    for (const TracedLaunches::Launch& launch : traced_.launches) {
        PhaseStamps& phase = host_stamps_.data()[run * max_phases + launch.phase];
        const BlockTimes* const times = host_traced_.data() + launch.first_entry;
        for (std::uint32_t block = 0; block < std::min(launch.first_blocks, launch.blocks); ++block) {
            const BlockTimes& first = times[block >> launch.entry_shift];
            // 0 if the launch did not wait for the previous one.
            if (first.arrived != 0) phase.arrived = std::min<std::uint64_t>(phase.arrived, first.arrived);
            phase.begin = std::min<std::uint64_t>(phase.begin, first.begin);
        }
        for (std::uint32_t block = launch.last_from; block < launch.blocks; ++block)
            phase.end = std::max<std::uint64_t>(phase.end, times[block >> launch.entry_shift].end);
    }
}

/// The described parts of a traced launch; nullopt if there is no description, or if the launch fell back and
/// its blocks processed other parts.
std::optional<BlockParts> CudaPhaseRecorder::read_parts(const TracedLaunches::Launch& launch) const {
    if (launch.description == 0) return std::nullopt;
    const std::span times(host_traced_.data() + launch.first_entry, launch.num_entries());
    const bool fell_back =
        std::ranges::find(times, BlockTimes::unknown, &BlockTimes::num_selected) != times.end();
    if (fell_back) return std::nullopt;
    BlockParts parts = traced_.parts[launch.description - 1];
    parts.num_blocks = launch.blocks;
    if (!parts.by_ticket) return parts;
    const std::span<const PartRecord> records = records_of<PartRecord>(launch);
    const bool all_taken = std::ranges::find(records, 0U, &PartRecord::taken_by) == records.end();
    if (records.size() != parts.partition.num_parts || !all_taken) return parts;
    for (const PartRecord& record : records) parts.ticket_blocks.push_back(record.taken_by - 1);
    return parts;
}

/// A traced launch, without its spans. `to_us`: converts a time of the GPU.
template <typename ToUs>
LaunchTrace CudaPhaseRecorder::read_launch(const TracedLaunches::Launch& launch, const ToUs& to_us) const {
    LaunchTrace trace{static_cast<std::uint8_t>(launch.phase), launch.blocks, launch.threads,
                      read_parts(launch)};
    if (!trace.parts) return trace;
    const BlockParts& parts = *trace.parts;
    if (parts.waits) {
        const auto known = [&](std::uint64_t ns) { return ns > 0 ? std::optional(to_us(ns)) : std::nullopt; };
        if (launch.num_records > 0) trace.waits.reserve(parts.partition.num_parts);
        for (const PartRecord& record : records_of<PartRecord>(launch))
            trace.waits.push_back({known(record.posted), known(record.summed)});
        if (launch.num_records > 0) trace.waits.resize(parts.partition.num_parts);
    }
    if (parts.appends) {
        std::uint32_t warp = 0;
        for (const AppendRecord& record : records_of<AppendRecord>(launch)) {
            if (record.count() > 0)
                trace.appends.push_back({static_cast<std::uint32_t>(warp / parts.parts_per_block),
                                         static_cast<std::uint32_t>(warp % parts.parts_per_block),
                                         record.index(), record.count()});
            ++warp;
        }
        trace.appends_left_out = parts.partition.num_parts - launch.num_records;
    }
    return trace;
}

/// How many successive entries of a launch make one span. The smallest power of two with which the trace has
/// at most max_block_spans_ spans of blocks, or one span for each launch.
std::uint32_t CudaPhaseRecorder::compute_entries_per_span() const {
    std::uint64_t all_entries = 0;
    for (const TracedLaunches::Launch& launch : traced_.launches) all_entries += launch.num_entries();
    std::uint32_t entries = 1;
    const auto num_spans = [&] {
        std::uint64_t spans = 0;
        for (const TracedLaunches::Launch& launch : traced_.launches)
            spans += (std::uint64_t{launch.num_entries()} + entries - 1) / entries;
        return spans;
    };
    while (entries < all_entries && num_spans() > max_block_spans_) entries *= 2;
    return entries;
}

/// Adds the spans of the blocks of a launch, without their waits. `to_us`: converts a time of the GPU.
template <typename ToUs>
void CudaPhaseRecorder::add_spans(const TracedLaunches::Launch& launch, std::uint32_t index,
                                  std::uint32_t entries_per_span, const ToUs& to_us, RunTrace& trace) const {
    const std::optional<BlockParts>& parts = trace.launches[index].parts;
    const bool counts_selected = parts && parts->counts_selected;
    const std::span times(host_traced_.data() + launch.first_entry, launch.num_entries());
    const std::size_t first_span = trace.spans.size();
    for (std::size_t first = 0; first < times.size(); first += entries_per_span) {
        const auto entries =
            times.subspan(first, std::min<std::size_t>(entries_per_span, times.size() - first));
        WorkSpan span{.block = static_cast<std::uint32_t>(first << launch.entry_shift),
                      .processor = entries.front().processor,
                      .phase = static_cast<std::uint8_t>(launch.phase),
                      .launch = index};
        std::uint64_t begin = entries.front().begin;
        std::uint64_t end = 0;
        for (const BlockTimes& each : entries) {
            begin = std::min<std::uint64_t>(begin, each.begin);
            end = std::max<std::uint64_t>(end, each.end);
            if (counts_selected) span.num_selected += each.num_selected;
        }
        span.begin_us = to_us(begin);
        span.end_us = to_us(end);
        span.blocks = std::min(launch.blocks - span.block, static_cast<std::uint32_t>(entries.size())
                                                               << launch.entry_shift);
        if (span.blocks > 1) trace.blocks_merged += span.blocks;
        trace.spans.push_back(span);
    }
    for (const Append& append : trace.launches[index].appends)
        trace.spans[first_span + (append.block >> launch.entry_shift) / entries_per_span].num_selected +=
            append.count;
}

RunTrace CudaPhaseRecorder::read_trace(std::size_t run, const RunTiming& timing) const {
    std::uint64_t begin = ~std::uint64_t{0};
    for (const PhaseStamps& phase : stamps_of(run)) begin = std::min(begin, phase.begin);
    const auto to_us = [begin](std::uint64_t ns) {
        return static_cast<float>(static_cast<std::int64_t>(ns - begin)) * 1e-3F;
    };
    const RoleRecords& roles = *host_roles_.data();
    RunTrace trace;
    trace.run = runs_[run].id;
    trace.timing = timing;
    trace.processors = num_multiprocessors_;
    trace.clock_step_us = clock_step_us_;
    trace.spans_left_out = traced_.left_out + roles.left_out;
    trace.launches_left_out = traced_.launches_left_out;
    const std::uint32_t entries_per_span = compute_entries_per_span();
    struct RolesBlock {
        std::uint32_t processor;
        std::uint32_t launch;
    };
    std::array<RolesBlock, max_phases> roles_blocks{};  // the block whose roles are traced, in each phase
    for (const TracedLaunches::Launch& launch : traced_.launches) {
        const auto index = static_cast<std::uint32_t>(trace.launches.size());
        trace.launches.push_back(read_launch(launch, to_us));
        const BlockTimes* const times = host_traced_.data() + launch.first_entry;
        if (roles_block_ < launch.blocks)
            roles_blocks[launch.phase] = {times[roles_block_ >> launch.entry_shift].processor, index};
        add_spans(launch, index, entries_per_span, to_us, trace);
    }
    for (const RoleRecord& record : roles.roles) {
        if (record.begin == 0) continue;
        const RolesBlock& block = roles_blocks[record.phase];
        trace.spans.push_back({to_us(record.begin), to_us(record.begin + record.duration), roles_block_,
                               block.processor, 0, record.phase, record.role, record.round, block.launch});
    }
    cover_all_spans(trace);
    add_waits_to_spans(trace);
    return trace;
}

}  // namespace compaction::cuda
