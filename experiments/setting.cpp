#include "experiments/setting.hpp"

#include <algorithm>
#include <string_view>

#include "experiments/format/counts.hpp"
#include "experiments/format/numbers.hpp"

namespace experiments {

using compaction::Operation;

std::string_view name_of(Cache cache) {
    return cache == Cache::cold ? "cold" : "hot";
}

std::optional<Cache> find_cache(std::string_view name) {
    for (const Cache cache : {Cache::cold, Cache::hot}) {
        if (name == name_of(cache)) return cache;
    }
    return std::nullopt;
}

std::string pattern_text(const StreamSpec& stream) {
    constexpr std::size_t digits = 16;
    std::string text(workloads::info_of(stream.pattern).name);
    if (stream.pattern == workloads::Pattern::picture && stream.picture)
        text += ":" + stream.picture->sha256.substr(0, digits);
    return text;
}

std::string keep_fraction_text(const StreamSpec& stream) {
    return workloads::info_of(stream.pattern).uses_keep_fraction
               ? format::shortest(stream.keep_fraction, keep_fraction_digits)
               : "";
}

std::string option_text(const compaction::Algorithm& algorithm, const compaction::Options& options,
                        compaction::Option option) {
    const compaction::LegalRange* range = algorithm.range_of(option);
    return range ? range->text_of(options[option]) : "";
}

std::uint64_t useful_bytes(Operation operation, std::uint64_t num_items, std::uint64_t num_kept,
                           compaction::ItemSize item_size) {
    const std::uint64_t input_bytes = num_items * bytes_of(item_size);
    switch (operation) {
        case Operation::compaction:
            return input_bytes + num_kept * bytes_of(item_size);
        case Operation::copy:
        case Operation::scan:
            return 2 * input_bytes;
        case Operation::count:
            break;
    }
    return input_bytes;
}

namespace {

void append_stream(const StreamSpec& stream, std::vector<Field>& fields) {
    fields.push_back({"n", std::to_string(stream.num_items)});
    fields.push_back({"pattern", pattern_text(stream)});
    fields.push_back({"density", keep_fraction_text(stream)});
    fields.push_back({"item_bytes", std::to_string(bytes_of(stream.item_size))});
    fields.push_back({"cache", std::string(name_of(stream.cache))});
    fields.push_back({"seed", std::to_string(stream.seed)});
}

}  // namespace

std::vector<Field> fields_of(const Setting& setting) {
    std::vector<Field> fields{{"algorithm", setting.algorithm->id}};
    for (const compaction::Option option : compaction::all_options) {
        fields.push_back(
            {std::string(flag_of(option)), option_text(*setting.algorithm, setting.options, option)});
    }
    append_stream(setting.stream, fields);
    return fields;
}

std::vector<Field> fields_of_copy(const StreamSpec& stream) {
    std::vector<Field> fields{{"algorithm", copy_name}};
    for (const compaction::Option option : compaction::all_options)
        fields.push_back({std::string(flag_of(option)), ""});
    append_stream(stream, fields);
    return fields;
}

namespace {

/// Fields of a stream in words: the end of a description.
std::string describe_stream(const std::vector<Field>& fields) {
    const auto text_of = [&](std::string_view name) {
        return std::ranges::find(fields, name, &Field::name)->text;
    };
    const auto num_items = format::parse_number<std::uint64_t>(text_of("n"));
    std::string text =
        "n = " + (num_items ? format::count_text(*num_items) : text_of("n")) + ", " + text_of("pattern");
    if (const std::string fraction = text_of("density"); !fraction.empty()) text += ", " + fraction + " kept";
    return text + ", " + text_of("item_bytes") + "-byte items, " + text_of("cache");
}

}  // namespace

std::string describe(const std::vector<Field>& fields) {
    std::string text = fields.front().text;
    for (const compaction::Option option : compaction::all_options) {
        const std::string name(flag_of(option));
        const std::string& value = std::ranges::find(fields, name, &Field::name)->text;
        if (!value.empty() && value != "automatic") text += " --" + name + " " + value;
    }
    text += ", " + describe_stream(fields);
    const std::string& seed = std::ranges::find(fields, "seed", &Field::name)->text;
    return seed == "1" ? text : text + ", seed " + seed;
}

std::string describe(const Setting& setting) {
    return describe(fields_of(setting));
}

std::string describe(const StreamSpec& stream) {
    return describe_stream(fields_of_copy(stream));
}

std::string key_of(const std::vector<Field>& fields) {
    std::string key;
    for (const Field& field : fields) key += field.name + "=" + field.text + ";";
    return key;
}

}  // namespace experiments
