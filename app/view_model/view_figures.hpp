#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "app/view_model/view.hpp"

namespace warpsieve {

/// The figures of the row of that name; null where there is none.
inline const experiments::Summary* figures_of(std::span<const TimingRow> rows, std::string_view name) {
    const auto found = std::ranges::find(rows, name, &TimingRow::name);
    return found == rows.end() ? nullptr : &found->us;
}

/// The same, and null too while nothing of it was timed.
inline const experiments::Summary* timed_figures_of(std::span<const TimingRow> rows, std::string_view name) {
    const experiments::Summary* figures = figures_of(rows, name);
    return figures && figures->n > 0 ? figures : nullptr;
}

/// The processors' clock as it was measured last, in Hz; 0 where it is not known.
inline double last_clock_hz(const View& view) {
    const bool any = view.timeline && view.timeline->size() > 0;
    return any ? (*view.timeline)[view.timeline->size() - 1].clock_hz : 0;
}

}  // namespace warpsieve
