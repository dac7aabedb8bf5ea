#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/format/provenance.hpp"
#include "app/labs/runner.hpp"

/// Texts that every lab derives from its report, and example reports. Pure functions.
namespace warpsieve::labs {

/// The origin of the figures of a lab: machine, commit, job, progress, and the command that measures them
/// again.
Provenance provenance_of(const Report& report);

/// Sentences about settings that were left out or skipped, and about wrong results.
struct LabRemarks {
    std::vector<std::string> wrong;
    std::vector<std::string> skipped;
};
LabRemarks remarks_on(const Report& report);

/// A finished report of a job with fictitious figures, which depend on the settings only: a preview of the
/// lab. Draw it only with a label that calls it an example, and never save it.
std::shared_ptr<const Report> example_report(const Job& job);

}  // namespace warpsieve::labs
