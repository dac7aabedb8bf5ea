#pragma once

#include <cstdint>

#include "compaction/options.hpp"

namespace compaction {

/// A stream and a layout, as far as the bytes that a phase moves depend on them.
struct StreamShape {
    std::uint64_t num_items = 0;
    std::uint64_t num_kept = 0;
    std::uint64_t item_bytes = 0;
    Options layout;  ///< as asked for

    double stream_bytes() const { return static_cast<double>(num_items * item_bytes); }
    double kept_bytes() const { return static_cast<double>(num_kept * item_bytes); }
    /// A 32-bit word for every item, such as a flag or a sum.
    double word_bytes() const { return 4.0 * static_cast<double>(num_items); }
};

/// Bytes that a phase fetches from memory and writes to it, on streams that no cache holds. What the same
/// thread, block or core touched just before is in its cache and not counted again. Counts and offsets of
/// sequences, blocks and chunks are left out: in the layouts that are chosen automatically they come to less
/// than a fiftieth of the stream.
using MovedBytes = double (*)(const StreamShape& shape);

/// What most phases move.
namespace traffic {

inline double metadata_alone(const StreamShape&) {
    return 0;
}
inline double reads_all(const StreamShape& shape) {
    return shape.stream_bytes();
}
inline double reads_all_writes_kept(const StreamShape& shape) {
    return shape.stream_bytes() + shape.kept_bytes();
}
inline double reads_all_writes_all(const StreamShape& shape) {
    return 2 * shape.stream_bytes();
}

}  // namespace traffic
}  // namespace compaction
