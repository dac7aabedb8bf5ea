#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "app/settings/lab_settings.hpp"
#include "compaction/algorithm.hpp"
#include "compaction/options.hpp"
#include "experiments/stopping.hpp"

/// The choices of the labs' menus, with the words that files use for them.
namespace warpsieve::labs {

/// A measurement quality as menus show it.
struct MeasurementQualityInfo {
    MeasurementQuality quality;
    std::string_view name;     ///< "quick"
    std::string_view meaning;  ///< text of the tooltip
    experiments::Policy policy;
};
std::span<const MeasurementQualityInfo> measurement_qualities();
inline const MeasurementQualityInfo& info_of(MeasurementQuality quality) {
    return measurement_qualities()[static_cast<std::size_t>(quality)];  // sorted as the enumeration
}

/// An axis of the sweep as menus show it.
struct SweepAxisInfo {
    SweepAxis axis;
    std::string_view id;                            ///< "density": in Job::axis and the settings file
    std::string_view name;                          ///< "keep fraction"
    std::string_view meaning;                       ///< text of the tooltip
    std::optional<compaction::Option> option = {};  ///< the option that varies, if any
};
std::span<const SweepAxisInfo> sweep_axes();
inline const SweepAxisInfo& info_of(SweepAxis axis) {
    return sweep_axes()[static_cast<std::size_t>(axis)];  // sorted as the enumeration
}

/// A metric of the sweep as menus show it.
struct SweepMetricInfo {
    SweepMetric metric;
    std::string_view id;       ///< "share": in the settings file
    std::string_view name;     ///< "% of copy bandwidth"
    std::string_view meaning;  ///< text of the tooltip
};
std::span<const SweepMetricInfo> sweep_metrics();
inline const SweepMetricInfo& info_of(SweepMetric metric) {
    return sweep_metrics()[static_cast<std::size_t>(metric)];  // sorted as the enumeration
}

/// The operations that are steps of compaction: copy, count and scan.
std::span<const compaction::Operation> step_operations();

}  // namespace warpsieve::labs
