// Settings of the stream, and of how it is measured.
#include "app/format/figures.hpp"
#include "app/scene/sources.hpp"
#include "app/settings/schema_rows.hpp"

namespace warpsieve {
namespace {

using Run = RunConfig;
using workloads::PatternInfo;

bool has_patterns(const Settings& settings) {
    return scene::effective_source(settings.run.source).has_patterns;
}

bool uses_picture(const Settings& settings) {
    return settings.run.uses_picture();
}

bool requires_sha256(const Settings& settings) {
    return settings.run.uses_picture() && !settings.run.picture_sha256.empty();
}

AllowedValues allowed_slots(const Settings& settings, const CatalogueInfo&) {
    const auto max = static_cast<double>(max_slots(settings.run.engine));
    return {.min = min_slots, .max = max, .whole = true, .zero_is_unset = true};
}

AllowedValues all_sources() {
    AllowedValues allowed;
    for (const scene::SourceInfo* source : scene::sources()) {
        allowed.words.emplace_back(source->id);
        allowed.names.emplace_back(source->name);
        allowed.meanings.emplace_back(source->meaning);
    }
    return allowed;
}

/// Why the live fraction has no effect; empty if it has one.
std::string why_no_live_fraction(const Settings& settings) {
    if (settings.run.uses_live_fraction()) return {};
    if (scene::effective_source(settings.run.source).has_picture)
        return "The bright pixels of the picture are the live slots. Choose another source to set the live "
               "fraction.";
    return "The pattern '" + std::string(workloads::info_of(settings.run.pattern).name) +
           "' determines the live fraction itself. Choose 'random' or 'runs' to set it.";
}

/// Why the period of the check has no effect; empty if it has one.
std::string why_no_check_period(const Settings& settings) {
    return settings.run.check ? "" : "The check is off.";
}

std::string grouped(double value) {
    return format::grouped(static_cast<std::uint64_t>(value));
}

std::string slot_count_text(double value) {
    return format::slot_count_text(static_cast<std::uint64_t>(value));
}

std::string percent(double value) {
    return format::percent(value).number;
}

std::string significant(double value) {
    return format::significant(value);
}

SettingDescriptor slots_row() {
    const auto slots = [](auto& settings) -> auto& {
        return settings.run.slots;
    };
    return {.key = "slots",
            .use = Use::run,
            .help =
                "Length of the particle buffer, such as 100000 or 2^20, at most 2^24 on a CPU and 2^16 on a "
                "simulated GPU",
            .access = access(Kind::number, slots, allowed_slots),
            .control = {.kind = ControlKind::doubling_slider,
                        .label = "slots",
                        .tooltip = "The length of the stream: all slots of the particle buffer, empty "
                                   "ones included. Long streams show bandwidth, short ones launch "
                                   "overhead; Ctrl+click types any length, such as 2^20 or 1000003.",
                        .shortcut = "[ and ]",
                        .format = slot_count_text,
                        .names_range = true},
            .undoable = true};
}

SettingDescriptor live_fraction_row() {
    return {.key = "density",  // the earlier name of the live fraction
            .use = Use::run,
            .help = "Live fraction of the slots",
            .access = number(&Run::live_fraction, 0, 1),
            .control = {.kind = ControlKind::slider,
                        .label = "live fraction",
                        .tooltip = "The fraction of slots that hold a live particle. A higher fraction means "
                                   "more items to write; algorithms differ most at low fractions.",
                        .shortcut = "- and =",
                        .steps_per_unit = 100,
                        .scale = 100,
                        .unit = "%",
                        .format = percent,
                        .disabled_reason = why_no_live_fraction},
            .undoable = true};
}

}  // namespace

std::vector<SettingDescriptor> stream_rows() {
    return in_group(
        groups::stream,
        {
            {.key = "source",
             .use = Use::run,
             .help = "Source that fills the slots",
             .access = text(&Run::source, all_sources()),
             .control = {.kind = ControlKind::menu, .label = "source", .shortcut = "G"},
             .undoable = true},
            {.key = "pattern",
             .use = Use::run,
             .help = "Which slots the synthetic source fills",
             .access = word(&Run::pattern, workloads::patterns(), &PatternInfo::name, &PatternInfo::pattern),
             .control = {.kind = ControlKind::menu, .label = "pattern", .shortcut = "Shift+G"},
             .undoable = true,
             .applies = has_patterns},
            {.key = "picture",
             .use = Use::run,
             .help = "Picture whose bright pixels are the live slots: a PNG file, or a word to draw",
             .access = text(&Run::picture, {.placeholder = "FILE|WORD"}),
             .control = {.label = "picture",
                         .tooltip =
                             "A PNG file, or a word that is drawn. The pixels of at least half the full "
                             "brightness are the live slots, row by row; drop a PNG on the window to use "
                             "it."},
             .undoable = true,
             .applies = uses_picture},
            {.key = "picture_sha256",
             .use = Use::view,
             .help = "First 8 to 64 digits of the SHA-256 that the file of --picture must have",
             .access = text(&Run::picture_sha256, {.placeholder = "DIGITS"}),
             .undoable = true,
             .applies = requires_sha256},
            slots_row(),
            live_fraction_row(),
            {.key = "seed",
             .use = Use::run,
             .help = "Seed of the scene: the same seed gives the same stream",
             .access = number(&Run::seed, 0, 4'294'967'295),
             .control = {.kind = ControlKind::number_field,
                         .label = "seed",
                         .tooltip =
                             "Determines which slots hold a particle at each moment. The same seed gives "
                             "the same buffer on every engine, so results can be compared."},
             .undoable = true},
            {.key = "speed",
             .help = "Scene seconds per second",
             .access = number(&Run::speed, 0, 10),
             .control = {.kind = ControlKind::slider,
                         .label = "speed",
                         .tooltip = "Scene seconds per real second. It changes how fast particles are "
                                    "born and die, not the work of a compaction.",
                         .steps_per_unit = 10,
                         .unit = "×",
                         .format = significant,
                         .names_range = true},
             .undoable = true},
        });
}

std::vector<SettingDescriptor> measurement_rows() {
    return in_group(
        groups::measurement,
        {
            {.key = "iterations",
             .use = Use::run,
             .help = "Compactions per frame",
             .access = number(&Run::iterations, 1, max_iterations),
             .control = {.kind = ControlKind::slider,
                         .label = "iterations",
                         .tooltip =
                             "Compactions of the same buffer per frame. A GPU lowers its clock when it idles "
                             "between short runs, so more iterations measure short streams at full speed.",
                         .shortcut = "I",
                         .unit = "per frame",
                         .names_range = true},
             .undoable = true},
            {.key = "check",
             .help = "Compare results with the reference",
             .access = toggle(&Run::check),
             .control = {.kind = ControlKind::segments,
                         .label = "check",
                         .tooltip =
                             "Compares the output with a reference: count, order and content. The comparison "
                             "runs asynchronously and never stalls a frame; a failure stays on the screen.",
                         .shortcut = "C"},
             .undoable = true},
            {.key = "check_every",
             .use = Use::flag,
             .help = "Frames from one comparison with the reference to the next",
             .access = number(&Run::check_every, 1, 100'000),
             .control = {.kind = ControlKind::doubling_slider,
                         .label = "check every",
                         .tooltip = "Frames from one comparison to the next. Comparing uses the same device, "
                                    "so comparing every frame slows the frames but never the timed phases.",
                         .slider_max = 1024,
                         .unit = "frames",
                         .unit_of_one = "frame",
                         .format = grouped,
                         .names_range = true,
                         .disabled_reason = why_no_check_period},
             .undoable = true},
        });
}

}  // namespace warpsieve
