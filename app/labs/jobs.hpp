#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/labs/runner.hpp"
#include "app/settings/lab_settings.hpp"
#include "app/settings/run_config.hpp"
#include "compaction/algorithm.hpp"
#include "experiments/stopping.hpp"

/// Jobs for the labs, made from the settings. Pure functions.
namespace warpsieve::labs {

/// A quality as menus show it.
struct QualityInfo {
    Quality quality;
    std::string_view name;     ///< "quick"
    std::string_view meaning;  ///< for the tooltip
    experiments::Policy policy;
};
std::span<const QualityInfo> qualities();
const QualityInfo& info_of(Quality quality);

/// The stream that the settings describe, `slots` items long.
experiments::StreamSpec stream_of(const RunConfig& run, const LabSettings& labs, std::uint64_t slots);

/// Upper estimate of the time for a job in seconds: the limit of each setting and the warm-up of each stream.
double seconds_at_most(const Job& job);

/// A job of that lab without title and settings, which the lab adds.
Job job_for(std::string_view lab, const RunConfig& run, const LabSettings& labs);

/// Adds an algorithm on a stream to the job, or the reason why it cannot run.
void add(Job& job, const compaction::Algorithm& algorithm, const compaction::Options& options,
         const experiments::StreamSpec& stream);

/// Whether both jobs measure the same settings in the same way.
bool same_work(const Job& a, const Job& b);

}  // namespace warpsieve::labs
