#pragma once

#include <string>

#include "app/labs/runner.hpp"

namespace warpsieve::labs {

/// The `warpsieve bench ...` command that measures the settings of the job again. It covers all combinations
/// of their values, so it may measure more.
std::string bench_command(const Job& job);

}  // namespace warpsieve::labs
