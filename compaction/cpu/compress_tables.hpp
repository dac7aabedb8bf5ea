#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

/// For each mask, the permutation that moves its true lanes to the front, in order. The remaining entries are
/// 0; the lanes that they fill are unused.
namespace compaction::cpu {

/// For vectors of 16 bytes with lanes of `lane_bytes`: byte indices.
template <std::size_t lane_bytes>
alignas(64) constexpr auto byte_permutations = [] {
    constexpr std::size_t lanes = 16 / lane_bytes;
    std::array<std::array<std::uint8_t, 16>, std::size_t{1} << lanes> table{};
    for (std::size_t mask = 0; mask < table.size(); ++mask) {
        std::size_t taken = 0;
        for (std::size_t byte = 0; byte < 16; ++byte) {
            if (mask >> byte / lane_bytes & 1) table[mask][taken++] = static_cast<std::uint8_t>(byte);
        }
    }
    return table;
}();

/// For vectors of 32 bytes with lanes of `lane_bytes`: indices of 4-byte words.
template <std::size_t lane_bytes>
alignas(64) constexpr auto word_permutations = [] {
    constexpr std::size_t lanes = 32 / lane_bytes;
    constexpr std::size_t words_per_lane = lane_bytes / 4;
    std::array<std::array<std::uint8_t, 8>, std::size_t{1} << lanes> table{};
    for (std::size_t mask = 0; mask < table.size(); ++mask) {
        std::size_t taken = 0;
        for (std::size_t word = 0; word < 8; ++word) {
            if (mask >> word / words_per_lane & 1) table[mask][taken++] = static_cast<std::uint8_t>(word);
        }
    }
    return table;
}();

}  // namespace compaction::cpu
