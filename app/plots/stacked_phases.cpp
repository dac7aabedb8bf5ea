#include "app/plots/stacked_phases.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/format/figures.hpp"
#include "experiments/format/ticks.hpp"

namespace warpsieve::plots {
namespace {

/// Drawing time grows with the number of columns.
constexpr std::size_t max_columns = 1'000;
/// The time between calls is named if it is at least this share of the stack.
constexpr float min_named_share = 0.01F;

}  // namespace

void StackedPhases::draw(ImDrawList& list, ImVec2 low, ImVec2 high, const PhaseSeries& series,
                         const Style& style, double seconds) {
    plot_frame_.reset();
    hovered_.reset();
    names_.clear();
    hidden_ = series.hidden;
    const float line_height = style.fonts.small->FontSize;
    const ImVec2 data_low{low.x + style.px(44), low.y + std::round(line_height / 2)};
    const ImVec2 data_high{high.x - names_width(series, style) - style.px(16),
                           high.y - line_height - style.px(5)};
    if (data_high.x - data_low.x < style.px(40) || data_high.y - data_low.y < style.px(24)) return;

    const float width = data_high.x - data_low.x;
    const float min_column_width = style.plain ? 2.0F : 1.0F;
    const auto fitting = static_cast<std::size_t>(width / min_column_width);
    reduce(series.timeline, series.window, std::min(fitting, max_columns), columns_, hidden_);
    update_axis(series, seconds);

    const double top_us = range_.current_end() > 0 ? range_.current_end() : 1;
    unit_ = format::time_unit(top_us);
    const float column_width = width / static_cast<float>(columns_.num_across);
    plot_frame_ = {data_low, data_high, column_width};
    const Area area{list, style, data_low, data_high, column_width, top_us, log_low_us_};
    const std::uint64_t frames_after =
        series.timeline.end() - std::min(series.timeline.end(), series.window.end);
    draw_axes(area, frames_after, series.held);
    list.PushClipRect(data_low, data_high, true);
    draw_stacks(area);
    if (interop_ == Line::shown && !(hidden_ & interop_series))
        draw_line(area, &Column::interop_us, style.palette.interop);
    if (compared_ == Line::shown && !(hidden_ & compared_series))
        draw_totals(area, columns_, *series.compared, frames_after, line_scratch_);
    if (!(hidden_ & total_series)) draw_line(area, &Column::total_us, style.palette.text);
    draw_changes(area, series.last_change);
    draw_spike_marks(area);
    list.PopClipRect();
    if (series.pinned) draw_pinned(area, *series.pinned);
    draw_names(area, series);
    hovered_ = draw_cursor(area, frames_after);
}

float StackedPhases::drawn_us(const experiments::FrameSample& sample) const {
    const float us = hidden_ & total_series ? visible_us(sample, hidden_) : sample.total_us;
    return std::isfinite(us) ? us : 0.0F;
}

std::string StackedPhases::left_out_text() const {
    if (num_above_ == 0) return {};
    const format::Figure end = format::duration(range_.current_end());
    return format::grouped(num_above_) + (num_above_ == 1 ? " frame" : " frames") + " above " + end.number +
           " " + end.unit;
}

bool StackedPhases::is_cached(CacheKey key) const {
    constexpr std::size_t refreshes_per_window = 64;
    const std::uint64_t frames_since =
        key.end > cache_key_.end ? key.end - cache_key_.end : cache_key_.end - key.end;
    if (frames_since > key.frames / refreshes_per_window) return false;
    key.end = cache_key_.end;
    key.frames = cache_key_.frames;
    return key == cache_key_;
}

void StackedPhases::update_axis(const PhaseSeries& series, double seconds) {
    const std::uint64_t end = std::min(series.window.end, series.timeline.end());
    const std::uint64_t begin =
        std::max(series.timeline.begin(),
                 series.window.end - std::min<std::uint64_t>(series.window.end, series.window.frames));
    const std::uint32_t epoch = end > begin ? series.timeline.at(end - 1).config_epoch : scaled_epoch_;
    if (epoch != scaled_epoch_) range_.restart();
    scaled_epoch_ = epoch;
    const CacheKey key{.end = end,
                       .frames = end > begin ? static_cast<std::size_t>(end - begin) : 0,
                       .columns = columns_.num_across,
                       .epoch = epoch,
                       .algorithm = &series.algorithm,
                       .hidden = hidden_,
                       .fits_all = series.fits_all,
                       .logarithmic = series.logarithmic,
                       .compared_us = series.compared ? series.compared->us.q3 : 0};
    const bool cached = is_cached(key);
    if (cached) {
        range_.ease(seconds);
        count_above(series.timeline, begin, end);
        // An axis that fits all frames must grow for a higher one.
        if (num_above_ == 0 || !(series.fits_all || series.logarithmic)) return;
    }
    cache_key_ = key;
    const double seconds_to_ease = cached ? 0 : seconds;  // ease() has already moved the axis
    recompute(series, begin, seconds_to_ease);
    count_above(series.timeline, begin, end);
}

void StackedPhases::recompute(const PhaseSeries& series, std::uint64_t begin, double seconds) {
    typical_ = find_typical_times(series.algorithm);
    fitted_us_.clear();
    lowest_edges_us_.clear();
    double sum_stack_us = 0;
    double sum_interop_us = 0;
    const bool fits_all = series.fits_all || series.logarithmic;
    const auto is_fitted = [&](const experiments::FrameSample& sample) {
        return fits_all || sample.config_epoch == scaled_epoch_;
    };
    for (std::uint64_t ordinal = begin; ordinal < cache_key_.end; ++ordinal) {
        const experiments::FrameSample& sample = series.timeline.at(ordinal);
        if (!is_fitted(sample)) continue;
        const std::span<const float> phases = sample.phases();
        const float height_us = drawn_us(sample);
        fitted_us_.push_back(height_us);
        if (series.logarithmic) lowest_edges_us_.push_back(phases.empty() ? sample.total_us : phases.front());
        sum_stack_us += height_us;
        sum_interop_us += std::isfinite(sample.interop_us) ? sample.interop_us : 0.0F;
    }
    const double mean_us = fitted_us_.empty() ? 0 : sum_stack_us / static_cast<double>(fitted_us_.size());
    // A line more than twice as high as the stack is not drawn, and its name says so. With two limits, a line
    // near them does not flicker.
    const bool interop_fits = sum_interop_us < (interop_ == Line::shown ? 2.4 : 2.0) * sum_stack_us;
    interop_ = sum_interop_us <= 0 ? Line::none : interop_fits ? Line::shown : Line::too_high;
    if (interop_ == Line::shown && !(hidden_ & interop_series)) {
        std::size_t fitted = 0;
        for (std::uint64_t ordinal = begin; ordinal < cache_key_.end; ++ordinal) {
            const experiments::FrameSample& sample = series.timeline.at(ordinal);
            if (!is_fitted(sample)) continue;
            fitted_us_[fitted] = std::max(fitted_us_[fitted], sample.interop_us);
            ++fitted;
        }
    }
    update_compared_line(series.compared, mean_us);
    range_.update(fitted_us_, seconds, fits_all ? RangeHysteresis::Fit::all : RangeHysteresis::Fit::typical,
                  compared_ == Line::shown && !(hidden_ & compared_series) ? series.compared->us.q3 : 0);
    log_low_us_ = series.logarithmic ? log_low_with_hysteresis(lowest_edges_us_, log_low_us_) : 0;
    if (log_low_us_ >= range_.current_end()) log_low_us_ = 0;  // a linear axis
}

void StackedPhases::count_above(const experiments::Timeline& timeline, std::uint64_t begin,
                                std::uint64_t end) {
    num_above_ = 0;
    highest_us_ = 0;
    for (std::uint64_t ordinal = begin; ordinal < end; ++ordinal) {
        const experiments::FrameSample& sample = timeline.at(ordinal);
        const bool with_interop = interop_ == Line::shown && !(hidden_ & interop_series);
        const double highest_us = std::max(drawn_us(sample), with_interop ? sample.interop_us : 0.0F);
        if (!std::isfinite(highest_us)) continue;
        highest_us_ = std::max(highest_us_, highest_us);
        if (highest_us > range_.largest_end()) ++num_above_;
    }
}

/// The compared run is drawn if it leaves a third of the height to the stack. With two limits, it does not
/// flicker.
void StackedPhases::update_compared_line(const std::optional<TotalsLine>& compared, double mean_us) {
    if (!compared) {
        compared_ = Line::none;
        return;
    }
    const double limit = compared_ == Line::shown ? 3.4 : 3.0;
    compared_ = mean_us <= 0 || compared->us.q3 < limit * mean_us ? Line::shown : Line::too_high;
}

float StackedPhases::x_of(std::uint64_t ordinal) const {
    if (!plot_frame_) return 0;
    const Window& window = columns_.window;
    const std::uint64_t end_column =
        (window.end + columns_.frames_per_column - 1) / columns_.frames_per_column;
    const double columns_after =
        static_cast<double>(end_column) -
        static_cast<double>(ordinal) / static_cast<double>(columns_.frames_per_column);
    const float x = plot_frame_->high.x - static_cast<float>(columns_after) * plot_frame_->column_width;
    return std::clamp(x, plot_frame_->low.x, plot_frame_->high.x);
}

void StackedPhases::draw_times(const Area& area) const {
    const Style& style = area.style;
    const ImFont* font = style.fonts.small;
    const auto max_ticks = std::max<std::size_t>(
        static_cast<std::size_t>((area.high.y - area.low.y) / (font->FontSize * 1.9F)) + 1, 2);
    std::vector<Tick> ticks;
    if (area.logarithmic()) {
        for (const double value : experiments::format::choose_log_ticks(
                 area.bottom_us * unit_.per_us, area.top_us * unit_.per_us, max_ticks)) {
            const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(value) + 1e-9)));
            ticks.push_back({value, experiments::format::tick_label(value, decimals)});
        }
    } else {
        const experiments::format::Ticks chosen = experiments::format::choose_ticks(
            area.top_us * unit_.per_us, std::min<std::size_t>(max_ticks, 6));
        for (std::size_t i = 0; i < chosen.count; ++i) {
            const double value = chosen.step * static_cast<double>(i);
            ticks.push_back({value, experiments::format::tick_label(value, chosen.decimals)});
        }
    }
    if (!ticks.empty()) ticks.back().label += std::string(" ") + unit_.name;
    for (const Tick& tick : ticks) {
        const float y = std::round(area.y_of(tick.value / unit_.per_us));
        area.list.AddRectFilled({area.low.x, y}, {area.high.x, y + 1}, style.palette.grid);
        draw_text(area.list, font,
                  {area.low.x - style.px(7) - text_width(font, tick.label), y - font->FontSize / 2},
                  style.palette.muted, tick.label);
    }
    area.list.AddRectFilled({area.low.x, area.high.y}, {area.high.x, area.high.y + 1}, style.palette.muted);
}

/// `frames_after`: number of frames newer than the right edge.
void StackedPhases::draw_axes(const Area& area, std::uint64_t frames_after, bool held) const {
    draw_times(area);
    const Style& style = area.style;
    const ImFont* font = style.fonts.small;
    const std::uint64_t frames = columns_.num_across * columns_.frames_per_column;
    const float width = area.high.x - area.low.x;
    const auto max_ticks = static_cast<std::size_t>(std::clamp(width / style.px(72), 3.0F, 9.0F));
    const auto step = static_cast<std::uint64_t>(
        std::max(experiments::format::choose_ticks(static_cast<double>(frames), max_ticks).step, 1.0));
    const std::uint64_t first_ago = (frames_after + step - 1) / step * step;
    const float label_y = area.high.y + style.px(4);
    bool unit_written = false;
    float free_until = std::numeric_limits<float>::max();  // labels are written from right to left
    for (std::uint64_t ago = first_ago; ago <= frames_after + frames; ago += step) {
        const float share = static_cast<float>(ago - frames_after) / static_cast<float>(frames);
        const float x = area.high.x - share * width;
        const bool at_edge = ago == frames_after;
        area.list.AddRectFilled({std::round(x) - (at_edge ? 1.0F : 0.0F), area.high.y},
                                {std::round(x) + (at_edge ? 0.0F : 1.0F), area.high.y + style.px(4)},
                                style.palette.muted);
        std::string label = ago > 0 ? "−" + format::grouped(ago) : held ? "held" : "now";
        if (ago > 0 && !unit_written) label += " frames";
        const float label_width = text_width(font, label);
        const float centred = at_edge ? x - label_width : x - label_width / 2;
        const float left = std::max(centred, area.low.x - label_width / 2);
        if (left + label_width + style.px(6) > free_until) continue;
        free_until = left;
        unit_written = unit_written || ago > 0;
        draw_text(area.list, font, {left, label_y}, style.palette.muted, label);
    }
}

void StackedPhases::draw_stacks(const Area& area) {
    const std::span<const Column> columns{columns_.columns};
    const Column* previous = nullptr;
    for (std::size_t begin = 0; begin < columns.size();) {
        if (!columns[begin].stacked) {
            ++begin;
            continue;
        }
        std::size_t end = begin + 1;
        const auto continues = [&](const Column& column) {
            return column.stacked && column.algorithm == columns[begin].algorithm;
        };
        while (end < columns.size() && continues(columns[end])) ++end;
        const bool with_edge_lines = hidden_ != 0;
        draw_bands(area, columns.subspan(begin, end - begin), with_edge_lines, bands_);
        // A line separates columns of different algorithms.
        if (previous && previous->algorithm != columns[begin].algorithm) {
            const float x = std::round(area.left_of(columns[begin]));
            area.list.AddRectFilled({x, area.low.y}, {x + 1, area.high.y}, area.style.palette.text);
        }
        previous = &columns[end - 1];
        begin = end;
    }
}

void StackedPhases::draw_line(const Area& area, float Column::*value, ImU32 colour) {
    const auto& columns = columns_.columns;
    for (std::size_t begin = 0; begin < columns.size();) {
        line_scratch_.clear();
        std::size_t end = begin;
        for (; end < columns.size() && columns[end].*value > 0; ++end) {
            const float pixel_centre_y = std::floor(area.y_of(columns[end].*value) + 0.5F) + 0.5F;
            const ImVec2 at{area.middle_of(columns[end]), pixel_centre_y};
            const std::size_t size = line_scratch_.size();
            // A level part of the line needs only its two ends.
            const bool level =
                size > 1 && line_scratch_[size - 1].y == at.y && line_scratch_[size - 2].y == at.y;
            if (level)
                line_scratch_.back().x = at.x;
            else
                line_scratch_.push_back(at);
        }
        const auto count = static_cast<int>(line_scratch_.size());
        if (count > 1) {
            area.list.AddPolyline(line_scratch_.data(), count, colour, ImDrawFlags_None,
                                  std::max(1.0F, 1.25F * area.style.scale));
        }
        begin = std::max(end, begin + 1);
    }
}

void StackedPhases::draw_spike_marks(const Area& area) const {
    if (num_above_ == 0) return;
    const float half = area.style.px(3);
    const auto is_above = [&](const Column& column) {
        const float total_us = hidden_ & total_series ? 0.0F : column.total_us;
        return static_cast<double>(std::max(total_us, column.stack_us())) > range_.largest_end();
    };
    const auto& columns = columns_.columns;
    for (std::size_t begin = 0; begin < columns.size();) {
        std::size_t end = begin;
        while (end < columns.size() && is_above(columns[end])) ++end;
        if (end == begin) {
            ++begin;
            continue;
        }
        // Neighbours share a mark: a triangle and a bar as wide as their columns.
        const float left = area.left_of(columns[begin]);
        const float right = area.right_of(columns[end - 1]);
        const float x = (left + right) / 2;
        area.list.AddTriangleFilled({x, area.low.y}, {x + half, area.low.y + 2 * half},
                                    {x - half, area.low.y + 2 * half}, area.style.palette.text);
        area.list.AddRectFilled({left, area.low.y}, {right, area.low.y + std::max(1.0F, area.style.px(2))},
                                area.style.palette.text);
        begin = end;
    }
}

/// Marks the columns before which the settings changed, the newest one with the change in words.
void StackedPhases::draw_changes(const Area& area, const std::string& last_change) const {
    const ImU32 ink = area.style.palette.text;
    const Column* newest = nullptr;
    for (const Column& column : columns_.columns) {
        if (!column.settings_changed) continue;
        newest = &column;
        const float x = std::round(area.left_of(column));
        draw_dashed(area.list, {x, area.low.y}, {x, area.high.y}, ink, 1, area.style.px(3));
    }
    if (!newest || last_change.empty()) return;
    const ImFont* font = area.style.fonts.small;
    const float gap = area.style.px(5);
    const float x = std::round(area.left_of(*newest));
    const float room_left = x - area.low.x;
    const float room_right = area.high.x - x;
    const std::string text = elided(font, last_change, std::max(room_left, room_right) - 2 * gap);
    const float left = room_right >= room_left ? x + gap : x - gap - text_width(font, text);
    const ImVec2 at{std::round(left), area.low.y + area.style.px(2)};
    area.list.AddRectFilled({at.x - area.style.px(3), at.y},
                            {at.x + text_width(font, text) + area.style.px(3), at.y + font->FontSize},
                            area.style.palette.panel);
    draw_text(area.list, font, at, ink, text);
}

void StackedPhases::draw_pinned(const Area& area, std::uint64_t pinned) const {
    const auto column = std::ranges::find_if(columns_.columns, [&](const Column& each) {
        return each.ordinal / columns_.frames_per_column == pinned / columns_.frames_per_column;
    });
    if (column == columns_.columns.end()) return;
    const float x = std::round(area.middle_of(*column));
    const float width = std::max(1.0F, area.style.px(1.5F));
    const float half = area.style.px(4);
    area.list.AddRectFilled({x, area.low.y}, {x + width, area.high.y}, area.style.palette.accent);
    area.list.AddTriangleFilled({x + width / 2 - half, area.low.y - half},
                                {x + width / 2 + half, area.low.y - half}, {x + width / 2, area.low.y + half},
                                area.style.palette.accent);
}

std::string_view StackedPhases::interop_name() const {
    return interop_ == Line::shown ? "map / unmap" : "map / unmap ↑";
}

std::string StackedPhases::compared_name(const TotalsLine& line) const {
    return std::string(line.name) + (compared_ == Line::shown ? "" : " ↑");
}

float StackedPhases::names_width(const PhaseSeries& series, const Style& style) const {
    const ImFont* font = style.fonts.small;
    float width = text_width(font, between_compactions);
    if (interop_ != Line::none) width = std::max(width, text_width(font, interop_name()));
    for (const compaction::Phase& phase : series.algorithm.phases)
        width = std::max(width, text_width(font, phase.name));
    return series.compared ? std::max(width, text_width(font, std::string(series.compared->name) + " ↑"))
                           : width;
}

StackedPhases::TypicalTimes StackedPhases::find_typical_times(const compaction::Algorithm& algorithm) {
    const auto median_of = [&](auto height_of) {
        median_scratch_.clear();
        for (auto column = columns_.columns.rbegin(); column != columns_.columns.rend(); ++column) {
            if (column->num_newer > columns_.num_across / 4) break;
            if (column->stacked && column->algorithm == &algorithm)
                median_scratch_.push_back(height_of(*column));
        }
        if (median_scratch_.empty()) return 0.0F;
        const auto middle = median_scratch_.begin() + static_cast<std::ptrdiff_t>(median_scratch_.size() / 2);
        std::ranges::nth_element(median_scratch_, middle);
        return *middle;
    };
    const std::size_t phases = algorithm.phases.size();
    TypicalTimes times;
    times.stack_us = median_of([](const Column& column) { return column.stack_us(); });
    times.total_us = median_of([](const Column& column) { return column.total_us; });
    times.phases_us = median_of([phases](const Column& column) { return column.bottom_us(phases); });
    times.interop_us = median_of([](const Column& column) { return column.interop_us; });
    for (std::size_t i = 0; i < phases; ++i) {
        times.middles_us[i] =
            median_of([i](const Column& column) { return (column.tops_us[i] + column.bottom_us(i)) / 2; });
    }
    return times;
}

std::vector<StackedPhases::Name> StackedPhases::choose_names(const Area& area,
                                                             const PhaseSeries& series) const {
    const compaction::Algorithm& algorithm = series.algorithm;
    std::vector<Name> names;
    names.reserve(algorithm.phases.size() + 4);
    const float stack_us = typical_.stack_us;
    if (stack_us <= 0 && !hidden_) return names;
    for (std::size_t phase = 0; phase < algorithm.phases.size(); ++phase) {
        const compaction::Phase& each = algorithm.phases[phase];
        names.push_back({each.name, area.y_of(typical_.middles_us[phase]), style_of(each.role).colour, 2.0F,
                         phase_series(phase)});
    }
    names.push_back({"total", area.y_of(hidden_ ? typical_.total_us : stack_us), area.style.palette.text,
                     1.25F, total_series});
    const float phases_us = typical_.phases_us;
    if ((hidden_ & between_series) || stack_us - phases_us > min_named_share * stack_us) {
        names.push_back({std::string(between_compactions), area.y_of((stack_us + phases_us) / 2),
                         between_calls_style(area.style.palette).colour, 2.0F, between_series});
    }
    if (series.compared) {
        names.push_back({compared_name(*series.compared), area.y_of(series.compared->us.median),
                         area.style.palette.compared, 1.25F, compared_series});
    }
    if (interop_ != Line::none) {
        names.push_back({std::string(interop_name()), area.y_of(typical_.interop_us),
                         area.style.palette.interop, 1.25F, interop_series});
    }
    // A low plot has room for few names, so the phases come first.
    const float room = (area.high.y - area.low.y) / area.style.fonts.small->FontSize;
    names.resize(std::min(names.size(), static_cast<std::size_t>(room)));
    std::ranges::sort(names, {}, &Name::y);
    return names;
}

void StackedPhases::draw_names(const Area& area, const PhaseSeries& series) {
    const Style& style = area.style;
    const ImFont* font = style.fonts.small;
    const std::vector<Name> names = choose_names(area, series);
    std::vector<float> name_y;
    for (const Name& name : names) name_y.push_back(name.y);
    spread_apart(name_y, font->FontSize + style.px(1), area.low.y + style.px(2), area.high.y - style.px(4));

    const float start = area.high.x + style.px(2);
    const float end = area.high.x + style.px(9);
    for (std::size_t i = 0; i < names.size(); ++i) {
        const bool hidden = hidden_ & names[i].series;
        const ImVec2 low{end + style.px(4), name_y[i] - font->FontSize / 2};
        const ImVec2 high{low.x + text_width(font, names[i].text), low.y + font->FontSize};
        names_.push_back({names[i].series, names[i].text, {start, low.y}, high});
        draw_text(area.list, font, low, hidden ? style.palette.muted : style.palette.label, names[i].text);
        if (hidden) {
            // The name is struck through.
            area.list.AddRectFilled({low.x, std::round(name_y[i])}, {high.x, std::round(name_y[i]) + 1},
                                    style.palette.muted);
            continue;
        }
        area.list.AddLine({start, names[i].y}, {end, name_y[i]}, names[i].colour,
                          std::max(1.0F, names[i].thickness * style.scale));
    }
}

std::optional<std::uint64_t> StackedPhases::draw_cursor(const Area& area, std::uint64_t frames_after) const {
    if (columns_.columns.empty() || !ImGui::IsWindowHovered() ||
        !ImGui::IsMouseHoveringRect(area.low, area.high))
        return {};
    const Style& style = area.style;
    const ImFont* font = style.fonts.small;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    // The values of both axes at the mouse cover their ticks.
    const auto draw_reading = [&](ImVec2 at, const std::string& text) {
        const float margin = style.px(3);
        area.list.AddRectFilled({at.x - margin, at.y - 1},
                                {at.x + text_width(font, text) + margin, at.y + font->FontSize + 1},
                                style.palette.raised_more);
        draw_text(area.list, font, at, style.palette.text, text);
    };
    const double us = area.us_at(mouse.y);
    const std::string time = format::significant(us * unit_.per_us);
    const float y = std::round(mouse.y);
    area.list.AddRectFilled({area.low.x, y}, {area.high.x, y + 1}, style.palette.muted);
    draw_reading({area.low.x - style.px(7) - text_width(font, time), y - font->FontSize / 2}, time);

    const auto num_newer = static_cast<std::size_t>((area.high.x - mouse.x) / area.column_width);
    const auto column = std::ranges::find(columns_.columns, num_newer, &Column::num_newer);
    if (column == columns_.columns.end()) return {};
    const float middle = std::round(area.middle_of(*column));
    area.list.AddRectFilled({middle, area.low.y}, {middle + 1, area.high.y}, style.palette.text);
    const std::uint64_t ago =
        frames_after + columns_.window.end - std::min(columns_.window.end, column->ordinal + 1);
    const std::string ago_text = "−" + format::grouped(ago);
    const float width = text_width(font, ago_text);
    draw_reading({std::clamp(middle - width / 2, area.low.x, area.high.x - width), area.high.y + style.px(4)},
                 ago_text);
    return column->ordinal;
}

}  // namespace warpsieve::plots
