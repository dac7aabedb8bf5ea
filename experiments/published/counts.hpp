#pragma once

#include "experiments/published/documents.hpp"
#include "experiments/setting.hpp"

namespace published {

/// Counts the quantity in one run on a simulated GPU by a fixed schedule. The algorithm of the setting is of
/// the simulated engine. Launches, threads and additions are those of its prefix phase; additions are the
/// values that its kernels note as a sum. Takes seconds for 2^16 items. Throws compaction::Error as
/// simulated::trace_compaction.
double count(Quantity quantity, const experiments::Setting& setting);

}  // namespace published
