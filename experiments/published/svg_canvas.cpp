#include <array>

#include "experiments/format/numbers.hpp"
#include "experiments/published/plot.hpp"
#include "experiments/published/text.hpp"

namespace published {
namespace {

namespace format = experiments::format;

/// Source: Okabe and Ito 2008, "Color Universal Design".
constexpr std::array colours{"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9"};

std::string colour_of(Ink ink) {
    switch (ink.role) {
        case Ink::Role::ground:
            return "#FFFFFF";
        case Ink::Role::grid:
            return "#D9DDE3";
        case Ink::Role::muted:
            return "#5A6472";
        case Ink::Role::text:
            return "#1B1F26";
        case Ink::Role::series:
            break;
    }
    return colours[ink.series % colours.size()];
}

/// A coordinate in pixels.
std::string digits(double value) {
    return format::fixed(value, 1);
}

std::string attribute(const std::string& name, const std::string& value) {
    return " " + name + "=\"" + value + "\"";
}

std::string points_text(std::span<const Position> points) {
    std::string text;
    for (const auto& [x, y] : points) text += (text.empty() ? "" : " ") + digits(x) + "," + digits(y);
    return text;
}

class SvgCanvas : public Canvas {
  public:
    void line(std::span<const Position> points, Ink ink, double width,
              std::span<const double> dash) override {
        std::string pattern;
        for (const double length : dash) pattern += (pattern.empty() ? "" : " ") + format::shortest(length);
        text_ += "<polyline" + attribute("points", points_text(points)) +
                 attribute("stroke", colour_of(ink)) + attribute("stroke-width", digits(width)) +
                 (pattern.empty() ? "" : attribute("stroke-dasharray", pattern)) + "/>\n";
    }
    void shape(std::span<const Position> corners, Ink fill, Ink edge, const std::string& tip) override {
        add("polygon", attribute("points", points_text(corners)), fill, edge, tip);
    }
    void circle(Position centre, double radius, Ink fill, Ink edge, const std::string& tip) override {
        add("circle",
            attribute("cx", digits(centre.x)) + attribute("cy", digits(centre.y)) +
                attribute("r", digits(radius)),
            fill, edge, tip);
    }
    void text(Position at, Anchor anchor, const std::string& text, Ink ink, bool bold) override {
        constexpr std::array anchors{"start", "middle", "end"};
        text_ += "<text" + attribute("x", digits(at.x)) + attribute("y", digits(at.y)) +
                 attribute("text-anchor", anchors[static_cast<std::size_t>(anchor)]) +
                 attribute("fill", colour_of(ink)) + (bold ? attribute("font-weight", "600") : "") + ">" +
                 escaped(text) + "</text>\n";
    }

    const std::string& elements() const { return text_; }

  private:
    void add(const std::string& name, const std::string& geometry, Ink fill, Ink edge,
             const std::string& tip) {
        text_ += "<" + name + geometry + attribute("fill", colour_of(fill)) +
                 attribute("stroke", colour_of(edge)) + attribute("stroke-width", "1.6") + ">" +
                 (tip.empty() ? "" : element("title", tip)) + "</" + name + ">\n";
    }

    std::string text_;
};

}  // namespace

std::string to_svg(const Plot& plot, double width) {
    if (is_empty(plot)) return {};
    SvgCanvas canvas;
    draw(plot, width, canvas);
    const std::string height = digits(height_of(plot, width));
    const std::string title = std::visit([](const auto& each) { return each.title; }, plot);
    return "<svg xmlns=\"http://www.w3.org/2000/svg\"" +
           attribute("viewBox", "0 0 " + digits(width) + " " + height) + attribute("width", digits(width)) +
           attribute("height", height) +
           " font-family=\"Inter, Helvetica, Arial, sans-serif\" font-size=\"12\" fill=\"none\" "
           "role=\"img\">\n" +
           element("title", title) + "\n<rect width=\"100%\" height=\"100%\" fill=\"#FFFFFF\"/>\n" +
           canvas.elements() + "</svg>\n";
}

}  // namespace published
