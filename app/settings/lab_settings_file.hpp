#pragma once

#include <nlohmann/json.hpp>

#include "app/settings/lab_settings.hpp"

/// What the settings file keeps of the labs that sweep and reproduce.
namespace warpsieve {

/// Adds "sweep", "steps" and "reproduce".
void add_plot_labs(nlohmann::json& document, const labs::LabSettings& settings);

/// Reads them; what is missing or unknown stays as it is.
void read_plot_labs(const nlohmann::json& document, labs::LabSettings& settings);

}  // namespace warpsieve
