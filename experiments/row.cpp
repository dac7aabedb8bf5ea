#include "experiments/row.hpp"

namespace experiments {
namespace {

void append_stream(const StreamSpec& stream, std::vector<Field>& fields) {
    fields.push_back({"n", std::to_string(stream.num_items)});
    fields.push_back({"pattern", std::string(workloads::info_of(stream.pattern).name)});
    fields.push_back({"density", density_text(stream)});
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
    std::vector<Field> fields{{"algorithm", "copy"}};
    for (const compaction::Option option : compaction::all_options)
        fields.push_back({std::string(flag_of(option)), ""});
    append_stream(stream, fields);
    return fields;
}

std::string key_of(const std::vector<Field>& fields) {
    std::string key;
    for (const Field& field : fields) {
        if (field.name != "seed") key += field.name + "=" + field.text + ";";
    }
    return key;
}

std::string layout_text(const Result& result) {
    std::string text;
    for (const compaction::LegalRange& range : result.setting.algorithm->options) {
        if (!text.empty()) text += ' ';
        text += std::string(flag_of(range.option)) + "=" + range.text_of(result.layout[range.option]);
    }
    return text;
}

}  // namespace experiments
