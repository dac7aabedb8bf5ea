#pragma once

#include "app/settings/settings.hpp"

/// Defaults that depend on the machine.
namespace warpsieve {

/// The number of slots if the settings give none.
std::uint64_t default_slots(compaction::EngineId engine, bool software_opengl);

/// Sets the number of slots and the iterations where they are unset.
Settings with_machine_defaults(Settings settings, bool software_opengl);

/// Sets `defaults` to those of the engine of `settings`, unless they are already.
void update_defaults(Settings& defaults, const Settings& settings, bool software_opengl);

}  // namespace warpsieve
