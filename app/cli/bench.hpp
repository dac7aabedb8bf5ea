#pragma once

namespace warpsieve {

/// `warpsieve bench`: measures algorithms and steps over a grid of settings, prints a table, writes files and
/// compares with a baseline. See --help.
int run_bench(int argc, char** argv);

}  // namespace warpsieve
