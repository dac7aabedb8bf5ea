#pragma once

#include "app/format/provenance.hpp"
#include "app/labs/runner.hpp"

namespace warpsieve::labs {

/// The origin of a lab's figures: machine, commit, job, progress, and the command that measures it again.
Provenance provenance_of(const Report& report);

}  // namespace warpsieve::labs
