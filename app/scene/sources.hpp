#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "app/scene/source.hpp"
#include "app/scene/sources/fireworks.hpp"
#include "app/scene/sources/fountain.hpp"
#include "app/scene/sources/galaxy.hpp"
#include "app/scene/sources/picture.hpp"
#include "app/scene/sources/synthetic.hpp"

namespace warpsieve::scene {

/// A list of source types.
template <typename... Sources>
struct SourceList {};

/// Every source, in menu order; the first is the default. To add one, write a file in sources/ and add its
/// name here.
using AllSources = SourceList<Fountain, Galaxy, Fireworks, Synthetic, Picture>;

namespace detail {

template <typename... Sources>
constexpr std::array<const SourceInfo*, sizeof...(Sources)> infos_of(SourceList<Sources...>) {
    return {&Sources::info...};
}

inline constexpr auto all_sources = infos_of(AllSources());

template <typename Visitor, typename... Sources>
void visit(const Frame& frame, const Visitor& visitor, SourceList<Sources...>) {
    static_cast<void>(((frame.source == &Sources::info && (visitor(Sources(frame)), true)) || ...));
}

}  // namespace detail

inline std::span<const SourceInfo* const> sources() {
    return detail::all_sources;
}

/// Returns nullptr for an unknown id.
inline const SourceInfo* find_source(std::string_view id) {
    const auto found = std::ranges::find(sources(), id, &SourceInfo::id);
    return found == sources().end() ? nullptr : *found;
}

/// Returns the default source for an unknown id.
inline const SourceInfo& effective_source(std::string_view id) {
    const SourceInfo* const found = find_source(id);
    return found ? *found : *sources().front();
}

/// Calls `visitor` with the frame's source. The visitor is instantiated for each source type, so its loop
/// over the slots does not branch on the source.
template <typename Visitor>
void visit_source(const Frame& frame, const Visitor& visitor) {
    detail::visit(frame, visitor, AllSources());
}

}  // namespace warpsieve::scene
