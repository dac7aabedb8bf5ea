#include "app/story/story.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "app/story/reference.hpp"
#include "workloads/stream_function.hpp"

namespace warpsieve::story {
namespace {

using compaction::PhaseRole;

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

/// Fractions of an interval that has passed, 0 to 1, eased at both ends.
float eased(double time_s, double begin_s, double end_s) {
    if (time_s >= end_s) return 1;
    if (time_s <= begin_s) return 0;
    const double x = (time_s - begin_s) / (end_s - begin_s);
    return static_cast<float>(x * x * (3 - 2 * x));
}

constexpr double lighting_s = 0.4;

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
