#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "app/settings/settings.hpp"
#include "compaction/algorithm.hpp"
#include "compaction/options.hpp"

/// The guided tour as data: six steps explain a compaction, and four compare algorithms that differ in one
/// factor.
namespace warpsieve::tour {

/// An algorithm whose options are automatic, except for at most one.
struct StepAlgorithm {
    std::string_view id;
    compaction::Option option = compaction::Option::vector_width;
    std::uint32_t value = compaction::automatic;
};

/// The text and the algorithms of a step on one engine.
struct EngineStep {
    std::string_view text;  ///< shown after the text of the step
    StepAlgorithm a;
    StepAlgorithm b = {};  ///< has an id in the steps that compare
};

/// The part of the scene that the camera shows.
enum class ScenePart : std::uint8_t {
    none,  ///< the step shows another view
    input,
    words,  ///< counts and offsets, between input and output
    item,   ///< the marked item and its path
};

/// The moment of a compaction at which slow motion pauses.
struct PhaseStop {
    compaction::PhaseRole role = compaction::PhaseRole::count;
    double share = 1;  ///< share of the phase that has passed
};

/// The figure below the text of a step.
enum class Figure : std::uint8_t {
    none,
    checks,  ///< number of correct and wrong results
    ratio,   ///< time of A over time of B, with its confidence interval
};

struct Step {
    std::string_view title;
    std::string_view text;
    std::string_view tab;
    EngineStep cuda;  ///< also for the simulated GPU, which runs the same algorithms
    EngineStep cpu;
    Figure figure = Figure::none;
    ScenePart part = ScenePart::none;
    std::optional<PhaseStop> stop = {};  ///< empty: the step does not show slow motion

    const EngineStep& on(compaction::EngineId engine) const {
        return engine == compaction::EngineId::cpu ? cpu : cuda;
    }
};

/// All steps in their order.
std::span<const Step> steps();

/// The number of steps, and of the first ones, which explain. The others compare.
inline constexpr std::size_t num_explaining = 6;
inline constexpr std::size_t num_steps = 10;

/// Sets the run and the view to a step, on the engine of `settings`. `defaults`: the defaults of this
/// machine.
void apply_step(Settings& settings, const Step& step, const Settings& defaults);

/// The tour, and the settings that it has replaced while it runs.
class Tour {
  public:
    bool runs() const { return replaced_.has_value(); }
    std::size_t index() const { return index_; }
    const Step& step() const { return steps()[index_]; }

    /// Goes to a step, and starts the tour if it does not run. An index past the end means the last step.
    void show(std::size_t index, Settings& settings, const Settings& defaults);
    /// Ends the tour and restores the settings. Does nothing if the tour does not run.
    void leave(Settings& settings);
    /// Restores the settings that the tour has replaced, without ending it.
    void restore(Settings& settings) const;

  private:
    std::optional<Settings> replaced_;  ///< the settings before the tour; empty while no tour runs
    std::size_t index_ = 0;
};

}  // namespace warpsieve::tour
