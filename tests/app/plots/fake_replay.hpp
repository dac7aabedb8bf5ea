#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/trace/memory_replay.hpp"
#include "compaction/compaction.hpp"
#include "workloads/streams.hpp"

/// Replays for tests and pictures of the plot of time by address.
namespace warpsieve::fake {

/// A replay whose phases, launches and marks are written by hand. It does not play.
class Replay : public trace::MemoryReplay {
  public:
    Replay(bool in_steps, double duration) {
        algorithm_ = &compaction::find_algorithm("cpu_loop");
        in_steps_ = in_steps;
        schedule_seed_ = 7;
        duration_ = duration;
        num_items_ = 4096;
        num_kept_ = 2000;
    }
    void add_phase(trace::ReplayPhase phase) { phases_.push_back(std::move(phase)); }
    void add_launch(trace::ReplayLaunch launch) { launches_.push_back(std::move(launch)); }
    void add_buffer(trace::ReplayBuffer buffer) { buffers_.push_back(std::move(buffer)); }
    void add_mark(trace::ReplayMark mark) { marks_.push_back(mark); }

    std::optional<std::uint64_t> output_index(std::uint64_t) const override { return std::nullopt; }
    std::optional<std::uint64_t> slot_of(std::uint64_t) const override { return std::nullopt; }
    void seek(double) override {}
};

/// Count, prefix and move with 16 counts and offsets, in 141 steps.
inline std::shared_ptr<Replay> three_phases() {
    using compaction::PhaseRole;
    auto replay = std::make_shared<Replay>(true, 141);
    replay->add_phase({"count", PhaseRole::count, 0, 40, false, {"input"}, {"counts of sequences"}});
    replay->add_phase({"prefix", PhaseRole::prefix, 42, 68, false, {}, {}});
    replay->add_phase({"move", PhaseRole::scatter, 70, 141, false, {}, {}});
    replay->add_launch({"count_sequences", 0, 0, 38, 0});
    replay->add_launch({"scan_in_one_block", 1, 44, 67, 0});
    replay->add_launch({"move_sequences", 2, 73, 138, 0});
    replay->add_buffer({compaction::BufferRole::counts, "counts of sequences", 16, true, false});
    replay->add_buffer({compaction::BufferRole::offsets, "offsets of sequences", 16, true, false});
    replay->add_mark({5, 6, 0, 0, 32.0F / 4096, 0, false});
    replay->add_mark({60, 61, 3, 3.0F / 16, 7.0F / 16, 1, true});
    replay->add_mark({100, 103, 1, 0, 1.0F / 4096, 2, true});
    return replay;
}

/// Every slot, or 0 where none is kept: what a replay from accesses expects as items.
inline std::vector<std::uint32_t> handles(std::uint32_t num_items) {
    std::vector<std::uint32_t> items = workloads::make_stream(workloads::Pattern::runs, num_items, 0.5, 1);
    for (std::uint32_t i = 0; i < num_items; ++i) items[i] = items[i] != 0 ? i + 1 : 0;
    return items;
}

/// The simulated algorithm's own accesses; null if this build has no trace of it.
inline std::shared_ptr<trace::MemoryReplay> simulated_replay(std::string_view id, std::uint32_t num_items) {
    for (const compaction::Algorithm& algorithm : compaction::catalogue()) {
        if (algorithm.id != id) continue;
        if (!compaction::simulated::no_trace_reason(algorithm).empty()) return nullptr;
        const std::vector<std::uint32_t> items = handles(num_items);
        auto traced = compaction::simulated::trace_compaction(algorithm, {}, compaction::ItemSize::bytes_4,
                                                              std::as_bytes(std::span(items)),
                                                              compaction::keep_non_zero(), 1);
        return trace::replay_of(algorithm,
                                std::make_shared<const compaction::AccessTrace>(std::move(traced.trace)),
                                compaction::unknown_partition(num_items, "Not needed."));
    }
    return nullptr;
}

}  // namespace warpsieve::fake
