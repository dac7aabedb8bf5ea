#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "experiments/grid.hpp"
#include "experiments/stopping.hpp"

namespace warpsieve {

/// The command line of `warpsieve bench`.
struct BenchArguments {
    experiments::Grid grid;
    compaction::EngineId engine = compaction::EngineId::cpu;
    std::vector<unsigned> gpus;  ///< numbers of GPUs; if not empty, selections over several GPUs are measured
    experiments::Policy policy;
    std::filesystem::path csv;
    std::filesystem::path json;
    std::filesystem::path markdown;
    std::filesystem::path against;    ///< a program or a file of results to compare with; may be empty
    bool against_is_program = false;  ///< it can be executed and is no file of results
    std::size_t num_processes = 0;    ///< child processes of each program that measure; 0: this one measures
    std::optional<double> max_regress;  ///< in percent: a larger slowdown is a failure
    bool quiet = false;
};

/// The arguments, or an exit code if the program must end (help, or a usage error that was reported).
struct ParsedBenchArguments {
    BenchArguments arguments;
    std::optional<int> exit_code;
};

/// Prints help and usage errors. Throws compaction::Error{invalid_argument} for invalid values.
ParsedBenchArguments parse_bench_arguments(int argc, char** argv);

}  // namespace warpsieve
