#pragma once

#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace published {

/// A value of a JSON file and its path, so that every error names the file and the field. Errors are
/// compaction::Error{invalid_argument}.
class Field {
  public:
    /// `json` must outlive the field. `file`: the name of the file in error messages.
    Field(const nlohmann::json& json, std::string file) : json_(&json), file_(std::move(file)) {}

    /// The member of that name. Throws if this is not an object or has no such member.
    Field at(std::string_view name) const;
    /// The member of that name. Empty if it is missing or null.
    std::optional<Field> find(std::string_view name) const;
    /// The names of all members. Throws if this is not an object.
    std::vector<std::string> names() const;
    /// Throws for any other member: a misspelt field must not count as missing.
    void allow_only(std::initializer_list<std::string_view> names) const;

    /// Whether there is such a member, null or not.
    bool has(std::string_view name) const;

    bool is_null() const;
    std::string text() const;
    double number() const;
    bool boolean() const;
    std::vector<Field> list() const;
    std::vector<std::string> texts() const;

    /// Throws an error about this field, with the reason `why`.
    [[noreturn]] void refuse(const std::string& why) const;

  private:
    Field(const nlohmann::json& json, std::string file, std::string path)
        : json_(&json), file_(std::move(file)), path_(std::move(path)) {}
    void require(bool has_type, const char* type) const;

    const nlohmann::json* json_;
    std::string file_;
    std::string path_;  ///< "tables[2].rows[0].name"; empty for the whole file
};

/// Parses JSON. Throws compaction::Error{invalid_argument} with the position of the error. `file`: the
/// name of the file in error messages.
nlohmann::json parse_json(std::string_view text, const std::string& file);

}  // namespace published
