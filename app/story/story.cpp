#include "app/story/story.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "workloads/stream_function.hpp"

namespace warpsieve::story {
namespace {

using compaction::PhaseRole;

/// The camera moves to the next length, then rests.
constexpr double move_back_s = 1.6;
constexpr double rest_back_s = 0.6;
/// From one step of a worker to the next.
constexpr double beat_s = 0.45;
/// An item flies to its place.
constexpr double flight_s = 0.8;
constexpr double lighting_s = 0.4;

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

bool is_live(std::uint64_t seed, float density, std::uint64_t slot) {
    const std::uint64_t random = workloads::random_bits(seed, slot) >> 40;
    return static_cast<float>(random) < density * static_cast<float>(1 << 24);
}

Stream stream_of(std::uint64_t seed, float density) {
    Stream stream{};
    for (std::uint32_t slot = 0; slot < num_slots; ++slot)
        stream[slot] = is_live(seed, density, slot) ? slot + 1 : 0;
    return stream;
}

namespace {

constexpr std::uint32_t slot_of(std::uint32_t part, std::uint32_t column) {
    return part * part_slots + column;
}

/// The order in which parts run where no order is guaranteed. Neighbours run apart from each other.
constexpr std::array<std::uint32_t, num_parts> arrival{1, 0, 3, 2, 6, 4, 7, 5};

/// Writes a story while time passes.
class Teller {
  public:
    Teller(Method method, const Stream& stream) {
        story_.method = method;
        story_.stream = stream;
        story_.steps_s = {0};
    }

    void chapter(std::string_view title, std::string_view caption, std::optional<PhaseRole> role = {}) {
        end_chapter();
        story_.chapters.push_back({title, caption, role, now_, now_});
        stop(now_);
    }
    void wait(double seconds) { now_ += seconds; }
    /// Stepping stops here.
    void stop(double time_s) { story_.steps_s.push_back(time_s); }
    double now() const { return now_; }

    bool kept(std::uint32_t slot) const { return story_.stream[slot] != 0; }
    /// Tests a slot; a kept one adds to the count of its part.
    void test(std::uint32_t slot, double time_s) {
        story_.slots[slot].tested_s = time_s;
        if (kept(slot)) ++story_.counts[slot / part_slots];
    }
    void place_part(std::uint32_t part, std::uint32_t offset, double time_s) {
        story_.offsets[part] = offset;
        story_.parts[part].placed_s = time_s;
    }
    /// Writes an item to its place, where it lands after its flight.
    void write(std::uint32_t slot, std::uint32_t place, double time_s) {
        SlotTimes& times = story_.slots[slot];
        times.place = place;
        times.leaves_s = time_s;
        times.lands_s = time_s + flight_s;
        if (story_.output.size() <= place) story_.output.resize(place + 1);
        story_.output[place] = story_.stream[slot];
    }
    Story& story() { return story_; }

    Story finish(std::uint64_t full_slots) {
        chapter("result", "The kept items are dense: whoever reads them next skips no slot.");
        wait(2.5);
        chapter("full stream", "The same happens to the whole stream, many thousand times as wide.");
        story_.pull_back_s = now_;
        story_.full_log2 =
            std::max(6.0, std::log2(static_cast<double>(std::max<std::uint64_t>(full_slots, 1))));
        for (int stop_index = 0; stop_index < 4; ++stop_index) {
            wait(move_back_s);
            stop(now_);
            wait(rest_back_s);
        }
        wait(1);
        end_chapter();
        stop(now_);
        std::ranges::sort(story_.steps_s);
        const auto same = [](double a, double b) { return b - a < 1e-3; };
        story_.steps_s.erase(std::unique(story_.steps_s.begin(), story_.steps_s.end(), same),
                             story_.steps_s.end());
        return std::move(story_);
    }

  private:
    void end_chapter() {
        if (!story_.chapters.empty()) story_.chapters.back().end_s = now_;
    }

    Story story_;
    double now_ = 0;
};

void tell_opening(Teller& teller) {
    teller.chapter("stream", "64 slots: a live slot holds its number plus 1, an empty one holds 0.");
    teller.wait(2.5);
    teller.chapter("predicate", "The predicate finds the live slots, those that do not hold zero.");
    teller.story().lit_s = teller.now();
    teller.wait(3.2);
}

/// Each part has its count before the first of `move`.
void scan_counts(Teller& teller, std::string_view caption) {
    teller.chapter("prefix", caption, PhaseRole::prefix);
    std::uint32_t sum = 0;
    for (std::uint32_t part = 0; part < num_parts; ++part) {
        teller.wait(beat_s);
        teller.stop(teller.now());
        teller.place_part(part, sum, teller.now());
        sum += teller.story().counts[part];
    }
    teller.wait(2 * beat_s);
}

/// Items of a part land one behind the other; column by column if `one_by_one`.
void move_parts(Teller& teller, bool one_by_one) {
    std::array<std::uint32_t, num_parts> next = teller.story().offsets;
    for (std::uint32_t column = 0; column < part_slots; ++column) {
        for (std::uint32_t part = 0; part < num_parts; ++part) {
            const std::uint32_t slot = slot_of(part, column);
            if (teller.kept(slot)) teller.write(slot, next[part]++, teller.now());
        }
        if (one_by_one) {
            teller.wait(beat_s);
            teller.stop(teller.now());
        }
    }
    teller.wait(flight_s + beat_s);
}

void tell_sequences(Teller& teller) {
    teller.chapter("count", "A worker walks through each sequence and counts its live slots.",
                   PhaseRole::count);
    for (PartTimes& part : teller.story().parts) part.begins_s = teller.now();
    for (std::uint32_t column = 0; column < part_slots; ++column) {
        teller.wait(beat_s);
        teller.stop(teller.now());
        for (std::uint32_t part = 0; part < num_parts; ++part)
            teller.test(slot_of(part, column), teller.now());
    }
    for (PartTimes& part : teller.story().parts) part.counted_s = teller.now();
    teller.wait(2 * beat_s);
    scan_counts(teller, "The scan adds up the counts: each sequence learns where its output begins.");
    teller.chapter("move", "Each worker reads its sequence again and writes the live items to their places.",
                   PhaseRole::move);
    move_parts(teller, true);
}

void tell_blocks(Teller& teller) {
    teller.chapter("count", "Each thread tests one item, and each block counts its threads that keep one.",
                   PhaseRole::count);
    for (PartTimes& part : teller.story().parts) part.begins_s = teller.now();
    teller.wait(beat_s);
    for (std::uint32_t slot = 0; slot < num_slots; ++slot) teller.test(slot, teller.now());
    teller.stop(teller.now());
    for (PartTimes& part : teller.story().parts) part.counted_s = teller.now();
    teller.wait(4 * beat_s);
    scan_counts(teller, "The scan adds up the counts: each block learns where its output begins.");
    teller.chapter("move", "Each thread ranks its item in the block, and all write at once.",
                   PhaseRole::move);
    move_parts(teller, false);
}

void tell_flags(Teller& teller) {
    teller.chapter("map", "A flag is written for every slot: 1 if it is live, else 0.", PhaseRole::count);
    for (PartTimes& part : teller.story().parts) part.begins_s = teller.now();
    teller.wait(beat_s);
    for (std::uint32_t slot = 0; slot < num_slots; ++slot) teller.test(slot, teller.now());
    for (PartTimes& part : teller.story().parts) part.counted_s = teller.now();
    teller.stop(teller.now());
    teller.wait(4 * beat_s);
    teller.chapter("scan", "The scan adds up the flags before each slot, which is its place.",
                   PhaseRole::prefix);
    std::array<std::uint32_t, num_slots> places{};
    std::uint32_t sum = 0;
    for (std::uint32_t slot = 0; slot < num_slots; ++slot) {
        if (slot % part_slots == 0) {
            teller.place_part(slot / part_slots, sum, teller.now());
            teller.stop(teller.now());
        }
        teller.wait(beat_s / 4);
        teller.story().slots[slot].scanned_s = teller.now();
        places[slot] = sum;
        sum += teller.kept(slot);
    }
    teller.wait(2 * beat_s);
    teller.chapter("scatter", "Every live item is written to its place.", PhaseRole::move);
    for (std::uint32_t slot = 0; slot < num_slots; ++slot) {
        if (teller.kept(slot)) teller.write(slot, places[slot], teller.now());
    }
    teller.wait(flight_s + beat_s);
}

/// All at once: a part counts from its begin on, item by item; returns when it has counted.
double count_part(Teller& teller, std::uint32_t part, double begin_s) {
    PartTimes& times = teller.story().parts[part];
    times.begins_s = begin_s;
    for (std::uint32_t column = 0; column < part_slots; ++column)
        teller.test(slot_of(part, column), begin_s + beat_s / 4 * (column + 1));
    times.counted_s = begin_s + beat_s / 4 * part_slots;
    teller.stop(times.counted_s);
    return times.counted_s;
}

/// A part whose place is known writes its items; returns when the last one lands.
double write_part(Teller& teller, std::uint32_t part, double begin_s) {
    std::uint32_t place = teller.story().offsets[part];
    double end_s = begin_s;
    for (std::uint32_t column = 0; column < part_slots; ++column) {
        const std::uint32_t slot = slot_of(part, column);
        if (!teller.kept(slot)) continue;
        const double leaves_s = begin_s + 0.08 * column;
        teller.write(slot, place++, leaves_s);
        end_s = leaves_s + flight_s;
    }
    return end_s;
}

/// Tiles count in the order of `arrival`. Each then looks back, tile by tile: a prefix ends its look-back, a
/// count is added and it looks further, and a tile that has published nothing makes it wait.
/// Source: Merrill and Garland 2016, "Single-pass Parallel Prefix Scan with Decoupled Look-back",
/// section 4.1.
void tell_look_back(Teller& teller) {
    teller.chapter("single pass", "Tiles count, look back for their place and write, all in one pass.",
                   PhaseRole::fused);
    Story& story = teller.story();
    for (std::uint32_t i = 0; i < num_parts; ++i)
        count_part(teller, arrival[i], teller.now() + 2 * beat_s * i);

    struct LookBack {
        std::uint32_t sum = 0;
        std::uint32_t next = 0;  ///< one behind the tile it looks at
        double free_s = 0;       ///< it can look from here on
        bool done = false;
    };
    std::array<LookBack, num_parts> tiles;
    for (std::uint32_t part = 0; part < num_parts; ++part)
        tiles[part] = {0, part, story.parts[part].counted_s, false};
    double end_s = teller.now();
    // The earliest look goes first, so that it sees what is published at its time.
    for (std::uint32_t num_done = 0; num_done < num_parts;) {
        std::uint32_t part = num_parts;
        double begin_s = 0;
        for (std::uint32_t i = 0; i < num_parts; ++i) {
            if (tiles[i].done) continue;
            const double published_s = tiles[i].next > 0 ? story.parts[tiles[i].next - 1].counted_s : 0;
            const double could_s = std::max(tiles[i].free_s, published_s);
            if (part < num_parts && could_s >= begin_s) continue;
            part = i;
            begin_s = could_s;
        }
        LookBack& tile = tiles[part];
        if (tile.next > 0) {
            const std::uint32_t seen = tile.next - 1;
            const bool prefix = tiles[seen].done && story.parts[seen].placed_s <= begin_s;
            story.looks.push_back({part, seen, begin_s, begin_s + beat_s, prefix});
            tile.sum += story.counts[seen] + (prefix ? story.offsets[seen] : 0);
            tile.next = prefix ? 0 : seen;
            tile.free_s = begin_s + beat_s;
            teller.stop(begin_s);
            if (tile.next > 0) continue;
        }
        tile.done = true;
        ++num_done;
        teller.place_part(part, tile.sum, tile.free_s);
        teller.stop(tile.free_s);
        end_s = std::max(end_s, write_part(teller, part, tile.free_s));
    }
    teller.wait(end_s - teller.now() + beat_s);
}

void tell_atomics(Teller& teller) {
    teller.chapter("atomic append",
                   "Each warp takes places from one counter, in the order in which they come.",
                   PhaseRole::fused);
    std::uint32_t counter = 0;
    double end_s = teller.now();
    for (std::uint32_t i = 0; i < num_parts; ++i) {
        const std::uint32_t part = arrival[i];
        const double taken_s = count_part(teller, part, teller.now() + 2 * beat_s * i) + beat_s;
        teller.place_part(part, counter, taken_s);
        teller.stop(taken_s);
        counter += teller.story().counts[part];
        end_s = std::max(end_s, write_part(teller, part, taken_s));
    }
    teller.wait(end_s - teller.now() + beat_s);
}

void tell_launches(Teller& teller) {
    teller.chapter("launches",
                   "A block appends a tile to the output, then launches itself for the next tile.",
                   PhaseRole::fused);
    std::uint32_t length = 0;
    double begin_s = teller.now();
    for (std::uint32_t part = 0; part < num_parts; ++part) {
        const double counted_s = count_part(teller, part, begin_s);
        teller.place_part(part, length, counted_s);
        teller.stop(counted_s);
        length += teller.story().counts[part];
        begin_s = write_part(teller, part, counted_s) + beat_s;
    }
    teller.wait(begin_s - teller.now());
}

void tell_one_thread(Teller& teller) {
    teller.chapter("loop", "One thread tests slot after slot and appends the live items.", PhaseRole::fused);
    std::uint32_t end = 0;
    for (std::uint32_t slot = 0; slot < num_slots; ++slot) {
        const std::uint32_t part = slot / part_slots;
        if (slot % part_slots == 0) {
            teller.story().parts[part].begins_s = teller.now();
            teller.place_part(part, end, teller.now());
            teller.stop(teller.now());
        }
        teller.wait(beat_s / 3);
        teller.test(slot, teller.now());
        if (teller.kept(slot)) teller.write(slot, end++, teller.now());
        teller.story().parts[part].counted_s = teller.now();
    }
    teller.wait(flight_s + beat_s);
}

}  // namespace

Story make_story(Method method, const Stream& stream, std::uint64_t full_slots) {
    Teller teller(method, stream);
    tell_opening(teller);
    switch (method) {
        case Method::sequences:
            tell_sequences(teller);
            break;
        case Method::blocks:
            tell_blocks(teller);
            break;
        case Method::flags:
            tell_flags(teller);
            break;
        case Method::look_back:
            tell_look_back(teller);
            break;
        case Method::atomics:
            tell_atomics(teller);
            break;
        case Method::launches:
            tell_launches(teller);
            break;
        case Method::one_thread:
            tell_one_thread(teller);
            break;
    }
    return teller.finish(full_slots);
}

namespace {

/// Fractions of an interval that has passed, 0 to 1, eased at both ends.
float eased(double time_s, double begin_s, double end_s) {
    if (time_s >= end_s) return 1;
    if (time_s <= begin_s) return 0;
    const double x = (time_s - begin_s) / (end_s - begin_s);
    return static_cast<float>(x * x * (3 - 2 * x));
}

/// 2^6 for two seconds at 2^10, 2^14 and 2^20, then the full stream.
double visible_log2(const Story& story, double time_s) {
    constexpr double smallest = 6;
    double now = smallest;
    double begin = story.pull_back_s;
    for (const double stop : {10.0, 14.0, 20.0, story.full_log2}) {
        const double to = std::clamp(stop, smallest, std::max(smallest, story.full_log2));
        now += (to - now) * static_cast<double>(eased(time_s, begin, begin + move_back_s));
        begin += move_back_s + rest_back_s;
        if (time_s <= begin) break;
    }
    return now;
}

}  // namespace

Moment at(const Story& story, double time_s) {
    time_s = std::clamp(time_s, 0.0, story.duration_s());
    Moment moment;
    const auto after = std::ranges::upper_bound(story.chapters, time_s, {}, &Chapter::begin_s);
    moment.chapter = static_cast<std::size_t>(std::distance(story.chapters.begin(), after)) - 1;
    for (std::uint32_t i = 0; i < num_slots; ++i) {
        const SlotTimes& times = story.slots[i];
        SlotState& slot = moment.slots[i];
        slot.tested = time_s >= times.tested_s;
        moment.num_scanned += time_s >= times.scanned_s;
        const double lights_s = std::min(times.tested_s, story.lit_s + 0.2 * (i % part_slots));
        if (story.stream[i] != 0) slot.lit = eased(time_s, lights_s, lights_s + lighting_s);
        if (!times.place) continue;
        slot.flight = eased(time_s, times.leaves_s, times.lands_s);
        PartState& part = moment.parts[i / part_slots];
        part.count += slot.tested;
    }
    for (std::uint32_t i = 0; i < num_parts; ++i) {
        const PartTimes& times = story.parts[i];
        PartState& part = moment.parts[i];
        part.works = time_s >= times.begins_s;
        part.counted = time_s >= times.counted_s;
        if (time_s >= times.placed_s) {
            part.offset = story.offsets[i];
            moment.num_taken += story.counts[i];
        }
    }
    for (const Look& look : story.looks) {
        if (look.begin_s <= time_s && time_s < look.end_s) moment.look = &look;
    }
    moment.log2_slots = visible_log2(story, time_s);
    return moment;
}

double next_step(const Story& story, double time_s) {
    const auto next = std::ranges::upper_bound(story.steps_s, time_s + 1e-6);
    return next == story.steps_s.end() ? story.duration_s() : *next;
}

double previous_step(const Story& story, double time_s) {
    const auto next = std::ranges::lower_bound(story.steps_s, time_s - 1e-6);
    return next == story.steps_s.begin() ? 0 : *std::prev(next);
}

}  // namespace warpsieve::story
