#pragma once

#include <string>

#include "compaction/algorithm.hpp"
#include "compaction/options.hpp"
#include "experiments/measure.hpp"

/// Fake algorithms and figures for the tests of the lab models.
namespace warpsieve::labs {

using compaction::Algorithm;
using compaction::EngineId;
using compaction::LegalRange;
using compaction::Option;
using experiments::Result;

inline Algorithm fake(const std::string& id, EngineId engine = EngineId::cuda) {
    Algorithm algorithm;
    algorithm.id = id;
    algorithm.name = "The " + id;
    algorithm.engine = engine;
    algorithm.phases = {{compaction::PhaseRole::fused, "all", ""}};
    return algorithm;
}

inline LegalRange blocks() {
    return {Option::blocks, 1, 65536};
}
inline LegalRange threads() {
    return {Option::threads_per_block, 32, 1024, LegalRange::Spacing::multiples, 32};
}

/// A settled result with the median `us` and a confidence interval of `us` times 1 ± `error`.
inline Result result_of(const experiments::Setting& setting, double us, double error = 0.01) {
    Result result;
    result.setting = setting;
    result.us = {us, us, us, us, us, 30, 0};
    result.median_interval_us = {us * (1 - error), us * (1 + error), 0.96};
    result.settled = true;
    return result;
}

}  // namespace warpsieve::labs
