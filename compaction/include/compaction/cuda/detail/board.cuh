#pragma once

#include <cstddef>
#include <cstdint>

#include "compaction/cuda/detail/neighbours.cuh"

/// What the blocks of a launch tell each other through device memory.
namespace compaction::cuda::detail {

using Tag = std::uint64_t;
using StatusWord = std::uint64_t;

inline constexpr unsigned count_bits = 16;  ///< of a status word; no tile keeps more than 2^15
inline constexpr unsigned max_shot_blocks = 1024;
inline constexpr unsigned max_ring_blocks = 160;
/// Rounds whose words are kept. A block publishes at most `slots` rounds ahead of what it has written out,
/// and so does the block that it last looked back at: 2 x slots + 2 rounds never meet in one word.
inline constexpr unsigned ring_window = 16;
/// Every word is written so often, to places far from each other, and every block reads its own copy: blocks
/// that all look at the same few words queue for them, and the streams' loads and stores with them.
inline constexpr unsigned board_copies = 4;

__device__ inline std::uint64_t read_word(const std::uint64_t* word) {
    std::uint64_t value;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(__cvta_generic_to_global(word)));
    return value;
}
__device__ inline void write_word(std::uint64_t* word, std::uint64_t value) {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(__cvta_generic_to_global(word)), "l"(value));
}

/// The value before.
__device__ inline std::uint64_t add_to_word(std::uint64_t* word, std::uint64_t value) {
    std::uint64_t before;
    asm volatile("atom.relaxed.gpu.global.add.u64 %0, [%1], %2;"
                 : "=l"(before)
                 : "l"(__cvta_generic_to_global(word)), "l"(value)
                 : "memory");
    return before;
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

/// Of the shot. All zero before its first launch. Launches that share a board must not overlap in time.
struct ShotBoard {
    std::uint64_t shots;  ///< launches so far, and the arrived blocks of the present one in the low bits
    StatusWord words[board_copies][max_shot_blocks];
};

/// Of the ring, likewise.
struct RingBoard {
    std::uint64_t rounds;  ///< rounds of all launches so far
    StatusWord words[board_copies][ring_window][max_ring_blocks];
};

struct Board {
    ShotBoard shot;
    RingBoard ring;
};

/// Publishes what a tile keeps. `words`: [board_copies][...], `place` within the first of them.
__device__ inline void publish(StatusWord* words, unsigned words_each, unsigned place, StatusWord word) {
#pragma unroll
    for (unsigned copy = 0; copy < board_copies; ++copy) write_word(words + copy * words_each + place, word);
}

/// A block of a shot arrives and learns the launch's tag. The last to arrive, hence after all have learnt it,
/// raises it for the next launch.
__device__ inline Tag arrive_at_shot(ShotBoard& board) {
    constexpr unsigned arrived_bits = 16;
    const std::uint64_t before = add_to_word(&board.shots, 1);
    const auto arrived = static_cast<unsigned>(before & ((1U << arrived_bits) - 1));
    if (arrived == gridDim.x - 1) add_to_word(&board.shots, (std::uint64_t{1} << arrived_bits) - gridDim.x);
    return (before >> arrived_bits) + 1;
}

/// Makes a board that holds anything as good as new: the shot's for that many blocks, or, for 0, the ring's.
/// The launch after may begin at once.
template <typename BoardT>
__global__ void reset_kernel(BoardT* board, unsigned shot_blocks) {
    let_next_launch_begin();
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (shot_blocks > 0) {
        if (i == 0) board->shot.shots = 0;
        if (i < board_copies * shot_blocks) board->shot.words[i / shot_blocks][i % shot_blocks] = 0;
    } else {
        if (i == 0) board->ring.rounds = 0;
        if (i < sizeof board->ring.words / sizeof(StatusWord)) (&board->ring.words[0][0][0])[i] = 0;
    }
}

}  // namespace compaction::cuda::detail
