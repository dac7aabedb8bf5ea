#pragma once

#include "experiments/published/reproduction.hpp"

namespace warpsieve {

/// The command of the processes that `reproduce` starts: times the first calls of the setting that its
/// arguments name, and prints them. Not listed in --help.
int run_first_call(int argc, char** argv);

/// Times the first calls of a setting in a new process of this program.
published::ProcessResult start_first_call(const experiments::Setting& setting);

}  // namespace warpsieve
