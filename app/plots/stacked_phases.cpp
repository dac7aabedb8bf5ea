#include "app/plots/stacked_phases.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/plots/figures.hpp"

namespace warpsieve::plots {

std::optional<std::size_t> StackedPhases::draw(ImDrawList& list, ImVec2 low, ImVec2 high,
                                               const experiments::Timeline& timeline,
                                               const compaction::Algorithm& algorithm, const Look& look,
                                               double seconds) {
    const float line_height = look.fonts.small->FontSize;
    float names_width = text_width(look.fonts.small, "total");
    if (interop_ != Interop::none) names_width = text_width(look.fonts.small, interop_name());
    for (const compaction::Phase& phase : algorithm.phases) {
        names_width = std::max(names_width, text_width(look.fonts.small, phase.name));
    }
    const ImVec2 data_low{low.x + look.px(44), low.y + std::round(line_height / 2)};
    const ImVec2 data_high{high.x - names_width - look.px(16), high.y - line_height - look.px(5)};
    if (data_high.x - data_low.x < look.px(40) || data_high.y - data_low.y < look.px(24)) return {};

    const float width = data_high.x - data_low.x;
    const float widest_column = look.plain ? 2.0F : 1.0F;
    reduce(timeline, static_cast<std::size_t>(width / widest_column), columns_);
    follow(timeline, seconds);

    const double top_us = range_.top() > 0 ? range_.top() : 1;
    unit_ = time_unit(top_us);
    const Area area{list, look, data_low, data_high, width / static_cast<float>(columns_.across), top_us};
    draw_axes(area);
    list.PushClipRect(data_low, data_high, true);
    draw_runs(area);
    if (interop_ == Interop::shown) draw_line(area, &Column::interop_us, look.palette.interop);
    // Of one phase, its band is the total.
    if (algorithm.phases.size() > 1) draw_line(area, &Column::total_us, look.palette.text);
    draw_spike_marks(area);
    list.PopClipRect();
    draw_names(area, algorithm);
    return draw_cursor(area);
}

std::string StackedPhases::left_out() const {
    if (range_.spikes() == 0) return {};
    const Figure end = duration(range_.top());
    return grouped(range_.spikes()) + (range_.spikes() == 1 ? " frame" : " frames") + " above " + end.number +
           " " + end.unit;
}

double StackedPhases::highest_us() const {
    return range_.largest();
}

void StackedPhases::follow(const experiments::Timeline& timeline, double seconds) {
    shown_us_.clear();
    double stack_us = 0;
    double interop_us = 0;
    for (std::size_t i = 0; i < timeline.size(); ++i) {
        const experiments::FrameSample& sample = timeline[i];
        const std::span<const float> phases = sample.phases();
        const float sum_us = std::accumulate(phases.begin(), phases.end(), 0.0F);
        const float highest_us = std::max(std::isfinite(sum_us) ? sum_us : 0.0F,
                                          std::isfinite(sample.total_us) ? sample.total_us : 0.0F);
        shown_us_.push_back(highest_us);
        stack_us += highest_us;
        interop_us += std::isfinite(sample.interop_us) ? sample.interop_us : 0.0F;
    }
    // The stack is the subject: the line may take up to half of the height from it. Above that it is not
    // drawn, and its name says where it went. The two limits lie apart so that a line near them does not come
    // and go.
    const bool fits = interop_us < (interop_ == Interop::shown ? 2.4 : 2.0) * stack_us;
    interop_ = interop_us <= 0 ? Interop::none : fits ? Interop::shown : Interop::above;
    for (std::size_t i = 0; interop_ == Interop::shown && i < shown_us_.size(); ++i) {
        if (timeline[i].interop_us > shown_us_[i]) shown_us_[i] = timeline[i].interop_us;
    }
    range_.follow(shown_us_, seconds);
}

void StackedPhases::draw_axes(const Area& area) const {
    const Look& look = area.look;
    const ImFont* font = look.fonts.small;
    const auto most = static_cast<std::size_t>((area.high.y - area.low.y) / (font->FontSize * 1.9F)) + 1;
    const Ticks ticks = choose_ticks(area.top_us * unit_.per_us, std::clamp<std::size_t>(most, 2, 6));
    for (std::size_t i = 0; i < ticks.count; ++i) {
        const double value = ticks.step * static_cast<double>(i);
        const float y = std::round(area.y_of(value / unit_.per_us));
        area.list.AddRectFilled({area.low.x, y}, {area.high.x, y + 1},
                                i == 0 ? look.palette.muted : look.palette.grid);
        const std::string label =
            tick_label(value, ticks.decimals) + (i + 1 == ticks.count ? std::string(" ") + unit_.name : "");
        draw_text(area.list, font,
                  {area.low.x - look.px(7) - text_width(font, label), y - font->FontSize / 2},
                  look.palette.muted, label);
    }

    const std::size_t frames = columns_.across * columns_.frames_per_column;
    const float width = area.high.x - area.low.x;
    const std::size_t step = width < look.px(160) ? 600 : width < look.px(460) ? 300 : 100;
    const float label_y = area.high.y + look.px(4);
    for (std::size_t ago = 0; ago <= frames; ago += step) {
        const float x = area.high.x - static_cast<float>(ago) / static_cast<float>(frames) * width;
        area.list.AddRectFilled({std::round(x) - (ago == 0 ? 1.0F : 0.0F), area.high.y},
                                {std::round(x) + (ago == 0 ? 0.0F : 1.0F), area.high.y + look.px(4)},
                                look.palette.muted);
        const std::string label = ago == 0      ? "now"
                                  : ago == step ? "−" + std::to_string(ago) + " frames"
                                                : "−" + std::to_string(ago);
        const float label_width = text_width(font, label);
        const float centred = ago == 0 ? x - label_width : x - label_width / 2;
        draw_text(area.list, font, {std::max(centred, area.low.x - label_width / 2), label_y},
                  look.palette.muted, label);
    }
}

void StackedPhases::draw_runs(const Area& area) {
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
        draw_bands(area, columns.subspan(begin, end - begin), edge_);
        // A line where the algorithm changed: what lies on its two sides is to be compared.
        if (previous && previous->algorithm != columns[begin].algorithm) {
            const float x = std::round(area.left_of(columns[begin]));
            area.list.AddRectFilled({x, area.low.y}, {x + 1, area.high.y}, area.look.palette.text);
        }
        previous = &columns[end - 1];
        begin = end;
    }
}

void StackedPhases::draw_line(const Area& area, float Column::*value, ImU32 colour) {
    const auto& columns = columns_.columns;
    for (std::size_t begin = 0; begin < columns.size();) {
        edge_.clear();
        std::size_t end = begin;
        for (; end < columns.size() && columns[end].*value > 0; ++end) {
            edge_.push_back(
                {area.middle_of(columns[end]), std::round(area.y_of(columns[end].*value)) + 0.5F});
        }
        const auto count = static_cast<int>(edge_.size());
        if (count > 1) {
            area.list.AddPolyline(edge_.data(), count, colour, ImDrawFlags_None,
                                  std::max(1.0F, 1.25F * area.look.scale));
        }
        begin = std::max(end, begin + 1);
    }
}

void StackedPhases::draw_spike_marks(const Area& area) const {
    if (range_.spikes() == 0) return;
    const float half = area.look.px(3);
    for (const Column& column : columns_.columns) {
        if (static_cast<double>(std::max(column.total_us, column.stack_us())) <= range_.top()) continue;
        const float x = area.middle_of(column);
        area.list.AddTriangleFilled({x, area.low.y}, {x + half, area.low.y + 2 * half},
                                    {x - half, area.low.y + 2 * half}, area.look.palette.text);
    }
}

std::string_view StackedPhases::interop_name() const {
    return interop_ == Interop::shown ? "map / unmap" : "map / unmap ↑";
}

std::vector<StackedPhases::Name> StackedPhases::place_names(const Area& area,
                                                            const compaction::Algorithm& algorithm) {
    // The median over the newest quarter of the plot: a name that followed every frame could not be read, and
    // one late frame must not pull it away.
    const auto usual = [&](auto height_of) {
        shown_us_.clear();
        for (const Column& column : columns_.columns) {
            if (!column.stacked || column.algorithm != &algorithm || column.age > columns_.across / 4)
                continue;
            shown_us_.push_back(height_of(column));
        }
        if (shown_us_.empty()) return 0.0F;
        const auto middle = shown_us_.begin() + static_cast<std::ptrdiff_t>(shown_us_.size() / 2);
        std::ranges::nth_element(shown_us_, middle);
        return *middle;
    };
    std::vector<Name> names;
    if (usual([](const Column& column) { return column.stack_us(); }) <= 0) return names;
    for (std::size_t phase = 0; phase < algorithm.phases.size(); ++phase) {
        const compaction::Phase& each = algorithm.phases[phase];
        const float middle_us = usual(
            [phase](const Column& column) { return (column.tops_us[phase] + column.bottom_us(phase)) / 2; });
        names.push_back({each.name, area.y_of(middle_us), style_of(each.role).colour, 2.0F});
    }
    const float total_us = usual([](const Column& column) { return column.total_us; });
    if (algorithm.phases.size() > 1 && total_us > 0) {
        names.push_back({"total", area.y_of(total_us), area.look.palette.text, 1.25F});
    }
    if (interop_ != Interop::none) {
        const float interop_us = usual([](const Column& column) { return column.interop_us; });
        names.push_back({interop_name(), area.y_of(interop_us), area.look.palette.interop, 1.25F});
    }
    std::ranges::sort(names, {}, &Name::y);
    return names;
}

void StackedPhases::draw_names(const Area& area, const compaction::Algorithm& algorithm) {
    const Look& look = area.look;
    const ImFont* font = look.fonts.small;
    const std::vector<Name> names = place_names(area, algorithm);
    std::vector<float> places;
    for (const Name& name : names) places.push_back(name.y);
    spread(places, font->FontSize + look.px(1), area.low.y + look.px(2), area.high.y - look.px(4));

    const float start = area.high.x + look.px(2);
    const float end = area.high.x + look.px(9);
    for (std::size_t i = 0; i < names.size(); ++i) {
        area.list.AddLine({start, names[i].y}, {end, places[i]}, names[i].colour,
                          std::max(1.0F, names[i].thickness * look.scale));
        draw_text(area.list, font, {end + look.px(4), places[i] - font->FontSize / 2}, look.palette.label,
                  names[i].text);
    }
}

std::optional<std::size_t> StackedPhases::draw_cursor(const Area& area) const {
    if (columns_.columns.empty() || !ImGui::IsWindowHovered() ||
        !ImGui::IsMouseHoveringRect(area.low, area.high))
        return {};
    const float x = ImGui::GetIO().MousePos.x;
    const auto age = static_cast<std::size_t>((area.high.x - x) / area.column_width);
    const auto column = std::ranges::find(columns_.columns, age, &Column::age);
    if (column == columns_.columns.end()) return {};
    const float middle = std::round(area.middle_of(*column));
    area.list.AddRectFilled({middle, area.low.y}, {middle + 1, area.high.y}, area.look.palette.text);
    return column->sample;
}

}  // namespace warpsieve::plots
