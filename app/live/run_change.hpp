#pragma once

#include <optional>

#include "app/live/live_run.hpp"
#include "app/settings/settings.hpp"
#include "compaction/error.hpp"

namespace warpsieve {

struct RunChange {
    bool restarted = false;  ///< the statistics restart
    std::optional<compaction::Error> failure;
};

/// Makes the run match `settings`. Where that fails the run goes on with `applied`, and `settings` gets the
/// whole run of `applied` back, and its tab where B can neither start nor stop.
RunChange change_run(LiveRun& run, Settings& settings, const Settings& applied);

}  // namespace warpsieve
