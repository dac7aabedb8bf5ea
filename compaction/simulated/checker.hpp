#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "simulated/clocks.hpp"
#include "simulated/gpu.hpp"

/// The checks of memory accesses: bounds, reads of shared memory that no lane has written, data races.
/// Private to the engine.
namespace compaction::simulated {

struct Block;
struct Grid;

/// The checker's state of a resident block. Actors: its lanes, then the bulk copies of each warp, by kind.
struct BlockChecks {
    struct ScopedClock {
        Clock all;       ///< holds for all lanes
        Clock in_block;  ///< holds for the lanes of the block only
    };
    struct LaneChecks {
        Clock clock;
        Epoch epoch = 1;
        ScopedClock fenced;       ///< the clock of the lane at its last fence
        ScopedClock seen;         ///< the clocks released by the words that it has read
        ScopedClock past_fences;  ///< the clocks at the fences that happened before, also of other lanes
        ScopedClock fences_seen;  ///< `past_fences` of those who wrote what it or others read before
        Clock fences;             ///< the clocks of all fences of the grid before its last one
        std::vector<Epoch> last_stores;  ///< for each committed group: its last copy to global memory
        Epoch last_store = 0;            ///< for the open group: its last copy to global memory
    };
    std::vector<LaneChecks> lanes;
    std::vector<Epoch> copy_epochs;  ///< the epoch of each actor that copies
    std::vector<bool> written;       ///< for each byte of shared memory
    std::vector<BarrierClock> mbarriers;
};

enum class CopyKind : std::uint8_t { load, store_reads, store_writes };

class Checker {
  public:
    /// `previous`: the checker of the previous launch, which may still run; may be null.
    Checker(Grid& grid, const Checks& checks, const Checker* previous);

    void start_block(Block& block);
    /// Checks an access of the running lane to any memory. Fails if it is wrong.
    void access(const void* address, std::size_t bytes, Access access, const SourceLocation& location);

    /// Orders the accesses of the lanes `from` so far before the next accesses of the lanes `to`.
    void join(Block& block, std::span<const unsigned> from, std::span<const unsigned> to);
    /// The running lane writes, reads or changes a word of a lock-free protocol. Returns what a load reads:
    /// the value of the word, or an older one where the memory model and `may_be_stale` allow that.
    std::uint64_t atomic(const void* address, std::size_t bytes, Atomic kind, MemoryOrder order, Scope scope,
                         const SourceLocation& location, bool may_be_stale);
    void fence(Scope scope);
    void fence_for_copies();

    void arrive(std::size_t mbarrier);
    void complete_phase(Block& block, std::size_t mbarrier);
    void acquire_phase(std::size_t mbarrier);

    /// Checks a bulk copy that the running lane requests. Returns its epoch.
    Epoch copy(const void* shared, const void* global, std::size_t bytes, bool to_shared,
               const SourceLocation& location);
    /// The bulk copy with that epoch, which `thread` requested, arrives at the mbarrier.
    void copy_arrives(Block& block, std::size_t mbarrier, unsigned thread, Epoch epoch);
    void commit_copies();
    void wait_for_copies(unsigned max_pending);

  private:
    using LaneChecks = BlockChecks::LaneChecks;
    using ScopedClock = BlockChecks::ScopedClock;
    struct Record {
        std::uint32_t actor = 0;
        Epoch epoch = 0;
        std::uint32_t location = 0;
        std::uint8_t mask = 0;  ///< the bytes of the word that were accessed; 0 if there is no record
        Access access = Access::read;
        /// An atomic store has replaced the value that this access wrote, or an atomic write the one that it
        /// read.
        bool is_replaced = false;
    };
    static constexpr std::size_t word_bytes = 4;
    static constexpr std::size_t page_bytes = 4096;
    /// The last accesses to a word. A record is dropped when a later access makes it redundant, or when there
    /// is no room.
    using Word = std::array<Record, 4>;
    using Page = std::array<Word, page_bytes / word_bytes>;
    struct Actor {
        std::uint32_t id;
        Epoch epoch;
        const Clock* clock;
        std::uint32_t issuer;  ///< the lane that requested a copy; for lanes the actor itself
        bool is_copy = false;
    };

    struct ScopedParts {
        BlockParts all;
        BlockParts in_block;  ///< for the lanes of the writer's block
    };
    /// One of the values that a word of a lock-free protocol has had.
    struct Version {
        std::uint64_t value = 0;  ///< the value of the last version is in memory
        std::uint32_t actor = no_actor;
        Epoch epoch = 0;
        ScopedParts released;  ///< the clocks that an acquire of it obtains
        ScopedParts fences;    ///< the clocks that a fence after a read of it obtains
    };
    /// The newest version that a lane has read or written.
    struct Sight {
        std::uint32_t actor = 0;
        Epoch epoch = 0;
        std::uint64_t version = 0;
    };
    /// The versions of a word. Version 0 is its value before the launch.
    struct AtomicWord {
        std::uint64_t num_versions = 1;
        std::deque<Version> versions = {{}};  ///< the last versions, newest last
        std::vector<Sight> sights;            ///< one for each lane

        std::uint64_t first_version() const { return num_versions - versions.size(); }
        std::uint64_t last_version() const { return num_versions - 1; }
    };
    static constexpr std::uint32_t no_actor = ~0U;
    static constexpr std::size_t max_versions = 4;

    /// The oldest version that the running lane may read. It may not read a version if it has seen that the
    /// version was overwritten, or if anything that happened before has seen that.
    std::uint64_t oldest_visible(const AtomicWord& word) const;
    std::uint64_t version_to_read(const AtomicWord& word);
    void note_seen(AtomicWord& word, std::uint64_t version) const;
    void join_released(const Version& version, bool acquires, Scope scope);
    void note_observed(const void* address, std::size_t bytes, Atomic kind, Scope scope, bool reads_newest);
    bool was_observed(const Word& word, const Record& written, const Actor& actor) const;
    void overwrite(AtomicWord& word, std::uint64_t old_value, Atomic kind, MemoryOrder order, Scope scope);
    /// Fails if an access of global memory races with the previous launch, for which the block has not
    /// waited.
    void check_overlap(std::uintptr_t address, std::size_t bytes, Access access,
                       const SourceLocation& location) const;
    /// The record of an access to the bytes that conflicts with this one; null if there is none.
    const Record* conflicting(std::uintptr_t address, std::size_t bytes, Access access) const;
    /// Fails if the running lane accesses memory of the host. The address is not in GPU memory.
    void check_host_memory(const void* address, std::size_t bytes, Access access,
                           const SourceLocation& location);
    unsigned num_actors() const;
    unsigned copier(unsigned thread, CopyKind kind) const;
    Actor running_actor() const;
    LaneChecks& running_lane() const;
    std::uint32_t find_or_add_location(const SourceLocation& location);
    Word& word_at(std::uintptr_t word);
    /// Visits each word that holds some of the bytes, with their mask.
    template <typename Visit>
    void for_each_word(std::uintptr_t address, std::size_t bytes, Visit visit);
    /// Joins one of the lanes' clocks as `join` does.
    void join_part(std::vector<LaneChecks>& lanes, std::span<const unsigned> from,
                   std::span<const unsigned> to, ScopedClock LaneChecks::*clocks,
                   Clock ScopedClock::*part) const;
    bool is_visible(const Record& record, const Actor& actor) const;
    bool happened_before(const Record& record, const Actor& actor) const;
    /// Records an access of the actor. Fails if it races with a recorded one.
    void touch(std::uintptr_t address, std::size_t bytes, Access access, const Actor& actor,
               const SourceLocation& location);
    void touch_word(Word& word, const Record& record, const Actor& actor, std::uintptr_t address,
                    std::size_t bytes);
    void access_shared(Block& block, std::size_t offset, std::size_t bytes, Access access,
                       const SourceLocation& location);
    std::string actor_text(std::uint32_t actor) const;
    std::string race_text(const Record& earlier, const Record& record, std::uintptr_t address,
                          std::size_t bytes) const;
    Clock release(LaneChecks& lane) const;
    /// All parts of the clock of a lane of `block`.
    static BlockParts parts_of(const Clock& clock, unsigned block);
    /// The clock of a lane of `block` that has these parts.
    static Clock clock_of(const BlockParts& parts, unsigned block);

    Grid& grid_;
    Checks checks_;
    const Checker* previous_;
    std::unordered_map<std::uintptr_t, std::unique_ptr<Page>> pages_;
    std::uintptr_t last_page_number_ = 0;
    Page* last_page_ = nullptr;
    std::vector<SourceLocation> locations_;
    std::uint32_t last_location_ = 0;
    std::unordered_map<std::uintptr_t, std::uint32_t> location_numbers_;
    std::unordered_map<std::uintptr_t, AtomicWord> words_;  ///< by address
    BlockParts fences_;                                     ///< the clocks of all fences
    unsigned evictions_ = 0;
    /// The last instructions of the engine and the standard library that accessed memory of the host.
    std::array<const void*, 64> engine_instructions_{};
    std::size_t num_engine_instructions_ = 0;
};

}  // namespace compaction::simulated
