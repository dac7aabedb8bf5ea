#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "app/trace/memory_replay.hpp"
#include "compaction/error.hpp"

namespace warpsieve::trace {
namespace {

using compaction::BlockParts;
using compaction::BufferRole;
using compaction::LaunchTrace;
using compaction::Partition;
using compaction::PhaseRole;
using compaction::WorkSpan;

/// With more parts, neighbouring ones share a mark.
constexpr std::uint64_t max_marked_parts = 8192;

/// Fractions of a part's interval: without recorded waits, its loads are drawn until `loads_end` and its
/// stores from `stores_begin` on.
struct AssumedTimes {
    double loads_end;
    double stores_begin;
};
constexpr AssumedTimes fused_times{0.5, 0.5};
constexpr AssumedTimes scatter_times{0.9, 0.1};

/// A span of time, in microseconds.
struct Interval {
    float begin = never;
    float end = never;

    bool known() const { return begin != never; }
    /// The time at a fraction of the interval: exactly `end` at 1, unlike a sum.
    float at(double fraction) const { return std::lerp(begin, end, static_cast<float>(fraction)); }
};

bool has_happened(float time, float now) {
    return time != never && time <= now;
}

bool stores_output(PhaseRole role) {
    return role == PhaseRole::scatter || role == PhaseRole::fused;
}

/// When one launch loads and stores the items of each part.
struct PartTimes {
    std::uint8_t phase = 0;
    std::vector<Interval> loads;   ///< [parts]
    std::vector<Interval> stores;  ///< [parts] empty if the launch does not store the output
};

/// [blocks] The span of each block of a launch; null: not in the trace.
std::vector<const WorkSpan*> spans_by_block(const TracedRun& run, std::uint32_t launch) {
    std::vector<const WorkSpan*> by_block(run.launches[launch].blocks, nullptr);
    for (const WorkSpan& span : run.spans)
        if (span.launch == launch)
            for (std::uint32_t block = span.block;
                 block < span.block + span.blocks && block < by_block.size(); ++block)
                by_block[block] = &span;
    return by_block;
}

/// [parts] When a launch processes each part. A block with several parts processes them in turns of equal
/// length.
std::vector<Interval> part_intervals(const TracedRun& run, std::uint32_t launch, const BlockParts& parts) {
    const std::vector<const WorkSpan*> spans = spans_by_block(run, launch);
    std::vector<std::uint32_t> num_parts_of_block(spans.size());
    const auto block_of = [&](std::uint64_t part) -> std::optional<std::uint64_t> {
        const auto block = parts.block_of_part(part);
        return block && *block < spans.size() && spans[*block] ? block : std::nullopt;
    };
    for (std::uint64_t part = 0; part < parts.partition.num_parts; ++part)
        if (const auto block = block_of(part)) ++num_parts_of_block[*block];
    // The warps of a block take neighbouring parts at the same time.
    const bool warps_take_parts = !parts.by_ticket && parts.parts_per_block > 1;
    std::vector<std::uint32_t> num_taken(spans.size());
    std::vector<Interval> intervals(parts.partition.num_parts);
    for (std::uint64_t part = 0; part < intervals.size(); ++part) {
        const auto block = block_of(part);
        if (!block) continue;
        const WorkSpan& span = *spans[*block];
        const Interval whole{std::max(span.begin_us, 0.0F), std::max(span.end_us, 0.0F)};
        const std::uint64_t parts_per_turn = warps_take_parts ? parts.parts_per_block : 1;
        const double num_turns =
            std::max(1.0, std::ceil(num_parts_of_block[*block] / static_cast<double>(parts_per_turn)));
        const double turn = std::floor(num_taken[*block]++ / static_cast<double>(parts_per_turn));
        intervals[part] = {whole.at(turn / num_turns), whole.at((turn + 1) / num_turns)};
    }
    return intervals;
}

PartTimes part_times(const TracedRun& run, std::uint32_t launch) {
    const LaunchTrace& traced = run.launches[launch];
    const PhaseRole role = run.algorithm->phases[traced.phase].role;
    PartTimes times{traced.phase, part_intervals(run, launch, *traced.parts), {}};
    if (!stores_output(role)) return times;
    times.stores = times.loads;
    const AssumedTimes assumed = role == PhaseRole::fused ? fused_times : scatter_times;
    for (std::size_t part = 0; part < times.loads.size(); ++part) {
        const Interval whole = times.loads[part];
        if (!whole.known()) continue;
        times.loads[part].end = whole.at(assumed.loads_end);
        times.stores[part].begin = whole.at(assumed.stores_begin);
        if (part >= traced.waits.size()) continue;
        const compaction::PartWait& wait = traced.waits[part];
        if (wait.posted_us) times.loads[part].end = std::clamp(*wait.posted_us, whole.begin, whole.end);
        if (wait.summed_us) times.stores[part].begin = std::clamp(*wait.summed_us, whole.begin, whole.end);
    }
    return times;
}

/// The parts of the launch that first reads the input.
Partition partition_of(const TracedRun& run) {
    for (const LaunchTrace& launch : run.launches)
        if (launch.parts && launch.parts->lead == 0) return launch.parts->partition;
    return compaction::unknown_partition(0, "The trace does not say which items each block processes.");
}

/// The sum of the counts of the first launch that counts kept items; nullopt if the trace left out spans
/// or launches.
std::optional<std::uint64_t> sum_of_counts(const TracedRun& run) {
    if (run.spans_left_out > 0 || run.launches_left_out > 0) return std::nullopt;
    const auto counting = std::ranges::find_if(run.launches, [](const LaunchTrace& launch) {
        return launch.parts && launch.parts->counts_selected;
    });
    if (counting == run.launches.end()) return std::nullopt;
    const auto counting_launch = static_cast<std::uint32_t>(counting - run.launches.begin());
    std::uint64_t sum = 0;
    for (const WorkSpan& span : run.spans)
        if (span.launch == counting_launch) sum += span.num_selected;
    return sum;
}

/// One compaction played from the spans of its blocks.
class SpanReplay : public MemoryReplay {
  public:
    SpanReplay(std::shared_ptr<const TracedRun> run, std::vector<bool> kept);

    std::optional<std::uint64_t> output_index(std::uint64_t slot) const override;
    std::optional<std::uint64_t> slot_of(std::uint64_t output_index) const override;
    void seek(double time) override;

  private:
    struct CellLoad {
        float time;
        std::uint8_t phase;
    };
    /// When each launch loads the items of an input cell, and when the first kept one is stored.
    struct CellTimes {
        std::vector<CellLoad> loads;  ///< in the order of launches
        float stored = never;         ///< when the first kept item is stored
        std::uint64_t first_kept_slot = 0;
        std::optional<std::uint64_t> output_index = {};  ///< of that slot
    };

    void describe_phases();
    void find_output_order(const LaunchTrace& launch);
    void add_launch(std::uint32_t launch);
    void time_input_cells(const PartTimes& times, const Partition& partition);
    void time_output_cells(const PartTimes& times, const Partition& partition);
    void add_words(const PartTimes& times, const LaunchTrace& launch);
    void add_prefixes();
    void add_word_marks(std::uint8_t phase, const std::vector<float>& stored_at);
    /// `is_derived`: the trace does not record the values.
    void add_buffer(BufferRole role, const char* name, bool is_derived, std::uint8_t phase,
                    const std::vector<float>& values, const std::vector<float>& stored_at);
    void add_marks(const PartTimes& times, const Partition& partition);
    void update_input(float now);
    void update_output(float now);
    std::uint64_t offset_of(std::uint64_t part) const { return part_offset_[part]; }
    /// Whether the output index of each item is known.
    bool knows_indices() const { return algorithm_->stable && !part_offset_.empty(); }

    TracedRun shifted_run_;  ///< its times count from the begin of its first block
    /// [parts] Output index of the part's first kept item; empty: unknown.
    std::vector<std::uint64_t> part_offset_;
    std::vector<std::uint64_t> parts_in_output_order_;
    std::vector<Interval> part_stores_;                   ///< [parts] when the output of each is stored
    std::vector<CellTimes> cell_times_;                   ///< [input cells]
    std::vector<float> first_stored_;                     ///< [output cells] when its first item is stored
    std::vector<OutputCell> final_output_;                ///< [output cells] at the end of the run
    std::vector<std::vector<ReplayWord>> final_buffers_;  ///< [buffers] at the end of the run
};

/// When the first block began.
float first_begin_us(const TracedRun& run) {
    return run.spans.empty() ? 0
                             : std::max(0.0F, std::ranges::min(run.spans, {}, &WorkSpan::begin_us).begin_us);
}

/// Subtracts `us` from all times.
TracedRun shifted_by(float us, TracedRun run) {
    for (WorkSpan& span : run.spans) {
        span.begin_us -= us;
        span.end_us -= us;
    }
    for (LaunchTrace& launch : run.launches)
        for (compaction::PartWait& wait : launch.waits) {
            if (wait.posted_us) *wait.posted_us -= us;
            if (wait.summed_us) *wait.summed_us -= us;
        }
    // The first phase now begins with the first block.
    run.timing.phase_us[0] -= us;
    run.end_us -= us;
    return run;
}

SpanReplay::SpanReplay(std::shared_ptr<const TracedRun> run, std::vector<bool> kept)
    : shifted_run_(shifted_by(first_begin_us(*run), *run)) {
    run_begin_us_ = static_cast<double>(first_begin_us(*run));
    run_ = std::move(run);
    algorithm_ = shifted_run_.algorithm;
    duration_ = static_cast<double>(shifted_run_.end_us);
    Partition parts = partition_of(shifted_run_);
    if (parts.known() && parts.num_items != kept.size())
        parts = compaction::unknown_partition(kept.size(), "The trace belongs to another stream.");
    set_input(std::move(kept), std::move(parts));
    cell_times_.resize(state_.input.size());
    for (std::uint64_t slot = num_items_; slot-- > 0;)
        if (kept_[slot]) cell_times_[slot >> cell_bits_].first_kept_slot = slot;
    final_output_ = state_.output;
    first_stored_.assign(final_output_.size(), never);
    describe_phases();
    for (std::uint32_t launch = 0; launch < shifted_run_.launches.size(); ++launch) add_launch(launch);
    add_prefixes();
    seek(0);
}

void SpanReplay::describe_phases() {
    for (std::size_t i = 0; i < algorithm_->phases.size(); ++i) {
        const compaction::Phase& phase = algorithm_->phases[i];
        ReplayPhase described{.name = phase.name,
                              .role = phase.role,
                              .begin = std::numeric_limits<double>::infinity(),
                              .end = 0,
                              .reads = {},
                              .writes = {}};
        for (const WorkSpan& span : shifted_run_.spans) {
            if (span.phase != i) continue;
            described.begin = std::min(described.begin, std::max(0.0, static_cast<double>(span.begin_us)));
            described.end = std::max(described.end, static_cast<double>(span.end_us));
        }
        if (described.end < described.begin) {
            // Without spans, only the times of the whole phase are known.
            described.begin = static_cast<double>(shifted_run_.phase_begin_us(i));
            described.end = static_cast<double>(shifted_run_.phase_begin_us(i + 1));
            described.is_library = true;
        }
        phases_.push_back(std::move(described));
    }
    for (std::uint32_t i = 0; i < shifted_run_.launches.size(); ++i) {
        Interval whole;
        for (const WorkSpan& span : shifted_run_.spans) {
            if (span.launch != i) continue;
            whole.begin = whole.known() ? std::min(whole.begin, span.begin_us) : span.begin_us;
            whole.end = std::max(whole.end, span.end_us);
        }
        if (whole.known())
            launches_.push_back({.kernel = "",
                                 .phase = shifted_run_.launches[i].phase,
                                 .begin = static_cast<double>(whole.begin),
                                 .end = static_cast<double>(whole.end),
                                 .hop = 0});
    }
}

void SpanReplay::add_launch(std::uint32_t launch) {
    const LaunchTrace& traced = shifted_run_.launches[launch];
    if (!parts_.known() || !traced.parts || traced.parts->lead != 0 || traced.phase >= phases_.size()) return;
    const PartTimes times = part_times(shifted_run_, launch);
    const Partition& partition = traced.parts->partition;
    time_input_cells(times, partition);
    if (!times.stores.empty() && partition == parts_) {
        find_output_order(traced);
        if (!part_offset_.empty()) part_stores_ = times.stores;
        time_output_cells(times, partition);
    }
    if (partition == parts_) add_words(times, traced);
    add_marks(times, partition);
}

void SpanReplay::time_input_cells(const PartTimes& times, const Partition& partition) {
    for (std::uint64_t cell = 0; cell < cell_times_.size(); ++cell) {
        const std::uint64_t middle_item =
            std::min((cell << cell_bits_) + items_in_cell(cell) / 2, num_items_ - 1);
        const std::uint64_t part = partition.part_of(middle_item);
        if (part >= times.loads.size() || !times.loads[part].known()) continue;
        const double within = static_cast<double>(middle_item - partition.begin(part)) /
                              static_cast<double>(std::max<std::uint64_t>(partition.size(part), 1));
        cell_times_[cell].loads.push_back({times.loads[part].at(within), times.phase});
    }
}

/// Finds the output index of the first item of each part. Without appends, a stable algorithm stores the
/// parts in order.
void SpanReplay::find_output_order(const LaunchTrace& launch) {
    if (!part_offset_.empty()) return;
    std::vector<std::uint64_t> offsets(parts_.num_parts);
    if (launch.parts->appends) {
        // Each warp should append the items of one part; the number of items checks it.
        std::vector<bool> seen(parts_.num_parts);
        for (const compaction::Append& append : launch.appends) {
            const auto first_part = launch.parts->first_part(append.block);
            const std::uint64_t part = first_part ? *first_part + append.warp : parts_.num_parts;
            if (part >= parts_.num_parts || part_kept_[part] != append.count) return;
            offsets[part] = append.index;
            seen[part] = true;
        }
        for (std::uint64_t part = 0; part < parts_.num_parts; ++part)
            if (part_kept_[part] > 0 && !seen[part]) return;
    } else {
        if (!algorithm_->stable) return;
        std::uint64_t sum = 0;
        for (std::uint64_t part = 0; part < parts_.num_parts; ++part) {
            offsets[part] = sum;
            sum += part_kept_[part];
        }
    }
    part_offset_ = std::move(offsets);
    for (std::uint64_t part = 0; part < parts_.num_parts; ++part)
        if (part_kept_[part] > 0) parts_in_output_order_.push_back(part);
    std::ranges::sort(parts_in_output_order_, {}, [this](std::uint64_t part) { return part_offset_[part]; });
}

/// An algorithm that is not stable stores the items of a part in an unknown order: the middle of the part in
/// the output and its begin in the input then stand for all of them.
void SpanReplay::time_output_cells(const PartTimes& times, const Partition& partition) {
    if (part_offset_.empty()) return;
    std::uint64_t part = 0, rank = 0;
    for (std::uint64_t slot = 0; slot < num_items_; ++slot) {
        for (; slot >= partition.end(part); ++part) rank = 0;
        if (!kept_[slot]) continue;
        CellTimes& cell = cell_times_[slot >> cell_bits_];
        const std::uint64_t index = offset_of(part) + rank;
        const double within = (static_cast<double>(rank) + 0.5) / static_cast<double>(part_kept_[part]);
        const float stored = times.stores[part].known() ? times.stores[part].at(within) : never;
        if (slot == cell.first_kept_slot) {
            cell.output_index = algorithm_->stable ? index : offset_of(part) + part_kept_[part] / 2;
            cell.stored = stored;
        }
        OutputCell& output = final_output_[index >> cell_bits_];
        if ((index & ((std::uint64_t{1} << cell_bits_) - 1)) == 0)
            output.source =
                static_cast<float>(static_cast<double>(algorithm_->stable ? slot : partition.begin(part)) /
                                   static_cast<double>(num_items_));
        output.filled += 1 / static_cast<float>(items_in_cell(index >> cell_bits_));
        output.stored_at = std::max(output.stored_at, stored);
        float& first_stored = first_stored_[index >> cell_bits_];
        first_stored = first_stored == never ? stored : std::min(first_stored, stored);
        ++rank;
    }
}

/// Adds the buffers with the counts of parts and, after a look-back, with their offsets.
void SpanReplay::add_words(const PartTimes& times, const LaunchTrace& launch) {
    const PhaseRole role = phases_[times.phase].role;
    const bool posts_counts = launch.parts->waits;
    if (role != PhaseRole::count && !posts_counts) return;
    std::vector<float> values(part_kept_.begin(), part_kept_.end());
    std::vector<float> stored(values.size(), never), summed(values.size(), never);
    for (std::uint64_t part = 0; part < values.size(); ++part) {
        stored[part] = times.loads[part].end;
        if (part >= launch.waits.size()) continue;
        stored[part] = launch.waits[part].posted_us.value_or(never);
        summed[part] = launch.waits[part].summed_us.value_or(never);
    }
    add_buffer(posts_counts ? BufferRole::status : BufferRole::counts, posts_counts ? "status" : "counts",
               /*is_derived=*/!launch.parts->counts_selected, times.phase, values, stored);
    add_word_marks(times.phase, stored);
    if (!posts_counts || part_offset_.empty()) return;
    const std::vector<float> offsets(part_offset_.begin(), part_offset_.end());
    add_buffer(BufferRole::offsets, "offsets", /*is_derived=*/true, times.phase, offsets, summed);
    add_word_marks(times.phase, summed);
}

/// Adds marks of the stores to the buffer that was added last.
void SpanReplay::add_word_marks(std::uint8_t phase, const std::vector<float>& stored_at) {
    const auto row = static_cast<std::uint32_t>(first_buffer_row + buffers_.size() - 1);
    const auto num_words = static_cast<float>(stored_at.size());
    const std::size_t words_per_mark = (stored_at.size() + max_marked_parts - 1) / max_marked_parts;
    for (std::size_t word = 0; word < stored_at.size(); word += words_per_mark) {
        const auto time = static_cast<double>(stored_at[word]);
        if (stored_at[word] == never) continue;
        marks_.push_back({time, time, row, static_cast<float>(word) / num_words,
                          static_cast<float>(std::min(word + words_per_mark, stored_at.size())) / num_words,
                          phase, /*stores=*/true});
    }
}

/// Adds the offsets of parts, which a prefix phase has stored when it ends.
void SpanReplay::add_prefixes() {
    for (std::size_t i = 0; i < phases_.size(); ++i) {
        if (phases_[i].role != PhaseRole::prefix || part_offset_.empty()) continue;
        const std::vector<float> offsets(part_offset_.begin(), part_offset_.end());
        const std::vector<float> times(offsets.size(), static_cast<float>(phases_[i].end));
        add_buffer(BufferRole::offsets, "offsets", /*is_derived=*/true, static_cast<std::uint8_t>(i), offsets,
                   times);
        add_word_marks(static_cast<std::uint8_t>(i), times);
    }
}

void SpanReplay::add_buffer(BufferRole role, const char* name, bool is_derived, std::uint8_t phase,
                            const std::vector<float>& values, const std::vector<float>& stored_at) {
    buffers_.push_back({.role = role,
                        .name = name,
                        .num_words = values.size(),
                        .one_per_part = true,
                        .is_derived = is_derived});
    ReplayWords words;
    words.word_bits = cell_bits_for(values.size());
    words.words.resize(num_cells(values.size(), words.word_bits));
    std::vector<ReplayWord> final_words = words.words;
    for (std::size_t i = 0; i < values.size(); ++i) {
        ReplayWord& word = final_words[i >> words.word_bits];
        word.value = std::max(word.value, values[i]);
        word.stored_at = std::max(word.stored_at, stored_at[i]);
        word.phase = phase;
    }
    state_.buffers.push_back(std::move(words));
    final_buffers_.push_back(std::move(final_words));
}

void SpanReplay::add_marks(const PartTimes& times, const Partition& partition) {
    const auto fraction = [this](std::uint64_t index) {
        return static_cast<float>(static_cast<double>(index) / static_cast<double>(num_items_));
    };
    const std::uint64_t parts_per_mark = (partition.num_parts + max_marked_parts - 1) / max_marked_parts;
    for (std::uint64_t part = 0; part < partition.num_parts; part += parts_per_mark) {
        Interval loads = times.loads[part];
        const std::uint64_t last = std::min(part + parts_per_mark, partition.num_parts) - 1;
        loads.end = std::max(loads.end, times.loads[last].end);
        if (!loads.known() || partition.begin(part) == partition.end(last)) continue;
        marks_.push_back({static_cast<double>(loads.begin), static_cast<double>(loads.end), input_row,
                          fraction(partition.begin(part)), fraction(partition.end(last)), times.phase,
                          /*stores=*/false});
        if (times.stores.empty() || part_offset_.empty() || !algorithm_->stable || partition != parts_)
            continue;
        const Interval stores{times.stores[part].begin, times.stores[last].end};
        const std::uint64_t first_index = offset_of(part), end_index = offset_of(last) + part_kept_[last];
        if (first_index == end_index) continue;
        marks_.push_back({static_cast<double>(stores.begin), static_cast<double>(stores.end), output_row,
                          fraction(first_index), fraction(end_index), times.phase, /*stores=*/true});
    }
}

std::optional<std::uint64_t> SpanReplay::output_index(std::uint64_t slot) const {
    if (!knows_indices() || !is_kept(slot)) return std::nullopt;
    const std::uint64_t part = parts_.part_of(slot);
    const auto begin = kept_.begin();
    return offset_of(part) +
           static_cast<std::uint64_t>(std::count(begin + static_cast<std::ptrdiff_t>(parts_.begin(part)),
                                                 begin + static_cast<std::ptrdiff_t>(slot), true));
}

std::optional<std::uint64_t> SpanReplay::slot_of(std::uint64_t output_index) const {
    if (!knows_indices()) return std::nullopt;
    const auto later = std::ranges::upper_bound(parts_in_output_order_, output_index, {},
                                                [this](std::uint64_t part) { return part_offset_[part]; });
    if (later == parts_in_output_order_.begin()) return std::nullopt;
    const std::uint64_t part = *(later - 1);
    std::uint64_t rank = output_index - offset_of(part);
    for (std::uint64_t slot = parts_.begin(part); slot < parts_.end(part); ++slot)
        if (kept_[slot] && rank-- == 0) return slot;
    return std::nullopt;
}

void SpanReplay::seek(double time) {
    state_.time = std::clamp(time, 0.0, duration_);
    const auto now = static_cast<float>(state_.time);
    update_phase_and_launch(state_.time);
    update_input(now);
    update_output(now);
    for (std::size_t buffer = 0; buffer < final_buffers_.size(); ++buffer)
        for (std::size_t i = 0; i < final_buffers_[buffer].size(); ++i) {
            const ReplayWord& word = final_buffers_[buffer][i];
            state_.buffers[buffer].words[i] = has_happened(word.stored_at, now) ? word : ReplayWord{};
        }
}

void SpanReplay::update_input(float now) {
    state_.flights.clear();
    state_.num_loaded = 0;
    const bool few_parts = part_kept_.size() <= max_replay_cells;
    state_.part_loaded.assign(few_parts ? part_kept_.size() : 0, 0);
    const auto oldest_end = static_cast<float>(state_.time - linger());
    for (std::uint64_t i = 0; i < cell_times_.size(); ++i) {
        InputCell& cell = state_.input[i];
        const CellTimes& times = cell_times_[i];
        cell.loaded_at = never;
        for (const CellLoad& load : times.loads) {
            if (load.time > now) continue;
            cell.loaded_at = load.time;
            cell.phase = load.phase;
        }
        const bool is_loaded = cell.loaded_at != never;
        const bool is_stored_later = cell.kept > 0 && times.stored != never && times.stored > now;
        cell.lifted = is_loaded && is_stored_later && stores_output(phases_[cell.phase].role) ? 1.0F : 0.0F;
        if (is_loaded && state_.phase == cell.phase) {
            state_.num_loaded += items_in_cell(i);
            if (!state_.part_loaded.empty())
                state_.part_loaded[parts_.part_of(i << cell_bits_)] +=
                    cell.kept * static_cast<float>(items_in_cell(i));
        }
        if (times.output_index && times.stored != never && times.stored > oldest_end &&
            !times.loads.empty() && has_happened(times.loads.back().time, now))
            state_.flights.push_back(
                {times.first_kept_slot, *times.output_index, times.loads.back().time, times.stored});
    }
    // A cell may hold slots of two parts.
    for (std::size_t part = 0; part < state_.part_loaded.size(); ++part)
        state_.part_loaded[part] = std::min(state_.part_loaded[part], static_cast<float>(part_kept_[part]));
}

void SpanReplay::update_output(float now) {
    for (std::size_t i = 0; i < final_output_.size(); ++i) {
        OutputCell& cell = state_.output[i];
        cell = {};
        if (!has_happened(first_stored_[i], now)) continue;
        cell = final_output_[i];
        if (cell.stored_at <= now) continue;
        cell.filled *= (now - first_stored_[i]) / (cell.stored_at - first_stored_[i]);
        cell.stored_at = now;
    }
    state_.num_stored = 0;
    for (std::uint64_t part = 0; part < part_stores_.size(); ++part) {
        const Interval& stores = part_stores_[part];
        if (!has_happened(stores.begin, now)) continue;
        const double fraction_stored =
            stores.end > now ? static_cast<double>((now - stores.begin) / (stores.end - stores.begin)) : 1;
        state_.num_stored +=
            static_cast<std::uint64_t>(fraction_stored * static_cast<double>(part_kept_[part]));
    }
}

}  // namespace

std::unique_ptr<MemoryReplay> replay_of(std::shared_ptr<const TracedRun> run, std::vector<bool> kept) {
    if (const auto counted = sum_of_counts(*run);
        counted && *counted != static_cast<std::uint64_t>(std::ranges::count(kept, true)))
        throw compaction::Error(
            compaction::ErrorCode::invalid_argument,
            "The trace belongs to another stream: it counts " + std::to_string(*counted) + " kept items.");
    return std::make_unique<SpanReplay>(std::move(run), std::move(kept));
}

}  // namespace warpsieve::trace
