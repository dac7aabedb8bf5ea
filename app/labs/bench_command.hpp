#pragma once

#include <string>

#include "app/labs/runner.hpp"

namespace warpsieve::labs {

/// `warpsieve bench ...` over every value that the job's settings have on each axis: it measures them again,
/// and what else the axes combine to.
std::string bench_command(const Job& job);

}  // namespace warpsieve::labs
