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

/// What a person can change about the labs, beside the settings of the window, whose slots, live fraction and
/// seed they share.
struct LabSettings {
    std::string lab = "compare";  ///< id of the one that is shown
    Quality quality = Quality::quick;
    bool hold_scene = true;  ///< the scene stands still while a lab measures
    workloads::Pattern pattern = workloads::Pattern::random;
    compaction::ItemSize item_size = compaction::ItemSize::bytes_4;
    experiments::Cache cache = experiments::Cache::cold;
    std::string base;   ///< id that speed-ups are against; empty: the engine's yardstick
    std::string tuned;  ///< id of the algorithm or step to tune; empty: the one the window runs

    SweepSettings sweep;
    StepsSettings steps;
    ReproduceSettings reproduce;

    bool operator==(const LabSettings&) const = default;
};

}  // namespace warpsieve::labs
