#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "compaction/access_trace.hpp"

namespace warpsieve::trace {

/// The bytes of a file with the trace: the members of AccessTrace by their names, as CBOR (RFC 8949).
std::vector<std::uint8_t> trace_file(const compaction::AccessTrace& trace);

/// Reads such a file. Checks every access, so that the trace can be played. Throws
/// Error{invalid_argument} that says what is wrong.
compaction::AccessTrace read_trace_file(std::span<const std::uint8_t> bytes);

}  // namespace warpsieve::trace
