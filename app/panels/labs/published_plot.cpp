#include "app/panels/labs/published_plot.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "app/format/figures.hpp"

namespace warpsieve::panels {
namespace {

using published::Ink;
using published::Position;

/// The thickness of the edge of a mark, and the distance at which the mouse is on a mark; in pixels at 100 %.
constexpr double edge_thickness = 1.6;
constexpr double hover_distance = 7;

class WindowCanvas : public published::Canvas {
  public:
    WindowCanvas(ImDrawList& list, ImVec2 low, double width, const plots::Style& style,
                 std::optional<ImVec2> mouse)
        : list_(list), low_(low), width_(width), style_(style), mouse_(mouse) {}

    void line(std::span<const Position> points, Ink ink, double width,
              std::span<const double> dash) override {
        const std::vector<ImVec2> at = pixels(points);
        if (dash.empty()) return stroke(at, ink, width);
        std::vector<ImVec2> part{at.front()};
        std::size_t dash_index = 0;  // even: a dash, odd: a gap
        float remaining = length(dash[0]);
        const auto end_part = [&] {
            if (dash_index % 2 == 0) stroke(part, ink, width);
        };
        for (std::size_t i = 1; i < at.size(); ++i) {
            const ImVec2 from = at[i - 1];
            const ImVec2 to = at[i];
            const float distance = std::hypot(to.x - from.x, to.y - from.y);
            float done = 0;
            for (; distance - done > remaining; remaining = length(dash[dash_index])) {
                done += remaining;
                const float share = done / distance;
                part.push_back({from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share});
                end_part();
                part.assign(1, ImVec2(part.back()));
                dash_index = (dash_index + 1) % dash.size();
            }
            remaining -= distance - done;
            part.push_back(to);
        }
        end_part();
    }

    void shape(std::span<const Position> corners, Ink fill, Ink edge, const std::string& tip) override {
        const std::vector<ImVec2> at = pixels(corners);
        const int size = static_cast<int>(at.size());
        list_.AddConvexPolyFilled(at.data(), size, colour_of(fill));
        list_.AddPolyline(at.data(), size, colour_of(edge), ImDrawFlags_Closed, thickness(edge_thickness));
        const auto [left, right] = std::ranges::minmax(at, {}, &ImVec2::x);
        const auto [top, bottom] = std::ranges::minmax(at, {}, &ImVec2::y);
        offer_tip({(left.x + right.x) / 2, (top.y + bottom.y) / 2}, tip);
    }

    void circle(Position centre, double radius, Ink fill, Ink edge, const std::string& tip) override {
        const ImVec2 at = pixel(centre);
        list_.AddCircleFilled(at, length(radius), colour_of(fill));
        list_.AddCircle(at, length(radius), colour_of(edge), 0, thickness(edge_thickness));
        offer_tip(at, tip);
    }

    void text(Position at, published::Anchor anchor, const std::string& text, Ink ink, bool bold) override {
        const ImFont* font = bold ? style_.fonts.heading : style_.fonts.small;
        const double share_left_of_at = anchor == published::Anchor::start    ? 0
                                        : anchor == published::Anchor::middle ? 0.5
                                                                              : 1;
        const double room =
            std::min(share_left_of_at > 0 ? at.x / share_left_of_at : width_,
                     share_left_of_at < 1 ? (width_ - at.x) / (1 - share_left_of_at) : width_);
        const std::string shown = plots::elided(font, format::with_powers(text), length(room));
        const float left = static_cast<float>(share_left_of_at) * plots::text_width(font, shown);
        const ImVec2 baseline = pixel(at);
        plots::draw_on_baseline(list_, font, {std::round(baseline.x - left), std::round(baseline.y)},
                                colour_of(ink), shown);
    }

    const std::string& tip() const { return tip_; }

  private:
    float length(double at_100_percent) const { return static_cast<float>(at_100_percent) * style_.scale; }
    float thickness(double at_100_percent) const { return std::max(1.0F, length(at_100_percent)); }
    ImVec2 pixel(Position at) const { return {low_.x + length(at.x), low_.y + length(at.y)}; }
    std::vector<ImVec2> pixels(std::span<const Position> points) const {
        std::vector<ImVec2> at;
        for (const Position& point : points) at.push_back(pixel(point));
        return at;
    }

    ImU32 colour_of(Ink ink) const {
        const plots::Palette& palette = style_.palette;
        switch (ink.role) {
            case Ink::Role::ground:
                return palette.panel;
            case Ink::Role::grid:
                return palette.grid;
            case Ink::Role::muted:
                return palette.muted;
            case Ink::Role::text:
                return palette.label;
            case Ink::Role::series:
                break;
        }
        return palette.series[ink.series % palette.series.size()];
    }

    void stroke(const std::vector<ImVec2>& points, Ink ink, double width) {
        list_.AddPolyline(points.data(), static_cast<int>(points.size()), colour_of(ink), ImDrawFlags_None,
                          thickness(width));
    }

    /// Keeps the tip of a mark if the mouse is near its centre.
    void offer_tip(ImVec2 centre, const std::string& tip) {
        if (!mouse_ || tip.empty()) return;
        if (std::hypot(mouse_->x - centre.x, mouse_->y - centre.y) <= length(hover_distance)) tip_ = tip;
    }

    ImDrawList& list_;
    ImVec2 low_;
    double width_;
    const plots::Style& style_;
    std::optional<ImVec2> mouse_;
    std::string tip_;
};

}  // namespace

std::string draw_published_plot(ImDrawList& list, ImVec2 low, const published::Plot& plot, double width,
                                const plots::Style& style, std::optional<ImVec2> mouse) {
    WindowCanvas canvas(list, low, width, style, mouse);
    published::draw(plot, width, canvas);
    return format::with_powers(canvas.tip());
}

}  // namespace warpsieve::panels
