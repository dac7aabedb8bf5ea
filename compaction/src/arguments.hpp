#pragma once

#include <cstdint>
#include <string>

#include "compaction/error.hpp"
#include "compaction/keep.hpp"

namespace compaction {

/// What every Compactor::enqueue asks of its arguments before it does anything. Throws Error{invalid_argument}.
inline void require_arguments(const Item* in, std::uint64_t num_items, const Item* out, const std::uint64_t* num_selected,
                              std::uint64_t reserved_items) {
    if (num_items > reserved_items) {
        throw Error(ErrorCode::invalid_argument, "the stream has " + std::to_string(num_items) + " items, but only " +
                                                     std::to_string(reserved_items) + " were reserved; call reserve first.");
    }
    if (!num_selected || (num_items > 0 && (!in || !out))) {
        throw Error(ErrorCode::invalid_argument, "in, out and num_selected must not be null.");
    }
    if (num_items > 0 && in < out + num_items && out < in + num_items) {
        throw Error(ErrorCode::invalid_argument, "in and out overlap; compaction in place is not supported.");
    }
}

}  // namespace compaction
