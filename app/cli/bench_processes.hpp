#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/bench_arguments.hpp"
#include "experiments/baseline.hpp"

namespace warpsieve {

/// Prints a sentence of `bench` on stderr.
void notify_of_bench(const std::string& sentence);

/// The number of settings that missing_settings() names.
inline constexpr std::size_t max_named_settings = 3;

/// Says that the results to compare with lack `count` settings, and names the first of them, `settings`.
std::string missing_settings(std::size_t count, const std::vector<std::string>& settings);

/// Measures in child processes of this program. If BenchArguments::against is a program, its processes take
/// turns with them, and the two programs are compared. If it is a file, `recorded` holds its results, which
/// are compared instead. Prints a table and writes the files. Returns an ExitCode.
int run_bench_processes(const BenchArguments& arguments, int argc, char** argv,
                        const std::optional<experiments::Baseline>& recorded);

}  // namespace warpsieve
