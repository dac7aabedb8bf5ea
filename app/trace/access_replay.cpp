#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "app/trace/memory_replay.hpp"
#include "app/trace/playback.hpp"
#include "compaction/error.hpp"
#include "compaction/item.hpp"

namespace warpsieve::trace {
namespace {

using compaction::AccessTrace;
using compaction::BufferRole;
using compaction::TracedBuffer;
using compaction::WarpAccess;

constexpr std::uint64_t unknown_index = ~std::uint64_t{0};

/// The index of the input among the buffers of a trace.
constexpr std::uint32_t input_buffer = 0;

bool is_load(compaction::AccessKind kind) {
    return !stores(kind) || kind == compaction::AccessKind::atomic;
}

/// The words that a scan adds up.
bool is_scanned(BufferRole role) {
    return role == BufferRole::counts || role == BufferRole::offsets || role == BufferRole::flags ||
           role == BufferRole::sums || role == BufferRole::tree;
}

/// A buffer may hold each of its words several times (WordFormat::copies).
std::uint64_t num_distinct_words(const TracedBuffer& buffer) {
    return buffer.num_elements / buffer.format.copies;
}

/// [buffers] The number of words up to the last one that a kernel accesses.
std::vector<std::uint64_t> num_used_words(const AccessTrace& trace) {
    std::vector<std::uint64_t> used(trace.buffers.size());
    for (compaction::AccessReader reader(trace); reader.next();) {
        const WarpAccess& access = reader.access();
        // A memset may clear more words than a kernel uses.
        if (access.kind == compaction::AccessKind::bulk_store) continue;
        for (const std::uint64_t element : access.elements)
            used[access.buffer] =
                std::max(used[access.buffer], element % num_distinct_words(trace.buffers[access.buffer]) + 1);
    }
    return used;
}

std::vector<bool> kept_items(const TracedBuffer& input) {
    std::vector<bool> kept(input.num_elements);
    for (std::uint64_t slot = 0; slot < kept.size(); ++slot) {
        compaction::Item handle = 0;
        std::memcpy(&handle, input.initial.data() + slot * sizeof handle, sizeof handle);
        if (handle != 0 && handle != slot + 1)
            throw compaction::Error(compaction::ErrorCode::invalid_argument,
                                    "The items of the trace do not hold the number of their slot, so their "
                                    "paths to the output cannot be shown.");
        kept[slot] = handle != 0;
    }
    return kept;
}

/// One compaction played from its accesses.
class AccessReplay : public MemoryReplay {
  public:
    AccessReplay(const compaction::Algorithm& algorithm, std::shared_ptr<const AccessTrace> trace,
                 compaction::Partition parts);

    std::optional<std::uint64_t> output_index(std::uint64_t slot) const override {
        return known_index(index_of_slot_, slot);
    }
    std::optional<std::uint64_t> slot_of(std::uint64_t output_index) const override {
        return known_index(slot_of_index_, output_index);
    }
    void seek(double time) override;

  private:
    /// [block, status buffer] the word that the block stored last
    using StatusWords = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t>;

    static std::optional<std::uint64_t> known_index(const std::vector<std::uint64_t>& indices,
                                                    std::uint64_t i) {
        if (i >= indices.size() || indices[i] == unknown_index) return std::nullopt;
        return indices[i];
    }
    std::size_t launch_at(std::uint64_t step) const;
    void describe_phases();
    void describe_buffers();
    void read_accesses();
    void add_marks(const WarpAccess& access);
    void add_flights(const WarpAccess& access);
    void add_look_backs(const WarpAccess& access, StatusWords& own_words);
    void update_input();
    void update_output();
    void update_buffer(std::size_t buffer);
    void update_flights();

    std::shared_ptr<const AccessTrace> trace_;
    Playback playback_;
    std::uint32_t output_buffer_;  ///< index in the trace's buffers
    /// [buffers of the trace] ReplayMark::row; nullopt: not shown
    std::vector<std::optional<std::uint32_t>> rows_;
    std::vector<std::uint32_t> shown_buffers_;  ///< [buffers()] index in the trace's buffers
    std::vector<std::uint64_t> index_of_slot_;
    std::vector<std::uint64_t> slot_of_index_;
    std::vector<std::uint64_t> last_load_step_;  ///< [slots] only while accesses are read
    std::vector<Flight> flights_;                ///< sorted by end
    float longest_flight_ = 0;
    std::vector<LookBackLoad> look_backs_;  ///< sorted by time
};

AccessReplay::AccessReplay(const compaction::Algorithm& algorithm, std::shared_ptr<const AccessTrace> trace,
                           compaction::Partition parts)
    : trace_(std::move(trace)), playback_(trace_), output_buffer_(*trace_->buffer_of(BufferRole::output)) {
    algorithm_ = &algorithm;
    in_steps_ = true;
    schedule_seed_ = trace_->seed;
    duration_ = static_cast<double>(trace_->num_steps);
    set_input(kept_items(trace_->buffers[input_buffer]), std::move(parts));
    describe_phases();
    describe_buffers();
    read_accesses();
    seek(0);
}

void AccessReplay::describe_phases() {
    for (const compaction::Phase& phase : algorithm_->phases)
        phases_.push_back({.name = phase.name,
                           .role = phase.role,
                           .begin = duration_,  // no launch yet
                           .end = 0,
                           .reads = {},
                           .writes = {}});
    for (const compaction::TracedLaunch& launch : trace_->launches) {
        const auto begin = static_cast<double>(launch.begin_step);
        const auto end = static_cast<double>(launch.end_step);
        launches_.push_back({.kernel = launch.kernel,
                             .phase = launch.phase.value_or(0),
                             .begin = begin,
                             .end = end,
                             .hop = 0});
        if (!launch.phase || *launch.phase >= phases_.size()) continue;
        ReplayPhase& phase = phases_[*launch.phase];
        phase.begin = std::min(phase.begin, begin);
        phase.end = std::max(phase.end, end);
        if (launch.kind == compaction::LaunchKind::library) phase.is_library = true;
    }
    // A phase without launches of its own took no step.
    for (std::size_t i = 0; i < phases_.size(); ++i)
        if (phases_[i].end < phases_[i].begin)
            phases_[i].begin = phases_[i].end = i > 0 ? phases_[i - 1].end : 0;
}

void AccessReplay::describe_buffers() {
    const std::vector<std::uint64_t> num_used = num_used_words(*trace_);
    rows_.assign(trace_->buffers.size(), std::nullopt);
    for (std::uint32_t i = 0; i < trace_->buffers.size(); ++i) {
        const TracedBuffer& buffer = trace_->buffers[i];
        if (buffer.role == BufferRole::input || buffer.role == BufferRole::output) {
            rows_[i] = buffer.role == BufferRole::input ? input_row : output_row;
            continue;
        }
        const std::uint64_t words = num_used[i];
        if (words == 0) continue;
        rows_[i] = static_cast<std::uint32_t>(first_buffer_row + buffers_.size());
        shown_buffers_.push_back(i);
        const bool one_per_part = parts_.known() && parts_.num_parts > 1 && words >= parts_.num_parts &&
                                  words <= parts_.num_parts + 1;
        buffers_.push_back({.role = buffer.role,
                            .name = buffer.name,
                            .num_words = words,
                            .one_per_part = one_per_part,
                            .is_derived = false});
        ReplayWords cells;
        cells.word_bits = cell_bits_for(words);
        cells.words.resize(num_cells(words, cells.word_bits));
        state_.buffers.push_back(std::move(cells));
    }
}

/// Finds the hop of a launch. In a step of a scan, each lane adds the word `hop` words before the one that it
/// stores. A launch has a hop only if that distance is the same for all lanes.
class HopFinder {
  public:
    void load(const WarpAccess& access) {
        std::vector<std::vector<std::uint64_t>>& lanes = loaded_words_[{access.block, access.warp}];
        for_each_element(access, [&](std::size_t lane, std::uint64_t element) {
            if (lanes.size() <= lane) lanes.resize(lane + 1);
            lanes[lane].push_back(element);
        });
    }
    void store(const WarpAccess& access) {
        std::vector<std::vector<std::uint64_t>>& lanes = loaded_words_[{access.block, access.warp}];
        for_each_element(access, [&](std::size_t lane, std::uint64_t element) {
            if (lane >= lanes.size()) return;
            std::uint64_t farthest = 0;
            for (const std::uint64_t loaded : lanes[lane])
                farthest = std::max(farthest, element - std::min(loaded, element));
            lanes[lane].clear();
            if (farthest > 0) hops_.insert(farthest);
        });
    }
    /// Forgets the accesses of the launch. Returns its hop, or 0 if it has none.
    std::uint64_t finish_launch() {
        const std::uint64_t hop = hops_.size() == 1 ? *hops_.begin() : 0;
        loaded_words_.clear();
        hops_.clear();
        return hop;
    }

  private:
    template <typename Function>
    static void for_each_element(const WarpAccess& access, Function function) {
        std::size_t i = 0;
        for (std::uint32_t mask = access.lane_mask; mask != 0 && i < access.elements.size();
             mask &= mask - 1) {
            const auto lane = static_cast<std::size_t>(std::countr_zero(mask));
            for (std::uint32_t e = 0; e < access.elements_per_lane; ++e) function(lane, access.elements[i++]);
        }
    }

    /// [block, warp][lane] the words loaded since the lane's last store
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::vector<std::uint64_t>>> loaded_words_;
    std::set<std::uint64_t> hops_;
};

void AccessReplay::read_accesses() {
    index_of_slot_.assign(num_items_, unknown_index);
    slot_of_index_.assign(num_items_, unknown_index);
    last_load_step_.assign(num_items_, unknown_index);
    std::vector<std::set<std::uint32_t>> reads(phases_.size()), writes(phases_.size());
    StatusWords own_words;
    HopFinder hops;
    std::uint32_t launch = 0;
    for (compaction::AccessReader reader(*trace_); reader.next();) {
        const WarpAccess& access = reader.access();
        for (; launch < access.launch; ++launch) {
            launches_[launch].hop = hops.finish_launch();
            own_words.clear();
        }
        add_marks(access);
        add_flights(access);
        const TracedBuffer& buffer = trace_->buffers[access.buffer];
        const auto phase = trace_->launches[access.launch].phase;
        if (phase && *phase < phases_.size()) {
            if (is_load(access.kind)) reads[*phase].insert(access.buffer);
            if (stores(access.kind)) writes[*phase].insert(access.buffer);
        }
        if (is_scanned(buffer.role)) {
            if (stores(access.kind))
                hops.store(access);
            else
                hops.load(access);
        }
        if (buffer.role == BufferRole::status) add_look_backs(access, own_words);
    }
    for (; launch < launches_.size(); ++launch) launches_[launch].hop = hops.finish_launch();
    for (std::size_t i = 0; i < phases_.size(); ++i) {
        for (const std::uint32_t buffer : reads[i]) phases_[i].reads.push_back(trace_->buffers[buffer].name);
        for (const std::uint32_t buffer : writes[i])
            phases_[i].writes.push_back(trace_->buffers[buffer].name);
    }
    std::ranges::sort(flights_, {}, &Flight::end);
    for (const Flight& flight : flights_)
        longest_flight_ = std::max(longest_flight_, flight.end - flight.begin);
    last_load_step_ = {};
}

/// A block that loads a status word other than its own looks back: records these loads.
void AccessReplay::add_look_backs(const WarpAccess& access, StatusWords& own_words) {
    if (access.kind == compaction::AccessKind::bulk_store || !rows_[access.buffer]) return;
    const auto key = std::pair(access.block, access.buffer);
    for (const std::uint64_t element : access.elements) {
        const std::uint64_t word = element % num_distinct_words(trace_->buffers[access.buffer]);
        if (stores(access.kind)) {
            own_words[key] = word;
        } else if (own_words.contains(key) && own_words[key] != word) {
            look_backs_.push_back({*rows_[access.buffer] - first_buffer_row, own_words[key], word,
                                   static_cast<float>(access.step)});
        }
    }
}

/// Adds a mark for each run of neighbouring elements.
void AccessReplay::add_marks(const WarpAccess& access) {
    if (!rows_[access.buffer]) return;
    const std::uint32_t row = *rows_[access.buffer];
    const std::uint64_t words =
        row < first_buffer_row ? num_items_ : buffers_[row - first_buffer_row].num_words;
    const auto begin = static_cast<double>(access.step);
    const auto phase = trace_->launches[access.launch].phase.value_or(0);
    const auto fraction = [words](std::uint64_t word) {
        return static_cast<float>(static_cast<double>(word) / static_cast<double>(words));
    };
    for (std::size_t i = 0; i < access.elements.size();) {
        std::size_t end = i + 1;
        while (end < access.elements.size() && access.elements[end] == access.elements[end - 1] + 1) ++end;
        const std::uint64_t first_word =
            access.elements[i] % num_distinct_words(trace_->buffers[access.buffer]);
        if (first_word < words)
            marks_.push_back({begin, begin + 1, row, fraction(first_word),
                              fraction(std::min<std::uint64_t>(first_word + (end - i), words)), phase,
                              stores(access.kind)});
        i = end;
    }
}

/// Records the step of each load of the input, and adds a flight for each stored item.
void AccessReplay::add_flights(const WarpAccess& access) {
    if (access.buffer == input_buffer && is_load(access.kind))
        for (const std::uint64_t slot : access.elements) last_load_step_[slot] = access.step;
    if (access.buffer != output_buffer_ || !stores(access.kind)) return;
    for (std::size_t i = 0; i < access.elements.size(); ++i) {
        const std::uint64_t handle = access.value(i);
        if (handle == 0 || handle > num_items_ || access.elements[i] >= num_items_) continue;
        const std::uint64_t slot = handle - 1;
        index_of_slot_[slot] = access.elements[i];
        slot_of_index_[access.elements[i]] = slot;
        const std::uint64_t begin =
            last_load_step_[slot] == unknown_index ? access.step : last_load_step_[slot];
        flights_.push_back(
            {slot, access.elements[i], static_cast<float>(begin), static_cast<float>(access.step)});
    }
}

std::size_t AccessReplay::launch_at(std::uint64_t step) const {
    const auto later =
        std::upper_bound(launches_.begin(), launches_.end(), static_cast<double>(step),
                         [](double time, const ReplayLaunch& launch) { return time < launch.begin; });
    return later == launches_.begin() ? 0 : static_cast<std::size_t>(later - launches_.begin()) - 1;
}

void AccessReplay::seek(double time) {
    state_.time = std::clamp(time, 0.0, duration_);
    update_phase_and_launch(state_.time);
    playback_.seek(static_cast<std::uint64_t>(state_.time));
    update_input();
    update_output();
    for (std::size_t i = 0; i < shown_buffers_.size(); ++i) update_buffer(i);
    update_flights();
}

void AccessReplay::update_input() {
    const BufferState& input = playback_.buffers()[input_buffer];
    const double phase_begin = state_.phase ? phases_[*state_.phase].begin : duration_;
    state_.num_loaded = 0;
    state_.part_loaded.assign(part_kept_.size(), 0);
    for (InputCell& cell : state_.input) cell = {.kept = cell.kept};
    std::uint64_t part = 0;
    for (std::uint64_t slot = 0; slot < num_items_; ++slot) {
        if (input.loaded_at[slot] == 0) continue;
        const auto step = static_cast<float>(input.loaded_at[slot] - 1);
        InputCell& cell = state_.input[slot >> cell_bits_];
        cell.loaded_at = std::max(cell.loaded_at, step);
        if (static_cast<double>(step) < phase_begin) continue;
        ++state_.num_loaded;
        if (state_.part_loaded.empty() || !kept_[slot]) continue;
        while (slot >= parts_.end(part)) ++part;
        ++state_.part_loaded[part];
    }
    for (InputCell& cell : state_.input)
        if (cell.loaded_at != never)
            cell.phase = static_cast<std::uint8_t>(
                launches_[launch_at(static_cast<std::uint64_t>(cell.loaded_at))].phase);
}

void AccessReplay::update_output() {
    const BufferState& output = playback_.buffers()[output_buffer_];
    state_.num_stored = 0;
    for (OutputCell& cell : state_.output) cell = {};
    for (std::uint64_t index = 0; index < num_items_; ++index) {
        if (output.stored_at[index] == 0 || slot_of_index_[index] == unknown_index) continue;
        ++state_.num_stored;
        OutputCell& cell = state_.output[index >> cell_bits_];
        if (cell.filled == 0)
            cell.source = static_cast<float>(static_cast<double>(slot_of_index_[index]) /
                                             static_cast<double>(num_items_));
        cell.filled += 1;
        cell.stored_at = std::max(cell.stored_at, static_cast<float>(output.stored_at[index] - 1));
    }
    for (std::uint64_t cell = 0; cell < state_.output.size(); ++cell)
        state_.output[cell].filled /= static_cast<float>(items_in_cell(cell));
}

void AccessReplay::update_buffer(std::size_t buffer) {
    const TracedBuffer& traced = trace_->buffers[shown_buffers_[buffer]];
    const BufferState& played = playback_.buffers()[shown_buffers_[buffer]];
    ReplayWords& cells = state_.buffers[buffer];
    std::ranges::fill(cells.words, ReplayWord{});
    const std::uint64_t num_words = num_distinct_words(traced);
    for (std::uint64_t element = 0; element < num_words * traced.format.copies; ++element) {
        if (element % num_words >= buffers_[buffer].num_words) continue;
        ReplayWord& word = cells.words[(element % num_words) >> cells.word_bits];
        if (played.loaded_at[element] != 0)
            word.loaded_at = std::max(word.loaded_at, static_cast<float>(played.loaded_at[element] - 1));
        if (played.stored_at[element] == 0) continue;
        word.stored_at = std::max(word.stored_at, static_cast<float>(played.stored_at[element] - 1));
        const std::uint64_t bits = played.value(element);
        const std::uint64_t number = traced.format.is_mask ? static_cast<std::uint64_t>(std::popcount(bits))
                                                           : traced.format.number_in(bits);
        word.value = std::max(word.value, static_cast<float>(number));
    }
    for (ReplayWord& word : cells.words)
        if (word.stored_at != never)
            word.phase = static_cast<std::uint8_t>(
                launches_[launch_at(static_cast<std::uint64_t>(word.stored_at))].phase);
}

void AccessReplay::update_flights() {
    state_.flights.clear();
    state_.look_back_loads.clear();
    const auto now = static_cast<float>(state_.time);
    const auto oldest_end = static_cast<float>(state_.time - linger());
    std::vector<float> num_lifted(state_.input.size());
    // A flight that has begun by now ends at most `longest_flight_` later.
    for (auto flight = std::ranges::upper_bound(flights_, oldest_end, {}, &Flight::end);
         flight != flights_.end() && flight->end <= now + longest_flight_; ++flight) {
        if (flight->begin > now) continue;
        state_.flights.push_back(*flight);
        if (flight->end >= now) num_lifted[flight->slot >> cell_bits_] += 1;
    }
    for (std::uint64_t cell = 0; cell < num_lifted.size(); ++cell)
        if (num_lifted[cell] > 0)
            state_.input[cell].lifted = std::min(
                1.0F, num_lifted[cell] / (state_.input[cell].kept * static_cast<float>(items_in_cell(cell))));
    for (auto look_back = std::ranges::upper_bound(look_backs_, oldest_end, {}, &LookBackLoad::time);
         look_back != look_backs_.end() && look_back->time < now; ++look_back)
        state_.look_back_loads.push_back(*look_back);
}

}  // namespace

std::unique_ptr<MemoryReplay> replay_of(const compaction::Algorithm& algorithm,
                                        std::shared_ptr<const AccessTrace> trace,
                                        compaction::Partition parts) {
    return std::make_unique<AccessReplay>(algorithm, std::move(trace), std::move(parts));
}

}  // namespace warpsieve::trace
