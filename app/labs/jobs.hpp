#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/labs/runner.hpp"
#include "app/settings/lab_choices.hpp"
#include "app/settings/settings.hpp"
#include "compaction/algorithm.hpp"

/// What the labs measure, made from the settings. Pure functions.
namespace warpsieve::labs {

/// The stream that the settings describe, `slots` items long.
experiments::StreamSpec stream_of(const Settings& settings, std::uint64_t slots);

/// Seconds that measuring the settings takes at the most, in round figures: the limit of each, and the
/// warm-up of each stream.
double seconds_at_most(const Job& job);

/// A job of that lab without settings: title and settings are the lab's business.
Job job_for(std::string_view lab, const Settings& settings);

/// Adds an algorithm on a stream to the job; or, where it cannot be made for it, why.
void add(Job& job, const compaction::Algorithm& algorithm, const compaction::Options& options,
         const experiments::StreamSpec& stream);

/// Whether both measure the same settings in the same way.
bool same_work(const Job& a, const Job& b);

}  // namespace warpsieve::labs
