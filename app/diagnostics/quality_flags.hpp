#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/settings/settings.hpp"
#include "app/view_model/snapshot.hpp"

namespace warpsieve {

/// How far the figures can be trusted.
enum class Quality : std::uint8_t { good, caution, bad };

/// A statement on the quality of the figures, with its reason.
struct QualityFlag {
    std::string name;  ///< "warming up"
    Quality quality;
    std::string reason;  ///< one sentence
    std::string remedy;  ///< one sentence; empty if there is nothing to do
};

/// The quality flags of the live run. A bad one is first. The last one is the steadiness of the figures,
/// except on the simulated engine, which has no times.
std::vector<QualityFlag> quality_flags_of(const Snapshot& snapshot, const Settings& settings);

}  // namespace warpsieve
