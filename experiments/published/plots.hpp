#pragma once

#include <string>
#include <vector>

#include "experiments/published/results.hpp"

/// Plots of published tables as SVG, one for each source of figures: published, and each run.
namespace published {

/// The plots of one table, drawn alike, to stand side by side. Empty without any value.
std::vector<std::string> plot_table(const Report& report, std::size_t table);

/// Every published time against the time here. Empty without a pair.
std::string plot_all_times(const Report& report);

}  // namespace published
