#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace compaction {

/// What an algorithm keeps in a buffer.
enum class BufferRole : std::uint8_t {
    input,         ///< the items
    counts,        ///< kept items of each part
    offsets,       ///< the index in the output where each part begins
    flags,         ///< whether each item is kept, one word or one bit for each
    sums,          ///< partial sums of a scan
    tree,          ///< the balanced tree of a work-efficient scan
    status,        ///< counts or prefixes with the state of their part in the same word
    counter,       ///< tickets, arrivals and other words that atomics count in
    items,         ///< kept items that are not in the output yet
    output,        ///< the kept items
    num_selected,  ///< how many items are kept
};

/// The name of the role: "input", "counts", ... "num_selected".
std::string_view name_of(BufferRole role);

/// Where a word of a buffer holds its number. The other bits hold a state or a tag.
struct WordFormat {
    std::uint8_t first_bit = 0;  ///< the lowest bit of the number
    std::uint8_t num_bits = 64;  ///< how many bits it has
    bool is_mask = false;        ///< each bit is the flag of an item; the number has no meaning
    /// The words are that many copies of the same numbers, one after the other.
    std::uint32_t copies = 1;

    /// Compares all members.
    bool operator==(const WordFormat&) const = default;

    /// The number that `word` holds.
    std::uint64_t number_in(std::uint64_t word) const {
        const std::uint64_t bits = word >> first_bit;
        return num_bits < 64 ? bits & ((std::uint64_t{1} << num_bits) - 1) : bits;
    }
};

/// A range of engine memory that a compactor's kernels use besides input, output and num_selected.
struct WorkingBuffer {
    BufferRole role = BufferRole::counts;  ///< what it holds
    std::string name;                      ///< "counts of sequences"; unique in its compactor
    const void* data = nullptr;            ///< [size_bytes] engine memory
    std::size_t size_bytes = 0;            ///< a multiple of element_bytes
    std::size_t element_bytes = 4;         ///< size of an element: a word, or an item
    WordFormat format{};                   ///< how to read an element of up to 8 bytes
};

}  // namespace compaction
