#include "app/live/machine_defaults.hpp"

#include <utility>

namespace warpsieve {

using compaction::EngineId;

std::uint64_t default_slots(EngineId engine, bool software_opengl) {
    if (engine == EngineId::cuda) return std::uint64_t{1} << 20;
    if (engine == EngineId::simulated) return std::uint64_t{1} << 14;
    return std::uint64_t{1} << (software_opengl ? 17 : 18);
}

Settings with_machine_defaults(Settings settings, bool software_opengl) {
    if (settings.run.slots == 0) settings.run.slots = default_slots(settings.run.engine, software_opengl);
    // A GPU compacts the slots in microseconds: several compactions per frame keep its clock up.
    if (settings.run.iterations == 0)
        settings.run.iterations = settings.run.engine == EngineId::cuda ? 16 : 1;
    return settings;
}

void update_defaults(Settings& defaults, const Settings& settings, bool software_opengl) {
    if (defaults.run.slots > 0 && defaults.run.engine == settings.run.engine) return;
    Settings unset;
    unset.run.engine = settings.run.engine;
    defaults = with_machine_defaults(std::move(unset), software_opengl);
}

}  // namespace warpsieve
