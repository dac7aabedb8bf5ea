#pragma once

#include <string>

#include "experiments/published/answers.hpp"
#include "experiments/published/reproduction.hpp"

/// The plots of a reproduction, as SVG. Empty text if there is nothing to show.
namespace published {

/// The times of a table: over the length if its rows are lengths, otherwise published and here side by side.
std::string plot_table(const Reproduction& reproduction, std::size_t table);

/// Every published time against the time here, one series per document.
std::string plot_all_times(const Reproduction& reproduction);

/// The ratio over the length, with the published means as horizontal lines.
std::string plot_ratio(const RatioAnswer& ratio);

}  // namespace published
