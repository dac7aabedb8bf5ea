#pragma once

#include <cstdint>
#include <string>

#include "compaction/engine.hpp"

namespace experiments {

/// Where and how figures came about, for the head of every file that holds some.
struct Machine {
    std::string engine;  ///< "cuda", "cpu"
    std::string device;
    std::string driver;
    std::uint64_t memory_bytes = 0;
    std::uint64_t cache_bytes = 0;
    double max_clock_hz = 0;
    std::string version;  ///< of the program
    std::string commit;   ///< it was built from
    std::string command;  ///< the command line
    std::string date;     ///< UTC, ISO 8601
};

/// Describes the machine of `engine` now. `command` is what was typed.
Machine describe_machine(const compaction::Engine& engine, std::string version, std::string commit,
                         std::string command);

/// A command line as a shell would take it again, with quotes where they are needed.
std::string command_text(int argc, const char* const* argv);

}  // namespace experiments
