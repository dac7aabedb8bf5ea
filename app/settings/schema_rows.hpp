#pragma once

#include <algorithm>
#include <concepts>
#include <filesystem>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "app/settings/schema.hpp"

/// The rows of the schema, with a file for each group, and helpers to write them.
namespace warpsieve {

std::vector<SettingDescriptor> engine_rows();
std::vector<SettingDescriptor> side_rows(Side side);
std::vector<SettingDescriptor> stream_rows();
std::vector<SettingDescriptor> measurement_rows();
std::vector<SettingDescriptor> lab_rows();
std::vector<SettingDescriptor> tab_rows();
std::vector<SettingDescriptor> window_rows();

/// Puts the rows into a group of the window and of --help.
inline std::vector<SettingDescriptor> in_group(std::string_view group, std::vector<SettingDescriptor> rows) {
    for (SettingDescriptor& row : rows) row.group = group;
    return rows;
}

template <typename Member>
auto& member_of(auto& settings, Member member) {
    if constexpr (requires { settings.run.*member; })
        return settings.run.*member;
    else if constexpr (requires { settings.window.*member; })
        return settings.window.*member;
    else if constexpr (requires { settings.labs.*member; })
        return settings.labs.*member;
    else if constexpr (requires { settings.labs.sweep.*member; })
        return settings.labs.sweep.*member;
    else if constexpr (requires { settings.labs.steps.*member; })
        return settings.labs.steps.*member;
    else
        return settings.labs.reproduce.*member;
}

/// The double with the fewest decimals that gives this number: 0.1 for 0.1F.
double as_double(float number);
double as_double(std::integral auto number) {
    return static_cast<double>(number);
}

/// `at(settings)` refers to a bool, number, text, path or list.
template <typename At>
Access access(Kind kind, At at, std::function<AllowedValues(const Settings&, const CatalogueInfo&)> allowed) {
    using T = std::remove_reference_t<decltype(at(std::declval<Settings&>()))>;
    constexpr bool is_number = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;
    constexpr bool is_path = std::is_same_v<T, std::filesystem::path>;
    using Stored = std::conditional_t<is_number, double, std::conditional_t<is_path, std::string, T>>;
    const auto get = [at](const Settings& settings) -> Value {
        if constexpr (is_number)
            return as_double(at(settings));
        else
            return Stored(at(settings));
    };
    const auto set = [at](Settings& settings, const Value& value) {
        at(settings) = static_cast<T>(std::get<Stored>(value));
    };
    return {kind, get, set, std::move(allowed)};
}

template <typename Member>
Access member(Kind kind, Member member, const AllowedValues& allowed) {
    return access(
        kind, [member](auto& settings) -> auto& { return member_of(settings, member); },
        [allowed](const Settings&, const CatalogueInfo&) { return allowed; });
}

template <typename Part, typename Number>
Access number(Number Part::*at, double min, double max, bool zero_is_automatic = false) {
    return member(
        Kind::number, at,
        {.min = min, .max = max, .whole = std::integral<Number>, .zero_is_automatic = zero_is_automatic});
}

inline Access toggle(auto at) {
    return member(Kind::toggle, at, {.description_without_range = "true or false"});
}

inline Access text(auto at, const AllowedValues& allowed = {}) {
    return member(Kind::text, at, allowed);
}

inline Access list(auto at) {
    return member(Kind::list, at, {.description_without_range = "a list of texts"});
}

/// Access to an enumerator. For each row of `table`, `name` returns the word and `value` the enumerator. The
/// window shows the names and meanings of the rows.
template <typename Part, typename Enum, typename Table, typename Name, typename Enumerator = std::identity>
Access word(Enum Part::*at, const Table& table, Name name, Enumerator value = {}) {
    std::vector<Enum> all;
    AllowedValues allowed;
    for (const auto& row : table) {
        all.push_back(std::invoke(value, row));
        allowed.words.emplace_back(std::invoke(name, row));
        if constexpr (requires { row.meaning; }) {
            allowed.names.emplace_back(row.name);
            allowed.meanings.emplace_back(row.meaning);
        }
    }
    const auto get = [=](const Settings& settings) -> Value {
        const auto found = std::ranges::find(all, member_of(settings, at));
        return found == all.end() ? "" : allowed.words[static_cast<std::size_t>(found - all.begin())];
    };
    const auto set = [=](Settings& settings, const Value& text) {
        const auto found = std::ranges::find(allowed.words, std::get<std::string>(text));
        member_of(settings, at) = all[static_cast<std::size_t>(found - allowed.words.begin())];
    };
    return {Kind::text, get, set, [allowed](const Settings&, const CatalogueInfo&) { return allowed; }};
}

/// Access to an enumerator. The enumeration counts from 0, and `words` are in its order. `names`: names of
/// the words in the window; empty: the words themselves.
template <typename Part, typename Enum>
Access word(Enum Part::*at, const std::vector<std::string>& words,
            const std::vector<std::string>& names = {}) {
    using Row = std::pair<std::string, Enum>;
    std::vector<Row> table;
    for (const std::string& each : words) table.emplace_back(each, static_cast<Enum>(table.size()));
    Access access = word(at, table, &Row::first, &Row::second);
    AllowedValues allowed{.words = words, .names = names};
    access.allowed = [allowed](const Settings&, const CatalogueInfo&) { return allowed; };
    return access;
}

}  // namespace warpsieve
