#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "app/settings/lab_settings.hpp"
#include "experiments/setting.hpp"

/// The lines of a sweep: which settings share a line, and its name and style.
namespace warpsieve::labs {

/// The value of the setting on the axis.
double place_on(SweepAxis axis, const experiments::Setting& setting);

/// Whether two settings are on the same line: they differ only on the axis.
bool same_line(SweepAxis axis, const experiments::Setting& a, const experiments::Setting& b);

/// "single_pass", "copy_direct, quad": the id and the options that are not automatic, without the axis.
std::string line_name(SweepAxis axis, const experiments::Setting& setting);

/// The style of a setting's line: its index among the selected lines, so that colours repeat only if there
/// are more lines than colours. Independent of the progress of the measurement.
std::size_t line_style_of(SweepAxis axis, std::span<const experiments::Setting> chosen,
                          const experiments::Setting& setting);

/// "random, 0.5 kept, 4-byte items, cold": the stream without the axis.
std::string what_stays(SweepAxis axis, const experiments::StreamSpec& stream);

}  // namespace warpsieve::labs
