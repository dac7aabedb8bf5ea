#include "simulated/gpu.hpp"

const compaction::simulated::Checks compaction::simulated::checks_of_tests{};
