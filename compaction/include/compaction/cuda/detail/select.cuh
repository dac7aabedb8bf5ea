#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "compaction/cuda/detail/architectures.cuh"
#include "compaction/cuda/detail/launch.cuh"
#include "compaction/cuda/detail/pipeline.cuh"
#include "compaction/cuda/detail/single_wave.cuh"
#include "compaction/cuda/detail/ticketed.cuh"

/// Chooses the kernel for an input and launches it.
namespace compaction::cuda::detail {

enum class Path : std::uint8_t { single_wave, pipeline, ticketed };

/// When a kernel may start. One that was not compiled for Hopper always starts after the previous launch: it
/// has no instruction that waits for it.
enum class Start : std::uint8_t {
    after_previous,
    during_previous,  ///< while the previous launch runs: prefetches input and waits for its end
};

/// Which launches may start while the previous one runs.
enum class Overlap : std::uint8_t {
    never,
    on_streams,  ///< not in captured graphs: older functions of CUDA cannot read programmatic edges
    always,
};

/// How often a block reads status words without success; tuning.cuh gives the durations.
struct WaitLimits {
    unsigned spins = default_spin_limit;  ///< reads of a word before a thread counts that tile itself
    /// Polls before a pipeline block checks which blocks have arrived; at least 1.
    unsigned polls = default_poll_limit;
};

struct Plan {
    Path path = Path::ticketed;
    TileSize tile_size = TileSize::small;  ///< used by the single-wave path
    int rows = 0;                          ///< rows per tile of the ticketed path
    unsigned num_tiles = 0;
    unsigned blocks = 0;
    int chunks = pipeline_chunks;  ///< chunks per tile of the pipeline
};

/// When a kernel may start.
inline cudaError_t choose_start(Overlap overlap, cudaStream_t stream, Start& start) {
    bool overlaps = overlap != Overlap::never;
    if (overlap == Overlap::on_streams) {
        bool is_capturing = false;
        if (const cudaError_t error = query_capturing(stream, is_capturing)) return error;
        overlaps = !is_capturing;
    }
    start = overlaps ? Start::during_previous : Start::after_previous;
    return cudaSuccess;
}

/// Calls `use` with a tile policy of that size.
template <typename UseT>
constexpr auto with_policy(TileSize size, UseT use) {
    switch (size) {
        case TileSize::small:
            return use(PolicyOf<TileSize::small>{});
        case TileSize::medium:
            return use(PolicyOf<TileSize::medium>{});
        case TileSize::large:
            return use(PolicyOf<TileSize::large>{});
        case TileSize::largest:
            break;
    }
    return use(PolicyOf<TileSize::largest>{});
}

inline namespace COMPACTION_ARCHITECTURES {

// nvcc overlooks the launch bounds of kernel templates (-Wmissing-launch-bounds).
#pragma nv_diagnostic push
#pragma nv_diag_suppress 20238

/// The tiles of a planned input: the first `num_whole` have `whole_items` positions each, the others
/// `last_items`.
struct Tiling {
    unsigned num_tiles = 0;
    unsigned num_whole = 0;
    unsigned whole_items = 0;
    unsigned last_items = 0;
};

template <typename ItemT>
constexpr Tiling tiling_of(const Plan& plan, std::uint64_t end) {
    if (plan.path == Path::pipeline) {
        const TileSchedule schedule = schedule_tiles<ItemT>(end, plan.blocks, plan.chunks);
        const auto chunks = static_cast<unsigned>(plan.chunks);
        return {schedule.num_rounds * plan.blocks, (schedule.num_rounds - 1) * plan.blocks,
                chunks * chunk_items<ItemT>, schedule.chunks_in_last_round * chunk_items<ItemT>};
    }
    const unsigned items = plan.path == Path::ticketed
                               ? static_cast<unsigned>(plan.rows) * ticketed_items<ItemT, 1>
                               : with_policy(plan.tile_size, [](auto policy) {
                                     return single_wave_items<ItemT, decltype(policy)>;
                                 });
    return {plan.num_tiles, plan.num_tiles, items, items};
}

/// The number of words of a TicketState for inputs of up to `num_items`.
template <typename ItemT>
constexpr std::uint64_t ticket_words(std::uint64_t num_items) {
    // The end of a misaligned input is up to aligned_items - 1 positions further (make_aligned_span).
    return 1 + ticketed_shape<ItemT, few_rows>.num_tiles(num_items + aligned_items<ItemT> - 1);
}

/// The arguments of one call.
template <typename ItemT, typename SelectorT, typename CountT>
struct Selection {
    AlignedSpan<ItemT> input;
    ItemT* out;
    CountT* num_selected;
    SelectorT selector;

    template <typename PolicyT>
    static constexpr auto single_wave = single_wave_kernel<ItemT, PolicyT, SelectorT, CountT>;
    /// A template, so that selectors that never use it do not compile it.
    template <typename UsedSelectorT = SelectorT>
    static constexpr auto pipeline =
        pipeline_kernel<ItemT, chunks_for<UsedSelectorT>, stages_for<UsedSelectorT>, UsedSelectorT, CountT>;
    static constexpr LaunchShape shape_of_pipeline =
        pipeline_shape<ItemT, chunks_for<SelectorT>, stages_for<SelectorT>>;
    template <int Rows>
    static constexpr auto ticketed = ticketed_kernel<ItemT, Rows, SelectorT, CountT>;

    /// Whether the GPU can run the pipeline, and its code was compiled for such GPUs.
    static cudaError_t query_pipeline(const DeviceProperties& device, bool& available) {
        available = false;
        if (!device.has_bulk_copies) return cudaSuccess;
        Occupancy occupancy;
        if (const cudaError_t error = query_occupancy<pipeline<>>(device, shape_of_pipeline, occupancy))
            return error;
        available = occupancy.compiled_for_hopper && occupancy.blocks_per_multiprocessor > 0;
        return cudaSuccess;
    }

    /// Chooses the single-wave path if all its blocks are resident at once, else the pipeline if available,
    /// else the ticketed path. Chooses the ticketed path also if a number of blocks is requested (not 0), and
    /// for long streams whose selector does not fit the pipeline.
    static cudaError_t choose(const DeviceProperties& device, std::uint64_t end, unsigned requested_blocks,
                              Plan& plan) {
        if (requested_blocks != 0) return plan_ticketed(device, end, requested_blocks, plan);
        bool found = false;
        for (const TileSize size : tile_sizes) {
            if (const cudaError_t error = try_single_wave(device, end, size, plan, found)) return error;
            if (found) return cudaSuccess;
        }
        if constexpr (fits_pipeline<SelectorT>) {
            bool has_pipeline = false;
            if (const cudaError_t error = query_pipeline(device, has_pipeline)) return error;
            const std::uint64_t num_tiles = shape_of_pipeline.num_tiles(end);
            if (has_pipeline && num_tiles <= max_tiles) {
                const unsigned max_blocks = std::min(device.multiprocessors, max_pipeline_blocks);
                plan = {};
                plan.path = Path::pipeline;
                plan.num_tiles = static_cast<unsigned>(num_tiles);
                plan.blocks = static_cast<unsigned>(std::min<std::uint64_t>(num_tiles, max_blocks));
                plan.chunks = chunks_for<SelectorT>;
                return cudaSuccess;
            }
        }
        return plan_ticketed(device, end, /*requested_blocks=*/0, plan);
    }

    /// The tile schedule of the pipeline with `blocks` blocks.
    TileSchedule schedule(unsigned blocks) const {
        return schedule_tiles<ItemT>(input.end, blocks, chunks_for<SelectorT>);
    }

    /// The number of tags that the plan's launch uses: one for each round of the pipeline, one for a
    /// single-wave launch of several blocks, otherwise none.
    std::uint64_t num_tags(const Plan& plan) const {
        if (plan.path == Path::pipeline) return schedule(plan.blocks).num_rounds;
        return plan.path == Path::single_wave && plan.blocks > 1 ? 1 : 0;
    }

    /// Enqueues a kernel that prepares a tile state of unknown content for the plan's launch.
    static cudaError_t reset(const Plan& plan, TileState* state, cudaStream_t stream) {
        const unsigned single_wave_blocks = plan.path == Path::single_wave ? plan.blocks : 0;
        // A single-wave state has a word of each copy, and a claim, for each block.
        const auto words =
            static_cast<unsigned>(single_wave_blocks > 0 ? (tile_state_copies + 1) * single_wave_blocks
                                                         : sizeof(PipelineState) / sizeof(StatusWord));
        return detail::launch(reset_kernel<TileState>,
                              {(words + reset_threads - 1) / reset_threads, reset_threads, 0, stream}, state,
                              single_wave_blocks);
    }

    /// Enqueues one kernel, on the ticketed path one before it that resets the tickets. The ticketed path
    /// does not use `state`, and the single-wave path does not use `tickets`. An unused pointer may be null.
    cudaError_t launch(const DeviceProperties& device, const Plan& plan, Start start, TileState* state,
                       std::uint32_t* tickets, cudaStream_t stream, const WaitLimits& limits = {},
                       const LaunchTags& tags = {}) const {
        const PlannedLaunch planned{device, plan, start, stream};
        switch (plan.path) {
            case Path::single_wave: {
                const SingleWaveOptions options{tags, limits.spins};
                return with_policy(plan.tile_size, [&](auto policy) {
                    using PolicyT = decltype(policy);
                    return launch_kernel<single_wave<PolicyT>>(planned, single_wave_shape<ItemT, PolicyT>,
                                                               input, options, state, out, num_selected,
                                                               selector);
                });
            }
            case Path::pipeline:
                if constexpr (fits_pipeline<SelectorT>) {
                    return launch_kernel<pipeline<>>(planned, shape_of_pipeline, input, schedule(plan.blocks),
                                                     state, PipelineOptions{tickets, tags, limits.polls}, out,
                                                     num_selected, selector);
                }
                return cudaErrorInvalidValue;
            case Path::ticketed:
                break;
        }
        if (plan.rows == few_rows) return launch_ticketed<few_rows>(planned, TicketState{tickets});
        return launch_ticketed<many_rows>(planned, TicketState{tickets});
    }

  private:
    static constexpr std::uint64_t max_tiles = std::uint64_t{1} << 30;

    /// Makes a single-wave plan if it is within the limit of the policy and all its blocks are resident at
    /// once on an idle GPU. One small tile is within the limit on any GPU.
    static cudaError_t try_single_wave(const DeviceProperties& device, std::uint64_t end, TileSize size,
                                       Plan& plan, bool& found) {
        return with_policy(size, [&](auto policy) {
            using PolicyT = decltype(policy);
            if (!is_policy_for<PolicyT, SelectorT>) return cudaSuccess;
            constexpr LaunchShape shape = single_wave_shape<ItemT, PolicyT>;
            const std::uint64_t num_tiles = shape.num_tiles(end);
            const unsigned limit = device.multiprocessors * PolicyT::tiles_per_two_multiprocessors / 2;
            if (num_tiles > std::min(std::max(limit, 1U), PolicyT::max_blocks)) return cudaSuccess;
            Occupancy occupancy;
            if (const cudaError_t error = query_occupancy<single_wave<PolicyT>>(device, shape, occupancy))
                return error;
            found = num_tiles <= std::uint64_t{occupancy.blocks_per_multiprocessor} * device.multiprocessors;
            if (!found) return cudaSuccess;
            plan = {};
            plan.path = Path::single_wave;
            plan.tile_size = size;
            plan.num_tiles = plan.blocks = static_cast<unsigned>(num_tiles);
            return cudaSuccess;
        });
    }

    static cudaError_t plan_ticketed(const DeviceProperties& device, std::uint64_t end,
                                     unsigned requested_blocks, Plan& plan) {
        constexpr LaunchShape few_shape = ticketed_shape<ItemT, few_rows>;
        constexpr LaunchShape many_shape = ticketed_shape<ItemT, many_rows>;
        Occupancy few_occupancy, many_occupancy;
        if (const auto error = query_occupancy<ticketed<few_rows>>(device, few_shape, few_occupancy))
            return error;
        if (const auto error = query_occupancy<ticketed<many_rows>>(device, many_shape, many_occupancy))
            return error;
        const std::uint64_t many_tiles = many_shape.num_tiles(end);
        const bool few = many_occupancy.blocks_per_multiprocessor == 0 ||
                         many_tiles <= std::uint64_t{few_tiles_per_multiprocessor} * device.multiprocessors;
        const std::uint64_t num_tiles = few ? few_shape.num_tiles(end) : many_tiles;
        const std::uint64_t resident_blocks =
            std::uint64_t{(few ? few_occupancy : many_occupancy).blocks_per_multiprocessor} *
            device.multiprocessors;
        if (resident_blocks == 0 || num_tiles > max_tiles) return cudaErrorInvalidConfiguration;
        const std::uint64_t blocks =
            requested_blocks != 0 ? requested_blocks : std::min(num_tiles, resident_blocks);
        plan = {};
        plan.path = Path::ticketed;
        plan.rows = few ? few_rows : many_rows;
        plan.num_tiles = static_cast<unsigned>(num_tiles);
        plan.blocks = static_cast<unsigned>(blocks);
        return cudaSuccess;
    }

    struct PlannedLaunch {
        const DeviceProperties& device;
        const Plan& plan;
        Start start;
        cudaStream_t stream;
    };

    template <int Rows>
    cudaError_t launch_ticketed(const PlannedLaunch& planned, const TicketState& state) const {
        const unsigned num_words = 1 + planned.plan.num_tiles;
        constexpr LaunchShape reset_shape{/*tile_items=*/1, reset_threads, /*shared_bytes=*/0};
        Plan reset = planned.plan;
        reset.blocks = (num_words + reset_threads - 1) / reset_threads;
        if (const cudaError_t error = launch_kernel<reset_tickets_kernel<TicketState>>(
                {planned.device, reset, planned.start, planned.stream}, reset_shape, state, num_words))
            return error;
        return launch_kernel<ticketed<Rows>>(planned, ticketed_shape<ItemT, Rows>, input,
                                             planned.plan.num_tiles, state, out, num_selected, selector);
    }

    /// Queries the occupancy again and raises the limit of shared memory: since CUDA 13 every translation
    /// unit has its own kernels, and the plan may come from another one.
    template <auto Kernel, typename... ArgumentsT>
    static cudaError_t launch_kernel(const PlannedLaunch& planned, const LaunchShape& shape,
                                     ArgumentsT... arguments) {
        Occupancy occupancy;
        if (const cudaError_t error = query_occupancy<Kernel>(planned.device, shape, occupancy)) return error;
        // Compiled for an older architecture, the pipeline would do nothing and report no error.
        if (planned.plan.path == Path::pipeline && !occupancy.compiled_for_hopper)
            return cudaErrorNoKernelImageForDevice;
        if (const cudaError_t error = raise_shared_limit<Kernel>(shape)) return error;
        const bool overlapping = planned.start != Start::after_previous && occupancy.compiled_for_hopper;
        return detail::launch(
            Kernel, {planned.plan.blocks, shape.threads, shape.shared_bytes, planned.stream, overlapping},
            arguments...);
    }
};

#pragma nv_diagnostic pop

}  // namespace COMPACTION_ARCHITECTURES

}  // namespace compaction::cuda::detail
