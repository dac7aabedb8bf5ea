#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
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
    /// The value of the member of that name. Empty if it is missing or null.
    std::optional<std::string> find_text(std::string_view name) const;
    std::optional<double> find_number(std::string_view name) const;
    /// What `parse` makes of each element of that member. Empty if it is missing or null.
    template <typename Parse>
    auto find_list(std::string_view name, const Parse& parse) const {
        std::vector<std::decay_t<std::invoke_result_t<Parse, const Field&>>> all;
        const std::optional<Field> field = find(name);
        if (!field) return all;
        for (const Field& each : field->list()) all.push_back(std::invoke(parse, each));
        return all;
    }

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
