#pragma once

#include <string>

#include "experiments/published/answers.hpp"
#include "experiments/published/reproduction.hpp"

/// Which plots a reproduction gives, as SVG; empty text where there is nothing to show.
namespace published {

/// A table's times: over the length where its rows are lengths, else published and here side by side.
std::string plot_table(const Reproduction& reproduction, std::size_t table);

/// Every published time against the same here, a series a document.
std::string plot_all_times(const Reproduction& reproduction);

/// The ratio over the length, with the published means as level lines.
std::string plot_ratio(const RatioAnswer& ratio);

}  // namespace published
