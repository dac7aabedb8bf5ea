#pragma once

#include <string>
#include <vector>

#include "app/format/provenance.hpp"
#include "app/settings/settings.hpp"
#include "app/view_model/view.hpp"

namespace warpsieve {

/// The provenance of the live run: device, driver, clock, what NVML knows of the GPU, length, live fraction,
/// seed, algorithm, options, median with quartiles and n, check, commit. What is not known is said to be
/// unknown.
Provenance provenance_of(const View& view, const Settings& settings);

/// The same without the run: device, driver and commit, for results that bring their own settings.
std::vector<ProvenanceItem> machine_provenance(const View& view);

/// `warpsieve --headless ...`: what the window runs, as a command line.
std::string repeating_command(const View& view, const Settings& settings);

}  // namespace warpsieve
