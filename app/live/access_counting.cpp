#include "app/live/access_counting.hpp"

#include <chrono>
#include <system_error>
#include <utility>
#include <vector>

#include "compaction/error.hpp"

namespace warpsieve {
namespace {

/// Frames from one count to the next while nothing changes.
constexpr std::uint64_t period_frames = 300;

AccessCounting::Result count(const compaction::Algorithm& algorithm, const compaction::Options& options,
                             const std::vector<compaction::Item>& items, std::uint64_t seed) {
    try {
        compaction::TracedCompaction traced = compaction::simulated::trace_compaction(
            algorithm, options, compaction::ItemSize::bytes_4, std::as_bytes(std::span(items)),
            compaction::keep_non_zero(), seed);
        auto trace = std::make_shared<const compaction::AccessTrace>(std::move(traced.trace));
        trace::AccessCounts counts = trace::count_accesses(algorithm, *trace);
        return std::make_shared<const CountedAccesses>(CountedAccesses{std::move(trace), std::move(counts)});
    } catch (const compaction::Error&) {
        // The live run reports the error.
        return nullptr;
    }
}

}  // namespace

bool AccessCounting::due(std::uint64_t frame) const {
    return !counting_.valid() && (changed_ || frame - last_begin_frame_ >= period_frames);
}

void AccessCounting::begin(const compaction::Algorithm& algorithm, const compaction::Options& options,
                           std::span<const compaction::Item> items, std::uint64_t seed, std::uint64_t frame) {
    changed_ = outdated_ = false;
    last_begin_frame_ = frame;
    if (!compaction::simulated::no_trace_reason(algorithm).empty()) return;
    try {
        counting_ = std::async(std::launch::async, count, std::cref(algorithm), options,
                               std::vector(items.begin(), items.end()), seed);
    } catch (const std::system_error&) {
        // Without a thread, there are no counts; the next period tries again.
    }
}

void AccessCounting::collect() {
    if (!counting_.valid() || counting_.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
        return;
    Result result = counting_.get();
    if (!outdated_) result_ = std::move(result);
}

void AccessCounting::reset() {
    changed_ = outdated_ = true;
    result_.reset();
}

}  // namespace warpsieve
