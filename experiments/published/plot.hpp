#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

/// Plots as data, drawn by one function on the HTML page and in the window. Series differ in colour, marker
/// and dash, never by hue alone.
namespace published {

struct PlotPoint {
    double x = 0;
    double y = 0;
    std::string label = {};  ///< tooltip; may be empty
    double low = 0;          ///< ends of the interval of y; drawn if `high` is above `low`
    double high = 0;
    bool after_gap = false;  ///< no line from the point before, as values between the two are missing
};

struct PlotSeries {
    std::string name;
    std::vector<PlotPoint> points;          ///< a logarithmic axis leaves out values up to 0
    bool line = true;                       ///< joins the points in order
    bool hollow = false;                    ///< hollow markers, for published figures
    std::optional<std::size_t> style = {};  ///< colour, marker and dash; default: the index of the series
};

/// The range of an axis; the same for plots that are compared.
struct Range {
    double low = 0;
    double high = 0;
};

enum class Axis { linear, powers_of_ten, powers_of_two };

/// Lines and points over two axes.
struct LinePlot {
    std::string title;
    std::string x_label;
    std::string y_label;
    std::vector<PlotSeries> series;
    Axis x = Axis::powers_of_ten;
    Axis y = Axis::powers_of_ten;
    bool y_from_zero = true;             ///< linear axes only
    bool diagonal = false;               ///< the line y = x, dotted, with the same scale on both axes
    std::optional<Range> y_limits = {};  ///< default: those of the points
};

struct Bar {
    std::optional<double> value;
    double low = 0;  ///< ends of the interval; drawn if `high` is above `low`
    double high = 0;
};

/// The bars of one entry, one for each name in BarPlot::series.
struct BarGroup {
    std::string name;
    std::vector<Bar> bars;
};

/// Bars from 0 with their values, one below the other.
struct BarPlot {
    std::string title;
    std::string unit;
    std::vector<std::string> series;  ///< names for the legend, which a single series does not need
    std::vector<BarGroup> groups;
    bool published = false;  ///< draws hollow bars
};

using Plot = std::variant<LinePlot, BarPlot>;

/// Whether there is nothing to draw: no series has a point that the axes can show, or no bar has a value.
bool is_empty(const Plot& plot);

/// The plots that are not empty, all line plots among them with one range of y.
std::vector<Plot> side_by_side(std::vector<Plot> plots);

/// A position in pixels at a scale of 100 %, from the top left corner of the plot.
struct Position {
    double x = 0;
    double y = 0;
};

/// A colour by its role. A canvas has a colour for each role, and several for series.
struct Ink {
    enum class Role { ground, grid, muted, text, series };
    Role role = Role::text;
    std::size_t series = 0;  ///< index of the colour, without an upper bound
};

enum class Anchor { start, middle, end };

/// What plots are drawn on.
class Canvas {
  public:
    virtual ~Canvas() = default;
    /// Joins the points. `dash`: lengths of dashes and gaps in turn; empty for a solid line.
    virtual void line(std::span<const Position> points, Ink ink, double width,
                      std::span<const double> dash) = 0;
    /// Draws a convex shape. `tip`: text shown while the mouse points at it; may be empty.
    virtual void shape(std::span<const Position> corners, Ink fill, Ink edge, const std::string& tip) = 0;
    virtual void circle(Position centre, double radius, Ink fill, Ink edge, const std::string& tip) = 0;
    /// Draws text of 12 pixels, whose baseline is at `at.y`.
    virtual void text(Position at, Anchor anchor, const std::string& text, Ink ink, bool bold) = 0;
};

/// Draws the plot, `width` pixels wide, on the canvas. It must not be empty.
void draw(const Plot& plot, double width, Canvas& canvas);

/// The height of the plot in pixels, if it is `width` pixels wide.
double height_of(const Plot& plot, double width);

/// The plot as self-contained SVG text on a white ground; empty if the plot is.
std::string to_svg(const Plot& plot, double width);

}  // namespace published
