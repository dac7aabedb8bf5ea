#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "app/kernel_view/replay.hpp"

namespace warpsieve::kernel_view {

/// Bytes that an event loads from memory, or stores there.
struct MemoryAccess {
    compaction::MemorySpace space = compaction::MemorySpace::none;
    std::uint32_t buffer = 0;   ///< in global memory: index into LaneTrace::buffers
    std::uint32_t address = 0;  ///< of the first byte
    std::uint32_t bytes = 0;
    bool stores = false;  ///< also if it loads before

    std::uint32_t first_word() const { return address / word_bytes; }
    std::uint32_t end_word() const { return (address + bytes + word_bytes - 1) / word_bytes; }
};

/// Calls visit(access) for what the event accesses: nothing, one range of memory, or two for a bulk copy.
template <typename Visit>
void for_each_access(const Events& events, const Event& event, Visit visit) {
    using enum compaction::MemorySpace;
    const compaction::LaneSite& site = events.site_of(event);
    if (performs_copy(site.kind)) {
        const bool to_shared = site.kind == compaction::LaneStepKind::copied_to_shared;
        const auto in_shared = static_cast<std::uint32_t>(events.numbers[event.first_number]);
        visit(MemoryAccess{global, site.buffer, event.address, site.bytes, !to_shared});
        visit(MemoryAccess{shared, 0, in_shared, site.bytes, to_shared});
    } else if (loads(site.kind) || holds_stored_bytes(site.kind)) {
        visit(
            MemoryAccess{site.space, site.buffer, event.address, site.bytes, holds_stored_bytes(site.kind)});
    }
}

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
    /// Adds an access as Accesses::add does, for each of its words. `block`: of shared memory.
    template <typename Conflict>
    void add(const MemoryAccess& access, std::uint32_t block, std::uint32_t event, Conflict conflict) {
        // Indices of buffers are below this.
        constexpr std::uint32_t first_shared = 1U << 16;
        const std::uint64_t memory =
            access.space == compaction::MemorySpace::global ? access.buffer : first_shared + block;
        for (std::uint64_t word = access.first_word(); word < access.end_word(); ++word)
            words_[memory << 32 | word].add(event, access.stores, conflict);
    }

  private:
    std::unordered_map<std::uint64_t, Accesses> words_;
};

}  // namespace warpsieve::kernel_view
