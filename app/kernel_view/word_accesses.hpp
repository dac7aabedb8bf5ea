#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "app/kernel_view/replay.hpp"

namespace warpsieve::kernel_view {

/// The events that have accessed a word, or another thing that can be read and written.
class Accesses {
  public:
    /// Adds an event. Before, calls conflict(earlier, event) for each earlier one that must stay before it:
    /// for a store, the loads since the last store; for a load, or where there are none, that store.
    template <typename Conflict>
    void add(std::uint32_t event, bool stores, Conflict conflict) {
        if (last_store_ != none && (!stores || loads_.empty())) conflict(last_store_, event);
        if (!stores) return loads_.push_back(event);
        for (const std::uint32_t load : loads_) conflict(load, event);
        loads_.clear();
        last_store_ = event;
    }

  private:
    std::uint32_t last_store_ = none;
    std::vector<std::uint32_t> loads_;  ///< since then
};

/// The accesses of each word of memory in a launch.
class WordAccesses {
  public:
    /// Adds an access as Accesses::add does, for each of its words. `buffer`: of global memory; `block`: of
    /// shared memory.
    template <typename Conflict>
    void add(compaction::MemorySpace space, std::uint32_t buffer, std::uint32_t block, std::uint64_t address,
             std::uint32_t bytes, bool stores, std::uint32_t event, Conflict conflict) {
        // Indices of buffers are below this.
        constexpr std::uint32_t first_shared = 1U << 16;
        const std::uint64_t memory = space == compaction::MemorySpace::global ? buffer : first_shared + block;
        for (std::uint64_t word = address / word_bytes; word * word_bytes < address + bytes; ++word)
            words_[memory << 32 | word].add(event, stores, conflict);
    }

  private:
    std::unordered_map<std::uint64_t, Accesses> words_;
};

}  // namespace warpsieve::kernel_view
