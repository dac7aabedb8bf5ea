#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/scene/camera.hpp"
#include "app/scene/pick.hpp"
#include "app/scene/sparse_dense.hpp"
#include "app/trace/memory_replay.hpp"

/// What is drawn of one compaction: input and output as sheets of cells, the words between them as pillars,
/// stairs and terrain, and items on their way. Only the role of a buffer decides how it is drawn. Pure
/// functions. render/memory_pass.hpp draws the result; labels are drawn by the interface.
namespace warpsieve::scene {

/// A colour of the display; each component is 0 to 1.
struct Tint {
    float red = 0;
    float green = 0;
    float blue = 0;
};

/// The colours of a theme.
struct MemoryColours {
    std::array<Tint, 256> slots;  ///< from the first slot to the last
    std::array<Tint, 4> phases;   ///< by PhaseRole
    Tint ground;                  ///< behind everything
    Tint hole;                    ///< a cell without an item
    Tint future;                  ///< a cell of the output that will get an item
    Tint flash;                   ///< the colour that a new value fades from
};

/// A cell of a sheet. Has the std430 layout of the struct in memory_scene.glsl.
struct SheetCell {
    std::uint32_t body;   ///< RGBA8: the item; alpha 0: there never is one, and the body is drawn small
    std::uint32_t face;   ///< RGBA8: the cell around and below the body; alpha: its strength
    std::uint32_t edges;  ///< sides at which another part begins: SheetEdge
    float glow;           ///< light around the item, 0 to 1
};
/// Bits of SheetCell::edges.
enum SheetEdge : std::uint32_t { left_edge = 1, right_edge = 2, upper_edge = 4, lower_edge = 8 };

/// How a box is drawn.
enum class BoxForm : std::uint32_t {
    solid,    ///< a value that was measured
    hatched,  ///< a value that follows from others of the trace
    ghost,    ///< a value that is in registers, translucent
    floor,    ///< a flat plate under a word
    item,     ///< an item that is not in the output yet
};

/// A box that stands on a point. Has the std430 layout of the struct in memory_scene.glsl.
struct Box {
    std::array<float, 3> foot;  ///< centre of the lower side
    std::uint32_t colour;       ///< RGBA8
    std::array<float, 3> size;
    BoxForm form;
};

/// A band on the ground from one interval of x to another. Has the std430 layout of the struct in
/// memory_scene.glsl.
struct Ribbon {
    std::array<float, 3> from;  ///< the left end of the first interval
    float from_width;
    std::array<float, 3> to;  ///< the left end of the second interval
    float to_width;
    std::uint32_t colour;  ///< RGBA8
    std::array<std::uint32_t, 3> unused;
};

/// An arc with a bright head at its end. Has the std430 layout of the struct in memory_scene.glsl.
struct Arc {
    std::array<float, 3> from;
    float height;  ///< of its middle over the straight line, metres
    std::array<float, 3> to;
    float width;  ///< pixels
    float begin;  ///< the part that is drawn, 0 to 1 along the arc
    float end;
    std::uint32_t colour;  ///< RGBA8
    float head;            ///< light of the head, 0 to 1
};

/// What a label says.
enum class LabelKind : std::uint8_t {
    sheet,   ///< "INPUT", with its details
    row,     ///< the name of a buffer, with its details
    figure,  ///< the value of a word
    sum,     ///< "12 + 5 = 17": the newest offset as a sum
    hint,    ///< a sentence about what happens
};

/// The side of the anchor that a label is on.
enum class LabelSide : std::uint8_t {
    left,
    right,
    above,
    below,
    above_from,  ///< above; begins at the anchor
    below_from,  ///< below; begins at the anchor
    below_to,    ///< below; ends at the anchor
};

/// A text at a point of the scene.
struct Label {
    std::string text;    ///< "counts"
    std::string detail;  ///< "16 of 16", smaller; may be empty
    Vector anchor;
    LabelSide side = LabelSide::above;
    LabelKind kind = LabelKind::figure;
    std::optional<compaction::PhaseRole> hue;  ///< the colour of this phase; nullopt: of text
    int priority = 0;                          ///< the higher one stays if two overlap
};

/// A word that hit() can find.
struct PickableWord {
    std::uint32_t buffer = 0;  ///< index into MemoryReplay::buffers()
    std::uint32_t cell = 0;    ///< index into ReplayWords::words
    Vector top;                ///< of its pillar
};

/// Everything that is drawn of one compaction.
struct MemoryScene {
    CellField input;
    CellField output;
    std::vector<SheetCell> input_cells;   ///< [input.cells]
    std::vector<SheetCell> output_cells;  ///< [output.cells]
    std::vector<Box> boxes;
    std::vector<Box> ghosts;  ///< translucent; drawn after the boxes
    std::vector<Ribbon> ribbons;
    std::vector<Arc> arcs;
    std::vector<Label> labels;
    std::vector<PickableWord> words;
    bool at_rest = false;        ///< only words, without sheets: drawn over the live particles
    std::uint64_t revision = 0;  ///< differs between any two results of describe(); 0 before the first
};

/// Fills `scene` with the replay at the time of `state`. Reuses its memory. `at_rest`: without numbers,
/// flashes and flights.
void describe(const trace::MemoryReplay& replay, const trace::MemoryState& state,
              const MemoryColours& colours, bool at_rest, MemoryScene& scene);

/// Shows the scene in motion, without the particles behind it.
Viewpoint memory_viewpoint();

/// Something in the scene under a point of the screen.
struct MemoryHit {
    enum class Kind : std::uint8_t { slot, output_index, word };
    Kind kind = Kind::slot;
    std::uint64_t index = 0;   ///< slot, index in the output, or word
    std::uint32_t buffer = 0;  ///< of a word: index into MemoryReplay::buffers()
    Vector position;
    std::optional<Vector> counterpart;  ///< the position of its item in the other sheet
    std::vector<std::string> lines;     ///< "slot 1,503, kept", "3 kept before it in sequence 12", ...
};

/// The cell or word nearest to `point` and within `reach`, in half heights of the view.
std::optional<MemoryHit> hit(const trace::MemoryReplay& replay, const trace::MemoryState& state,
                             const MemoryScene& scene, const Matrix& view_projection, ScreenPoint point,
                             float aspect, float reach = 0.03F);

/// The hit of a slot, which must be below MemoryReplay::num_items().
MemoryHit hit_of_slot(const trace::MemoryReplay& replay, const trace::MemoryState& state,
                      const MemoryScene& scene, std::uint64_t slot);

/// The slot of a kept item that is worth following: away from the ends of the input, with kept items before
/// it in its part, and not in the first part, as far as possible. Nullopt if no item has a known output
/// index.
std::optional<std::uint64_t> slot_to_follow(const trace::MemoryReplay& replay);

/// A label on the screen.
struct PlacedLabel {
    const Label* label = nullptr;
    float left = 0;  ///< pixels of the view, y down
    float top = 0;
    float width = 0;
    float height = 0;
    bool has_detail = true;  ///< false: the view is too narrow for the detail
};

/// Returns width and height of a label in pixels.
using MeasureLabel = std::function<std::array<float, 2>(const Label&)>;

/// Places the labels inside a view of this size in pixels. Of two that overlap, the one with the higher
/// priority stays.
std::vector<PlacedLabel> place(std::span<const Label> labels, const Matrix& view_projection, float width,
                               float height, const MeasureLabel& measure);

}  // namespace warpsieve::scene
