#pragma once

#include <span>
#include <string>

#include "experiments/baseline.hpp"
#include "experiments/machine.hpp"
#include "experiments/measure.hpp"

namespace experiments {

/// The input of every export format.
struct Report {
    const Machine& machine;
    const Measurement& measurement;
    const Baseline* baseline = nullptr;  ///< adds verdicts; may be null
};

/// The options in use: "vector-width=4 threads=256".
std::string options_text(const Result& result);

/// Lines that begin with '#', for the head of a CSV file.
std::string machine_comments(const Machine& machine);

/// One line per setting, after '#' lines that describe the machine. Unknown cells are empty, as are
/// the times of a setting with a wrong result. Columns: see docs/reference/bench.md.
std::string to_csv(const Report& report);

/// Machine, results with all samples and phases, copies and skipped settings. Format "warpsieve-bench",
/// version 1.
std::string to_json(const Report& report);

/// A Markdown table with a line above it that describes the machine.
std::string to_markdown(const Report& report);

}  // namespace experiments
