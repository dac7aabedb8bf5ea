#pragma once

#include <filesystem>
#include <optional>

#include "experiments/grid.hpp"
#include "experiments/stopping.hpp"

namespace warpsieve {

/// What `warpsieve bench` was asked to do.
struct BenchArguments {
    experiments::Grid grid;
    compaction::EngineId engine = compaction::EngineId::cpu;
    experiments::Policy policy;
    std::filesystem::path csv;
    std::filesystem::path json;
    std::filesystem::path markdown;
    std::filesystem::path baseline;
    std::optional<double> max_regress;  ///< percent
    bool quiet = false;
};

/// Either what was asked for, or the code to exit with at once (help, a usage error: already told).
struct ParsedBenchArguments {
    BenchArguments arguments;
    std::optional<int> exit_code;
};

/// Throws compaction::Error{invalid_argument} for values that are none.
ParsedBenchArguments parse_bench_arguments(int argc, char** argv);

}  // namespace warpsieve
