#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace published {

/// A value of a JSON file together with its place in it, so that every complaint names file and field. What
/// refuses throws compaction::Error{invalid_argument} with one sentence.
class Field {
  public:
    /// `json` must outlive the field; `file` stands for it in messages.
    Field(const nlohmann::json& json, std::string file) : json_(&json), file_(std::move(file)) {}

    /// The member of that name; refuses where this is no object or has none.
    Field at(std::string_view name) const;
    /// The member of that name, or nothing where it is missing or null.
    std::optional<Field> find(std::string_view name) const;
    /// The names of all members; refuses where this is no object.
    std::vector<std::string> names() const;
    /// Refuses a member whose name is none of these: a misspelt field must not pass as one left out.
    void allow_only(std::initializer_list<std::string_view> names) const;

    bool is_null() const { return json_->is_null(); }
    std::string text() const;
    double number() const;
    std::vector<Field> list() const;
    std::vector<std::string> texts() const;

    /// Throws the complaint `why` about this field.
    [[noreturn]] void refuse(const std::string& why) const;

  private:
    Field(const nlohmann::json& json, std::string file, std::string place)
        : json_(&json), file_(std::move(file)), place_(std::move(place)) {}
    void require(bool is_it, const char* what) const;

    const nlohmann::json* json_;
    std::string file_;
    std::string place_;  ///< "tables[2].rows[0].name"; empty for the whole file
};

/// The JSON value that `text` is. Throws compaction::Error{invalid_argument} that says where it stops being
/// one; `file` stands for it in the message.
nlohmann::json parse_json(std::string_view text, const std::string& file);

}  // namespace published
