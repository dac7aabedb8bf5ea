#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "compaction/engine.hpp"
#include "compaction/error.hpp"

namespace warpsieve {

enum class Theme : std::uint8_t { dark, light };

/// Everything a person can change. Panels edit it in place; the application compares it with the frame before
/// and applies what differs; the settings file keeps it between starts.
struct Settings {
    // What is compacted.
    std::uint64_t slots = 0;  ///< length of the stream; 0: a default for this machine
    float density = 0.5F;     ///< live fraction of the slots, 0 to 1
    std::uint32_t seed = 1;   ///< same seed and clock, same buffer
    float speed = 1.0F;       ///< scene seconds per second
    bool paused = false;

    // By which algorithm.
    compaction::EngineId engine = compaction::EngineId::cuda;
    std::string algorithm;  ///< id; empty: the engine's default
    compaction::Options options;

    // How it is timed and checked.
    std::uint32_t iterations = 0;  ///< compactions per frame; 0: a default for this engine
    bool check = true;
    std::uint32_t check_every = 30;  ///< frames between two comparisons with the reference

    // The window.
    float controls_width = 340;     ///< pixels at 100 %
    float timings_height = 220;     ///< pixels at 100 %
    bool show_timings = true;       ///< along the bottom, below the main area
    std::string tab = "particles";  ///< id of what the main area shows
    float scale = 0;                ///< 1 is 100 %; 0: what the display asks for
    Theme theme = Theme::dark;
    Theme plot_theme = Theme::light;  ///< of pictures of one plot: white for print
    std::filesystem::path capture_folder;

    bool operator==(const Settings&) const = default;
};

/// The compaction algorithm of that id; Error{invalid_argument} for an unknown id and for a step, which the
/// window cannot show.
inline const compaction::Algorithm& find_compaction(std::string_view id) {
    const compaction::Algorithm& algorithm = compaction::find_algorithm(id);
    if (algorithm.problem == compaction::Problem::compaction) return algorithm;
    throw compaction::Error(compaction::ErrorCode::invalid_argument,
                            algorithm.id + " is a " + std::string(name_of(algorithm.problem)) +
                                ", a step of a compaction: `warpsieve bench --algorithm " + algorithm.id +
                                "` measures it. The window shows compactions; --list names them.");
}

inline constexpr std::uint64_t min_slots = std::uint64_t{1} << 12;
inline constexpr std::uint32_t max_iterations = 64;

/// The most slots the window offers on an engine: 2^24 on the CPU, 2^26 on a GPU.
constexpr std::uint64_t max_slots(compaction::EngineId engine) {
    return std::uint64_t{1} << (engine == compaction::EngineId::cuda ? 26 : 24);
}

}  // namespace warpsieve
