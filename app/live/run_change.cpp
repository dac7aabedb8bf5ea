#include "app/live/run_change.hpp"

#include <new>

namespace warpsieve {
namespace {

RunChange refused(const compaction::Error& error, Settings& settings, const Settings& applied) {
    settings.run = applied.run;
    if (settings.compares() != applied.compares()) settings.window.tab = applied.window.tab;
    return {false, error};
}

}  // namespace

RunChange change_run(LiveRun& run, Settings& settings, const Settings& applied) {
    try {
        return {run.configure(settings.run, settings.compares()), std::nullopt};
    } catch (const compaction::Error& error) {
        return refused(error, settings, applied);
    } catch (const std::bad_alloc&) {
        return refused({compaction::ErrorCode::out_of_memory,
                        "Host memory ran out. Choose fewer slots, close other programs or raise the memory "
                        "limit."},
                       settings, applied);
    }
}

}  // namespace warpsieve
