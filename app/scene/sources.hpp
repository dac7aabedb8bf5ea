#pragma once

#include <span>
#include <string_view>

#include "app/scene/source.hpp"
#include "app/scene/sources/fireworks.hpp"
#include "app/scene/sources/fountain.hpp"
#include "app/scene/sources/galaxy.hpp"
#include "app/scene/sources/synthetic.hpp"

namespace warpsieve::scene {

/// A list of source types.
template <typename... Sources>
struct SourceList {};

/// Every source, in menu order; the first is the default. To add one, write a file in sources/ and add its
/// name here.
using AllSources = SourceList<Fountain, Galaxy, Fireworks, Synthetic>;

std::span<const SourceInfo* const> sources();

/// Returns nullptr for an unknown id.
const SourceInfo* find_source(std::string_view id);

/// Returns the default source for an unknown id.
const SourceInfo& source_in_force(std::string_view id);

namespace detail {

template <typename Visitor, typename... Sources>
void visit(const Frame& frame, const Visitor& visitor, SourceList<Sources...>) {
    static_cast<void>(((frame.source == &Sources::info && (visitor(Sources(frame)), true)) || ...));
}

}  // namespace detail

/// Calls `visitor` with the frame's source. Each source type instantiates the visitor, so that no code asks
/// for the source per slot.
template <typename Visitor>
void visit_source(const Frame& frame, const Visitor& visitor) {
    detail::visit(frame, visitor, AllSources());
}

}  // namespace warpsieve::scene
