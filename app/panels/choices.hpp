#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "app/settings/settings.hpp"
#include "app/view_model/machine_view.hpp"
#include "app/view_model/stream_view.hpp"

/// Changes of the settings that leave only what is legal, whoever asks: a click, a key, a typed value. Pure
/// functions.
namespace warpsieve::panels {

inline constexpr std::array scales{1.0F, 1.25F, 1.5F, 1.75F, 2.0F};
inline constexpr float max_speed = 4.0F;
/// How far the divider of the A/B lens goes to either side, as a share of the view: neither ever goes away.
inline constexpr float least_divider = 0.05F;

bool is_available(const CatalogueView& catalogue, compaction::EngineId engine);

/// The algorithm the settings name for a side; else the first one of their engine, which for B is the first
/// that is not A's; nullptr only where the engine has none.
const compaction::Algorithm* chosen_algorithm(const CatalogueView& catalogue, const Settings& settings,
                                              Side side = Side::a);

/// The length in force: settings.run.slots, or what the application chose where that is 0.
std::uint64_t slots_in_force(const StreamView& stream, const Settings& settings);

void choose_engine(const CatalogueView& catalogue, Settings& settings, compaction::EngineId engine);
/// B can only have an algorithm of the engine that A runs on.
void choose_algorithm(const CatalogueView& catalogue, Settings& settings,
                      const compaction::Algorithm& algorithm, Side side = Side::a);
void choose_slots(Settings& settings, std::uint64_t slots);

/// Whether the live fraction changes what is kept: not where a pattern decides alone.
bool uses_live_fraction(const Settings& settings);

/// The source after this one, or its next pattern where it has any; round again after the last.
void step_source(Settings& settings);
void step_pattern(Settings& settings);

/// The engine, algorithm, vector width or scale after this one, round again after the last; `step` is 1 or
/// -1.
void step_engine(const CatalogueView& catalogue, Settings& settings);
void step_algorithm(const CatalogueView& catalogue, Settings& settings, int step, Side side = Side::a);
void step_vector_width(const CatalogueView& catalogue, Settings& settings, Side side = Side::a);
void step_scale(Settings& settings, float scale_in_force, int step);

/// A becomes B and B becomes A; or one becomes what the other is.
void swap_sides(const CatalogueView& catalogue, Settings& settings);
void copy_side(const CatalogueView& catalogue, Settings& settings, Side from);

/// Doubles the iterations per frame, back to 1 after the most there may be.
void step_iterations(Settings& settings);

/// The value of `range` nearest to `wanted`.
std::uint32_t nearest_legal(const compaction::LegalRange& range, std::uint32_t wanted);

/// Puts every setting within what is legal: an engine that cannot run gives way to one that can, an unknown
/// algorithm to its engine's first, an option the algorithm does not have, or not with that value, to
/// `automatic`.
void make_legal(const CatalogueView& catalogue, Settings& settings);

}  // namespace warpsieve::panels
