#pragma once

#include <cstddef>
#include <optional>

#include "app/settings/settings.hpp"
#include "app/tour/steps.hpp"

namespace warpsieve::tour {

/// Sets the run and the view to a step, on the engine of `settings`. `defaults`: of this machine.
void take_step(Settings& settings, const Step& step, const Settings& defaults);

/// The tour while it runs, and the settings it has replaced.
class Tour {
  public:
    bool runs() const { return replaced_.has_value(); }
    std::size_t index() const { return index_; }
    const Step& step() const { return steps()[index_]; }

    /// Goes to a step; starts the tour where it does not run. An index past the end means the last step.
    void show(std::size_t index, Settings& settings, const Settings& defaults);
    /// Ends the tour and gives back the replaced settings. Does nothing where it does not run.
    void leave(Settings& settings);
    /// Gives back the replaced settings; others keep their values. The tour goes on.
    void restore(Settings& settings) const;

  private:
    std::optional<Settings> replaced_;  ///< while it runs
    std::size_t index_ = 0;
};

}  // namespace warpsieve::tour
