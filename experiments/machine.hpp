#pragma once

#include <cstdint>
#include <string>

#include "compaction/engine.hpp"

namespace experiments {

/// Where and how results were measured. Every result file starts with it.
struct Machine {
    std::string engine;  ///< "cuda", "cpu"
    std::string device;
    std::string driver;
    std::uint64_t memory_bytes = 0;
    std::uint64_t cache_bytes = 0;
    double max_clock_hz = 0;
    std::string version;  ///< version of this program
    std::string commit;   ///< commit that the program was built from
    std::string command;  ///< the command line
    std::string date;     ///< UTC, ISO 8601
};

/// Describes the machine of `engine`, with the current date. `command`: the command line.
Machine describe_machine(const compaction::Engine& engine, std::string version, std::string commit,
                         std::string command);

/// A command line quoted for a shell.
std::string command_text(int argc, const char* const* argv);

}  // namespace experiments
