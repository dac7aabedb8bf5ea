#pragma once

#include <string>
#include <vector>

#include "app/format/provenance.hpp"
#include "app/settings/settings.hpp"
#include "app/view_model/snapshot.hpp"

namespace warpsieve {

/// The provenance of the live run: device, driver, clock, NVML reading, length, live fraction, seed,
/// algorithm, options, median with quartiles and n, check, commit.
Provenance provenance_of(const Snapshot& snapshot, const Settings& settings);

/// The footer of a film: the device, the ratio of the lens, or of the first two in the race, with its
/// interval once it is known, and the command that repeats the run.
Provenance provenance_of_film(const Snapshot& snapshot, const Settings& settings);

/// Whether two sides are compared whose ratio is not known yet.
bool awaits_ratio(const Snapshot& snapshot, const Settings& settings);

/// Only device, driver and commit: for results that have their own settings.
std::vector<ProvenanceItem> machine_provenance(const Snapshot& snapshot);

/// The settings with every default replaced by its current value, so that they repeat the run elsewhere.
Settings effective_settings(const Snapshot& snapshot, Settings settings);

/// `warpsieve --headless ...`: the command line that repeats the run.
std::string command_to_repeat_run(const Snapshot& snapshot, const Settings& settings);

}  // namespace warpsieve
