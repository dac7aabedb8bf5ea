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

/// The footer of a film: the device and the command that repeats the run. If the A/B lens or the race
/// compares two algorithms and their ratio is known, also the ratio with its interval; in the race, it is
/// the second fastest's time over the fastest's.
Provenance provenance_of_film(const Snapshot& snapshot, const Settings& settings);

/// Whether two algorithms are compared whose ratio is not known yet.
bool awaits_ratio(const Snapshot& snapshot, const Settings& settings);

/// Only device, driver and commit: for results that have their own settings.
std::vector<ProvenanceItem> machine_provenance(const Snapshot& snapshot);

/// The settings with every default replaced by its current value, so that they repeat the run elsewhere.
Settings effective_settings(const Snapshot& snapshot, Settings settings);

/// `warpsieve --headless ...`: the command line that repeats the run.
std::string command_to_repeat_run(const Snapshot& snapshot, const Settings& settings);

}  // namespace warpsieve
