#pragma once

#include <cstdint>
#include <string>

#include "app/settings/reproduce_settings.hpp"
#include "app/settings/sweep_settings.hpp"
#include "compaction/item.hpp"
#include "experiments/setting.hpp"
#include "workloads/streams.hpp"

namespace warpsieve::labs {

/// How long each setting is measured.
enum class Quality : std::uint8_t { quick, normal, careful };

/// Settings of the labs. Slots, live fraction and seed are those of the run.
struct LabSettings {
    std::string lab = "compare";  ///< id of the lab that is shown
    Quality quality = Quality::quick;
    bool hold_scene = true;  ///< stop the scene while a lab measures
    workloads::Pattern pattern = workloads::Pattern::random;
    compaction::ItemSize item_size = compaction::ItemSize::bytes_4;
    experiments::Cache cache = experiments::Cache::cold;
    std::string base;   ///< id of the algorithm that speed-ups refer to; empty: the engine's yardstick
    std::string tuned;  ///< id of the algorithm or step to tune; empty: the one the window runs

    SweepSettings sweep;
    StepsSettings steps;
    ReproduceSettings reproduce;

    bool operator==(const LabSettings&) const = default;
};

}  // namespace warpsieve::labs
