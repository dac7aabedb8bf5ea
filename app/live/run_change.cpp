#include "app/live/run_change.hpp"

namespace warpsieve {

RunChange change_run(LiveRun& run, Settings& settings, const Settings& applied) {
    try {
        return {run.configure(settings.run, settings.compares()), std::nullopt};
    } catch (const compaction::Error& error) {
        settings.run = applied.run;
        if (settings.compares() != applied.compares()) settings.window.tab = applied.window.tab;
        return {false, error};
    }
}

}  // namespace warpsieve
