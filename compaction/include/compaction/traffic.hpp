#pragma once

#include <cstdint>

#include "compaction/options.hpp"

namespace compaction {

/// The properties of a stream and its options that determine the bytes a phase moves.
struct StreamShape {
    std::uint64_t num_items = 0;     ///< items in the stream
    std::uint64_t num_selected = 0;  ///< items kept
    std::uint64_t item_bytes = 0;    ///< bytes per item
    Options options;                 ///< the requested options

    /// Bytes of all items.
    double stream_bytes() const { return static_cast<double>(num_items * item_bytes); }
    /// Bytes of the kept items.
    double selected_bytes() const { return static_cast<double>(num_selected * item_bytes); }
    /// The earlier name of selected_bytes.
    double kept_bytes() const { return selected_bytes(); }
    /// Bytes of an array with one 32-bit word per item, such as flags or sums.
    double word_bytes() const { return 4.0 * static_cast<double>(num_items); }
};

/// Bytes that a phase reads from and writes to memory, for streams larger than any cache. Data that the same
/// thread, block or core has just used is in its cache and is not counted again. Counts and offsets of
/// sequences, blocks and chunks are not counted: with automatic options they are below 2 % of the stream.
using MovedBytes = double (*)(const StreamShape& shape);

/// Common values of Phase::moved_bytes.
namespace traffic {

/// Moves no items.
inline double metadata_alone(const StreamShape&) {
    return 0;
}
/// Reads every item.
inline double reads_all(const StreamShape& shape) {
    return shape.stream_bytes();
}
/// Reads every item and writes the kept ones.
inline double reads_all_writes_selected(const StreamShape& shape) {
    return shape.stream_bytes() + shape.selected_bytes();
}
/// The earlier name of reads_all_writes_selected.
inline double reads_all_writes_kept(const StreamShape& shape) {
    return reads_all_writes_selected(shape);
}
/// Reads and writes every item.
inline double reads_all_writes_all(const StreamShape& shape) {
    return 2 * shape.stream_bytes();
}

}  // namespace traffic
}  // namespace compaction
