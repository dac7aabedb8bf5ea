// The order of steps warp by warp. Events depend on the lane's previous event, on the other accesses of their
// memory, and on the lanes that they wait for. Any order that respects this is a schedule in which every load
// reads what it read in the run.
#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "app/kernel_view/replay.hpp"
#include "app/kernel_view/word_accesses.hpp"

namespace warpsieve::kernel_view {
namespace {

using compaction::LaneSite;
using compaction::LaneStepKind;
using compaction::LaunchKind;

std::uint64_t thread_key(std::uint32_t block, std::uint32_t thread) {
    return std::uint64_t{block} << 32 | thread;
}

/// Which events of a launch must follow which. Indices count from its first event.
class Dependencies {
  public:
    Dependencies(const Events& events, std::uint32_t first, std::uint32_t end)
        : waiting_for(end - first), events_(events), first_(first) {
        for (std::uint32_t index = first; index < end; ++index) add(index);
        // Sorts the edges by `before`: counts them, sums the counts, and stores each at its position.
        begins_.resize(end - first + 1);
        for (const Edge& edge : edges_) ++begins_[edge.before + 1];
        for (std::size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
        followers_.resize(edges_.size());
        std::vector<std::uint32_t> next = begins_;
        for (const Edge& edge : edges_) followers_[next[edge.before]++] = edge.after;
    }

    /// The events that must follow.
    std::span<const std::uint32_t> followers(std::uint32_t event) const {
        return std::span(followers_).subspan(begins_[event], begins_[event + 1] - begins_[event]);
    }

    std::vector<std::uint32_t> waiting_for;  ///< [events] how many others must come before

  private:
    struct Edge {
        std::uint32_t before;
        std::uint32_t after;
    };
    void require(std::uint32_t before, std::uint32_t after) {
        if (before == none || before == after) return;
        edges_.push_back({before, after});
        ++waiting_for[after];
    }

    void access_barriers(std::uint32_t block, bool stores, std::uint32_t event) {
        barriers_[block].add(event, stores, [this](auto before, auto after) { require(before, after); });
    }

    void access_memory(const Event& event, std::uint32_t local) {
        for_each_access(events_, event, [&](const MemoryAccess& access) {
            words_.add(access, event.block, local,
                       [this](auto before, auto after) { require(before, after); });
        });
    }

    std::uint32_t& last_event_of(std::uint32_t block, std::uint32_t thread) {
        return last_of_threads_.try_emplace(thread_key(block, thread), none).first->second;
    }

    /// The event follows the last event of each of the threads that `mask` selects by their lanes, and
    /// becomes their last.
    void join(std::uint32_t block, std::uint32_t first_thread, std::uint32_t num_threads, std::uint32_t mask,
              std::uint32_t event) {
        for (std::uint32_t i = 0; i < num_threads; ++i) {
            if (!(mask >> i % 32 & 1)) continue;
            std::uint32_t& last = last_event_of(block, first_thread + i);
            require(last, event);
            last = event;
        }
    }

    void add(std::uint32_t index) {
        const Event& event = events_.events[index];
        const LaneSite& site = events_.site_of(event);
        const std::uint32_t local = index - first_;  // as in followers() and waiting_for
        switch (site.kind) {
            case LaneStepKind::collective_results:
                return join(event.block, /*first_thread=*/32 * event.warp(), /*num_threads=*/32, event.mask,
                            local);
            case LaneStepKind::barrier_release:
                return join(event.block, /*first_thread=*/0, events_.trace.launches[event.launch].threads,
                            /*mask=*/~0U, local);
            case LaneStepKind::mbarrier_phase:
                return access_barriers(event.block, /*stores=*/true, local);
            case LaneStepKind::copied_to_shared:
            case LaneStepKind::copied_to_global:
                access_barriers(event.block, /*stores=*/true, local);
                return access_memory(event, local);
            default:
                break;
        }
        std::uint32_t& last = last_event_of(event.block, event.thread);
        require(last, local);
        last = local;
        access_memory(event, local);
        switch (site.kind) {
            case LaneStepKind::mbarrier_init:
                return access_barriers(event.block, /*stores=*/true, local);
            case LaneStepKind::mbarrier_arrive:
            case LaneStepKind::mbarrier_wait:
            case LaneStepKind::copy_to_shared:
            case LaneStepKind::copy_to_global:
                return access_barriers(event.block, /*stores=*/false, local);
            default:
                return;
        }
    }

    const Events& events_;
    std::uint32_t first_;
    WordAccesses words_;
    std::unordered_map<std::uint64_t, std::uint32_t> last_of_threads_;
    /// The mbarriers of each block, and its copies. What starts a barrier or completes a phase or a copy
    /// counts as a store; arrivals, waits and requests count as loads, because they may change places.
    std::map<std::uint32_t, Accesses> barriers_;
    std::vector<Edge> edges_;
    std::vector<std::uint32_t> begins_;  ///< [events + 1] in `followers_`
    std::vector<std::uint32_t> followers_;
};

/// Orders the events of a kernel: each warp runs until it waits, and its lanes run together what they run in
/// the same turn of a loop.
class WarpOrder {
  public:
    WarpOrder(const Events& events, std::uint32_t first, std::uint32_t end, Steps& steps)
        : events_(events), first_(first), end_(end), steps_(steps), dependencies_(events, first, end) {
        const std::uint32_t launch = events.events[first].launch;
        warps_per_block_ = events.warps_per_block(launch);
        ready_.resize(events.num_warps(launch));
        group_events();
    }

    void run() {
        for (std::uint32_t group = 0; group < groups_.size(); ++group)
            if (groups_[group].waiting_for == 0) make_ready(group);
        done_.resize(end_ - first_);
        std::uint32_t oldest = 0;
        while (true) {
            if (go_to_ready_warp()) {
                const std::uint32_t group = ready_[warp_].top().group;
                ready_[warp_].pop();
                emit(group);
                continue;
            }
            while (oldest < done_.size() && done_[oldest]) ++oldest;
            if (oldest == done_.size()) break;
            // Lanes of several warps access the same memory in turn: only some of the group can go on.
            warp_ = events_.warp_of(events_.events[first_ + oldest]);
            emit(group_of_[oldest]);
        }
    }

  private:
    struct Group {
        std::uint32_t warp = 0;
        std::uint32_t waiting_for = 0;        ///< events of other groups
        std::vector<std::uint32_t> events{};  ///< that are not in a step yet, in the order of the run
    };
    struct GroupKey {
        std::uint32_t warp;
        std::uint32_t site;
        std::uint32_t epoch;  ///< `none`: the event is a group of its own
        std::uint32_t visit;  ///< to the site in this epoch; without an epoch, the index of the event

        bool operator==(const GroupKey&) const = default;
    };
    struct HashOfKey {
        std::size_t operator()(const GroupKey& key) const {
            std::uint64_t hash = 0;
            for (const std::uint32_t each : {key.warp, key.site, key.epoch, key.visit})
                hash = (hash ^ each) * 0x9e37'79b9'7f4a'7c15 >> 7 ^ hash << 25;
            return hash;
        }
    };
    struct Visits {
        std::uint32_t epoch = 0;                                   ///< how often the lane has met others
        std::unordered_map<std::uint32_t, std::uint32_t> of_site;  ///< number in this epoch
    };
    struct Ready {
        std::uint32_t first_event;
        std::uint32_t group;

        auto operator<=>(const Ready&) const = default;
    };

    /// Lanes of a warp that visit a place for the n-th time since they last met make a group.
    void group_events() {
        std::unordered_map<GroupKey, std::uint32_t, HashOfKey> groups;
        std::unordered_map<std::uint64_t, Visits> visits;  ///< of threads
        for (std::uint32_t index = first_; index < end_; ++index) {
            const Event& event = events_.events[index];
            const LaneStepKind kind = events_.site_of(event).kind;
            GroupKey key{.warp = events_.warp_of(event), .site = event.site, .epoch = none, .visit = index};
            if (completes_arrival(kind)) {
                meet(event, kind, visits);
            } else if (!performs_copy(kind)) {
                Visits& own = visits[thread_key(event.block, event.thread)];
                key.epoch = own.epoch;
                key.visit = own.of_site[event.site]++;
            }
            const auto [entry, is_new] = groups.emplace(key, static_cast<std::uint32_t>(groups_.size()));
            if (is_new) groups_.push_back({.warp = key.warp});
            group_of_.push_back(entry->second);
            groups_[entry->second].events.push_back(index - first_);
        }
        for (std::uint32_t at = 0; at < group_of_.size(); ++at)
            for (const std::uint32_t follower : dependencies_.followers(at))
                if (group_of_[follower] != group_of_[at]) ++groups_[group_of_[follower]].waiting_for;
    }

    /// Starts a new epoch of the lanes that meet at the event.
    void meet(const Event& event, LaneStepKind kind, std::unordered_map<std::uint64_t, Visits>& visits) {
        if (kind == LaneStepKind::mbarrier_phase) return;  // lanes that arrive need not wait for it
        const bool is_warp = kind == LaneStepKind::collective_results;
        const std::uint32_t first_thread = is_warp ? 32 * event.warp() : 0;
        const std::uint32_t num_threads = is_warp ? 32 : events_.trace.launches[event.launch].threads;
        std::vector<Visits*> met;
        std::uint32_t epoch = 0;
        for (std::uint32_t i = 0; i < num_threads; ++i) {
            if (is_warp && !(event.mask >> i & 1)) continue;
            met.push_back(&visits[thread_key(event.block, first_thread + i)]);
            epoch = std::max(epoch, met.back()->epoch + 1);
        }
        for (Visits* const each : met) {
            each->epoch = epoch;
            each->of_site.clear();
        }
    }

    /// Sets `warp_` to the next warp with a ready group: the current warp, else another one of its block,
    /// else the first one of the blocks that follow; block 0 follows the last one. Returns false if there is
    /// none.
    bool go_to_ready_warp() {
        const std::uint32_t first_of_block = warp_ / warps_per_block_ * warps_per_block_;
        for (std::uint32_t i = 0; i < warps_per_block_; ++i) {
            const std::uint32_t warp = first_of_block + (warp_ - first_of_block + i) % warps_per_block_;
            if (ready_[warp].empty()) continue;
            warp_ = warp;
            return true;
        }
        for (std::uint32_t i = 0; i < ready_.size(); ++i) {
            const std::uint32_t warp = (first_of_block + i) % static_cast<std::uint32_t>(ready_.size());
            if (ready_[warp].empty()) continue;
            warp_ = warp;
            return true;
        }
        return false;
    }

    void make_ready(std::uint32_t group) {
        if (groups_[group].events.empty()) return;
        const std::uint32_t event = groups_[group].events.front();
        if (completes_arrival(events_.site_of(events_.events[first_ + event]).kind)) {
            completed_.push_back(group);
        } else {
            ready_[groups_[group].warp].push({event, group});
        }
    }

    /// Makes a step of the group's events that can happen, and of what they complete.
    void emit(std::uint32_t group) {
        take(group);
        while (!completed_.empty()) {
            const std::uint32_t completed = completed_.back();
            completed_.pop_back();
            take(completed);
        }
        steps_.begins.push_back(static_cast<std::uint32_t>(steps_.events.size()));
    }

    /// Adds the group's events that wait for none to the current step. The others stay in the group.
    void take(std::uint32_t group) {
        std::vector<std::uint32_t> left;
        for (const std::uint32_t event : std::exchange(groups_[group].events, {})) {
            if (dependencies_.waiting_for[event] > 0) {
                left.push_back(event);
                continue;
            }
            done_[event] = true;
            steps_.events.push_back(first_ + event);
            for (const std::uint32_t follower : dependencies_.followers(event)) {
                --dependencies_.waiting_for[follower];
                const std::uint32_t follower_group = group_of_[follower];
                if (follower_group != group && --groups_[follower_group].waiting_for == 0)
                    make_ready(follower_group);
            }
        }
        groups_[group].events = std::move(left);
    }

    const Events& events_;
    std::uint32_t first_;
    std::uint32_t end_;
    Steps& steps_;
    Dependencies dependencies_;
    std::uint32_t warps_per_block_ = 1;
    std::vector<std::uint32_t> group_of_;  ///< [events]
    std::vector<Group> groups_;
    std::vector<std::priority_queue<Ready, std::vector<Ready>, std::greater<>>> ready_;  ///< [warps]
    std::vector<std::uint32_t> completed_;  ///< ready groups that belong to the step of an arrival
    std::vector<bool> done_;                ///< [events] whether it is in a step
    std::uint32_t warp_ = 0;                ///< the current one, in its launch
};

/// Makes a step of each lane's event, together with what it completes.
void add_in_order_of_run(const Events& events, std::uint32_t first, std::uint32_t end, Steps& steps) {
    for (std::uint32_t index = first; index < end; ++index) {
        const Event& event = events.events[index];
        const LaneStepKind kind = events.site_of(event).kind;
        if (completes_arrival(kind) && index > first) {
            const Event& previous = events.events[index - 1];
            const bool is_same_block = previous.block == event.block;
            const bool is_same_warp = is_same_block && previous.warp() == event.warp();
            // The event joins the step of the arrival.
            if (kind == LaneStepKind::collective_results ? is_same_warp : is_same_block)
                steps.begins.pop_back();
        }
        steps.events.push_back(index);
        steps.begins.push_back(static_cast<std::uint32_t>(steps.events.size()));
    }
}

}  // namespace

Steps steps_of(const Events& events, Order order) {
    Steps steps;
    steps.begins.push_back(0);
    for (std::size_t launch = 0; launch + 1 < events.launch_begins.size(); ++launch) {
        std::uint32_t first = events.launch_begins[launch];
        const std::uint32_t end = events.launch_begins[launch + 1];
        if (order == Order::warps && events.trace.launches[launch].kind == LaunchKind::kernel &&
            first + 1 < end) {
            // The launch comes first, and a fault last.
            const bool fails = events.site_of(events.events[end - 1]).kind == LaneStepKind::fault;
            const std::uint32_t end_of_lanes = fails ? end - 1 : end;
            add_in_order_of_run(events, first, first + 1, steps);
            if (end_of_lanes > first + 1) WarpOrder(events, first + 1, end_of_lanes, steps).run();
            first = end_of_lanes;
        }
        add_in_order_of_run(events, first, end, steps);
    }
    return steps;
}

}  // namespace warpsieve::kernel_view
