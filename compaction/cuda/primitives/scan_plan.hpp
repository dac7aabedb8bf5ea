#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

/// Plans the scans of GPU Gems 3, chapter 39, for a length. Plain C++.
namespace compaction::cuda {

/// The longest array the scans take. Their sums are modulo 2^32.
inline constexpr std::uint64_t max_scan_items = std::uint64_t{1} << 33;

/// The smallest block of the scans.
inline constexpr std::uint32_t min_scan_threads = 8;

constexpr std::uint64_t ceil_div(std::uint64_t dividend, std::uint64_t divisor) {
    return (dividend + divisor - 1) / divisor;
}

/// The number of levels of the naive scan: one for every power of two below `num_items`.
constexpr unsigned num_naive_levels(std::uint64_t num_items) {
    return num_items < 2 ? 0 : static_cast<unsigned>(std::bit_width(num_items - 1));
}

/// The first item that a trimmed level of the naive scan must write, if the level adds items `distance`
/// apart. The items before `distance` are final. The items before distance / 2 were already final when the
/// previous level read them, and this level writes to the buffer that the previous level read: they are there
/// already. The first two levels write everything, because nothing has written to their buffers before.
constexpr std::uint64_t first_item_to_write(std::uint64_t distance) {
    return distance <= 2 ? 0 : distance / 2;
}

/// The number of words that the naive scan reads and writes, including the shift.
constexpr std::uint64_t words_of_naive_scan(std::uint64_t num_items, bool trimmed) {
    std::uint64_t words = 2 * num_items;
    for (unsigned level = 0; level < num_naive_levels(num_items); ++level) {
        const std::uint64_t distance = std::uint64_t{1} << level;
        const std::uint64_t written = num_items - (trimmed ? first_item_to_write(distance) : 0);
        words += 2 * written + (num_items - distance);
    }
    return words;
}

/// The leaves of the work-efficient scan's tree: the power of two that `num_items` is padded to.
constexpr std::uint64_t num_leaves(std::uint64_t num_items) {
    return std::bit_ceil(std::max<std::uint64_t>(num_items, 2));
}

/// The number of words that the work-efficient scan with a kernel per level reads and writes. The kernels of
/// the lowest level, with leaves / 2 nodes, read `num_items` words and write the leaves, and on the way back
/// the reverse. Each of the leaves / 2 - 1 nodes above takes three words upwards and four downwards.
constexpr std::uint64_t words_of_tree_scan(std::uint64_t num_items) {
    const std::uint64_t leaves = num_leaves(num_items);
    return 2 * (num_items + leaves) + 7 * (leaves / 2 - 1);
}

/// The number of words that the naive scan in a padded copy of the input reads and writes: the copy, the
/// levels, and the shift. Threads without work change nothing.
constexpr std::uint64_t words_of_padded_naive_scan(std::uint64_t num_items) {
    const std::uint64_t leaves = num_leaves(num_items);
    return 3 * num_items + leaves + words_of_naive_scan(leaves, /*trimmed=*/true) - 2 * leaves;
}

/// The number of words that the work-efficient scan in a padded copy reads and writes: the copy into the tree
/// and out of it, and seven words for each of the leaves - 1 nodes.
constexpr std::uint64_t words_of_padded_tree_scan(std::uint64_t num_items) {
    const std::uint64_t leaves = num_leaves(num_items);
    return 3 * num_items + leaves + 7 * (leaves - 1);
}

/// The tile of a block of the tile scan: two items per thread.
constexpr unsigned tile_items_of(unsigned threads_per_block) {
    return 2 * threads_per_block;
}

/// The arrays of a tile scan: the items, the sums of the tiles of items, the sums of the tiles of these sums,
/// and so on, up to an array that fits a single tile.
struct TileLevels {
    /// Enough for max_scan_items in the smallest tiles.
    static constexpr std::size_t max_levels = 9;

    std::array<std::uint64_t, max_levels> num_items{};   ///< the length of each array, longest first
    std::array<std::uint64_t, max_levels> sums_begin{};  ///< the offset of each array in the storage of sums
    std::size_t num_levels = 0;
    std::uint64_t num_sums = 0;  ///< the total length of all arrays of sums: the size of their storage

    /// length: [1, max_scan_items]; tile_items: at least 2 * min_scan_threads.
    constexpr TileLevels(std::uint64_t length, std::uint64_t tile_items) {
        num_items[num_levels++] = length;
        while (length > tile_items) {
            length = ceil_div(length, tile_items);
            sums_begin[num_levels] = num_sums;
            num_items[num_levels++] = length;
            num_sums += length;
        }
    }
};

}  // namespace compaction::cuda
