#pragma once

#include <span>
#include <string>

#include "experiments/baseline.hpp"
#include "experiments/machine.hpp"
#include "experiments/measure.hpp"

namespace experiments {

/// What is said of one measurement: the same in every format.
struct Report {
    const Machine& machine;
    const Measurement& measurement;
    const Baseline* baseline = nullptr;  ///< adds verdicts
};

/// One line a setting, after lines of '#' that describe the machine. Cells that hold nothing are empty; a
/// wrong result has no figures. Columns: see docs/reference/bench.md.
std::string to_csv(const Report& report);

/// Machine, results with all samples and phases, copies, what was skipped. Format "warpsieve-bench",
/// version 1.
std::string to_json(const Report& report);

/// A table for a README, with the machine in a line above it.
std::string to_markdown(const Report& report);

}  // namespace experiments
