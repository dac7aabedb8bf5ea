#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "app/settings/settings.hpp"
#include "compaction/options.hpp"

/// The guided tour: six steps explain a compaction, four compare algorithms that differ in one factor. No
/// drawing.
namespace warpsieve::tour {

/// An algorithm, with one option that may be set.
struct Entry {
    std::string_view algorithm;  ///< id
    compaction::Option option = compaction::Option::vector_width;
    std::uint32_t value = compaction::automatic;
};

/// A step on one engine.
struct OnEngine {
    std::string_view text;  ///< follows the text of the step
    Entry a;
    Entry b = {};  ///< runs in the steps that compare
};

/// Where slow motion stands still.
struct StoryStop {
    std::string_view chapter;  ///< title; empty: the step does not show slow motion
    double share = 1;          ///< of the chapter that has passed
};

/// What a step tells besides its text.
enum class Figure : std::uint8_t {
    none,
    checks,  ///< results of the comparisons with the reference
    ratio,   ///< A's time over B's, with its interval
};

struct Step {
    std::string_view title;
    std::string_view text;
    std::string_view tab;
    OnEngine cuda;
    OnEngine cpu;
    Figure figure = Figure::none;
    StoryStop stop = {};

    const OnEngine& on(compaction::EngineId engine) const {
        return engine == compaction::EngineId::cuda ? cuda : cpu;
    }
};

/// All steps in their order.
std::span<const Step> steps();

/// How many of the steps explain; the others compare.
inline constexpr std::size_t num_explaining = 6;
inline constexpr std::size_t num_steps = 10;

}  // namespace warpsieve::tour
