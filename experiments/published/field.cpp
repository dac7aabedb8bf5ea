#include "experiments/published/field.hpp"

#include <nlohmann/json.hpp>

#include "compaction/error.hpp"
#include "experiments/result_file.hpp"

namespace published {

Field Field::at(std::string_view name) const {
    require(json_->is_object(), "an object");
    const auto member = json_->find(std::string(name));
    if (member == json_->end()) refuse("the field '" + std::string(name) + "' is missing");
    return {*member, file_, path_.empty() ? std::string(name) : path_ + "." + std::string(name)};
}

std::optional<Field> Field::find(std::string_view name) const {
    require(json_->is_object(), "an object");
    const auto member = json_->find(std::string(name));
    if (member == json_->end() || member->is_null()) return std::nullopt;
    return at(name);
}

bool Field::has(std::string_view name) const {
    return json_->is_object() && json_->contains(std::string(name));
}

std::optional<std::string> Field::find_text(std::string_view name) const {
    const auto field = find(name);
    return field ? std::optional(field->text()) : std::nullopt;
}

std::optional<double> Field::find_number(std::string_view name) const {
    const auto field = find(name);
    return field ? std::optional(field->number()) : std::nullopt;
}

bool Field::is_null() const {
    return json_->is_null();
}

std::string Field::text() const {
    require(json_->is_string(), "text");
    return json_->get<std::string>();
}

double Field::number() const {
    require(json_->is_number(), "a number");
    return json_->get<double>();
}

bool Field::boolean() const {
    require(json_->is_boolean(), "true or false");
    return json_->get<bool>();
}

std::vector<Field> Field::list() const {
    require(json_->is_array(), "a list");
    std::vector<Field> fields;
    for (const auto& element : *json_) {
        fields.push_back({element, file_, path_ + "[" + std::to_string(fields.size()) + "]"});
    }
    return fields;
}

std::vector<std::string> Field::texts() const {
    std::vector<std::string> texts;
    for (const Field& field : list()) texts.push_back(field.text());
    return texts;
}

void Field::refuse(const std::string& why) const {
    throw compaction::Error(compaction::ErrorCode::invalid_argument,
                            file_ + ": " + (path_.empty() ? "" : path_ + ": ") + why + ".");
}

void Field::require(bool has_type, const char* type) const {
    if (!has_type) refuse(std::string("must be ") + type + ", but is " + json_->type_name());
}

nlohmann::json parse_json(std::string_view text, const std::string& file) {
    try {
        return experiments::parse_json(text);
    } catch (const compaction::Error& error) {
        throw compaction::Error(error.code(), file + " is not complete JSON: " + error.what() + ".");
    }
}

}  // namespace published
