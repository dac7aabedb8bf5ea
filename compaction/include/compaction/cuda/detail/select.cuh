#pragma once

#include "compaction/cuda/detail/plan.cuh"

/// Chooses the kernel for a stream and launches it.
namespace compaction::cuda::detail {

inline constexpr std::uint64_t max_select_items = std::uint64_t{1} << 40;

enum class Path : std::uint8_t { shot, ring, ticketed };

struct Plan {
    Path path = Path::ticketed;
    int rows = 0;  ///< of a shot's or a ticketed tile
    unsigned num_tiles = 0;
    unsigned blocks = 0;
};

template <typename ItemT, int Rows>
inline constexpr Shape shot_shape{shot_items<ItemT, Rows>, shot_threads,
                                  shot_items<ItemT, Rows>* static_cast<unsigned>(sizeof(ItemT))};
template <typename ItemT, int Rows>
inline constexpr Shape ticketed_shape{ticketed_items<ItemT, Rows>, ticketed_threads,
                                      2 * ticketed_items<ItemT, Rows>* static_cast<unsigned>(sizeof(ItemT))};

/// Chunks of a tile and slots of a chunk. Measured on an H200, docs/notes/single_pass_on_h200.md.
inline constexpr int ring_chunks = 8;
inline constexpr int ring_slots = 6;
static_assert(2 * ring_slots + 2 <= ring_window);
template <typename ItemT>
inline constexpr Shape ring_shape{ring_chunks * chunk_items<ItemT>,
                                  RingStore<ring_chunks, ring_slots>::num_threads,
                                  static_cast<unsigned>(sizeof(RingStore<ring_chunks, ring_slots>))};

/// Rows of ticketed tiles: few while there are few tiles to a multiprocessor, so that the last round leaves
/// little idle, and on cards with little shared memory.
inline constexpr int few_rows = 3;
inline constexpr int many_rows = 6;
inline constexpr unsigned few_tiles_each = 16;

/// The items of each tile of a planned stream.
template <typename ItemT>
constexpr unsigned tile_items_of(const Plan& plan) {
    if (plan.path == Path::ring) return ring_shape<ItemT>.tile_items;
    const auto rows = static_cast<unsigned>(plan.rows);
    return plan.path == Path::ticketed ? rows * ticketed_items<ItemT, 1> : rows * shot_items<ItemT, 1>;
}

/// How many words a TicketBoard needs for any stream up to that long.
template <typename ItemT>
constexpr std::uint64_t ticket_words(std::uint64_t num_items) {
    return 1 + ticketed_shape<ItemT, few_rows>.num_tiles(num_items + vector_items<ItemT> - 1);
}

/// One call: what to select from where to where.
template <typename ItemT, typename SelectorT, typename CountT>
struct Selection {
    Stream<ItemT> stream;
    ItemT* out;
    CountT* num_selected;
    SelectorT keeps;

    template <int Rows>
    static constexpr auto shot = shot_kernel<ItemT, Rows, SelectorT, CountT>;
    static constexpr auto ring = ring_kernel<ItemT, ring_chunks, ring_slots, SelectorT, CountT>;
    template <int Rows>
    static constexpr auto ticketed = ticketed_kernel<ItemT, Rows, SelectorT, CountT>;

    /// The shot where all its blocks are resident at once; else the ring where the card can run it; else, or
    /// where the number of blocks is asked for (not 0), the ticketed path.
    static cudaError_t choose(const Card& card, std::uint64_t end, unsigned asked_blocks, Plan& plan) {
        if (asked_blocks != 0 || !card.has_cooperative_launch)
            return plan_tickets(card, end, asked_blocks, plan);
        bool found = false;
        // Measured on an H200: small tiles while each multiprocessor gets one at most, then the smallest that
        // fit.
        const unsigned all = card.multiprocessors;
        if (const cudaError_t error = try_shot<1>(card, end, 1, plan, found)) return error;
        if (const cudaError_t error = try_shot<2>(card, end, 1, plan, found)) return error;
        if (const cudaError_t error = try_shot<1>(card, end, all, plan, found)) return error;
        if (const cudaError_t error = try_shot<2>(card, end, max_shot_blocks, plan, found)) return error;
        if (const cudaError_t error = try_shot<6>(card, end, max_shot_blocks, plan, found)) return error;
        if (const cudaError_t error = try_shot<8>(card, end, max_shot_blocks, plan, found)) return error;
        if (found) return cudaSuccess;
        if (card.has_bulk_copies) {
            unsigned each = 0;
            if (const cudaError_t error = resident_blocks<ring>(card, ring_shape<ItemT>, each)) return error;
            const std::uint64_t num_tiles = ring_shape<ItemT>.num_tiles(end);
            if (each > 0 && num_tiles <= max_tiles) {
                const unsigned most = std::min(card.multiprocessors, max_ring_blocks);
                plan = {Path::ring, 0, static_cast<unsigned>(num_tiles),
                        static_cast<unsigned>(std::min<std::uint64_t>(num_tiles, most))};
                return cudaSuccess;
            }
        }
        return plan_tickets(card, end, 0, plan);
    }

    /// Enqueues one kernel. `board` and `tickets`: as their paths want them; the other may be null.
    cudaError_t launch(const Plan& plan, Board* board, std::uint32_t* tickets,
                       cudaStream_t cuda_stream) const {
        switch (plan.path) {
            case Path::shot:
                if (plan.rows == 1) return launch_shot<1>(plan, board, cuda_stream);
                if (plan.rows == 2) return launch_shot<2>(plan, board, cuda_stream);
                if (plan.rows == 6) return launch_shot<6>(plan, board, cuda_stream);
                return launch_shot<8>(plan, board, cuda_stream);
            case Path::ring:
                return launch_kernel(ring, ring_shape<ItemT>, plan.blocks, true, cuda_stream, stream,
                                     plan.num_tiles, board, out, num_selected, keeps);
            case Path::ticketed:
                break;
        }
        const TicketBoard ticket_board{tickets};
        if (plan.rows == few_rows) {
            return launch_kernel(ticketed<few_rows>, ticketed_shape<ItemT, few_rows>, plan.blocks, false,
                                 cuda_stream, stream, plan.num_tiles, ticket_board, out, num_selected, keeps);
        }
        return launch_kernel(ticketed<many_rows>, ticketed_shape<ItemT, many_rows>, plan.blocks, false,
                             cuda_stream, stream, plan.num_tiles, ticket_board, out, num_selected, keeps);
    }

  private:
    static constexpr std::uint64_t max_tiles = std::uint64_t{1} << 30;

    /// Tiles of that many rows, if there are no more than `most` and all can be resident at once.
    template <int Rows>
    static cudaError_t try_shot(const Card& card, std::uint64_t end, unsigned most, Plan& plan, bool& found) {
        if (found) return cudaSuccess;
        constexpr Shape shape = shot_shape<ItemT, Rows>;
        const std::uint64_t num_tiles = shape.num_tiles(end);
        if (num_tiles > std::min(most, max_shot_blocks)) return cudaSuccess;
        unsigned each = 0;
        if (const cudaError_t error = resident_blocks<shot<Rows>>(card, shape, each)) return error;
        found = num_tiles <= std::uint64_t{each} * card.multiprocessors;
        if (found)
            plan = {Path::shot, Rows, static_cast<unsigned>(num_tiles), static_cast<unsigned>(num_tiles)};
        return cudaSuccess;
    }

    static cudaError_t plan_tickets(const Card& card, std::uint64_t end, unsigned asked_blocks, Plan& plan) {
        unsigned few_each = 0, many_each = 0;
        if (const auto error =
                resident_blocks<ticketed<few_rows>>(card, ticketed_shape<ItemT, few_rows>, few_each)) {
            return error;
        }
        if (const auto error =
                resident_blocks<ticketed<many_rows>>(card, ticketed_shape<ItemT, many_rows>, many_each)) {
            return error;
        }
        const std::uint64_t many_tiles = ticketed_shape<ItemT, many_rows>.num_tiles(end);
        const bool few = many_each == 0 || many_tiles <= std::uint64_t{few_tiles_each} * card.multiprocessors;
        const std::uint64_t num_tiles = few ? ticketed_shape<ItemT, few_rows>.num_tiles(end) : many_tiles;
        const std::uint64_t resident = std::uint64_t{few ? few_each : many_each} * card.multiprocessors;
        if (resident == 0 || num_tiles > max_tiles) return cudaErrorInvalidConfiguration;
        const std::uint64_t blocks = asked_blocks != 0 ? asked_blocks : std::min(num_tiles, resident);
        plan = {Path::ticketed, few ? few_rows : many_rows, static_cast<unsigned>(num_tiles),
                static_cast<unsigned>(blocks)};
        return cudaSuccess;
    }

    template <int Rows>
    cudaError_t launch_shot(const Plan& plan, Board* board, cudaStream_t cuda_stream) const {
        return launch_kernel(shot<Rows>, shot_shape<ItemT, Rows>, plan.blocks, plan.blocks > 1, cuda_stream,
                             stream, board, out, num_selected, keeps);
    }

    /// A cooperative launch is one that the driver starts only when all its blocks can be resident at once.
    template <typename KernelT, typename... ArgumentsT>
    static cudaError_t launch_kernel(KernelT kernel, const Shape& shape, unsigned blocks, bool cooperative,
                                     cudaStream_t cuda_stream, ArgumentsT... arguments) {
        cudaLaunchAttribute attribute{};
        attribute.id = cudaLaunchAttributeCooperative;
        attribute.val.cooperative = 1;
        cudaLaunchConfig_t config{};
        config.gridDim = blocks;
        config.blockDim = shape.threads;
        config.dynamicSmemBytes = shape.shared_bytes;
        config.stream = cuda_stream;
        config.attrs = &attribute;
        config.numAttrs = cooperative ? 1 : 0;
        return cudaLaunchKernelEx(&config, kernel, arguments...);
    }
};

/// What every call must keep, whatever its path.
template <typename ItemT, typename CountT>
cudaError_t check_selection(const ItemT* in, const ItemT* out, const CountT* num_selected,
                            std::uint64_t num_items) {
    if (!num_selected || num_items > max_select_items) return cudaErrorInvalidValue;
    if (num_items == 0) return cudaSuccess;
    if (!in || !out) return cudaErrorInvalidValue;
    const auto in_address = reinterpret_cast<std::uintptr_t>(in);
    const auto out_address = reinterpret_cast<std::uintptr_t>(out);
    if (in_address % sizeof(ItemT) != 0 || out_address % sizeof(ItemT) != 0)
        return cudaErrorMisalignedAddress;
    const std::uint64_t bytes = num_items * sizeof(ItemT);
    const bool overlap = in_address < out_address + bytes && out_address < in_address + bytes;
    return overlap ? cudaErrorInvalidValue : cudaSuccess;
}

}  // namespace compaction::cuda::detail
