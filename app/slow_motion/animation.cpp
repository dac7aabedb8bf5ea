#include "app/slow_motion/animation.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "workloads/stream_function.hpp"

namespace warpsieve::slow_motion {
namespace {

using compaction::PhaseRole;

/// The lengths that the camera pulls back to before that of the full stream, as log2 of their slots.
constexpr std::array pull_back_log2{10.0, 14.0, 20.0};
/// The camera moves to the next length, then rests.
constexpr double move_back_s = 1.6;
constexpr double rest_back_s = 0.6;
/// Time of one action of a worker.
constexpr double beat_s = 0.45;
/// An item flies to its position in the output.
constexpr double flight_s = 0.8;
constexpr double lighting_s = 0.4;
/// Time between neighbouring slots of a part.
constexpr double lighting_spacing_s = 0.2;
constexpr double write_spacing_s = 0.08;
/// Stops that are nearer to each other than this are one.
constexpr double min_stop_distance_s = 1e-3;
/// Tolerates rounding when a time is at a stop.
constexpr double stop_tolerance_s = 1e-6;

bool has_role(const compaction::Algorithm& algorithm, PhaseRole role) {
    return std::ranges::find(algorithm.phases, role, &compaction::Phase::role) != algorithm.phases.end();
}

/// Words that the count phase writes for each item: 1 for flags, a fraction for masks, 0 for counts.
double flag_words(const compaction::Algorithm& algorithm) {
    const auto phase = std::ranges::find(algorithm.phases, PhaseRole::count, &compaction::Phase::role);
    if (phase == algorithm.phases.end() || !phase->moved_bytes) return 0;
    constexpr std::uint64_t many = 1 << 20;
    const compaction::StreamShape shape{many, many / 2, sizeof(compaction::Item), {}};
    return (phase->moved_bytes(shape) - shape.stream_bytes()) / shape.word_bytes();
}

}  // namespace

Method method_of(const compaction::Algorithm& algorithm) {
    using compaction::Option;
    if (!algorithm.stable) return Method::atomics;
    if (!algorithm.phases.empty() && algorithm.phases.front().name == "launches") return Method::launches;
    if (has_role(algorithm, PhaseRole::count)) {
        const double words = flag_words(algorithm);
        if (words >= 1) return Method::flags;
        // Block-wise algorithms cut the stream by the size of their blocks alone, and write only counts.
        const bool block_size = algorithm.range_of(Option::threads_per_block) != nullptr;
        const bool block_wise = block_size && !algorithm.range_of(Option::sequences) && words <= 0;
        return block_wise ? Method::blocks : Method::sequences;
    }
    if (algorithm.engine != compaction::EngineId::cpu || algorithm.range_of(Option::threads_per_block))
        return Method::look_back;
    // The traffic of a parallel library call is unknown; it counts, scans and moves within the call.
    const bool library = algorithm.phases.empty() || !algorithm.phases.front().moved_bytes;
    return library ? Method::sequences : Method::one_thread;
}

std::string_view part_name(Method method) {
    switch (method) {
        case Method::blocks:
            return "block";
        case Method::look_back:
        case Method::launches:
            return "tile";
        case Method::atomics:
            return "warp";
        case Method::one_thread:
        case Method::flags:
            return "row";
        case Method::sequences:
            break;
    }
    return "sequence";
}

bool is_live(std::uint64_t seed, float live_fraction, std::uint64_t slot) {
    const std::uint64_t random = workloads::random_bits(seed, slot) >> 40;
    return static_cast<float>(random) < live_fraction * static_cast<float>(1 << 24);
}

Stream stream_of(std::uint64_t seed, float live_fraction) {
    Stream stream{};
    for (std::uint32_t slot = 0; slot < num_slots; ++slot)
        stream[slot] = is_live(seed, live_fraction, slot) ? slot + 1 : 0;
    return stream;
}

namespace {

constexpr std::uint32_t slot_of(std::uint32_t part, std::uint32_t column) {
    return part * part_slots + column;
}

/// The order in which parts run where no order is guaranteed. Neighbours run apart from each other.
constexpr std::array<std::uint32_t, num_parts> arrival{1, 0, 3, 2, 6, 4, 7, 5};

/// Adds steps to an animation while time passes.
class AnimationBuilder {
  public:
    AnimationBuilder(Method method, const Stream& stream) {
        animation_.method = method;
        animation_.stream = stream;
        animation_.stops_s = {0};
    }

    void step(std::string_view title, std::string_view caption, std::optional<PhaseRole> role = {}) {
        end_step();
        animation_.steps.push_back({title, caption, role, now_, now_});
        stop(now_);
    }
    void wait(double seconds) { now_ += seconds; }
    /// Stepping stops here.
    void stop(double time_s) { animation_.stops_s.push_back(time_s); }
    double now() const { return now_; }

    bool kept(std::uint32_t slot) const { return animation_.stream[slot] != 0; }
    /// Tests a slot; a kept one adds to the count of its part.
    void test(std::uint32_t slot, double time_s) {
        animation_.slots[slot].tested_s = time_s;
        if (kept(slot)) ++animation_.counts[slot / part_slots];
    }
    void set_offset(std::uint32_t part, std::uint32_t offset, double time_s) {
        animation_.offsets[part] = offset;
        animation_.parts[part].offset_known_s = time_s;
    }
    /// Writes an item to an index of the output, where it lands after its flight.
    void write(std::uint32_t slot, std::uint32_t index, double time_s) {
        SlotTimes& times = animation_.slots[slot];
        times.output_index = index;
        times.leaves_s = time_s;
        times.lands_s = time_s + flight_s;
        if (animation_.output.size() <= index) animation_.output.resize(index + 1);
        animation_.output[index] = animation_.stream[slot];
    }
    Animation& animation() { return animation_; }

    Animation finish(std::uint64_t full_slots) {
        step("result", "The kept items are dense: whoever reads them next skips no slot.");
        wait(2.5);
        step("full stream", "The same happens to the whole stream, many thousand times as wide.");
        animation_.pull_back_s = now_;
        animation_.full_log2 =
            std::max(6.0, std::log2(static_cast<double>(std::max<std::uint64_t>(full_slots, 1))));
        for (std::size_t length = 0; length < pull_back_log2.size() + 1; ++length) {
            wait(move_back_s);
            stop(now_);
            wait(rest_back_s);
        }
        wait(1);
        end_step();
        stop(now_);
        std::ranges::sort(animation_.stops_s);
        const auto same = [](double a, double b) { return b - a < min_stop_distance_s; };
        animation_.stops_s.erase(std::unique(animation_.stops_s.begin(), animation_.stops_s.end(), same),
                                 animation_.stops_s.end());
        return std::move(animation_);
    }

  private:
    void end_step() {
        if (!animation_.steps.empty()) animation_.steps.back().end_s = now_;
    }

    Animation animation_;
    double now_ = 0;
};

void animate_opening(AnimationBuilder& builder) {
    builder.step("stream", "64 slots: a live slot holds its number plus 1, an empty one holds 0.");
    builder.wait(2.5);
    builder.step("predicate", "The predicate finds the live slots, those that do not hold zero.");
    builder.animation().lit_s = builder.now();
    builder.wait(3.2);
}

/// Needs the counts of all parts.
void scan_counts(AnimationBuilder& builder, std::string_view caption) {
    builder.step("prefix", caption, PhaseRole::prefix);
    std::uint32_t sum = 0;
    for (std::uint32_t part = 0; part < num_parts; ++part) {
        builder.wait(beat_s);
        builder.stop(builder.now());
        builder.set_offset(part, sum, builder.now());
        sum += builder.animation().counts[part];
    }
    builder.wait(2 * beat_s);
}

enum class Writes : std::uint8_t { column_by_column, all_at_once };

/// Writes the items of each part one behind the other.
void move_parts(AnimationBuilder& builder, Writes writes) {
    std::array<std::uint32_t, num_parts> next = builder.animation().offsets;
    for (std::uint32_t column = 0; column < part_slots; ++column) {
        for (std::uint32_t part = 0; part < num_parts; ++part) {
            const std::uint32_t slot = slot_of(part, column);
            if (builder.kept(slot)) builder.write(slot, next[part]++, builder.now());
        }
        if (writes == Writes::column_by_column) {
            builder.wait(beat_s);
            builder.stop(builder.now());
        }
    }
    builder.wait(flight_s + beat_s);
}

void animate_sequences(AnimationBuilder& builder) {
    builder.step("count", "A worker walks through each sequence and counts its live slots.",
                 PhaseRole::count);
    for (PartTimes& part : builder.animation().parts) part.begins_s = builder.now();
    for (std::uint32_t column = 0; column < part_slots; ++column) {
        builder.wait(beat_s);
        builder.stop(builder.now());
        for (std::uint32_t part = 0; part < num_parts; ++part)
            builder.test(slot_of(part, column), builder.now());
    }
    for (PartTimes& part : builder.animation().parts) part.counted_s = builder.now();
    builder.wait(2 * beat_s);
    scan_counts(builder, "The scan adds up the counts: each sequence learns where its output begins.");
    builder.step("move",
                 "Each worker reads its sequence again and writes the live items to their output indices.",
                 PhaseRole::scatter);
    move_parts(builder, Writes::column_by_column);
}

void animate_blocks(AnimationBuilder& builder) {
    builder.step("count", "Each thread tests one item, and each block counts its threads that keep one.",
                 PhaseRole::count);
    for (PartTimes& part : builder.animation().parts) part.begins_s = builder.now();
    builder.wait(beat_s);
    for (std::uint32_t slot = 0; slot < num_slots; ++slot) builder.test(slot, builder.now());
    builder.stop(builder.now());
    for (PartTimes& part : builder.animation().parts) part.counted_s = builder.now();
    builder.wait(4 * beat_s);
    scan_counts(builder, "The scan adds up the counts: each block learns where its output begins.");
    builder.step("move", "Each thread ranks its item in the block, and all write at once.",
                 PhaseRole::scatter);
    move_parts(builder, Writes::all_at_once);
}

void animate_flags(AnimationBuilder& builder) {
    builder.step("map", "A flag is written for every slot: 1 if it is live, else 0.", PhaseRole::count);
    for (PartTimes& part : builder.animation().parts) part.begins_s = builder.now();
    builder.wait(beat_s);
    for (std::uint32_t slot = 0; slot < num_slots; ++slot) builder.test(slot, builder.now());
    for (PartTimes& part : builder.animation().parts) part.counted_s = builder.now();
    builder.stop(builder.now());
    builder.wait(4 * beat_s);
    builder.step("scan", "The scan adds up the flags before each slot, which is its output index.",
                 PhaseRole::prefix);
    std::array<std::uint32_t, num_slots> indices{};
    std::uint32_t sum = 0;
    for (std::uint32_t slot = 0; slot < num_slots; ++slot) {
        if (slot % part_slots == 0) {
            builder.set_offset(slot / part_slots, sum, builder.now());
            builder.stop(builder.now());
        }
        builder.wait(beat_s / 4);
        builder.animation().slots[slot].scanned_s = builder.now();
        indices[slot] = sum;
        sum += builder.kept(slot);
    }
    builder.wait(2 * beat_s);
    builder.step("scatter", "Every live item is written to its output index.", PhaseRole::scatter);
    for (std::uint32_t slot = 0; slot < num_slots; ++slot) {
        if (builder.kept(slot)) builder.write(slot, indices[slot], builder.now());
    }
    builder.wait(flight_s + beat_s);
}

/// Counts the items of a part one by one from `begin_s` on. Returns the time when all are counted.
double count_part(AnimationBuilder& builder, std::uint32_t part, double begin_s) {
    PartTimes& times = builder.animation().parts[part];
    times.begins_s = begin_s;
    for (std::uint32_t column = 0; column < part_slots; ++column)
        builder.test(slot_of(part, column), begin_s + beat_s / 4 * (column + 1));
    times.counted_s = begin_s + beat_s / 4 * part_slots;
    builder.stop(times.counted_s);
    return times.counted_s;
}

/// Writes the items of a part whose offset is known. Returns the time when the last one lands.
double write_part(AnimationBuilder& builder, std::uint32_t part, double begin_s) {
    std::uint32_t index = builder.animation().offsets[part];
    double end_s = begin_s;
    for (std::uint32_t column = 0; column < part_slots; ++column) {
        const std::uint32_t slot = slot_of(part, column);
        if (!builder.kept(slot)) continue;
        const double leaves_s = begin_s + write_spacing_s * column;
        builder.write(slot, index++, leaves_s);
        end_s = leaves_s + flight_s;
    }
    return end_s;
}

/// Tiles count in the order of `arrival`. Each then looks back, tile by tile. If the other tile has published
/// a prefix, the look-back ends; if only a count, the tile adds it and looks further; if nothing, it waits.
/// Source: Merrill and Garland 2016, "Single-pass Parallel Prefix Scan with Decoupled Look-back",
/// section 4.1.
void animate_look_back(AnimationBuilder& builder) {
    builder.step("single pass", "Tiles count, look back for their offset and write, all in one pass.",
                 PhaseRole::fused);
    Animation& animation = builder.animation();
    for (std::uint32_t i = 0; i < num_parts; ++i)
        count_part(builder, arrival[i], builder.now() + 2 * beat_s * i);

    struct LookBack {
        std::uint32_t sum = 0;
        std::uint32_t next = 0;  ///< 1 + the tile that it looks at next; 0: none is left
        double free_s = 0;       ///< time from which on it can look
        bool done = false;
    };
    std::array<LookBack, num_parts> tiles;
    for (std::uint32_t part = 0; part < num_parts; ++part)
        tiles[part] = {0, part, animation.parts[part].counted_s, false};
    double end_s = builder.now();
    // The earliest look comes first, so that it sees what is published at that time.
    for (std::uint32_t num_done = 0; num_done < num_parts;) {
        std::uint32_t part = num_parts;
        double begin_s = 0;
        for (std::uint32_t i = 0; i < num_parts; ++i) {
            if (tiles[i].done) continue;
            const double published_s = tiles[i].next > 0 ? animation.parts[tiles[i].next - 1].counted_s : 0;
            const double possible_s = std::max(tiles[i].free_s, published_s);
            if (part < num_parts && possible_s >= begin_s) continue;
            part = i;
            begin_s = possible_s;
        }
        LookBack& tile = tiles[part];
        if (tile.next > 0) {
            const std::uint32_t seen = tile.next - 1;
            const bool prefix = tiles[seen].done && animation.parts[seen].offset_known_s <= begin_s;
            animation.looks.push_back({part, seen, begin_s, begin_s + beat_s, prefix});
            tile.sum += animation.counts[seen] + (prefix ? animation.offsets[seen] : 0);
            tile.next = prefix ? 0 : seen;
            tile.free_s = begin_s + beat_s;
            builder.stop(begin_s);
            if (tile.next > 0) continue;
        }
        tile.done = true;
        ++num_done;
        builder.set_offset(part, tile.sum, tile.free_s);
        builder.stop(tile.free_s);
        end_s = std::max(end_s, write_part(builder, part, tile.free_s));
    }
    builder.wait(end_s - builder.now() + beat_s);
}

void animate_atomics(AnimationBuilder& builder) {
    builder.step("atomic append",
                 "Each warp takes output indices from one counter, in the order in which they come.",
                 PhaseRole::fused);
    std::uint32_t counter = 0;
    double end_s = builder.now();
    for (std::uint32_t i = 0; i < num_parts; ++i) {
        const std::uint32_t part = arrival[i];
        const double taken_s = count_part(builder, part, builder.now() + 2 * beat_s * i) + beat_s;
        builder.set_offset(part, counter, taken_s);
        builder.stop(taken_s);
        counter += builder.animation().counts[part];
        end_s = std::max(end_s, write_part(builder, part, taken_s));
    }
    builder.wait(end_s - builder.now() + beat_s);
}

void animate_launches(AnimationBuilder& builder) {
    builder.step("launches", "A block appends a tile to the output, then launches itself for the next tile.",
                 PhaseRole::fused);
    std::uint32_t length = 0;
    double begin_s = builder.now();
    for (std::uint32_t part = 0; part < num_parts; ++part) {
        const double counted_s = count_part(builder, part, begin_s);
        builder.set_offset(part, length, counted_s);
        builder.stop(counted_s);
        length += builder.animation().counts[part];
        begin_s = write_part(builder, part, counted_s) + beat_s;
    }
    builder.wait(begin_s - builder.now());
}

void animate_one_thread(AnimationBuilder& builder) {
    builder.step("loop", "One thread tests slot after slot and appends the live items.", PhaseRole::fused);
    std::uint32_t end = 0;
    for (std::uint32_t slot = 0; slot < num_slots; ++slot) {
        const std::uint32_t part = slot / part_slots;
        if (slot % part_slots == 0) {
            builder.animation().parts[part].begins_s = builder.now();
            builder.set_offset(part, end, builder.now());
            builder.stop(builder.now());
        }
        builder.wait(beat_s / 3);
        builder.test(slot, builder.now());
        if (builder.kept(slot)) builder.write(slot, end++, builder.now());
        builder.animation().parts[part].counted_s = builder.now();
    }
    builder.wait(flight_s + beat_s);
}

}  // namespace

Animation make_animation(Method method, const Stream& stream, std::uint64_t full_slots) {
    AnimationBuilder builder(method, stream);
    animate_opening(builder);
    switch (method) {
        case Method::sequences:
            animate_sequences(builder);
            break;
        case Method::blocks:
            animate_blocks(builder);
            break;
        case Method::flags:
            animate_flags(builder);
            break;
        case Method::look_back:
            animate_look_back(builder);
            break;
        case Method::atomics:
            animate_atomics(builder);
            break;
        case Method::launches:
            animate_launches(builder);
            break;
        case Method::one_thread:
            animate_one_thread(builder);
            break;
    }
    return builder.finish(full_slots);
}

namespace {

/// The fraction of an interval that has passed, 0 to 1, eased at both ends.
float eased(double time_s, double begin_s, double end_s) {
    if (time_s >= end_s) return 1;
    if (time_s <= begin_s) return 0;
    const double x = (time_s - begin_s) / (end_s - begin_s);
    return static_cast<float>(x * x * (3 - 2 * x));
}

/// log2 of the number of visible slots. While the camera pulls back, it rests at each length.
double visible_log2(const Animation& animation, double time_s) {
    constexpr double smallest = 6;
    double now = smallest;
    double begin_s = animation.pull_back_s;
    for (std::size_t i = 0; i <= pull_back_log2.size(); ++i) {
        const double length = i < pull_back_log2.size() ? pull_back_log2[i] : animation.full_log2;
        const double next = std::clamp(length, smallest, std::max(smallest, animation.full_log2));
        now += (next - now) * static_cast<double>(eased(time_s, begin_s, begin_s + move_back_s));
        begin_s += move_back_s + rest_back_s;
        if (time_s <= begin_s) break;
    }
    return now;
}

}  // namespace

Moment moment_at(const Animation& animation, double time_s) {
    time_s = std::clamp(time_s, 0.0, animation.duration_s());
    Moment moment;
    const auto after = std::ranges::upper_bound(animation.steps, time_s, {}, &Step::begin_s);
    moment.step = static_cast<std::size_t>(std::distance(animation.steps.begin(), after)) - 1;
    for (std::uint32_t i = 0; i < num_slots; ++i) {
        const SlotTimes& times = animation.slots[i];
        SlotState& slot = moment.slots[i];
        slot.tested = time_s >= times.tested_s;
        moment.num_scanned += time_s >= times.scanned_s;
        const double lights_s =
            std::min(times.tested_s, animation.lit_s + lighting_spacing_s * (i % part_slots));
        if (animation.stream[i] != 0) slot.lit = eased(time_s, lights_s, lights_s + lighting_s);
        if (!times.output_index) continue;
        slot.flight = eased(time_s, times.leaves_s, times.lands_s);
        PartState& part = moment.parts[i / part_slots];
        part.count += slot.tested;
    }
    for (std::uint32_t i = 0; i < num_parts; ++i) {
        const PartTimes& times = animation.parts[i];
        PartState& part = moment.parts[i];
        part.has_begun = time_s >= times.begins_s;
        part.counted = time_s >= times.counted_s;
        if (time_s >= times.offset_known_s) {
            part.offset = animation.offsets[i];
            moment.num_taken += animation.counts[i];
        }
    }
    for (const Look& look : animation.looks) {
        if (look.begin_s <= time_s && time_s < look.end_s) moment.look = &look;
    }
    moment.log2_slots = visible_log2(animation, time_s);
    return moment;
}

double next_stop(const Animation& animation, double time_s) {
    const auto next = std::ranges::upper_bound(animation.stops_s, time_s + stop_tolerance_s);
    return next == animation.stops_s.end() ? animation.duration_s() : *next;
}

double previous_stop(const Animation& animation, double time_s) {
    const auto next = std::ranges::lower_bound(animation.stops_s, time_s - stop_tolerance_s);
    return next == animation.stops_s.begin() ? 0 : *std::prev(next);
}

}  // namespace warpsieve::slow_motion
