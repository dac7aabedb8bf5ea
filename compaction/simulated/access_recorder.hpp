#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "compaction/access_trace.hpp"
#include "compaction/simulated_schedule.hpp"
#include "simulated/trace_recorder.hpp"
#include "src/access_trace_writer.hpp"

namespace compaction::simulated {

/// What a lane does, as far as the time of accesses depends on it.
enum class Action : std::uint8_t {
    load,
    store,
    atomic,
    bulk_load,
    bulk_store,
    shared_load,   ///< an atomic load of shared memory; plain accesses do not order lanes
    shared_store,  ///< an atomic store or update of shared memory
    barrier,
    arrive,       ///< at an mbarrier
    copy_arrive,  ///< the last bulk load of the lane arrives at an mbarrier
    wait,         ///< at an mbarrier
};

/// An action of one lane. Equal actions of the lanes of a warp become one WarpAction.
struct LaneAction {
    Action action = Action::load;
    std::uint8_t lane = 0;
    /// It needs what the lane has loaded; or something before it does that is not recorded: a plain store to
    /// shared memory or a collective operation.
    bool follows_loads = false;
    bool is_failed_poll = false;     ///< the lane repeats the load
    std::uint32_t warp = 0;          ///< in the launch
    std::uint32_t num_meetings = 0;  ///< collective operations and barriers of the warp before it
    /// Global memory: the buffer. Shared memory: the block. Barriers and mbarriers: the index into
    /// `barrier_phases_`.
    std::uint32_t object = 0;
    std::uint32_t bytes = 0;
    std::uint64_t address = 0;    ///< in the buffer, or in the shared memory of the block
    std::size_t first_value = 0;  ///< where its values begin in `values_`
    SourceLocation location;

    bool same_instruction(const LaneAction& other) const {
        return action == other.action && object == other.object && bytes == other.bytes &&
               location == other.location;
    }
};

/// An action of a warp, scheduled as one.
struct WarpAction {
    static constexpr std::uint32_t none = ~0U;
    static constexpr std::uint64_t not_yet = ~std::uint64_t{0};

    std::uint32_t warp = 0;
    std::uint32_t lane_mask = 0;
    std::uint32_t first = none;  ///< its first LaneAction in the order of the run
    std::uint32_t next = none;   ///< the next action of the warp
    bool follows_loads = false;
    std::uint64_t step = not_yet;                  ///< when it is issued
    std::vector<std::uint32_t> predecessors;       ///< actions of other warps that come before it
    std::array<std::uint32_t, 32> lane_actions{};  ///< the LaneAction of each lane in `lane_mask`
};

/// Records the accesses of global memory and gives them steps by the rule of AccessTrace. Buffers without a
/// description are an error.
class AccessRecorder final : public TraceRecorder {
  public:
    /// `trace` has all buffers. memory: where each of them is.
    AccessRecorder(AccessTrace& trace, const std::vector<const void*>& memory);

    void begin_launch(const Grid& grid, std::string kernel) override;
    void end_launch() override;
    void add(Grid& grid, EventKind kind, const void* address, std::size_t bytes, std::uint64_t value,
             const char* name, const SourceLocation& location) override;
    void add_copy(const Copy& copy) override;
    void start_block(const Block& block) override;
    void meet(const Warp& warp, unsigned mask) override;
    void release(const Block& block) override;
    void use_mbarrier(const Grid& grid, EventKind kind, std::size_t index) override;
    void complete_phase(const Block& block, std::size_t index) override;
    void on_memory_changed(const char* call, const void* to, std::size_t bytes) override;
    void on_library_call(const char* call, const void* from, std::size_t bytes_read, const void* to,
                         std::size_t bytes_written) override;

  private:
    struct WarpState {
        std::array<std::uint32_t, 32> num_meetings{};  ///< of each lane
        unsigned uses_loads_mask = 0;        ///< lanes whose next action needs what they have loaded
        std::vector<std::uint32_t> actions;  ///< of its lanes: indices into `actions_`, ascending
    };
    /// The actions that last accessed a word.
    struct WordState {
        std::uint32_t launch = ~0U;  ///< the number of their launch
        std::uint32_t writer = WarpAction::none;
        std::uint32_t reader = WarpAction::none;
    };
    /// A phase of an mbarrier, or one use of the barrier of a block.
    struct BarrierPhase {
        std::uint32_t expected = 0;  ///< arrivals
        std::uint32_t arrived = 0;
        std::uint64_t step = 0;  ///< of the last arrival
    };
    struct RunningWarp {
        std::uint32_t next = WarpAction::none;
        std::uint64_t loads_end = 0;       ///< the step in which its loads are complete
        std::uint64_t bulk_loads_end = 0;  ///< the step in which its bulk loads are complete
        bool has_arrived = false;          ///< at the barrier that is next
    };
    struct Multiprocessor {
        std::vector<std::uint32_t> blocks;  ///< in the order in which they started in the run
        std::size_t max_resident = 0;
        std::size_t num_started = 0;  ///< those that the schedule has started
        std::size_t num_ended = 0;
        std::vector<std::uint32_t> warps;  ///< that have actions left
        std::size_t turn = 0;              ///< the index in `warps` of the one that may issue first
    };
    std::uint32_t warp_of(const Block& block, unsigned warp) const;
    LaneAction& append(std::uint32_t warp, unsigned lane, Action action, std::uint32_t object);
    void finish_write(std::size_t number) override;
    void copy_values(LaneAction& action, const std::byte* from, std::size_t bytes);
    void mark_repeated_poll(std::uint32_t index);

    void join_lanes();
    void join_lane(std::vector<std::uint32_t>& joined, const std::vector<std::uint32_t>& lane);
    void link_words();
    void link(std::uint32_t index, WordState& word);
    void add_predecessor(std::uint32_t index, std::uint32_t predecessor);
    void split(std::uint32_t index);

    void schedule();
    /// Starts the blocks for which there is room. Returns whether there are any.
    bool start_blocks();
    /// Passes the warp's next action if it is not an access of global memory, which takes a step, and its
    /// time has come. Returns whether it has passed one.
    bool try_pass(RunningWarp& warp, std::uint64_t step);
    bool predecessors_are_done(const WarpAction& action, std::uint64_t step) const;
    bool may_issue(const RunningWarp& warp, std::uint64_t step) const;
    void issue(RunningWarp& warp, std::uint64_t step);
    /// Issues the next access of one warp. Returns whether a warp had one to issue.
    bool try_issue_one(Multiprocessor& processor, std::uint64_t step);
    void retire(Multiprocessor& processor);
    bool is_waiting_for_time(std::uint64_t step) const;
    void write(const WarpAction& action, std::uint64_t step);
    void write_range(AccessKind kind, const void* from, std::size_t bytes);

    AccessTrace& trace_;
    AccessWriter writer_;
    std::vector<std::uintptr_t> memory_;  ///< where each buffer is
    std::vector<std::vector<WordState>> words_;
    std::uint64_t next_step_ = 0;

    // The running launch.
    std::uint32_t warps_per_block_ = 1;
    std::vector<LaneAction> actions_;  ///< in the order of the run
    std::vector<WarpState> warps_;
    std::vector<std::byte> values_;
    /// The last atomic load by warp, lane, address and location: indices into `actions_`.
    std::map<std::tuple<std::uint32_t, unsigned, std::uint64_t, SourceLocation>, std::uint32_t> last_polls_;
    /// The current and the last ended phase of each mbarrier, by block and mbarrier: indices into
    /// `barrier_phases_`.
    std::map<std::pair<std::uint32_t, std::size_t>, std::uint32_t> current_phases_;
    std::map<std::pair<std::uint32_t, std::size_t>, std::uint32_t> ended_phases_;
    /// The bulk stores that are not complete, by thread of the launch and destination: indices into
    /// `actions_`.
    std::map<std::pair<std::uint32_t, const void*>, std::vector<std::uint32_t>> copies_;
    /// By block and index of the word in its shared memory.
    std::map<std::pair<std::uint32_t, std::uint64_t>, WordState> shared_words_;
    std::vector<BarrierPhase> barrier_phases_;
    std::vector<WarpAction> warp_actions_;
    std::vector<std::uint32_t> warp_action_of_;  ///< the WarpAction of each LaneAction
    std::vector<RunningWarp> running_;
    std::vector<std::uint32_t> num_alive_warps_;  ///< [block] warps that have actions left
    std::array<Multiprocessor, Schedule::max_multiprocessors> processors_;
    WarpAccess access_;
};

}  // namespace compaction::simulated
