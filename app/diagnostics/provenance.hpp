#pragma once

#include <string>
#include <vector>

#include "app/settings/settings.hpp"
#include "app/view_model/view.hpp"

namespace warpsieve {

/// One thing that a figure cannot be read without: "N" and "2^20", "device" and "NVIDIA H200".
struct ProvenanceItem {
    std::string name;
    std::string value;
};

/// Where figures come from: what is written below a picture of them.
struct Provenance {
    std::vector<ProvenanceItem> items;
    std::string command;  ///< the command line that measures the same
};

/// The provenance of the live run: device, driver, clock, what NVML knows of the GPU, length, live fraction,
/// seed, algorithm, options, median with quartiles and n, check, commit. What is not known is said to be
/// unknown.
Provenance provenance_of(const View& view, const Settings& settings);

/// The same without the run: device, driver and commit, for results that bring their own settings.
std::vector<ProvenanceItem> machine_provenance(const View& view);

/// The settings with every default replaced by the value in force, so that they repeat the run elsewhere.
Settings settings_in_force(const View& view, Settings settings);

/// `warpsieve --headless ...`: the command line that repeats the run.
std::string repeating_command(const View& view, const Settings& settings);

}  // namespace warpsieve
