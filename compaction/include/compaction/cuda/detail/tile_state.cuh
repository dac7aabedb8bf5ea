#pragma once

#include <cstddef>
#include <cstdint>

#include "compaction/cuda/detail/architectures.cuh"
#include "compaction/cuda/detail/device.cuh"
#include "compaction/cuda/detail/ptx.cuh"
#include "compaction/cuda/detail/tuning.cuh"

/// Tile state: the device memory in which the blocks of a launch publish the counts of their tiles.
namespace compaction::cuda::detail {

using Tag = std::uint64_t;
inline constexpr unsigned tag_bits = 50;

/// The source of the tags of a launch.
struct LaunchTags {
    enum class Source : std::uint8_t {
        state,          ///< counted in the tile state, which was zero before its first launch
        graph_counter,  ///< counted in the counter of a captured launch, from `base` on
        host,           ///< chosen by the host: `base` and the tags after it
    };
    Tag base = 0;
    unsigned counter = 0;  ///< index of the counter, for graph_counter
    Source source = Source::state;
};

inline constexpr unsigned num_launch_counters = 4096;

/// The counter with that index. Every translation unit has its own counters, because it has its own kernels.
/// A counter is zero when its module is loaded, and never reset.
__device__ inline std::uint64_t* launch_counter(unsigned counter) {
    COMPACTION_DEVICE_ARRAY(launch_counters, std::uint64_t, num_launch_counters);
    return launch_counters + counter;
}

using StatusWord = std::uint64_t;

inline constexpr unsigned count_bits = 64 - tag_bits;  ///< bits of a status word that hold the count
/// The maximum number of items in a tile that publishes a count.
inline constexpr unsigned max_tile_items = (1U << count_bits) - 1;
inline constexpr unsigned max_single_wave_blocks = 1024;
inline constexpr unsigned max_pipeline_blocks = 160;
/// Rounds whose status words are kept. A block publishes at most pipeline_stages rounds ahead of what it has
/// written out, and so does the block whose words it waits for. So 2 x pipeline_stages + 2 successive rounds
/// must not share a word.
inline constexpr unsigned pipeline_window = 16;
static_assert(2 * pipeline_stages + 2 <= pipeline_window);

/// A status word holds a tag and a count. A reader uses only the word itself, so no fence is needed: a
/// relaxed load sees either the old word or the new one, and the tag says which. Tags are never used again
/// (launch_tags.cuh), so words are never cleared. At least half of all tags, 2^49, follow the first one
/// (random_tag); they outlast any GPU.
__device__ inline StatusWord status_word(Tag tag, unsigned count) {
    return tag << count_bits | count;
}
/// Whether the word holds that tag. A trace may leave this test out; any word but 0 then passes.
__device__ inline bool has_tag(StatusWord word, Tag tag) {
    return word >> count_bits == tag || (is_left_out() && word != 0);
}
__device__ inline unsigned count_in(StatusWord word) {
    return static_cast<unsigned>(word & ((1U << count_bits) - 1));
}

/// Bits at the low end of a counter of launches or rounds. They count the arrived blocks of the launch.
inline constexpr unsigned arrivals_bits = 14;

/// Single-wave state. Launches that share it must not overlap in time. Zero-initialise it before the first
/// launch with LaunchTags::Source::state; other launches accept any content.
struct SingleWaveState {
    std::uint64_t launches;  ///< a counter of launches, see arrivals_bits
    StatusWord words[tile_state_copies][max_single_wave_blocks];
    Tag claims[max_single_wave_blocks];  ///< of each tile: the last launch that claimed it (single_wave.cuh)
};

/// Pipeline state. The conditions of SingleWaveState apply. The members of type Tag are for arrivals.cuh;
/// each names a launch by its first tag.
struct PipelineState {
    std::uint64_t rounds;              ///< a counter of the rounds of all launches, see arrivals_bits
    Tag fell_back;                     ///< the last launch that fell back to tickets
    Tag tickets_ready;                 ///< the last launch whose tickets were reset
    Tag arrived[max_pipeline_blocks];  ///< the last launch in which the block arrived
    StatusWord words[tile_state_copies][pipeline_window][max_pipeline_blocks];
};

struct TileState {
    SingleWaveState single_wave;
    PipelineState pipeline;
};

/// Publishes a count of a tile in every copy; a block polls one of them. `words`: [Copies][...].
template <unsigned Copies = tile_state_copies>
__device__ void publish(StatusWord* words, unsigned words_per_copy, unsigned index, StatusWord word) {
#pragma unroll
    for (unsigned copy = 0; copy < Copies; ++copy) store_relaxed(words + copy * words_per_copy + index, word);
}

/// The first tag of a launch that uses `num_tags` tags. One thread of each block calls. The last block to
/// arrive at the counter raises it for the next launch; by then all others have read it.
__device__ inline Tag first_tag_of_launch(std::uint64_t& state_counter, const LaunchTags& tags,
                                          unsigned num_tags) {
    if (tags.source == LaunchTags::Source::host) return tags.base;
    std::uint64_t* const counter =
        tags.source == LaunchTags::Source::graph_counter ? launch_counter(tags.counter) : &state_counter;
    const std::uint64_t before = fetch_add_relaxed(counter, 1);
    const auto arrived = static_cast<unsigned>(before & ((1U << arrivals_bits) - 1));
    if (arrived == gridDim.x - 1)
        fetch_add_relaxed(counter, (std::uint64_t{num_tags} << arrivals_bits) - gridDim.x);
    return tags.base + (before >> arrivals_bits) + 1;
}

inline namespace COMPACTION_ARCHITECTURES {

/// Resets a tile state of unknown content: for a single-wave launch of `single_wave_blocks` blocks or, if
/// that is 0, for the pipeline.
template <typename TileStateT>
__global__ void __launch_bounds__(reset_threads)
    reset_kernel(TileStateT* state, unsigned single_wave_blocks) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (single_wave_blocks > 0) {
        if (i == 0) state->single_wave.launches = 0;
        const unsigned copy = i / single_wave_blocks;
        if (copy < tile_state_copies) state->single_wave.words[copy][i % single_wave_blocks] = 0;
        if (copy == tile_state_copies) state->single_wave.claims[i % single_wave_blocks] = 0;
    } else {
        if (i < sizeof state->pipeline / sizeof(StatusWord)) (&state->pipeline.rounds)[i] = 0;
    }
}

}  // namespace COMPACTION_ARCHITECTURES

}  // namespace compaction::cuda::detail
