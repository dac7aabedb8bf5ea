#pragma once

#include <span>
#include <string_view>

#include "app/scene/source.hpp"
#include "app/scene/sources/fireworks.hpp"
#include "app/scene/sources/fountain.hpp"
#include "app/scene/sources/galaxy.hpp"
#include "app/scene/sources/synthetic.hpp"

namespace warpsieve::scene {

/// Source types as a value.
template <typename... Sources>
struct SourceList {};

/// Every source there is, in the order of the menu; the first is the default. To add one: a file in sources/
/// and its name here.
using AllSources = SourceList<Fountain, Galaxy, Fireworks, Synthetic>;

std::span<const SourceInfo* const> sources();

/// The source of that id; nullptr where there is none.
const SourceInfo* find_source(std::string_view id);

/// The source that settings name; the default where they name none that exists.
const SourceInfo& source_in_force(std::string_view id);

namespace detail {

template <typename Visitor, typename... Sources>
void visit(const Frame& frame, const Visitor& visitor, SourceList<Sources...>) {
    ((frame.source == &Sources::info && (visitor(Sources(frame)), true)) || ...);
}

}  // namespace detail

/// Calls `visitor` with the frame's source, made for the frame: one piece of code for each, so that what runs
/// for every slot need not ask.
template <typename Visitor>
void visit_source(const Frame& frame, const Visitor& visitor) {
    detail::visit(frame, visitor, AllSources());
}

}  // namespace warpsieve::scene
