#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "app/trace/memory_replay.hpp"
#include "compaction/algorithm.hpp"

namespace warpsieve::fake {

inline constexpr std::uint64_t memory_slots = 4096;
inline constexpr std::uint64_t memory_parts = 16;

/// The memory of a compaction in three phases, 16 sequences of 256 slots. Each part keeps its first items, 16
/// more than the part before it. Tests change the state.
class Memory : public trace::MemoryReplay {
  public:
    explicit Memory(std::vector<trace::ReplayBuffer> buffers = counts_and_offsets()) {
        algorithm_ = &compaction::find_algorithm("sequence_wise");
        in_steps_ = true;
        duration_ = 100;
        std::vector<bool> kept(memory_slots);
        for (std::uint64_t slot = 0; slot < kept.size(); ++slot)
            kept[slot] = slot % 256 < 16 * (slot / 256 + 1) - 8;
        set_input(std::move(kept), compaction::equal_parts(compaction::PartKind::sequence, memory_slots,
                                                           memory_slots / memory_parts));
        phases_ = {{"count", compaction::PhaseRole::count, 0, 40, false, {}, {}},
                   {"prefix", compaction::PhaseRole::prefix, 40, 60, false, {}, {}},
                   {"move", compaction::PhaseRole::scatter, 60, 100, false, {}, {}}};
        launches_ = {{"count", 0, 0, 40, 0}, {"scan", 1, 40, 60, 0}, {"move", 2, 60, 100, 0}};
        buffers_ = std::move(buffers);
        for (const trace::ReplayBuffer& buffer : buffers_)
            state_.buffers.push_back({0, std::vector<trace::ReplayWord>(buffer.num_words)});
        state_.part_loaded.assign(memory_parts, 0);
        move_to(0);
    }

    static std::vector<trace::ReplayBuffer> counts_and_offsets() {
        return {{compaction::BufferRole::counts, "counts of sequences", memory_parts, true, false},
                {compaction::BufferRole::offsets, "offsets of sequences", memory_parts, true, false}};
    }

    std::optional<std::uint64_t> output_index(std::uint64_t slot) const override {
        if (!knows_output || !is_kept(slot)) return std::nullopt;
        std::uint64_t index = 0;
        for (std::uint64_t before = 0; before < slot; ++before) index += is_kept(before);
        return index;
    }
    std::optional<std::uint64_t> slot_of(std::uint64_t output_index) const override {
        for (std::uint64_t slot = 0; knows_output && slot < memory_slots; ++slot)
            if (is_kept(slot) && output_index-- == 0) return slot;
        return std::nullopt;
    }
    void seek(double) override {}

    void move_to(double time) {
        state_.time = time;
        update_phase_and_launch(time);
    }
    void store(std::size_t buffer, std::size_t word, float value, float time, std::uint8_t phase) {
        state_.buffers[buffer].words[word] = {value, time, trace::never, phase};
    }
    /// Stores all counts and the first offsets.
    void store_words(std::size_t num_offsets) {
        float offset = 0;
        for (std::size_t part = 0; part < memory_parts; ++part) {
            const auto count = static_cast<float>(part_kept()[part]);
            store(0, part, count, 39, 0);
            if (part < num_offsets) store(1, part, offset, 45 + static_cast<float>(part), 1);
            offset += count;
        }
    }
    void set_library(std::size_t phase) { phases_[phase].is_library = true; }
    void set_hop(std::size_t launch, std::uint64_t hop) { launches_[launch].hop = hop; }
    trace::MemoryState& now() { return state_; }

    bool knows_output = true;
};

}  // namespace warpsieve::fake
