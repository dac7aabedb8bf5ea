#pragma once

#include <cstddef>
#include <cstdint>

/// What the blocks of a launch tell each other through device memory.
namespace compaction::cuda::detail {

using Tag = std::uint64_t;
using StatusWord = std::uint64_t;

inline constexpr unsigned count_bits = 16;  ///< of a status word; no tile keeps more than 2^15
inline constexpr unsigned max_shot_blocks = 2048;
inline constexpr unsigned max_ring_blocks = 160;
/// Rounds whose words are kept. A block publishes at most `slots` rounds ahead of what it has written out,
/// and so does the block that it last looked back at: 2 x slots + 2 rounds never meet in one word.
inline constexpr unsigned ring_window = 32;

__device__ inline std::uint64_t read_word(const std::uint64_t* word) {
    std::uint64_t value;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(__cvta_generic_to_global(word)));
    return value;
}
__device__ inline void write_word(std::uint64_t* word, std::uint64_t value) {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(__cvta_generic_to_global(word)), "l"(value));
}

/// A status word is a tag and a count in one, so a reader takes nothing but the word itself: no fence is
/// needed. Tags rise from launch to launch and are never used again, so no word is ever cleaned: 2^48 of them
/// last longer than any card. The counters they are taken from lie in the board itself, so a replayed graph
/// goes on counting.
__device__ inline StatusWord status_word(Tag tag, unsigned count) {
    return tag << count_bits | count;
}
__device__ inline bool has_tag(StatusWord word, Tag tag) {
    return word >> count_bits == tag;
}
__device__ inline unsigned count_in(StatusWord word) {
    return static_cast<unsigned>(word & ((1U << count_bits) - 1));
}

/// All zero before its first launch. Launches that share a board must not overlap in time.
struct Board {
    std::uint64_t shots;   ///< launches of the shot so far
    std::uint64_t rounds;  ///< rounds of the ring so far
    StatusWord shot[max_shot_blocks];
    StatusWord ring[ring_window][max_ring_blocks];
};

}  // namespace compaction::cuda::detail
