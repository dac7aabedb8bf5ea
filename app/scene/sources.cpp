#include "app/scene/sources.hpp"

#include <algorithm>
#include <array>

namespace warpsieve::scene {
namespace {

template <typename... Sources>
constexpr std::array<const SourceInfo*, sizeof...(Sources)> infos_of(SourceList<Sources...>) {
    return {&Sources::info...};
}

constexpr auto all_sources = infos_of(AllSources());

}  // namespace

std::span<const SourceInfo* const> sources() {
    return all_sources;
}

const SourceInfo* find_source(std::string_view id) {
    const auto found = std::ranges::find(all_sources, id, &SourceInfo::id);
    return found == all_sources.end() ? nullptr : *found;
}

const SourceInfo& source_in_force(std::string_view id) {
    const SourceInfo* const found = find_source(id);
    return found ? *found : *all_sources.front();
}

}  // namespace warpsieve::scene
