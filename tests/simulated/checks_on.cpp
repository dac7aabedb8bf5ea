#include "simulated/gpu.hpp"

const compaction::simulated::Checks compaction::simulated::checks_of_tests{
    .accesses = true, .uninitialised = true, .stale_values = true};
