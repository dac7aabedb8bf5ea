#include "app/scene/memory_scene.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string_view>
#include <utility>

#include "experiments/format/numbers.hpp"

namespace warpsieve::scene {
namespace {

using compaction::BufferRole;
using compaction::PhaseRole;
using experiments::format::grouped;
using trace::MemoryReplay;
using trace::MemoryState;
using trace::never;
using trace::ReplayBuffer;
using trace::ReplayWord;
using trace::ReplayWords;

/// With more parts, no part has lines, ribbons or gaps of its own.
constexpr std::uint64_t max_separate_parts = 140;
/// With more words in a row, no word has a number.
constexpr std::size_t max_numbered_words = 20;
/// More words than this are a terrain, unless they belong to parts.
constexpr std::size_t max_pillars = 512;
/// About this many flights are drawn at once; a hash of the slot chooses them.
constexpr std::size_t max_drawn_flights = 520;
/// describe_hops() adds no arc to a scene with this many.
constexpr std::size_t max_arcs_with_hops = 420;
/// describe_look_backs() adds no arc to a scene with more.
constexpr std::size_t max_arcs_with_look_backs = 900;
constexpr std::uint32_t terrain_rows = 32;

/// Label::priority.
namespace priority {
constexpr int sheet = 100;
constexpr int row = 90;
constexpr int counter = 80;
constexpr int sum = 70;
constexpr int added_count = 65;
constexpr int launch = 60;
constexpr int offset = 40;
constexpr int count = 30;
}  // namespace priority

constexpr float count_height = 1.0F;   // metres, of the largest count
constexpr float offset_height = 1.7F;  // of an offset as large as all kept items
constexpr float terrain_height = 1.5F;
constexpr float terrace = 0.22F;  // how much higher each row is than the one in front of it

Tint mix(const Tint& a, const Tint& b, float t) {
    return {std::lerp(a.red, b.red, t), std::lerp(a.green, b.green, t), std::lerp(a.blue, b.blue, t)};
}

std::uint32_t packed(const Tint& tint, float alpha = 1) {
    const auto byte = [](float value) {
        return static_cast<std::uint32_t>(std::lround(255 * std::clamp(value, 0.0F, 1.0F)));
    };
    return byte(tint.red) | byte(tint.green) << 8 | byte(tint.blue) << 16 | byte(alpha) << 24;
}

std::array<float, 3> array_of(const Vector& v) {
    return {v.x, v.y, v.z};
}

/// A buffer as a row of the band between input and output.
struct Row {
    enum class Form : std::uint8_t { pillars, stairs, counter, terrain };
    std::size_t buffer = 0;
    Form form = Form::pillars;
    float front = 0;  ///< z
    float back = 0;
    float ground = 0;  ///< y

    float middle() const { return (front + back) / 2; }
};

/// Rows with a smaller number are nearer to the front.
int row_order_of(BufferRole role) {
    switch (role) {
        case BufferRole::flags:
            return 0;
        case BufferRole::counts:
            return 1;
        case BufferRole::status:
            return 2;
        case BufferRole::tree:
        case BufferRole::sums:
            return 3;
        default:
            return 4;
    }
}

bool is_counter(const ReplayBuffer& buffer) {
    return buffer.role == BufferRole::counter || buffer.role == BufferRole::num_selected;
}

float last_store(const ReplayWords& words) {
    float last = never;
    for (const ReplayWord& word : words.words) last = std::max(last, word.stored_at);
    return last;
}

/// The buffer to show as terrain: of several, the one that was stored to last.
std::optional<std::size_t> shown_terrain(const std::vector<std::size_t>& terrains, const MemoryState& state) {
    std::optional<std::size_t> shown;
    float last = never;
    for (const std::size_t buffer : terrains) {
        const float stored = last_store(state.buffers[buffer]);
        if (shown && stored <= last) continue;
        shown = buffer;
        last = stored;
    }
    return shown;
}

/// The rows from front to back.
std::vector<Row> arrange(const MemoryReplay& replay, const MemoryState& state) {
    std::vector<Row> rows;
    std::vector<std::size_t> terrains;
    std::optional<std::size_t> counter;
    for (std::size_t i = 0; i < replay.buffers().size() && i < state.buffers.size(); ++i) {
        const ReplayBuffer& buffer = replay.buffers()[i];
        const std::size_t cells = state.buffers[i].words.size();
        if (cells == 0 || buffer.role == BufferRole::items) continue;
        if (is_counter(buffer)) {
            // Of the two kinds, a counter takes precedence over num_selected.
            if (!counter || replay.buffers()[*counter].role != BufferRole::counter) counter = i;
        } else if (cells > max_pillars && !buffer.one_per_part) {
            terrains.push_back(i);
        } else {
            const bool stairs = buffer.role == BufferRole::offsets || buffer.role == BufferRole::sums;
            rows.push_back({i, stairs ? Row::Form::stairs : Row::Form::pillars});
        }
    }
    if (const auto terrain = shown_terrain(terrains, state)) rows.push_back({*terrain, Row::Form::terrain});
    if (rows.empty() && counter) rows.push_back({*counter, Row::Form::counter});
    std::ranges::stable_sort(rows, {},
                             [&](const Row& row) { return row_order_of(replay.buffers()[row.buffer].role); });

    // Weights divide the depth of the band among the rows and the ribbons.
    const auto weight = [](const Row& row) { return row.form == Row::Form::terrain ? 3.0F : 1.0F; };
    // Ribbons lead from the last row to the output.
    const bool has_ribbons =
        replay.parts().known() && !rows.empty() && rows.back().form != Row::Form::terrain;
    constexpr float weight_of_ribbons = 0.6F;
    float total_weight = has_ribbons ? weight_of_ribbons : 0.0F;
    for (const Row& row : rows) total_weight += weight(row);
    float front = WordBand::front;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].front = front;
        front -= (WordBand::front - WordBand::back) * weight(rows[i]) / total_weight;
        rows[i].back = front;
        rows[i].ground = terrace * static_cast<float>(i);
    }
    return rows;
}

/// From left to right, in metres.
struct XInterval {
    float left = 0;
    float right = 0;

    float middle() const { return (left + right) / 2; }
    float width() const { return right - left; }
};

/// Makes everything that is drawn from a replay at one time.
class Description {
  public:
    Description(const MemoryReplay& replay, const MemoryState& state, const MemoryColours& colours,
                bool at_rest, MemoryScene& scene)
        : replay_(replay), state_(state), colours_(colours), at_rest_(at_rest), scene_(scene) {
        const SparseDenseLayout layout =
            sparse_dense_layout(replay.num_items(), {}, 0, replay.picture_columns());
        scene.input = layout.sparse;
        scene.output = layout.dense;
        scene.at_rest = at_rest;
        scene.input_cells.clear();
        scene.output_cells.clear();
        scene.boxes.clear();
        scene.ghosts.clear();
        scene.ribbons.clear();
        scene.arcs.clear();
        scene.labels.clear();
        scene.words.clear();
        now_ = static_cast<float>(state.time);
        flash_decay_ = static_cast<float>(replay.duration()) * (replay.in_steps() ? 0.022F : 0.03F);
        rows_ = arrange(replay, state);
        if (const auto role = phase_role()) current_hue_ = hue_of(*role);
    }

    void describe() {
        if (!at_rest_) {
            describe_input();
            describe_output();
        }
        for (const Row& row : rows_) describe_row(row);
        if (!at_rest_) {
            describe_ribbons();
            describe_flights();
            describe_look_backs();
        }
        describe_sheet_labels();
    }

  private:
    const Tint& hue_of(PhaseRole role) const { return colours_.phases[static_cast<std::size_t>(role)]; }
    /// The colour of a word between the sheets. At rest, words are quieter than the particles.
    Tint word_hue(const Tint& hue) const { return at_rest_ ? mix(colours_.ground, hue, 0.55F) : hue; }
    const Tint& hue_of_phase(std::size_t phase) const {
        return hue_of(phase < replay_.phases().size() ? replay_.phases()[phase].role : PhaseRole::fused);
    }
    std::optional<PhaseRole> phase_role() const {
        if (!state_.phase) return std::nullopt;
        return replay_.phases()[*state_.phase].role;
    }
    /// The role of the phase that stores the output.
    PhaseRole storing_role() const {
        for (const trace::ReplayPhase& phase : replay_.phases())
            if (phase.role == PhaseRole::scatter || phase.role == PhaseRole::fused) return phase.role;
        return PhaseRole::scatter;
    }
    /// The flash of what happened at `time`: 1 at that time, then decaying to 0.
    float flash_of(float time) const {
        if (at_rest_ || time == never || time > now_) return 0;
        return std::exp((time - now_) / flash_decay_);
    }
    /// The colour of the item at this share of the slots.
    Tint item_colour(float share) const {
        const auto last = static_cast<float>(colours_.slots.size() - 1);
        return colours_.slots[static_cast<std::size_t>(std::clamp(share, 0.0F, 1.0F) * last)];
    }
    bool separates_parts() const {
        return replay_.parts().known() && replay_.parts().num_parts > 1 &&
               replay_.parts().num_parts <= max_separate_parts;
    }
    /// Lines between parts of few rows would hide a picture, whose rows are the columns of the field.
    bool shows_edges() const {
        constexpr std::uint64_t min_rows_per_part = 6;
        return separates_parts() &&
               (!is_picture() || replay_.parts().num_parts * min_rows_per_part <= scene_.input.columns);
    }
    float items_per_cell() const { return static_cast<float>(std::uint64_t{1} << replay_.cell_bits()); }
    bool is_picture() const { return replay_.picture_columns() > 0; }
    float share_of(std::uint64_t slot) const {
        return static_cast<float>(static_cast<double>(slot) / static_cast<double>(replay_.num_items()));
    }
    /// x of an input or output index, in metres, at the column of its cell.
    float x_of(double index) const {
        // The columns of a picture are rows of pixels: x follows the share of the items instead.
        if (is_picture())
            return WordBand::left +
                   WordBand::width * static_cast<float>(index / static_cast<double>(replay_.num_items()));
        const double column = index / static_cast<double>(items_per_cell()) / scene_.input.rows;
        return WordBand::left + static_cast<float>(column) * scene_.input.across[0];
    }

    void describe_input();
    float kept_share_in_picture(std::uint32_t cell) const;
    void describe_output();
    void mark_edges();
    void describe_row(const Row& row);
    void describe_pillars(const Row& row);
    void describe_counter(const Row& row);
    void describe_terrain(const Row& row);
    void describe_hops(const Row& row, float metres_per_value);
    void describe_ribbons();
    void describe_flights();
    void describe_look_backs();
    void describe_sheet_labels();
    void label_row(const Row& row, const XInterval& first_word);
    void label_words(const Row& row, const std::vector<Vector>& tops);
    std::optional<std::size_t> newest_sum(const Row& row) const;
    const Row* row_of(BufferRole role) const;
    bool library_is_storing(const Row& row) const;

    XInterval x_interval_of(const ReplayBuffer& buffer, const ReplayWords& words, std::size_t cell) const;
    float height_of(const Row& row, float value, float largest) const;
    float largest_count(const ReplayWords& words) const;
    float top_of_word(std::size_t buffer, std::uint64_t word) const;
    std::string short_name(const ReplayBuffer& buffer) const;

    const MemoryReplay& replay_;
    const MemoryState& state_;
    const MemoryColours& colours_;
    bool at_rest_;
    MemoryScene& scene_;
    float now_ = 0;          ///< the time of the state
    float flash_decay_ = 1;  ///< time constant, in the unit of the replay
    Tint current_hue_{};     ///< of the current phase
    std::vector<Row> rows_;
};

/// The share of kept items of a cell of a picture, from a few of its pixels.
float Description::kept_share_in_picture(std::uint32_t cell) const {
    constexpr float max_samples = 3;  // in each direction
    const CellField& field = scene_.input;
    const float samples_across = std::min(max_samples, std::ceil(field.cell_width)),
                samples_down = std::min(max_samples, std::ceil(field.cell_height));
    const auto cell_x = static_cast<float>(cell % field.rows), cell_y = static_cast<float>(cell / field.rows);
    float kept = 0;
    for (float down = 0.5F; down < samples_down; ++down) {
        const auto y = static_cast<std::uint64_t>((cell_y + down / samples_down) * field.cell_height);
        for (float across = 0.5F; across < samples_across; ++across) {
            const auto x = static_cast<std::uint64_t>((cell_x + across / samples_across) * field.cell_width);
            kept += replay_.is_kept(y * field.picture_columns + x) ? 1.0F : 0.0F;
        }
    }
    return kept / (samples_across * samples_down);
}

void Description::describe_input() {
    const CellField& field = scene_.input;
    const auto cells = static_cast<float>(field.cells);
    const auto is_loaded_in_phase = [&](const trace::InputCell& cell) {
        return state_.phase && cell.loaded_at != never && cell.phase == *state_.phase;
    };
    const bool phase_has_loads = std::ranges::any_of(state_.input, is_loaded_in_phase);
    const bool is_over = state_.time >= replay_.duration();
    // A span tells only when a block begins and ends: the loads between are estimated, and drawn weaker.
    const float certainty = replay_.in_steps() ? 1.0F : 0.55F;
    scene_.input_cells.reserve(field.cells);
    for (std::uint32_t i = 0; i < field.cells; ++i) {
        const std::uint64_t slot = field.item_of(i);
        if (slot >= replay_.num_items()) {
            scene_.input_cells.push_back(
                {.body = packed(colours_.hole, 0), .face = 0, .edges = 0, .glow = 0});
            continue;
        }
        const trace::InputCell& cell = state_.input[slot >> replay_.cell_bits()];
        const float kept_share = is_picture() ? kept_share_in_picture(i) : cell.kept;
        const bool any_kept = kept_share > 0;
        const Tint colour = item_colour((static_cast<float>(i) + 0.5F) / cells);
        const bool loaded = is_loaded_in_phase(cell);
        const float flash = certainty * flash_of(cell.loaded_at);
        // During a phase with loads, what it has loaded is brighter than the rest.
        const float light = is_over ? 0.85F : !phase_has_loads ? 0.62F : loaded ? 1.0F : 0.5F;
        const Tint lit = mix(colours_.hole, colour, light);
        // The lower bound keeps a single kept item of many visible.
        const float strength = any_kept ? 0.25F + 0.75F * kept_share : 0;
        Tint body = mix(colours_.hole, lit, strength);
        Tint hue = cell.loaded_at != never ? hue_of_phase(cell.phase) : Tint{};
        const float face = std::max(loaded ? 0.26F * certainty : 0.0F, 0.9F * flash);
        body = any_kept ? mix(body, colours_.flash, 0.3F * flash) : mix(body, hue, 0.8F * face);
        // The item has left its cell for the registers.
        if (cell.lifted > 0) body = mix(body, colours_.hole, 0.75F * cell.lifted);
        scene_.input_cells.push_back({.body = packed(body, any_kept ? 1.0F : 0.0F),
                                      .face = packed(hue, face),
                                      .edges = 0,
                                      .glow = any_kept ? 0.5F * flash : 0});
        if (flash > 0.1F && replay_.in_steps()) {
            const Vector at = field.centre(i);
            const Tint top = any_kept ? mix(hue, body, 0.55F) : mix(colours_.hole, hue, 0.75F);
            scene_.boxes.push_back(
                {array_of(at),
                 packed(top),
                 {0.84F * field.cell_metres_across(), 0.34F * flash, 0.84F * field.cell_metres_deep()},
                 BoxForm::solid});
        }
    }
    if (shows_edges()) mark_edges();
}

/// Marks the cells at which another part begins.
void Description::mark_edges() {
    const std::uint32_t rows = scene_.input.rows;
    std::vector<std::uint32_t> part_of(scene_.input.cells);
    for (std::uint32_t cell = 0; cell < part_of.size(); ++cell)
        part_of[cell] = static_cast<std::uint32_t>(replay_.parts().part_of(
            std::min<std::uint64_t>(scene_.input.item_of(cell), replay_.num_items() - 1)));
    // Cells are numbered column by column.
    const auto mark = [&](std::uint32_t a, std::uint32_t b, SheetEdge edge_of_a, SheetEdge edge_of_b) {
        if (b >= part_of.size() || part_of[a] == part_of[b]) return;
        scene_.input_cells[a].edges |= edge_of_a;
        scene_.input_cells[b].edges |= edge_of_b;
    };
    for (std::uint32_t cell = 0; cell < part_of.size(); ++cell) {
        mark(cell, cell + rows, right_edge, left_edge);
        if (cell % rows != rows - 1) mark(cell, cell + 1, lower_edge, upper_edge);
    }
}

void Description::describe_output() {
    const Tint& hue = hue_of(storing_role());
    scene_.output_cells.reserve(scene_.output.cells);
    for (std::uint32_t i = 0; i < scene_.output.cells; ++i) {
        const std::uint64_t index = scene_.output.item_of(i);
        const trace::OutputCell cell =
            index < replay_.num_items() ? state_.output[index >> replay_.cell_bits()] : trace::OutputCell{};
        const bool will_fill = index < replay_.num_kept();
        Tint body = will_fill ? colours_.future : colours_.hole;
        if (cell.filled <= 0) {
            scene_.output_cells.push_back(
                {.body = packed(body, will_fill ? 1.0F : 0.0F), .face = 0, .edges = 0, .glow = 0});
            continue;
        }
        const float flash = flash_of(cell.stored_at);
        body = mix(body, item_colour(cell.source), 0.25F + 0.75F * std::min(cell.filled, 1.0F));
        body = mix(body, colours_.flash, 0.4F * flash);
        scene_.output_cells.push_back(
            {.body = packed(body), .face = packed(hue, 0.9F * flash), .edges = 0, .glow = 0.8F * flash});
    }
}

XInterval Description::x_interval_of(const ReplayBuffer& buffer, const ReplayWords& words,
                                     std::size_t cell) const {
    if (buffer.one_per_part && replay_.parts().known()) {
        const std::uint64_t first = std::uint64_t{cell} << words.word_bits;
        const std::uint64_t end = (std::uint64_t{cell} + 1) << words.word_bits;
        return {x_of(static_cast<double>(replay_.parts().begin(first))),
                x_of(static_cast<double>(replay_.parts().begin(std::min(end, replay_.parts().num_parts))))};
    }
    const float width = WordBand::width / static_cast<float>(words.words.size());
    const float left = WordBand::left + static_cast<float>(cell) * width;
    return {left, left + width};
}

float Description::largest_count(const ReplayWords& words) const {
    float largest = 1;
    for (const std::uint64_t kept : replay_.part_kept())
        largest = std::max(largest, static_cast<float>(kept));
    if (!replay_.part_kept().empty()) return largest;
    for (const ReplayWord& word : words.words) largest = std::max(largest, word.value);
    return largest;
}

float Description::height_of(const Row& row, float value, float largest) const {
    constexpr float min_height = 0.04F;
    if (row.form == Row::Form::stairs)
        return min_height +
               offset_height * std::min(value / std::max(1.0F, static_cast<float>(replay_.num_kept())), 1.2F);
    return min_height + count_height * std::min(value / largest, 1.6F);
}

/// Returns "counts" for "counts of sequences".
std::string Description::short_name(const ReplayBuffer& buffer) const {
    return buffer.one_per_part ? buffer.name.substr(0, buffer.name.find(" of ")) : buffer.name;
}

void Description::describe_row(const Row& row) {
    if (row.form == Row::Form::terrain) {
        describe_terrain(row);
    } else if (row.form == Row::Form::counter) {
        describe_counter(row);
    } else {
        describe_pillars(row);
    }
}

void Description::describe_pillars(const Row& row) {
    const ReplayBuffer& buffer = replay_.buffers()[row.buffer];
    const ReplayWords& words = state_.buffers[row.buffer];
    const float largest = largest_count(words);
    const float depth = std::min(0.5F, 0.6F * (row.front - row.back));
    const bool has_gaps = words.words.size() <= max_separate_parts;
    const PhaseRole usual_role = row.form == Row::Form::stairs ? PhaseRole::prefix : PhaseRole::count;
    const bool phase_counts = row.form == Row::Form::pillars && buffer.one_per_part && words.word_bits == 0 &&
                              (phase_role() == PhaseRole::count || phase_role() == PhaseRole::fused);
    std::size_t cells = words.words.size();
    // The word after that of the last part holds the total; it is not drawn.
    if (buffer.one_per_part && replay_.parts().known())
        cells = std::min<std::size_t>(
            cells, static_cast<std::size_t>(trace::num_cells(replay_.parts().num_parts, words.word_bits)));
    std::vector<Vector> tops(cells);
    for (std::size_t i = 0; i < cells; ++i) {
        const ReplayWord& word = words.words[i];
        const XInterval interval = x_interval_of(buffer, words, i);
        const float width = has_gaps ? std::min(at_rest_ ? 0.4F : 0.85F, 0.62F * interval.width())
                                     : std::max(0.96F * interval.width(), 0.012F);
        const Vector foot{interval.middle(), row.ground, row.middle()};
        const Tint hue = word.stored_at != never ? hue_of_phase(word.phase) : hue_of(usual_role);
        const bool may_be_stored = word.stored_at == never && library_is_storing(row);
        tops[i] = foot;
        if (has_gaps && !at_rest_)
            scene_.boxes.push_back(
                {array_of({foot.x, foot.y - 0.03F, foot.z}),
                 packed(mix(colours_.ground, may_be_stored ? hue : colours_.future,
                            may_be_stored ? 0.4F : 0.55F)),
                 {std::max(interval.width() - 0.05F, 0.6F * interval.width()), 0.02F, depth + 0.22F},
                 may_be_stored ? BoxForm::hatched : BoxForm::floor});
        if (word.stored_at != never) {
            const float flash = std::max(flash_of(word.stored_at), 0.6F * flash_of(word.loaded_at));
            const float height = height_of(row, word.value, largest);
            tops[i].y += height;
            scene_.boxes.push_back({array_of(foot),
                                    packed(mix(word_hue(hue), colours_.flash, 0.4F * flash)),
                                    {width, height, depth},
                                    buffer.is_derived ? BoxForm::hatched : BoxForm::solid});
        } else if (!at_rest_ && phase_counts && i < state_.part_loaded.size() && state_.part_loaded[i] > 0) {
            const float height = height_of(row, state_.part_loaded[i], largest);
            tops[i].y += height;
            scene_.ghosts.push_back({array_of(foot),
                                     packed(hue_of(*phase_role()), 0.36F),
                                     {width, height, depth},
                                     BoxForm::ghost});
        }
        scene_.words.push_back(
            {static_cast<std::uint32_t>(row.buffer), static_cast<std::uint32_t>(i), tops[i]});
    }
    if (cells == 0) return;
    label_row(row, x_interval_of(buffer, words, 0));
    if (!at_rest_ && cells <= max_numbered_words) label_words(row, tops);
}

void Description::describe_counter(const Row& row) {
    const ReplayBuffer& buffer = replay_.buffers()[row.buffer];
    const ReplayWord& word = state_.buffers[row.buffer].words.front();
    const Vector foot{0, row.ground, row.middle()};
    const float flash = flash_of(std::max(word.stored_at, word.loaded_at));
    const float kept = std::max(1.0F, static_cast<float>(replay_.num_kept()));
    const float height = 0.05F + offset_height * std::min(word.value / kept, 1.0F);
    const Tint& hue = hue_of_phase(word.phase);
    scene_.boxes.push_back({array_of({foot.x, foot.y - 0.03F, foot.z}),
                            packed(mix(colours_.ground, colours_.future, 0.55F)),
                            {1.5F, 0.02F, 1.1F},
                            BoxForm::floor});
    Vector top = foot;
    if (word.stored_at != never) {
        top.y += height;
        scene_.boxes.push_back({array_of(foot),
                                packed(mix(word_hue(hue), colours_.flash, 0.3F * flash)),
                                {1.0F, height, 0.75F},
                                buffer.is_derived ? BoxForm::hatched : BoxForm::solid});
    }
    scene_.words.push_back({static_cast<std::uint32_t>(row.buffer), 0, top});
    const std::string figure =
        word.stored_at == never ? "unknown" : grouped(static_cast<std::uint64_t>(word.value));
    if (!at_rest_)
        scene_.labels.push_back({buffer.name,
                                 figure,
                                 {0.6F, (foot.y + top.y) / 2, foot.z},
                                 LabelSide::right,
                                 LabelKind::row,
                                 replay_.phases()[word.phase].role,
                                 priority::counter});
}

void Description::describe_terrain(const Row& row) {
    const ReplayBuffer& buffer = replay_.buffers()[row.buffer];
    const ReplayWords& words = state_.buffers[row.buffer];
    const auto columns = static_cast<std::uint32_t>((words.words.size() + terrain_rows - 1) / terrain_rows);
    const float depth = 0.86F * (row.front - row.back);
    const float front = row.middle() + depth / 2;
    const float width = WordBand::width / static_cast<float>(columns);
    const float row_depth = depth / terrain_rows;
    float largest = 1;
    for (const ReplayWord& word : words.words) largest = std::max(largest, word.value);
    const float kept = std::max(1.0F, static_cast<float>(replay_.num_kept()));
    // The small power keeps small sums visible, and the terrain still grows with the largest.
    const float metres_per_value = terrain_height * std::pow(std::min(1.0F, largest / kept), 0.24F) / largest;
    const double launch_begin = state_.launch ? replay_.launches()[*state_.launch].begin : replay_.duration();
    scene_.boxes.push_back({{0, row.ground - 0.05F, row.middle()},
                            packed(mix(colours_.ground, colours_.future, 0.35F)),
                            {WordBand::width + 0.2F, 0.02F, depth + 0.2F},
                            BoxForm::floor});
    for (std::size_t i = 0; i < words.words.size(); ++i) {
        const ReplayWord& word = words.words[i];
        const std::size_t column = i / terrain_rows, terrain_row = i % terrain_rows;
        const Vector foot{WordBand::left + (static_cast<float>(column) + 0.5F) * width, row.ground,
                          front - depth + (static_cast<float>(terrain_row) + 0.5F) * row_depth};
        Vector top = foot;
        if (word.stored_at != never) {
            const float height = 0.02F + metres_per_value * word.value;
            top.y += height;
            const float flash = flash_of(word.stored_at);
            const bool is_highlighted = at_rest_ || static_cast<double>(word.stored_at) >= launch_begin;
            const float light = (is_highlighted ? 1.0F : 0.72F) *
                                (0.4F + 0.6F * std::min(1.0F, height / terrain_height + 0.1F)) *
                                (word.value > 0 ? 1.0F : 0.4F);
            const Tint hue = mix(colours_.ground, hue_of_phase(word.phase), light);
            scene_.boxes.push_back({array_of(foot),
                                    packed(mix(word_hue(hue), colours_.flash, 0.35F * flash)),
                                    {0.88F * width, height, 0.9F * row_depth},
                                    buffer.is_derived ? BoxForm::hatched : BoxForm::solid});
        }
        scene_.words.push_back({static_cast<std::uint32_t>(row.buffer), static_cast<std::uint32_t>(i), top});
    }
    label_row(row, {WordBand::left, WordBand::left + width});
    if (!at_rest_) describe_hops(row, metres_per_value);
}

/// Draws arcs from the word that each lane of the launch loads to the word that it stores.
void Description::describe_hops(const Row& row, float metres_per_value) {
    if (!state_.launch) return;
    const trace::ReplayLaunch& launch = replay_.launches()[*state_.launch];
    const ReplayWords& words = state_.buffers[row.buffer];
    const std::uint64_t hop_cells = launch.hop >> words.word_bits;
    if (hop_cells == 0) return;
    const auto begin = static_cast<float>(launch.begin);
    // describe_terrain() has just appended the words of this row.
    const std::size_t first_word = scene_.words.size() - words.words.size();
    constexpr std::size_t wanted_arcs = 160;
    constexpr std::size_t max_steady_arcs = 300;  // arcs of more stores fade
    std::size_t stored = 0;
    for (const ReplayWord& word : words.words) stored += word.stored_at >= begin;
    const std::size_t stride = std::max<std::size_t>(1, stored / wanted_arcs);
    const Tint& hue = hue_of(replay_.phases()[launch.phase].role);
    std::size_t num_seen = 0;
    for (std::size_t i = hop_cells; i < words.words.size() && scene_.arcs.size() < max_arcs_with_hops; ++i) {
        const ReplayWord& word = words.words[i];
        if (word.stored_at < begin || num_seen++ % stride != 0) continue;
        const float light = stored <= max_steady_arcs ? 1.0F : 0.15F + 0.85F * flash_of(word.stored_at);
        Vector from = scene_.words[first_word + i - hop_cells].top;
        const Vector to = scene_.words[first_word + i].top;
        from.y = std::max(from.y, row.ground + metres_per_value);
        const float height = std::min(1.0F, 0.18F + 0.16F * std::sqrt(static_cast<float>(hop_cells) / 32));
        scene_.arcs.push_back({.from = array_of(from),
                               .height = height,
                               .to = array_of(to),
                               .width = 1.4F,
                               .begin = 0,
                               .end = 1,
                               .colour = packed(hue, 0.7F * light),
                               .head = 0.7F * light});
    }
    std::size_t launch_number = 0, launches_in_phase = 0;
    for (std::size_t i = 0; i < replay_.launches().size(); ++i) {
        if (replay_.launches()[i].phase != launch.phase) continue;
        ++launches_in_phase;
        if (i <= *state_.launch) ++launch_number;
    }
    scene_.labels.push_back({"launch " + grouped(launch_number) + " of " + grouped(launches_in_phase),
                             "words " + grouped(launch.hop) + " apart",
                             {WordBand::left + WordBand::width + 0.12F, row.ground, row.middle()},
                             LabelSide::right,
                             LabelKind::row,
                             replay_.phases()[launch.phase].role,
                             priority::launch});
}

const Row* Description::row_of(BufferRole role) const {
    const auto found = std::ranges::find_if(
        rows_, [&](const Row& row) { return replay_.buffers()[row.buffer].role == role; });
    return found == rows_.end() ? nullptr : &*found;
}

/// Whether a library is storing the row. The trace knows only its begin and its end.
bool Description::library_is_storing(const Row& row) const {
    if (at_rest_ || !state_.phase || !replay_.phases()[*state_.phase].is_library) return false;
    const std::vector<std::string>& writes = replay_.phases()[*state_.phase].writes;
    if (writes.empty()) return row.form == Row::Form::stairs;
    return std::ranges::find(writes, replay_.buffers()[row.buffer].name) != writes.end();
}

/// Draws a ribbon from each part's offset to the items of the part in the output, once their position is
/// known.
void Description::describe_ribbons() {
    if (!separates_parts() || !replay_.algorithm().stable || replay_.part_kept().empty() || is_picture())
        return;
    const Row* offsets = row_of(BufferRole::offsets);
    const Row* row = offsets ? offsets : row_of(BufferRole::status);
    if (!row || row->form == Row::Form::terrain) return;
    const ReplayBuffer& buffer = replay_.buffers()[row->buffer];
    const ReplayWords& words = state_.buffers[row->buffer];
    if (!buffer.one_per_part || words.word_bits != 0) return;
    const PhaseRole role = phase_role().value_or(storing_role());
    const Tint& hue = hue_of(role == PhaseRole::count ? PhaseRole::prefix : role);
    const Vector near_left = scene_.output.near_left();
    double offset = 0;
    for (std::size_t part = 0; part < replay_.part_kept().size(); ++part) {
        const auto kept = static_cast<double>(replay_.part_kept()[part]);
        const auto middle_cell =
            static_cast<std::size_t>((offset + kept / 2) / static_cast<double>(items_per_cell()));
        // Without a row of offsets, the position is known once the middle item of the part is stored.
        const bool known = offsets
                               ? part < words.words.size() && words.words[part].stored_at != never
                               : middle_cell < state_.output.size() && state_.output[middle_cell].filled > 0;
        if (known && kept > 0) {
            const XInterval from = x_interval_of(buffer, words, part);
            const float left = x_of(offset), right = x_of(offset + kept);
            const float inset = 0.18F * from.width();
            scene_.ribbons.push_back({{from.left + inset, row->ground + 0.02F, row->middle() - 0.3F},
                                      from.width() - 2 * inset,
                                      {left, near_left.y + 0.01F, near_left.z},
                                      right - left,
                                      packed(hue, part % 2 == 0 ? 0.46F : 0.30F),
                                      {}});
        }
        offset += kept;
    }
}

void Description::describe_flights() {
    const auto duration = static_cast<float>(replay_.duration());
    const float flight_time = 0.075F * duration, trail_time = 0.3F * flight_time;
    std::size_t active = 0;
    for (const trace::Flight& flight : state_.flights)
        active += flight.end - flight_time <= now_ && now_ <= flight.end + trail_time;
    const float drawn_fraction =
        std::min(1.0F, static_cast<float>(max_drawn_flights) / static_cast<float>(active + 1));
    const float strength =
        std::min(0.6F, 9 / std::sqrt(static_cast<float>(std::min(active, max_drawn_flights) + 1)));
    const float cell_width = scene_.input.cell_metres_across(), cell_depth = scene_.input.cell_metres_deep();
    std::vector<bool> has_floating_box(scene_.input.cells);
    for (const trace::Flight& flight : state_.flights) {
        if (now_ > flight.end + trail_time || now_ < flight.begin) continue;
        const std::uint32_t from_cell = scene_.input.cell_of(static_cast<std::uint32_t>(flight.slot));
        const std::uint32_t to_cell = scene_.output.cell_of(static_cast<std::uint32_t>(flight.output_index));
        if (from_cell >= scene_.input.cells || to_cell >= scene_.output.cells) continue;
        const Tint colour = item_colour(share_of(flight.slot));
        // An item may wait for long after its load: it flies just before its store.
        const float air_time = std::min(flight_time, std::max(flight.end - flight.begin, 0.5F));
        const float t = std::clamp((now_ - (flight.end - air_time)) / air_time, 0.0F, 1.0F);
        Vector from = scene_.input.centre(from_cell);
        const float rise = 0.32F * std::clamp((now_ - flight.begin) / (0.7F * flash_decay_), 0.0F, 1.0F);
        if (t <= 0) {
            // It floats over its cell until it flies. One box shows all items of a cell.
            if (has_floating_box[from_cell]) continue;
            has_floating_box[from_cell] = true;
            scene_.boxes.push_back({{from.x, rise, from.z},
                                    packed(mix(colour, colours_.flash, 0.12F)),
                                    {0.8F * cell_width, 0.08F, 0.8F * cell_depth},
                                    BoxForm::item});
            continue;
        }
        const float chance = unit(hash(static_cast<std::uint32_t>(flight.slot)));
        if (chance >= drawn_fraction) continue;
        from.y = rise;
        const Vector to = scene_.output.centre(to_cell);
        const float fade = now_ > flight.end ? 1 - (now_ - flight.end) / trail_time : 1;
        const float dx = to.x - from.x, dz = to.z - from.z;
        const float height = (0.5F + 0.10F * std::sqrt(dx * dx + dz * dz)) * (0.8F + 0.4F * chance);
        scene_.arcs.push_back({.from = array_of(from),
                               .height = height,
                               .to = array_of(to),
                               .width = 1.5F,
                               .begin = std::max(0.0F, t - 0.4F),
                               .end = t,
                               .colour = packed(colour, strength * fade),
                               .head = 0});
        if (now_ > flight.end) continue;
        scene_.boxes.push_back(
            {{from.x + t * dx, from.y + t * (to.y - from.y) + 4 * height * t * (1 - t), from.z + t * dz},
             packed(mix(colour, colours_.flash, 0.25F)),
             {0.78F * cell_width, 0.08F, 0.7F * cell_depth},
             BoxForm::item});
    }
}

float Description::top_of_word(std::size_t buffer, std::uint64_t word) const {
    const std::uint64_t cell = word >> state_.buffers[buffer].word_bits;
    for (const PickableWord& picked : scene_.words)
        if (picked.buffer == buffer && picked.cell == cell) return picked.top.y;
    return 0;
}

/// Draws an arc from each word that a look-back loads to the word of the part that loads it.
void Description::describe_look_backs() {
    const float decay = 3 * flash_decay_;
    for (const trace::LookBackLoad& look : state_.look_back_loads) {
        const auto row = std::ranges::find(rows_, look.buffer, &Row::buffer);
        if (row == rows_.end() || row->form == Row::Form::terrain || look.own_word == look.loaded_word)
            continue;
        const float age = now_ - look.time;
        const float light = std::exp(-std::max(age, 0.0F) / decay);
        constexpr float min_light = 0.06F;
        if (light < min_light || scene_.arcs.size() > max_arcs_with_look_backs) continue;
        const ReplayBuffer& buffer = replay_.buffers()[look.buffer];
        const ReplayWords& words = state_.buffers[look.buffer];
        const auto point = [&](std::uint64_t word) {
            const XInterval interval =
                x_interval_of(buffer, words, static_cast<std::size_t>(word >> words.word_bits));
            return Vector{interval.middle(), top_of_word(look.buffer, word) + 0.02F, row->middle()};
        };
        const Vector from = point(look.loaded_word), to = point(look.own_word);
        const float height = 0.25F + 0.09F * std::abs(to.x - from.x);
        scene_.arcs.push_back({.from = array_of(from),
                               .height = height,
                               .to = array_of(to),
                               .width = 2.0F,
                               .begin = 0,
                               .end = 1,
                               .colour = packed(current_hue_, 0.7F * light),
                               .head = 1.2F * light});
    }
}

void Description::label_row(const Row& row, const XInterval& first_word) {
    const ReplayBuffer& buffer = replay_.buffers()[row.buffer];
    const ReplayWords& words = state_.buffers[row.buffer];
    const auto stored = static_cast<std::uint64_t>(
        std::ranges::count_if(words.words, [](const ReplayWord& word) { return word.stored_at != never; }));
    PhaseRole role = row.form != Row::Form::pillars ? PhaseRole::prefix : PhaseRole::count;
    for (const ReplayWord& word : words.words)
        if (word.stored_at != never) role = replay_.phases()[word.phase].role;
    std::uint64_t num_words = buffer.num_words;
    if (buffer.one_per_part && replay_.parts().known())
        num_words = std::min(num_words, replay_.parts().num_parts);
    std::string detail;
    if (at_rest_ || words.word_bits > 0 || row.form == Row::Form::terrain) {
        detail = grouped(num_words) + (buffer.one_per_part ? "" : " words");
    } else {
        detail = grouped(std::min(stored, num_words)) + " of " + grouped(num_words);
    }
    if (stored == 0 && !scene_.ghosts.empty() && row.form == Row::Form::pillars) detail = "counting";
    if (stored == 0 && library_is_storing(row)) detail = "unknown until the library ends";
    if (buffer.is_derived) detail += ", computed";
    scene_.labels.push_back({short_name(buffer),
                             detail,
                             {first_word.left - 0.7F, row.ground, row.middle()},
                             LabelSide::left,
                             LabelKind::row,
                             role,
                             priority::row});
}

/// Of the offsets stored last, one that is the sum of the count and the offset before it. Both must be known
/// from the trace.
std::optional<std::size_t> Description::newest_sum(const Row& row) const {
    const Row* counts = row_of(BufferRole::counts);
    if (!counts) counts = row_of(BufferRole::status);
    const auto role = phase_role();
    const bool computes_offsets = role == PhaseRole::prefix || role == PhaseRole::fused;
    if (row.form != Row::Form::stairs || !counts || !computes_offsets) return std::nullopt;
    const std::vector<ReplayWord>& offsets = state_.buffers[row.buffer].words;
    const std::vector<ReplayWord>& addends = state_.buffers[counts->buffer].words;
    float newest = never;
    for (const ReplayWord& word : offsets) newest = std::max(newest, word.stored_at);
    if (newest == never) return std::nullopt;
    std::optional<std::size_t> found;
    for (std::size_t i = 1; i < std::min(offsets.size(), addends.size() + 1); ++i) {
        const bool known = offsets[i].stored_at == newest && offsets[i - 1].stored_at != never &&
                           addends[i - 1].stored_at != never;
        if (!known || offsets[i - 1].value + addends[i - 1].value != offsets[i].value) continue;
        // Offset 1 is 0 plus the first count: any other sum teaches more.
        if (!found || *found == 1) found = i;
    }
    return found;
}

void Description::label_words(const Row& row, const std::vector<Vector>& tops) {
    const auto role = phase_role();
    const bool stairs = row.form == Row::Form::stairs;
    // Offsets have no numbers in the count phase, counts none in the scatter phase.
    if (stairs ? role == PhaseRole::count : role == PhaseRole::scatter) return;
    // Between phases, and where one phase stores both, counts lose their numbers once an offset is stored.
    const Row* const offsets_row = row_of(BufferRole::offsets);
    if (!stairs && (!role || role == PhaseRole::fused) && offsets_row &&
        last_store(state_.buffers[offsets_row->buffer]) != never)
        return;
    const std::vector<ReplayWord>& words = state_.buffers[row.buffer].words;
    // In the prefix phase, only the count that was added last has its number.
    std::optional<std::size_t> added;
    if (!stairs && offsets_row && role == PhaseRole::prefix)
        if (const auto newest = newest_sum(*offsets_row)) added = *newest - 1;
    const auto sum = newest_sum(row);
    const Row* counts = row_of(BufferRole::counts);
    if (!counts) counts = row_of(BufferRole::status);
    for (std::size_t i = 0; i < tops.size(); ++i) {
        if (words[i].stored_at == never || (added && *added != i)) continue;
        const auto figure = [](float value) { return grouped(static_cast<std::uint64_t>(value)); };
        Label label{figure(words[i].value),
                    {},
                    {tops[i].x, tops[i].y + 0.04F, tops[i].z},
                    LabelSide::above,
                    LabelKind::figure,
                    replay_.phases()[words[i].phase].role,
                    added    ? priority::added_count
                    : stairs ? priority::offset
                             : priority::count};
        if (sum == i) {
            label.text = figure(words[i - 1].value) + " + " +
                         figure(state_.buffers[counts->buffer].words[i - 1].value) + " = " + label.text;
            label.kind = LabelKind::sum;
            label.hue = PhaseRole::prefix;
            label.priority = priority::sum;
        }
        scene_.labels.push_back(std::move(label));
    }
}

void Description::describe_sheet_labels() {
    const compaction::Partition& parts = replay_.parts();
    std::string input = grouped(replay_.num_items()) + " slots";
    if (parts.known() && parts.num_parts > 1)
        input += " in " + grouped(parts.num_parts) + " " + std::string(name_of(parts.kind)) + "s";
    input += ", " + grouped(replay_.num_kept()) + " kept in this compaction";
    std::string output;
    if (at_rest_ || state_.num_stored >= replay_.num_kept()) {
        output = grouped(replay_.num_kept()) + " items without gaps, " +
                 (replay_.algorithm().stable ? "in the same order" : "in the order of arrival");
    } else {
        output = grouped(state_.num_stored) + " of " + grouped(replay_.num_kept()) + " items stored";
    }
    Vector front = scene_.input.near_left(), top = scene_.output.at(0, 0);
    front.z += 0.3F;
    top.y += 0.25F;
    scene_.labels.push_back({"INPUT", at_rest_ ? std::string() : std::move(input), front,
                             LabelSide::below_from, LabelKind::sheet, std::nullopt, priority::sheet});
    scene_.labels.push_back({"OUTPUT", at_rest_ ? std::string() : std::move(output), top,
                             LabelSide::above_from, LabelKind::sheet, std::nullopt, priority::sheet});
}

std::string range_of(std::uint64_t cell, std::uint32_t bits, std::uint64_t end) {
    const std::uint64_t first = cell << bits;
    const std::uint64_t last = std::min(end, (cell + 1) << bits) - 1;
    return first == last ? grouped(first) : grouped(first) + " to " + grouped(last);
}

std::uint64_t kept_between(const MemoryReplay& replay, std::uint64_t begin, std::uint64_t end) {
    std::uint64_t kept = 0;
    for (std::uint64_t slot = begin; slot < end; ++slot) kept += replay.is_kept(slot);
    return kept;
}

/// The offset of a part; nullopt if it is not stored by now.
std::optional<std::uint64_t> stored_offset(const MemoryReplay& replay, const MemoryState& state,
                                           std::uint64_t part) {
    for (std::size_t i = 0; i < replay.buffers().size(); ++i) {
        const ReplayBuffer& buffer = replay.buffers()[i];
        const ReplayWords& words = state.buffers[i];
        if (buffer.role != BufferRole::offsets || !buffer.one_per_part || words.word_bits != 0) continue;
        if (part < words.words.size() && words.words[part].stored_at != never)
            return static_cast<std::uint64_t>(words.words[part].value);
    }
    return std::nullopt;
}

/// Adds the sentences about a kept item: how many are before it in its part, and where it goes.
void add_destination(const MemoryReplay& replay, const MemoryState& state, std::uint64_t slot,
                     MemoryHit& found) {
    const compaction::Partition& parts = replay.parts();
    const auto index = replay.output_index(slot);
    std::optional<std::uint64_t> before;
    if (parts.known()) {
        const std::uint64_t part = parts.part_of(slot);
        before = kept_between(replay, parts.begin(part), slot);
        std::string in_part = parts.num_parts > 1
                                  ? " in " + std::string(name_of(parts.kind)) + " " + grouped(part + 1)
                                  : std::string();
        found.lines.push_back(grouped(*before) + " kept before it" + in_part);
        const auto offset = stored_offset(replay, state, part);
        if (index && offset && *offset + *before == *index) {
            found.lines.push_back("goes to " + grouped(*offset) + " + " + grouped(*before) + " = " +
                                  grouped(*index));
            return;
        }
    }
    found.lines.push_back(index ? "goes to " + grouped(*index) : "where it goes is unknown");
}

/// What a hit of a cell of the input tells about.
enum class SlotScope : std::uint8_t { cell, slot };

void describe_slot(const MemoryReplay& replay, const MemoryState& state, const MemoryScene& scene,
                   std::uint64_t slot, SlotScope scope, MemoryHit& found) {
    const std::uint32_t bits = replay.cell_bits();
    found.kind = MemoryHit::Kind::slot;
    found.index = slot;
    found.position = scene.input.centre(scene.input.cell_of(static_cast<std::uint32_t>(slot)));
    if (bits > 0 && scope == SlotScope::cell) {
        const std::uint64_t cell = slot >> bits;
        const std::uint64_t begin = cell << bits;
        const std::uint64_t end = std::min(replay.num_items(), (cell + 1) << bits);
        found.lines.push_back("slots " + range_of(cell, bits, replay.num_items()) + ": " +
                              grouped(kept_between(replay, begin, end)) + " of " + grouped(end - begin) +
                              " kept");
        while (found.index < end && !replay.is_kept(found.index)) ++found.index;
        if (found.index == end) {
            found.index = begin;
            return;
        }
        found.lines.push_back("slot " + grouped(found.index) + " is the first of them");
    } else {
        found.lines.push_back("slot " + grouped(slot) + (replay.is_kept(slot) ? ", kept" : ", dropped"));
        if (!replay.is_kept(slot)) return;
    }
    if (const auto index = replay.output_index(found.index))
        found.counterpart = scene.output.centre(scene.output.cell_of(static_cast<std::uint32_t>(*index)));
    add_destination(replay, state, found.index, found);
}

void describe_output_index(const MemoryReplay& replay, const MemoryState& state, const MemoryScene& scene,
                           std::uint32_t cell, MemoryHit& found) {
    const std::uint32_t bits = replay.cell_bits();
    found.kind = MemoryHit::Kind::output_index;
    found.index = scene.output.item_of(cell);
    found.position = scene.output.centre(cell);
    const bool is_range = bits > 0 && replay.picture_columns() == 0;
    const std::string name =
        "output " + (is_range ? range_of(cell, bits, replay.num_items()) : grouped(found.index));
    if (found.index >= replay.num_kept()) {
        found.lines.push_back(name + ": stays empty");
        return;
    }
    const trace::OutputCell& output_cell = state.output[found.index >> bits];
    found.lines.push_back(name + (output_cell.filled > 0 ? "" : ": not stored yet"));
    const auto slot = replay.slot_of(found.index);
    if (!slot) {
        found.lines.emplace_back("which slot it comes from is unknown");
        return;
    }
    found.counterpart = scene.input.centre(scene.input.cell_of(static_cast<std::uint32_t>(*slot)));
    found.lines.push_back(std::string(is_range ? "begins with the item of slot " : "the item of slot ") +
                          grouped(*slot));
}

void describe_word(const MemoryReplay& replay, const MemoryState& state, const PickableWord& picked,
                   MemoryHit& found) {
    const ReplayBuffer& buffer = replay.buffers()[picked.buffer];
    const ReplayWords& words = state.buffers[picked.buffer];
    const ReplayWord& word = words.words[picked.cell];
    found.kind = MemoryHit::Kind::word;
    found.buffer = picked.buffer;
    found.index = std::uint64_t{picked.cell} << words.word_bits;
    found.position = picked.top;
    const std::uint64_t end = std::min(buffer.num_words, (std::uint64_t{picked.cell} + 1) << words.word_bits);
    std::string name;
    if (buffer.one_per_part && replay.parts().known()) {
        name = std::string(name_of(replay.parts().kind)) + " " + grouped(found.index + 1);
        if (end > found.index + 1) name += " to " + grouped(end);
    } else {
        name = "word " + range_of(picked.cell, words.word_bits, buffer.num_words);
    }
    found.lines.push_back(buffer.name + ", " + name);
    if (word.stored_at == never) {
        found.lines.emplace_back("not stored yet");
    } else {
        found.lines.push_back((words.word_bits > 0 ? "at most " : "") +
                              grouped(static_cast<std::uint64_t>(word.value)) +
                              (buffer.is_derived ? ", computed from the stream" : ""));
    }
}

bool overlap(const PlacedLabel& a, const PlacedLabel& b) {
    constexpr float gap = 2;  // pixels
    return a.left < b.left + b.width + gap && b.left < a.left + a.width + gap && a.top < b.top + b.height &&
           b.top < a.top + a.height;
}

}  // namespace

void describe(const MemoryReplay& replay, const MemoryState& state, const MemoryColours& colours,
              bool at_rest, MemoryScene& scene) {
    Description(replay, state, colours, at_rest, scene).describe();
    static std::atomic<std::uint64_t> revisions = 0;
    scene.revision = ++revisions;
}

Viewpoint memory_viewpoint() {
    return {.azimuth = 0.0F,
            .elevation = 0.52F,
            .distance = 18.8F,
            .target = {-0.3F, 0.7F, 0.9F},
            .aspect = 2.45F,
            .on_ground = false};
}

std::optional<MemoryHit> hit(const MemoryReplay& replay, const MemoryState& state, const MemoryScene& scene,
                             const Matrix& view_projection, ScreenPoint point, float aspect, float reach) {
    enum class Nearest : std::uint8_t { nothing, input, output, word };
    Nearest nearest = Nearest::nothing;
    std::size_t index = 0;
    float min_weighted = reach * reach;
    const auto consider = [&](Nearest kind, std::size_t i, const Vector& position, float weight) {
        const float weighted = weight * squared_distance_to(view_projection, position, point, aspect);
        if (weighted >= min_weighted) return;
        min_weighted = weighted;
        nearest = kind;
        index = i;
    };
    for (std::uint32_t cell = 0; cell < scene.input.cells; ++cell) {
        if (scene.input.item_of(cell) < replay.num_items())
            consider(Nearest::input, cell, scene.input.centre(cell), 1);
    }
    for (std::uint32_t cell = 0; cell < scene.output.cells; ++cell) {
        if (scene.output.item_of(cell) < replay.num_items())
            consider(Nearest::output, cell, scene.output.centre(cell), 1);
    }
    // Pillars stand far apart: they are found from twice as far away as the words of a terrain.
    const float word_weight = scene.words.size() > max_pillars ? 1 : 0.25F;
    for (std::size_t word = 0; word < scene.words.size(); ++word)
        consider(Nearest::word, word, scene.words[word].top, word_weight);
    MemoryHit found;
    switch (nearest) {
        case Nearest::nothing:
            return std::nullopt;
        case Nearest::input:
            // A cell of a picture is not a range of slots.
            describe_slot(replay, state, scene, scene.input.item_of(static_cast<std::uint32_t>(index)),
                          replay.picture_columns() > 0 ? SlotScope::slot : SlotScope::cell, found);
            break;
        case Nearest::output:
            describe_output_index(replay, state, scene, static_cast<std::uint32_t>(index), found);
            break;
        case Nearest::word:
            describe_word(replay, state, scene.words[index], found);
            break;
    }
    return found;
}

MemoryHit hit_of_slot(const MemoryReplay& replay, const MemoryState& state, const MemoryScene& scene,
                      std::uint64_t slot) {
    MemoryHit found;
    describe_slot(replay, state, scene, slot, SlotScope::slot, found);
    return found;
}

std::optional<std::uint64_t> slot_to_follow(const MemoryReplay& replay) {
    constexpr std::uint64_t wanted_before = 3;  // kept items before it in its part
    const compaction::Partition& parts = replay.parts();
    const std::uint64_t end = replay.num_items();
    const std::uint64_t start = end * 2 / 5;
    std::uint64_t begin = start;
    if (parts.known() && parts.num_parts > 1)
        begin = parts.begin(std::max<std::uint64_t>(parts.part_of(start), 1));
    const auto can_be_followed = [&](std::uint64_t slot) {
        return replay.is_kept(slot) && replay.output_index(slot).has_value();
    };
    std::optional<std::uint64_t> found;
    std::uint64_t num_found = 0;
    for (std::uint64_t slot = begin; slot < end && num_found <= wanted_before; ++slot) {
        if (!can_be_followed(slot)) continue;
        const bool same_part = !found || !parts.known() || parts.part_of(*found) == parts.part_of(slot);
        if (!same_part) break;
        found = slot;
        ++num_found;
    }
    for (std::uint64_t slot = begin; slot > 0 && !found; --slot)
        if (can_be_followed(slot - 1)) found = slot - 1;
    return found;
}

std::vector<PlacedLabel> place(std::span<const Label> labels, const Matrix& view_projection, float width,
                               float height, const MeasureLabel& measure) {
    constexpr float gap = 4, margin = 6;  // pixels
    std::vector<const Label*> sorted;
    for (const Label& label : labels) sorted.push_back(&label);
    std::ranges::stable_sort(sorted, std::ranges::greater(), &Label::priority);
    std::vector<PlacedLabel> placed;
    for (const Label* label : sorted) {
        const auto at = project(view_projection, label->anchor);
        if (!at) continue;
        std::array<float, 2> size = measure(*label);
        const bool has_room = size[0] <= width - 2 * margin;
        if (!has_room) {
            Label name = *label;
            name.detail.clear();
            size = measure(name);
        }
        const auto [w, h] = size;
        const float x = (at->x + 1) / 2 * width, y = (1 - at->y) / 2 * height;
        float left = x - w / 2, top = y - h - gap;
        switch (label->side) {
            case LabelSide::left:
                left = x - w - gap;
                top = y - h / 2;
                break;
            case LabelSide::right:
                left = x + gap;
                top = y - h / 2;
                break;
            case LabelSide::above:
                break;
            case LabelSide::below:
                top = y + gap;
                break;
            case LabelSide::above_from:
                left = x;
                break;
            case LabelSide::below_from:
                left = x;
                top = y + gap;
                break;
            case LabelSide::below_to:
                left = x - w;
                top = y + gap;
                break;
        }
        left = std::clamp(left, margin, std::max(margin, width - w - margin));
        // If the best position is taken, one above or below it may be free. A number below the top of its
        // pillar would be on the pillar.
        constexpr std::array shifts{0.0F, -0.9F, 0.9F};
        for (const float shift : std::span(shifts).first(label->kind == LabelKind::figure ? 2 : 3)) {
            const float shifted = std::clamp(top + shift * h, margin, std::max(margin, height - h - margin));
            const PlacedLabel candidate{label, left, shifted, w, h, has_room};
            if (std::ranges::any_of(placed,
                                    [&](const PlacedLabel& other) { return overlap(candidate, other); }))
                continue;
            placed.push_back(candidate);
            break;
        }
    }
    return placed;
}

}  // namespace warpsieve::scene
