#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "app/scene/side.hpp"
#include "app/settings/lab_settings.hpp"
#include "compaction/engine.hpp"
#include "compaction/error.hpp"
#include "workloads/streams.hpp"

namespace warpsieve {

enum class Theme : std::uint8_t { dark, light };

/// An algorithm and its options, on the engine of the settings.
struct Choice {
    std::string algorithm;  ///< id; empty: a default
    compaction::Options options;

    bool operator==(const Choice&) const = default;
};

/// Id of the tab that compares two algorithms.
inline constexpr std::string_view lens_tab = "lens";

/// Everything a person can change. Panels edit it in place; the application compares it with the frame before
/// and applies what differs; the settings file keeps it between starts. The Choice that it is itself is the
/// algorithm that runs, which is A in the A/B lens.
struct Settings : Choice {
    // What is compacted.
    std::string source = "fountain";                          ///< id of what fills the slots
    workloads::Pattern pattern = workloads::Pattern::random;  ///< for a source that has patterns
    std::uint64_t slots = 0;  ///< length of the stream; 0: a default for this machine
    float density = 0.5F;     ///< live fraction of the slots, 0 to 1
    std::uint32_t seed = 1;   ///< same seed and clock, same buffer
    float speed = 1.0F;       ///< scene seconds per second
    bool paused = false;

    // By which algorithm.
    compaction::EngineId engine = compaction::EngineId::cuda;
    Choice rival;  ///< B in the A/B lens, on the same engine

    // How it is timed and checked.
    std::uint32_t iterations = 0;  ///< compactions per frame; 0: a default for this engine
    bool check = true;
    std::uint32_t check_every = 30;  ///< frames between two comparisons with the reference

    labs::LabSettings labs;

    // The window.
    float controls_width = 340;           ///< pixels at 100 %
    float timings_height = 220;           ///< pixels at 100 %
    bool show_timings = true;             ///< along the bottom, below the main area
    std::string tab = "particles";        ///< id of what the main area shows
    float divider = 0.5F;                 ///< of the A/B lens: the share of the view that A has
    std::uint32_t slot_map_zoom = 0;      ///< step of the slot map's zoom ladder; 0: the whole stream
    std::uint64_t slot_map_first = 0;     ///< the slot that it begins with
    std::uint32_t timeline_frames = 600;  ///< that the timeline view shows across
    bool timeline_log = false;            ///< its axis of time is logarithmic
    std::filesystem::path ghost;          ///< a saved run, shown behind the live one; empty: none
    float scale = 0;                      ///< 1 is 100 %; 0: what the display asks for
    Theme theme = Theme::dark;
    Theme plot_theme = Theme::light;  ///< of pictures of one plot: white for print
    std::filesystem::path capture_folder;

    bool operator==(const Settings&) const = default;

    /// Whether B runs beside A.
    bool compares() const { return tab == lens_tab; }
    Choice& choice(Side side) { return side == Side::a ? *this : rival; }
    const Choice& choice(Side side) const { return side == Side::a ? *this : rival; }
};

/// The compaction algorithm of that id; Error{invalid_argument} for an unknown id, with those there are, and
/// for a step, which the window cannot show.
inline const compaction::Algorithm& find_compaction(std::string_view id) {
    const auto step = std::ranges::find(compaction::steps(), id, &compaction::Algorithm::id);
    if (step == compaction::steps().end()) return compaction::find_algorithm(id, compaction::catalogue());
    throw compaction::Error(compaction::ErrorCode::invalid_argument,
                            step->id + " is a " + std::string(name_of(step->operation)) +
                                ", a step of a compaction: `warpsieve bench --algorithm " + step->id +
                                "` measures it. The window shows compactions; --list names them.");
}

/// The algorithm that `choice` names, if `engine` has it; else nullptr.
inline const compaction::Algorithm* named_algorithm(std::span<const compaction::Algorithm> catalogue,
                                                    compaction::EngineId engine, const Choice& choice) {
    const auto found = std::ranges::find_if(catalogue, [&](const compaction::Algorithm& algorithm) {
        return algorithm.engine == engine && algorithm.is_available() && algorithm.id == choice.algorithm;
    });
    return found == catalogue.end() ? nullptr : &*found;
}

/// What B is where nobody chose it: the engine's first algorithm that is not A's; A's where there is no
/// other.
inline std::string default_rival(std::span<const compaction::Algorithm> catalogue,
                                 compaction::EngineId engine, const std::string& algorithm_of_a) {
    const auto found = std::ranges::find_if(catalogue, [&](const compaction::Algorithm& algorithm) {
        return algorithm.engine == engine && algorithm.is_available() && algorithm.id != algorithm_of_a;
    });
    return found == catalogue.end() ? algorithm_of_a : found->id;
}

inline constexpr std::uint32_t min_timeline_frames = 60;
inline constexpr std::uint32_t max_timeline_frames = 6'000;
/// The option as people read it: a CPU has worker threads, and no blocks of them.
inline std::string_view label_of(compaction::Option option, compaction::EngineId engine) {
    const bool threads = option == compaction::Option::threads_per_block;
    return threads && engine == compaction::EngineId::cpu ? "worker threads" : compaction::name_of(option);
}

inline constexpr std::uint64_t min_slots = std::uint64_t{1} << 12;
inline constexpr std::uint32_t max_iterations = 64;

/// The most slots the window offers on an engine: 2^24 on the CPU, 2^26 on a GPU.
constexpr std::uint64_t max_slots(compaction::EngineId engine) {
    return std::uint64_t{1} << (engine == compaction::EngineId::cuda ? 26 : 24);
}

}  // namespace warpsieve
