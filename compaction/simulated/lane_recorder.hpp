#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "compaction/lane_trace.hpp"
#include "simulated/trace_recorder.hpp"
#include "src/lane_trace_writer.hpp"

namespace compaction::simulated {

/// Records every step of every lane. Buffers without a description are an error.
class LaneRecorder final : public TraceRecorder {
  public:
    /// `trace` has all buffers. memory: where each of them is.
    LaneRecorder(LaneTrace& trace, const std::vector<const void*>& memory);

    /// Looks up the places of all steps. `fault`: why the run failed; "" if it did not. Call it last.
    void finish(const std::string& fault);

    void begin_launch(const Grid& grid, std::string kernel) override;
    void end_launch() override { finish_writes(); }
    void add(Grid& grid, EventKind kind, const void* address, std::size_t bytes, std::uint64_t value,
             const char* name, const SourceLocation& location) override;
    void add_copy(const Copy& copy) override;
    bool follows_lines() const override { return true; }
    void run_line(const Grid& grid, const void* code) override;
    void start_block(const Block& block) override;
    void meet(const Warp& warp, unsigned mask) override;
    void release(const Block& block) override;
    void complete_phase(const Block& block, std::size_t index) override;
    void fail(const Grid& grid) override;
    void on_memory_changed(const char* call, const void* to, std::size_t bytes) override;
    void on_library_call(const char* call, const void* from, std::size_t bytes_read, const void* to,
                         std::size_t bytes_written) override;

  private:
    /// A location, and the instruction that calls a function of the engine there, if it has.
    struct PlaceKey {
        SourceLocation location;
        const void* caller = nullptr;

        bool operator<(const PlaceKey& other) const {
            return std::tie(location, caller) < std::tie(other.location, other.caller);
        }
    };
    struct LaneSiteKey {
        LaneStepKind kind;
        MemorySpace space;
        std::uint32_t buffer;
        std::uint32_t bytes;
        std::uint32_t place;
        const char* name;

        bool operator<(const LaneSiteKey& other) const {
            return std::tie(kind, space, buffer, bytes, place, name) <
                   std::tie(other.kind, other.space, other.buffer, other.bytes, other.place, other.name);
        }
    };
    void finish_write(std::size_t number) override;
    /// Returns the index into LaneTrace::places.
    std::uint32_t find_or_add_place(const PlaceKey& key);
    /// Returns the index into LaneTrace::sites.
    std::uint32_t find_or_add_site(const LaneSiteKey& key);
    void begin_step(LaneStepKind kind, std::uint64_t thread, std::uint32_t place, const char* name = "");
    /// Returns the index in LaneTrace::packed of the bytes that the step stores.
    std::size_t end_step();
    bool set_address(Grid& grid, const void* address, std::size_t bytes);
    void hash_load(const void* bytes, std::size_t count);
    void write_range(const void* to, std::size_t bytes);
    std::uint64_t first_thread(const Block& block) const;

    LaneTrace& trace_;
    LaneWriter writer_;
    std::uint32_t threads_per_block_ = 1;  ///< of the running launch
    std::map<PlaceKey, std::uint32_t> places_;
    std::vector<PlaceKey> place_keys_;  ///< in the order of LaneTrace::places
    std::map<LaneSiteKey, std::uint32_t> sites_;
    /// A store that a lane has announced and not performed yet. Its bytes are copied from memory to the trace
    /// afterwards.
    struct AnnouncedStore {
        std::size_t packed_index = 0;  ///< in LaneTrace::packed
        const void* address = nullptr;
        std::size_t bytes = 0;
    };
    std::vector<AnnouncedStore> stores_;
    LaneSiteKey site_key_{};  ///< of the step that begins
    LaneStep step_;           ///< the step that begins
};

}  // namespace compaction::simulated
