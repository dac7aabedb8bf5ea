#pragma once

#include <string>
#include <vector>

#include "compaction/engine.hpp"
#include "experiments/setting.hpp"

namespace experiments {

/// The first calls of a process, in microseconds of the host's clock, each from its submission until the
/// device has finished.
struct FirstCalls {
    double first_us = 0;
    double second_us = 0;
    double later_us = 0;  ///< median of the 20 calls after these
};

/// Times the first calls of the setting on an engine that has run none. The engine is open, the stream is in
/// its memory, and the compactor has reserved its memory before the first call. Throws like
/// Engine::make_compactor and Engine::allocate.
FirstCalls time_first_calls(compaction::Engine& engine, const Setting& setting);

/// The first calls of one setting over several processes.
struct FirstCallSamples {
    std::vector<float> first_us;   ///< [num_processes]
    std::vector<float> second_us;  ///< [num_processes]
    std::vector<float> later_us;   ///< [num_processes]
    std::string failure;  ///< why a process gave no times, in a sentence; later ones were not started

    void add(const FirstCalls& calls);
};

}  // namespace experiments
