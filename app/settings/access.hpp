#pragma once

#include <algorithm>
#include <charconv>
#include <concepts>
#include <filesystem>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "app/settings/schema.hpp"

/// Makes the Access of a row from a pointer to the member of RunConfig, WindowPreferences or lab settings.
namespace warpsieve {

template <typename Part, typename AnySettings>
auto& part_of(AnySettings& settings) {
    if constexpr (std::is_same_v<Part, RunConfig>)
        return settings.run;
    else if constexpr (std::is_same_v<Part, WindowPreferences>)
        return settings.window;
    else if constexpr (std::is_same_v<Part, labs::LabSettings>)
        return settings.labs;
    else if constexpr (std::is_same_v<Part, labs::SweepSettings>)
        return settings.labs.sweep;
    else if constexpr (std::is_same_v<Part, labs::StepsSettings>)
        return settings.labs.steps;
    else
        return settings.labs.reproduce;
}

/// The double with the fewest decimals that gives this number: 0.1 for 0.1F.
template <typename Number>
double as_double(Number number) {
    if constexpr (std::is_same_v<Number, float>) {
        char text[32];
        const auto end = std::to_chars(text, text + sizeof text, number).ptr;
        double value = 0;
        std::from_chars(text, end, value);
        return value;
    } else {
        return static_cast<double>(number);
    }
}

template <typename Part, typename Number>
Access number(Number Part::*member, std::function<Legal(const Settings&)> legal) {
    return {Kind::number,
            [member](const Settings& settings) { return Value(as_double(part_of<Part>(settings).*member)); },
            [member](Settings& settings, const Value& value) {
                part_of<Part>(settings).*member = static_cast<Number>(std::get<double>(value));
            },
            std::move(legal)};
}

template <typename Part, typename Number>
Access number(Number Part::*member, double least, double most, bool zero = false) {
    return number(member, [=](const Settings&) {
        return Legal{.least = least, .most = most, .whole = std::integral<Number>, .zero = zero};
    });
}

template <typename Part>
Access toggle(bool Part::*member) {
    return {Kind::toggle,
            [member](const Settings& settings) { return Value(part_of<Part>(settings).*member); },
            [member](Settings& settings, const Value& value) {
                part_of<Part>(settings).*member = std::get<bool>(value);
            },
            [](const Settings&) { return Legal{}; }};
}

/// Text or a path; `words`: the legal ones, empty: any.
template <typename Part, typename Text>
Access text(Text Part::*member, std::vector<std::string> words = {}) {
    return {words.empty() ? Kind::text : Kind::word,
            [member](const Settings& settings) {
                if constexpr (std::is_same_v<Text, std::filesystem::path>)
                    return Value((part_of<Part>(settings).*member).string());
                else
                    return Value(part_of<Part>(settings).*member);
            },
            [member](Settings& settings, const Value& value) {
                part_of<Part>(settings).*member = std::get<std::string>(value);
            },
            [words = std::move(words)](const Settings&) { return Legal{.words = words}; }};
}

/// An enumerator and its word.
template <typename Enum>
using Words = std::vector<std::pair<Enum, std::string>>;

template <typename Part, typename Enum>
Access word(Enum Part::*member, Words<Enum> all) {
    std::vector<std::string> words;
    for (const auto& [each, name] : all) words.push_back(name);
    return {Kind::word,
            [member, all](const Settings& settings) {
                const Enum value = part_of<Part>(settings).*member;
                const auto found = std::ranges::find(all, value, &std::pair<Enum, std::string>::first);
                return Value(found == all.end() ? std::string() : found->second);
            },
            [member, all](Settings& settings, const Value& value) {
                const auto found = std::ranges::find(all, std::get<std::string>(value),
                                                     &std::pair<Enum, std::string>::second);
                if (found != all.end()) part_of<Part>(settings).*member = found->first;
            },
            [words = std::move(words)](const Settings&) { return Legal{.words = words}; }};
}

/// The words of a table: words_of(workloads::patterns(), &PatternInfo::pattern, &PatternInfo::name).
template <typename Info, typename Enum, typename Name>
Words<Enum> words_of(std::span<const Info> infos, Enum Info::*value, Name Info::*name) {
    Words<Enum> words;
    for (const Info& info : infos) words.emplace_back(info.*value, std::string(info.*name));
    return words;
}

}  // namespace warpsieve
