#include "simulated/trace_recorder.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "simulated/grid.hpp"

namespace compaction::simulated {
namespace {

std::uintptr_t address_of(const void* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer);
}

}  // namespace

std::uint64_t thread_in_launch(const Grid& grid) {
    return std::uint64_t{grid.block().index} * grid.shape.threads + grid.warp->index * lanes_per_warp +
           grid.lane;
}

TraceRecorder::TraceRecorder(std::vector<TracedLaunch>& launches, const std::vector<TracedBuffer>& buffers,
                             const std::vector<const void*>& memory)
    : launches_(launches) {
    for (std::uint32_t i = 0; i < memory.size(); ++i) {
        const std::uint64_t bytes = buffers[i].num_elements * buffers[i].element_bytes;
        ranges_.push_back({address_of(memory[i]), address_of(memory[i]) + bytes, i});
    }
    std::ranges::sort(ranges_, {}, &Range::begin);
}

const TraceRecorder::Range* TraceRecorder::range_of(const void* address, std::size_t bytes) const {
    const auto next = std::ranges::upper_bound(ranges_, address_of(address), {}, &Range::begin);
    if (next == ranges_.begin() || address_of(address) + bytes > std::prev(next)->end) return nullptr;
    return &*std::prev(next);
}

void TraceRecorder::report(const std::string& what, const SourceLocation& location) {
    if (!failure_.empty()) return;
    failure_ = launches_.back().kernel + ": " + what;
    failed_at_ = location;
}

void TraceRecorder::report_unknown_buffer(const SourceLocation& location) {
    report("it accesses memory that no buffer of the trace holds", location);
}

/// Looks the location up here and not in report(), which runs on a lane's stack: that is too small for it.
std::string TraceRecorder::failure() const {
    if (failure_.empty() || !failed_at_.file_or_instruction) return failure_;
    return failure_ + " (" + location_text(failed_at_) + ")";
}

TracedLaunch& TraceRecorder::add_launch(LaunchKind kind, std::string name) {
    TracedLaunch& launch = launches_.emplace_back();
    launch.kind = kind;
    launch.kernel = std::move(name);
    launch.phase = phase_;
    launch.multiprocessors.resize(launch.blocks);
    return launch;
}

TracedLaunch& TraceRecorder::add_launch(const Grid& grid, std::string kernel) {
    TracedLaunch& launch = add_launch(LaunchKind::kernel, std::move(kernel));
    launch.blocks = grid.shape.blocks;
    launch.threads = grid.shape.threads;
    launch.multiprocessors.resize(launch.blocks);
    return launch;
}

void TraceRecorder::announce(const Grid& grid, const void* address, std::size_t bytes, bool is_atomic,
                             std::size_t number) {
    announced_.push_back(
        {address_of(address), address_of(address) + bytes, thread_in_launch(grid), is_atomic, number});
}

void TraceRecorder::finish_writes_before(const Grid& grid, EventKind kind, const void* address,
                                         std::size_t bytes) {
    const bool is_plain = kind == EventKind::read || kind == EventKind::write;
    const auto may_come_later = [&](const Write& write) {
        return !write.is_atomic && write.thread == thread_in_launch(grid) &&
               (write.end <= address_of(address) || address_of(address) + bytes <= write.begin);
    };
    if (!is_plain || !std::ranges::all_of(announced_, may_come_later)) finish_writes();
}

void TraceRecorder::finish_writes() {
    for (const Write& write : announced_) finish_write(write.number);
    announced_.clear();
}

}  // namespace compaction::simulated
