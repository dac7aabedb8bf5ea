#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "compaction/access_trace.hpp"
#include "compaction/item.hpp"
#include "compaction/timing.hpp"
#include "experiments/machine.hpp"

namespace warpsieve::trace {

/// The times of one compaction, and where it ran.
struct RecordedRun {
    std::string algorithm;  ///< Algorithm::id
    std::uint64_t num_items = 0;
    compaction::ItemSize item_size = compaction::ItemSize::bytes_4;
    experiments::Machine machine;
    compaction::RunTrace trace;
};

/// The bytes of a file with the trace: the members of AccessTrace by their names, as CBOR (RFC 8949).
std::vector<std::uint8_t> trace_file(const compaction::AccessTrace& trace);

/// The bytes of a file with the times of a compaction, as CBOR. Launches and spans are stored as one array
/// per member, with an element for each launch or span.
std::vector<std::uint8_t> trace_file(const RecordedRun& run);

/// Reads a file with an AccessTrace or a RecordedRun. Checks every access of an AccessTrace, so that it can
/// be played, and the numbers, times, roles and parts of a RecordedRun. Throws Error{invalid_argument} that
/// says what is wrong.
std::variant<compaction::AccessTrace, RecordedRun> read_trace_file(std::span<const std::uint8_t> bytes);

}  // namespace warpsieve::trace
