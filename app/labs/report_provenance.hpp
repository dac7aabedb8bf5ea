#pragma once

#include "app/format/provenance.hpp"
#include "app/labs/runner.hpp"

namespace warpsieve::labs {

/// Where the figures of a lab come from: machine, commit, what was measured and how far, and the command that
/// measures it again.
Provenance provenance_of(const Report& report);

}  // namespace warpsieve::labs
