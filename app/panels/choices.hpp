#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/settings/schema.hpp"
#include "app/view_model/snapshot.hpp"

/// Changes to the settings by clicks, keys and typed values. Results are always legal. Pure functions.
namespace warpsieve::panels {

/// Steps of the scale control.
inline constexpr std::array scales{1.0F, 1.25F, 1.5F, 1.75F, 2.0F};

/// The number of slots: settings.run.slots, or the length of the running stream where that is 0.
std::uint64_t current_slots(const StreamInfo& stream, const Settings& settings);

/// Chooses an engine and its default algorithm, unless the engine is unavailable. The simulated engine
/// shortens a long stream; the engine that is chosen next restores its length.
void choose_engine(const CatalogueInfo& catalogue, Settings& settings, compaction::EngineId engine);
/// Chooses an algorithm for a side, and its engine if the side is A. Ignores unavailable algorithms, and an
/// algorithm for B that does not run on A's engine.
void choose_algorithm(const CatalogueInfo& catalogue, Settings& settings,
                      const compaction::Algorithm& algorithm, Side side = Side::a);
/// Clamps `slots` to what the engine supports.
void choose_slots(Settings& settings, std::uint64_t slots);

/// Plants the fault with that id into the kernels of the kernel view, with the items and the schedule in
/// which it shows, and goes to where it shows. "none": runs them as they are.
void choose_plant(Settings& settings, const std::string& id);

/// Shows the lesson with that id in the kernel view, from its beginning. "none": ends the lesson.
void choose_lesson(Settings& settings, const std::string& id);

/// Shows the slot of the scene as it is now in the kernel view: traces its neighbours and it, and follows it.
void follow_in_kernels(Settings& settings, const StreamInfo& stream, std::uint64_t slot);

/// Choose the next source, or the next pattern of a source that has patterns; wrap around.
void step_source(Settings& settings);
void step_pattern(Settings& settings);

/// Choose the next engine, algorithm or vector width; wrap around. `step` is 1 or -1.
void step_engine(const CatalogueInfo& catalogue, Settings& settings);
void step_algorithm(const CatalogueInfo& catalogue, Settings& settings, int step, Side side = Side::a);
void step_vector_width(const CatalogueInfo& catalogue, Settings& settings, Side side = Side::a);
/// Chooses the next larger scale if `step` is 1, or the next smaller one if it is -1; stops at the ends.
void step_scale(Settings& settings, float current_scale, int step);

/// Swap A and B, or copy one to the other.
void swap_sides(const CatalogueInfo& catalogue, Settings& settings);
void copy_side(const CatalogueInfo& catalogue, Settings& settings, Side from);

/// Whether the outputs of A and B can differ. The lens offers the particles only then, because equal outputs
/// look the same on both sides.
bool outputs_may_differ(const Snapshot& snapshot, const Settings& settings);
/// Chooses the next mode that the lens offers.
void step_lens_mode(const Snapshot& snapshot, Settings& settings);

/// Doubles the iterations per frame. 1 follows the maximum.
void step_iterations(Settings& settings);

/// The value of `range` nearest to `wanted`.
std::uint32_t nearest_legal(const compaction::LegalRange& range, std::uint32_t wanted);

}  // namespace warpsieve::panels
