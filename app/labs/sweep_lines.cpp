#include "app/labs/sweep_lines.hpp"

#include <algorithm>
#include <vector>

#include "app/format/figures.hpp"
#include "app/labs/sweep.hpp"
#include "experiments/format/counts.hpp"

namespace warpsieve::labs {
namespace {

using compaction::Option;
using compaction::Options;
using experiments::Setting;
using experiments::StreamSpec;

Options without(SweepAxis axis, Options options) {
    if (const auto option = info_of(axis).option) options[*option] = compaction::automatic;
    return options;
}

StreamSpec without(SweepAxis axis, StreamSpec stream) {
    if (axis == SweepAxis::num_items || axis == SweepAxis::multiples) stream.num_items = 0;
    if (axis == SweepAxis::density) stream.density = 0;
    if (axis == SweepAxis::item_size) stream.item_size = compaction::ItemSize::bytes_4;
    return stream;
}

}  // namespace

double place_on(SweepAxis axis, const Setting& setting) {
    if (const auto option = info_of(axis).option) return setting.options[*option];
    switch (axis) {
        case SweepAxis::density:
            return setting.stream.density;
        case SweepAxis::item_size:
            return static_cast<double>(bytes_of(setting.stream.item_size));
        default:
            return static_cast<double>(setting.stream.num_items);
    }
}

bool same_line(SweepAxis axis, const Setting& a, const Setting& b) {
    return a.algorithm == b.algorithm && without(axis, a.options) == without(axis, b.options) &&
           without(axis, a.stream) == without(axis, b.stream);
}

std::string line_name(SweepAxis axis, const Setting& setting) {
    std::string name = setting.algorithm->id;
    const Options options = without(axis, setting.options);
    for (const Option option : compaction::all_options) {
        if (options[option] == compaction::automatic) continue;
        const bool says_itself = option == Option::vector_width || option == Option::variant;
        name += (says_itself ? ", " : ", " + std::string(name_of(option)) + " ") +
                experiments::option_text(*setting.algorithm, options, option);
    }
    return name;
}

std::size_t line_style_of(SweepAxis axis, std::span<const Setting> chosen, const Setting& setting) {
    std::vector<const Setting*> lines;  // one setting of each
    for (const Setting& each : chosen) {
        const auto on_its_line = [&](const Setting* line) { return same_line(axis, *line, each); };
        if (std::ranges::any_of(lines, on_its_line)) continue;
        if (same_line(axis, each, setting)) break;
        lines.push_back(&each);
    }
    return lines.size();
}

std::string what_stays(SweepAxis axis, const StreamSpec& stream) {
    std::string text;
    const auto say = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
    const bool length_varies = axis == SweepAxis::num_items || axis == SweepAxis::multiples;
    if (!length_varies) say("n = " + format::with_powers(experiments::format::count_text(stream.num_items)));
    say(std::string(workloads::info_of(stream.pattern).name));
    const std::string density = experiments::density_text(stream);
    if (axis != SweepAxis::density && !density.empty()) say(density + " kept");
    if (axis != SweepAxis::item_size) say(std::to_string(bytes_of(stream.item_size)) + "-byte items");
    say(std::string(name_of(stream.cache)));
    return text;
}

}  // namespace warpsieve::labs
