#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/labs/runner.hpp"
#include "app/settings/lab_choices.hpp"
#include "app/settings/lab_settings.hpp"
#include "app/settings/run_config.hpp"
#include "compaction/algorithm.hpp"

/// Jobs of the labs, made from the settings. Pure functions.
namespace warpsieve::labs {

/// The stream that the settings describe, with `slots` items.
experiments::StreamSpec stream_of(const RunConfig& run, const LabSettings& labs, std::uint64_t slots);

/// Upper bound of the time of a job: the time limit of each setting, and the warm-up of each stream.
double max_seconds(const Job& job);

/// A job with the lab's name, engine and policy. The lab adds the title and the settings.
Job job_for(std::string_view lab, const RunConfig& run, const LabSettings& labs);

/// Adds an algorithm on a stream to the job, or the reason why it cannot run.
void add(Job& job, const compaction::Algorithm& algorithm, const compaction::Options& options,
         const experiments::StreamSpec& stream);

/// Whether both jobs measure the same settings in the same way.
bool same_work(const Job& a, const Job& b);

/// The `warpsieve bench` command that measures the settings of the job again. It measures all combinations of
/// their values, which may be more settings.
std::string bench_command(const Job& job);

}  // namespace warpsieve::labs
