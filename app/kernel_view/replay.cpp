#include "app/kernel_view/replay.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

namespace warpsieve::kernel_view {
namespace {

using compaction::LaneReader;
using compaction::LaneSite;
using compaction::LaneStep;
using compaction::LaneStepKind;
using compaction::LaneTrace;
using compaction::MemorySpace;
using compaction::not_stored;
using compaction::SourceFrame;

// The keyframes of each order take at most about this much.
constexpr std::size_t max_keyframes = 32;
constexpr std::size_t max_keyframe_bytes = 5U << 20U;
constexpr std::size_t min_events_per_keyframe = 1024;

bool gives_value(const LaneSite& site) {
    if (site.kind == LaneStepKind::collective_results) return !is_barrier_of_warp(site);
    return site.kind == LaneStepKind::note || (loads(site.kind) && !performs_copy(site.kind));
}

/// Turns the steps of a trace into events. The lines that a thread runs between two events are a path: equal
/// paths have one number and one set of lines.
class EventsReader {
  public:
    EventsReader(LaneTrace trace, SourceTexts sources) : sources_(std::move(sources)) {
        events_.trace = std::move(trace);
    }

    Events read() {
        look_up_sites();
        events_.line_sets.emplace_back();  // of path 0, without lines
        for (LaneReader reader(events_.trace); reader.next();) add(reader);
        events_.launch_begins.push_back(static_cast<std::uint32_t>(events_.events.size()));
        events_.trace.packed = {};
        events_.ordered_lines = lines_ordered_by_barriers(events_);
        return std::move(events_);
    }

  private:
    void look_up_sites() {
        for (const LaneSite& site : events_.trace.sites) {
            const std::vector<SourceFrame>& frames = events_.trace.places[site.place];
            events_.site_lines.push_back(find_or_add_lines(frames));
            lines_after_.push_back(find_or_add_lines(events_.trace.lines_after[site.place]));
            events_.site_names.push_back(gives_value(site) ? name_of_value(site, frames) : none);
        }
    }

    /// The indices of the frames' lines, without those whose source is not known. Adds those that are new.
    std::vector<std::uint32_t> find_or_add_lines(const std::vector<SourceFrame>& frames) {
        std::vector<std::uint32_t> lines;
        for (const SourceFrame& frame : frames) {
            const SourceFunction* const function = sources_.function_at(frame);
            if (!function) continue;
            const auto [function_entry, is_new_function] =
                function_indices_.emplace(std::pair(function->file, function->first_line),
                                          static_cast<std::uint32_t>(events_.functions.size()));
            if (is_new_function) events_.functions.push_back(*function);
            const Line line{function_entry->second, frame.line};
            const auto [line_entry, is_new_line] =
                line_indices_.emplace(line, static_cast<std::uint32_t>(events_.lines.size()));
            if (is_new_line) events_.lines.push_back(line);
            lines.push_back(line_entry->second);
        }
        return lines;
    }

    std::uint32_t name_of_value(const LaneSite& site, const std::vector<SourceFrame>& frames) {
        std::string name = site.name;
        if (site.kind != LaneStepKind::note) {
            const std::optional<std::string> target = sources_.target_of(site, frames);
            if (target) {
                name = *target;
            } else if (frames.empty()) {
                name = "unknown";
            } else {
                const SourceFrame& frame = frames.front();
                name = frame.file.substr(frame.file.rfind('/') + 1) + ':' + std::to_string(frame.line);
            }
        }
        const std::uint32_t count = num_values(site);
        const std::string first = count > 1 ? name + " word 0" : name;
        const auto found = std::ranges::find(events_.names, first);
        if (found != events_.names.end()) return static_cast<std::uint32_t>(found - events_.names.begin());
        for (std::uint32_t i = 0; i < count; ++i)
            events_.names.push_back(count > 1 ? name + " word " + std::to_string(i) : name);
        return static_cast<std::uint32_t>(events_.names.size()) - count;
    }

    void add(const LaneReader& reader) {
        const LaneStep& step = reader.step();
        const LaneSite& site = reader.site();
        if (site.kind == LaneStepKind::launch) {
            events_.launch_begins.push_back(static_cast<std::uint32_t>(events_.events.size()));
            events_.shared_bytes.push_back(0);
            paths_of_threads_.clear();
        }
        const std::uint64_t threads =
            events_.trace.launches.empty() ? 1 : events_.trace.launches[step.launch].threads;
        std::uint32_t& path = paths_of_threads_[step.block * threads + step.thread];
        if (site.kind == LaneStepKind::line) {
            path = find_or_add_path(path, step.site);
            return;
        }
        Event event{.site = step.site,
                    .launch = step.launch,
                    .block = step.block,
                    .thread = step.thread,
                    .address = static_cast<std::uint32_t>(step.address),
                    .mask = step.mask,
                    .line_set = 0,
                    .first_byte = static_cast<std::uint32_t>(events_.bytes.size()),
                    .first_number = static_cast<std::uint32_t>(events_.numbers.size())};
        if (is_by_lane(site.kind)) {
            event.line_set = line_set_of(path);
            path = lines_after_[step.site].empty() ? 0 : find_or_add_path(/*path=*/0, step.site);
        }
        events_.bytes.insert(events_.bytes.end(), step.loaded.begin(), step.loaded.end());
        if (holds_stored_bytes(site.kind))
            events_.bytes.insert(events_.bytes.end(), step.stored.begin(), step.stored.end());
        events_.numbers.insert(events_.numbers.end(), step.operands.begin(), step.operands.end());
        events_.numbers.insert(events_.numbers.end(), step.results.begin(), step.results.end());
        if (performs_copy(site.kind) || site.space == MemorySpace::shared) {
            const std::uint64_t begin = performs_copy(site.kind) ? step.operands[0] : step.address;
            const std::uint64_t end_word = (begin + site.bytes + word_bytes - 1) / word_bytes;
            std::uint32_t& shared_bytes = events_.shared_bytes[step.launch];
            shared_bytes = std::max(shared_bytes, static_cast<std::uint32_t>(end_word * word_bytes));
        }
        events_.events.push_back(event);
        put_load_before_store();
    }

    /// Where a vector is copied from memory to memory, the compiler announces the store before the load. Puts
    /// the last two events in the order in which they happened.
    void put_load_before_store() {
        constexpr std::uint32_t min_vector_bytes = 8;  // narrower values are announced in order
        if (events_.events.size() < 2) return;
        Event& store = events_.events.end()[-2];
        Event& load = events_.events.back();
        const LaneSite& store_site = events_.site_of(store);
        const bool are_store_and_load =
            store_site.kind == LaneStepKind::store && events_.site_of(load).kind == LaneStepKind::load;
        if (!are_store_and_load || store_site.bytes < min_vector_bytes) return;
        const bool are_of_one_lane =
            store.launch == load.launch && store.block == load.block && store.thread == load.thread;
        const std::vector<std::uint32_t>& lines = events_.site_lines[store.site];
        if (!are_of_one_lane || lines.empty() || lines != events_.site_lines[load.site]) return;
        if (!std::ranges::equal(events_.stored(store), events_.loaded(load))) return;
        std::swap(store, load);
        std::swap(store.line_set, load.line_set);
        events_.moved_forward.push_back(static_cast<std::uint32_t>(events_.events.size() - 2));
    }

    /// The path that continues with a step of that site.
    std::uint32_t find_or_add_path(std::uint32_t path, std::uint32_t site) {
        const std::uint64_t key = std::uint64_t{path} << 32 | site;
        const auto [found, is_new] = paths_.emplace(key, static_cast<std::uint32_t>(path_keys_.size()));
        if (is_new) path_keys_.push_back(key);
        return found->second;
    }

    /// The index of the set of a path's lines. Adds the set if it is new.
    std::uint32_t line_set_of(std::uint32_t path) {
        const auto [set_of_path, is_new_path] = sets_of_paths_.emplace(path, 0);
        if (!is_new_path) return set_of_path->second;
        std::set<std::uint32_t> lines;
        for (std::uint32_t at = path; at != 0; at = static_cast<std::uint32_t>(path_keys_[at] >> 32)) {
            const auto site = static_cast<std::uint32_t>(path_keys_[at]);
            lines.insert(lines_after_[site].begin(), lines_after_[site].end());
            // An event shows its own lines.
            if (events_.trace.sites[site].kind != LaneStepKind::line) continue;
            lines.insert(events_.site_lines[site].begin(), events_.site_lines[site].end());
        }
        std::vector<std::uint32_t> sorted(lines.begin(), lines.end());
        const auto [set, is_new_set] =
            sets_.emplace(sorted, static_cast<std::uint32_t>(events_.line_sets.size()));
        if (is_new_set) events_.line_sets.push_back(std::move(sorted));
        set_of_path->second = set->second;
        return set->second;
    }

    Events events_;
    Sources sources_;
    std::vector<std::vector<std::uint32_t>> lines_after_;  ///< [sites] as LaneTrace::lines_after
    std::map<Line, std::uint32_t> line_indices_;
    // By file and first line, because the compiler knows a file by several paths.
    std::map<std::pair<std::string, std::uint32_t>, std::uint32_t> function_indices_;
    // The key of a path is the path without the last step, and the site of that step. Path 0 is empty.
    std::unordered_map<std::uint64_t, std::uint32_t> paths_;
    std::vector<std::uint64_t> path_keys_ = std::vector<std::uint64_t>(1);
    std::unordered_map<std::uint64_t, std::uint32_t> paths_of_threads_;
    std::unordered_map<std::uint32_t, std::uint32_t> sets_of_paths_{{0, 0}};
    std::map<std::vector<std::uint32_t>, std::uint32_t> sets_{{{}, 0}};
};

Memory memory_of(std::vector<std::byte> bytes) {
    const std::vector<std::uint32_t> no_events((bytes.size() + word_bytes - 1) / word_bytes, none);
    return {.bytes = std::move(bytes), .stored_by = no_events, .loaded_by = no_events};
}

void begin_launch(State& state, const Events& events, std::uint32_t launch) {
    const compaction::TracedLaunch& traced = events.trace.launches[launch];
    const std::size_t warps = events.num_warps(launch);
    state.launch = launch;
    state.sites.assign(std::size_t{traced.blocks} * traced.threads, none);
    state.seen.assign(warps * events.lines.size(), 0);
    state.values.assign(warps * events.names.size(), {});
    state.arrived.assign(traced.blocks, 0);
    state.shared.assign(traced.blocks,
                        memory_of(std::vector<std::byte>(events.shared_bytes[launch], not_stored)));
}

void mark(std::vector<std::uint32_t>& words, std::uint64_t address, std::uint32_t bytes,
          std::uint32_t event) {
    for (std::uint64_t word = address / word_bytes; word * word_bytes < address + bytes; ++word)
        words[word] = event;
}

void store(Memory& memory, std::uint64_t address, std::span<const std::byte> bytes, std::uint32_t event) {
    std::ranges::copy(bytes, memory.bytes.begin() + static_cast<std::ptrdiff_t>(address));
    mark(memory.stored_by, address, static_cast<std::uint32_t>(bytes.size()), event);
}

/// Applies the events of one step to a state.
class Player {
  public:
    Player(State& state, const Events& events, std::uint32_t step)
        : state_(state), events_(events), step_(step) {}

    void play(std::uint32_t index) {
        const Event& event = events_.events[index];
        const LaneSite& site = events_.site_of(event);
        if (site.kind == LaneStepKind::launch) return begin_launch(state_, events_, event.launch);
        if (is_by_lane(site.kind)) run_lines(event);
        if (const std::uint32_t name = events_.site_names[event.site]; name != none)
            set_values(event, site, name);
        if (site.kind == LaneStepKind::barrier) ++state_.arrived[event.block];
        if (site.kind == LaneStepKind::barrier_release) state_.arrived[event.block] = 0;
        access(event, site, index);
    }

  private:
    void run_lines(const Event& event) {
        const std::uint32_t threads = events_.trace.launches[event.launch].threads;
        state_.sites[std::size_t{event.block} * threads + event.thread] = event.site;
        std::uint32_t* const seen = &state_.seen[events_.warp_of(event) * events_.lines.size()];
        for (const auto* lines : {&events_.line_sets[event.line_set], &events_.site_lines[event.site]})
            for (const std::uint32_t line : *lines) seen[line] |= 1U << event.lane();
    }

    void set_value(const Event& event, std::uint32_t name, unsigned lane, std::uint64_t number) {
        Value& value = state_.values[events_.warp_of(event) * events_.names.size() + name];
        if (value.set_at != step_) value.set = 0;
        value.set_at = step_;
        value.set |= 1U << lane;
        value.known |= 1U << lane;
        value.of_lane[lane] = number;
    }

    void set_values(const Event& event, const LaneSite& site, std::uint32_t name) {
        if (site.kind == LaneStepKind::note) {
            set_value(event, name, event.lane(), events_.numbers[event.first_number]);
        } else if (site.kind == LaneStepKind::collective_results) {
            std::size_t result = event.first_number;
            for (std::uint32_t lanes = event.mask; lanes != 0; lanes &= lanes - 1, ++result) {
                const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
                const std::uint64_t number = events_.numbers[result];
                // Each lane has the whole ballot; a bit of it belongs to each lane.
                set_value(event, name, lane, site.name == "a vote" ? number >> lane & 1 : number);
            }
        } else {
            const std::uint32_t count = num_values(site);
            const std::size_t bytes = site.bytes / count;
            for (std::uint32_t i = 0; i < count; ++i)
                set_value(event, name + i, event.lane(),
                          number_of(events_.loaded(event).subspan(i * bytes, bytes)));
        }
    }

    void access(const Event& event, const LaneSite& site, std::uint32_t index) {
        if (performs_copy(site.kind)) return copy(event, site, index);
        if (!loads(site.kind) && !holds_stored_bytes(site.kind)) return;
        Memory& memory = state_.memory_of(event, site);
        if (loads(site.kind)) mark(memory.loaded_by, event.address, site.bytes, index);
        if (holds_stored_bytes(site.kind)) store(memory, event.address, events_.stored(event), index);
    }

    void copy(const Event& event, const LaneSite& site, std::uint32_t index) {
        Memory& global = state_.global[site.buffer];
        Memory& shared = state_.shared[event.block];
        const std::uint64_t in_shared = events_.numbers[event.first_number];
        if (site.kind == LaneStepKind::copied_to_shared) {
            mark(global.loaded_by, event.address, site.bytes, index);
            store(shared, in_shared, events_.loaded(event), index);
        } else {
            mark(shared.loaded_by, in_shared, site.bytes, index);
            store(global, event.address, events_.loaded(event), index);
        }
    }

    State& state_;
    const Events& events_;
    std::uint32_t step_;
};

/// The memory that a state takes.
std::size_t bytes_of(const State& state) {
    const auto size_of = [](const auto& vector) { return std::span(vector).size_bytes(); };
    std::size_t bytes =
        size_of(state.sites) + size_of(state.seen) + size_of(state.values) + size_of(state.arrived);
    for (const auto* const memories : {&state.shared, &state.global})
        for (const Memory& memory : *memories)
            bytes += size_of(memory.bytes) + size_of(memory.stored_by) + size_of(memory.loaded_by);
    return bytes;
}

State initial_state(const Events& events) {
    State state;
    for (const compaction::TracedBuffer& buffer : events.trace.buffers)
        state.global.push_back(memory_of(buffer.initial));
    return state;
}

}  // namespace

const char* id_of(Order order) {
    return order == Order::warps ? "warps" : "lanes";
}

std::uint32_t Events::event_of(std::uint32_t recorded) const {
    const auto moves = [this](std::uint32_t event) {
        return std::ranges::binary_search(moved_forward, event);
    };
    if (moves(recorded)) return recorded + 1;
    return recorded > 0 && moves(recorded - 1) ? recorded - 1 : recorded;
}

std::span<const std::byte> Events::loaded(const Event& event) const {
    const LaneSite& site = site_of(event);
    return std::span(bytes).subspan(event.first_byte, loads(site.kind) ? site.bytes : 0);
}

std::span<const std::byte> Events::stored(const Event& event) const {
    const LaneSite& site = site_of(event);
    return std::span(bytes).subspan(event.first_byte + loaded(event).size(),
                                    holds_stored_bytes(site.kind) ? site.bytes : 0);
}

std::uint64_t number_of(std::span<const std::byte> bytes) {
    std::uint64_t number = 0;
    if (!bytes.empty()) std::memcpy(&number, bytes.data(), std::min(bytes.size(), sizeof number));
    return number;
}

Events read_events(LaneTrace trace, SourceTexts sources) {
    return EventsReader(std::move(trace), std::move(sources)).read();
}

Replay::Replay(LaneTrace trace, SourceTexts sources)
    : events_(read_events(std::move(trace), std::move(sources))), state_(initial_state(events_)) {
    for (const Order order : all_orders) {
        OrderedSteps& ordered = orders_[static_cast<std::size_t>(order)];
        ordered.steps = steps_of(events_, order);
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> arrived;
        for (std::size_t step = 0; step < ordered.steps.size(); ++step) {
            std::uint32_t* arrived_of_block = nullptr;  // all events of a step are in one block
            for (const std::uint32_t index : ordered.steps[step]) {
                const Event& event = events_.events[index];
                arrived_of_block = &arrived[{event.launch, event.block}];
                if (events_.site_of(event).kind == LaneStepKind::barrier) ++*arrived_of_block;
                if (events_.site_of(event).kind == LaneStepKind::barrier_release) *arrived_of_block = 0;
            }
            ordered.arrived.push_back(*arrived_of_block);
        }
        ordered.keyframe_steps.push_back(0);
        ordered.keyframes.push_back(initial_state(events_));
        ordered.next_keyframe = events_per_keyframe();
    }
}

Sentence Replay::sentence(Order order, std::size_t step) const {
    return describe(events_, steps(order)[step], ordered(order).arrived[step]);
}

std::size_t Replay::events_per_keyframe() const {
    // A state of a trace without buffers has no bytes.
    const std::size_t state_bytes = std::max<std::size_t>(bytes_of(state_), 1);
    const std::size_t count = std::clamp<std::size_t>(max_keyframe_bytes / state_bytes, 1, max_keyframes);
    return std::max(min_events_per_keyframe, events_.events.size() / count);
}

const State& Replay::at(Order order, std::size_t step) {
    OrderedSteps& ordered = orders_[static_cast<std::size_t>(order)];
    const std::size_t keyframe = static_cast<std::size_t>(
        std::ranges::upper_bound(ordered.keyframe_steps, step) - ordered.keyframe_steps.begin() - 1);
    const bool is_past_step = next_ > step + 1;
    const bool keyframe_is_nearer = next_ < ordered.keyframe_steps[keyframe];
    if (order != order_ || is_past_step || keyframe_is_nearer) {
        state_ = ordered.keyframes[keyframe];
        next_ = ordered.keyframe_steps[keyframe];
        order_ = order;
    }
    for (; next_ <= step; ++next_) {
        const std::size_t begin = ordered.steps.begins[next_];
        if (begin >= ordered.next_keyframe) {
            ordered.keyframe_steps.push_back(next_);
            ordered.keyframes.push_back(state_);
            ordered.next_keyframe = begin + events_per_keyframe();
        }
        Player player(state_, events_, static_cast<std::uint32_t>(next_));
        for (const std::uint32_t event : ordered.steps[next_]) player.play(event);
    }
    return state_;
}

}  // namespace warpsieve::kernel_view
