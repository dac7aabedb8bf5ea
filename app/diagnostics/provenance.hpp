#pragma once

#include <string>
#include <vector>

#include "app/format/provenance.hpp"
#include "app/settings/settings.hpp"
#include "app/view_model/view.hpp"

namespace warpsieve {

/// The provenance of the live run: device, driver, clock, NVML reading, length, live fraction, seed,
/// algorithm, options, median with quartiles and n, check, commit.
Provenance provenance_of(const View& view, const Settings& settings);

/// Device, driver and commit alone, for results with settings of their own.
std::vector<ProvenanceItem> machine_provenance(const View& view);

/// The command line `warpsieve --headless ...` that repeats the window's run.
std::string repeating_command(const View& view, const Settings& settings);

}  // namespace warpsieve
