#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "app/settings/sweep_settings.hpp"
#include "experiments/setting.hpp"

/// What the settings of a sweep have in common, and how its lines are told apart.
namespace warpsieve::labs {

/// Where the setting is on the axis.
double place_on(SweepAxis axis, const experiments::Setting& setting);

/// Whether two settings of a sweep are on the same line: they differ in what varies alone.
bool same_line(SweepAxis axis, const experiments::Setting& a, const experiments::Setting& b);

/// "single_pass", "copy_direct, quad": what is not automatic but for the axis.
std::string line_name(SweepAxis axis, const experiments::Setting& setting);

/// The style of the line that a setting is on: its place among the lines that were chosen, so that these
/// share a colour only where there are more of them than colours. It does not depend on what is measured
/// already, and stays while the choice does.
std::size_t line_style_of(SweepAxis axis, std::span<const experiments::Setting> chosen,
                          const experiments::Setting& setting);

/// "random, 0.5 kept, 4-byte items, cold": of the stream, less what varies.
std::string what_stays(SweepAxis axis, const experiments::StreamSpec& stream);

}  // namespace warpsieve::labs
