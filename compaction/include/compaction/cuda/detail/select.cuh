#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "compaction/cuda/detail/plan.cuh"

/// Chooses the kernel for a stream and launches it.
namespace compaction::cuda::detail {

inline constexpr std::uint64_t max_select_items = std::uint64_t{1} << 40;

enum class Path : std::uint8_t { shot, ring, ticketed };

/// When a shot may begin. The other paths begin when the launch before has ended, and so does a shot whose
/// code was not made for Hopper, as it could not wait.
enum class Begin : std::uint8_t {
    after_launch,
    during_launch,  ///< while the launch before runs: the kernel calls for its input and waits for it to end
    during_reset,   ///< while the launch before resets the board: the kernel looks at its input meanwhile
};

/// Which of the shot's forms.
enum class ShotSize : std::uint8_t { small, middle, large, largest };

struct Plan {
    Path path = Path::ticketed;
    ShotSize shot = ShotSize::small;
    int rows = 0;  ///< of a ticketed tile
    unsigned num_tiles = 0;
    unsigned blocks = 0;
};

template <typename ItemT, typename FormT>
inline constexpr Shape shot_shape{
    shot_items<ItemT, FormT>, FormT::threads,
    FormT::staged ? shot_items<ItemT, FormT>* static_cast<unsigned>(sizeof(ItemT)) : 0};
/// Calls `use` with the form, a template argument, that a size stands for.
template <typename UseT>
constexpr auto with_form(ShotSize size, UseT use) {
    switch (size) {
        case ShotSize::small:
            return use.template operator()<SmallShot>();
        case ShotSize::middle:
            return use.template operator()<MiddleShot>();
        case ShotSize::large:
            return use.template operator()<LargeShot>();
        case ShotSize::largest:
            break;
    }
    return use.template operator()<LargestShot>();
}
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

/// How a stream that ends at `end` is dealt out to the blocks of a ring.
template <typename ItemT>
constexpr Deal ring_deal(std::uint64_t end, unsigned blocks) {
    constexpr unsigned line_items = line_bytes / sizeof(ItemT);
    const std::uint64_t chunks = std::uint64_t{blocks} * ring_chunks;
    const std::uint64_t whole_rounds = end / (chunks * chunk_items<ItemT>);
    const std::uint64_t left = end - whole_rounds * chunks * chunk_items<ItemT>;
    if (left == 0) return {static_cast<unsigned>(whole_rounds), chunk_items<ItemT>};
    const std::uint64_t lines = (left + chunks * line_items - 1) / (chunks * line_items);
    return {static_cast<unsigned>(whole_rounds + 1), static_cast<unsigned>(lines * line_items)};
}

/// The tiles of a planned stream: the first `num_whole` of `whole_items` each, the others of `last_items`.
struct Tiling {
    unsigned num_tiles = 0;
    unsigned num_whole = 0;
    unsigned whole_items = 0;
    unsigned last_items = 0;
};

template <typename ItemT>
constexpr Tiling tiling_of(const Plan& plan, std::uint64_t end) {
    if (plan.path == Path::ring) {
        const Deal deal = ring_deal<ItemT>(end, plan.blocks);
        return {deal.num_rounds * plan.blocks, (deal.num_rounds - 1) * plan.blocks,
                ring_shape<ItemT>.tile_items, ring_chunks * deal.last_items};
    }
    const unsigned items =
        plan.path == Path::ticketed
            ? static_cast<unsigned>(plan.rows) * ticketed_items<ItemT, 1>
            : with_form(plan.shot, [&]<typename FormT>() { return shot_items<ItemT, FormT>; });
    return {plan.num_tiles, plan.num_tiles, items, items};
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

    template <typename FormT, bool Overlapping = false>
    static constexpr auto shot = shot_kernel<ItemT, FormT, Overlapping, SelectorT, CountT>;
    static constexpr auto ring = ring_kernel<ItemT, ring_chunks, ring_slots, SelectorT, CountT>;
    template <int Rows>
    static constexpr auto ticketed = ticketed_kernel<ItemT, Rows, SelectorT, CountT>;

    /// Whether the card can run the ring, and the ring's code was made for such cards.
    static cudaError_t find_ring(const Card& card, bool& found) {
        found = false;
        if (!card.has_bulk_copies || !card.has_cooperative_launch) return cudaSuccess;
        Fit fit;
        if (const cudaError_t error = fit_of<ring>(card, ring_shape<ItemT>, fit)) return error;
        found = fit.made_for_hopper && fit.blocks > 0;
        return cudaSuccess;
    }

    /// The shot where all its blocks are resident at once; else the ring where it can run; else, or where the
    /// number of blocks is asked for (not 0), the ticketed path.
    /// `resets`: the board holds anything, so that a single block, which leaves it alone, spares a launch.
    static cudaError_t choose(const Card& card, std::uint64_t end, unsigned asked_blocks, Plan& plan,
                              bool resets = false) {
        if (asked_blocks != 0) return plan_tickets(card, end, asked_blocks, plan);
        bool found = false;
        // Up to so many blocks each form does better than the next, and the last better than the ring, on an
        // H200.
        struct Offer {
            ShotSize size;
            unsigned most_blocks;
        };
        const unsigned all = card.multiprocessors;
        const std::array<Offer, 6> offers{{{ShotSize::small, 1},
                                           {ShotSize::middle, resets ? 1U : 0U},
                                           {ShotSize::small, all / 2},
                                           {ShotSize::middle, all},
                                           {ShotSize::large, all * 3},
                                           {ShotSize::largest, all * 9 / 2}}};
        for (const auto& [size, most_blocks] : offers) {
            if (const cudaError_t error = try_shot(card, end, size, most_blocks, plan, found)) return error;
        }
        if (found) return cudaSuccess;
        bool has_ring = false;
        if (const cudaError_t error = find_ring(card, has_ring)) return error;
        const std::uint64_t num_tiles = ring_shape<ItemT>.num_tiles(end);
        if (has_ring && num_tiles <= max_tiles) {
            const unsigned most = std::min(card.multiprocessors, max_ring_blocks);
            plan = {Path::ring,
                    {},
                    0,
                    static_cast<unsigned>(num_tiles),
                    static_cast<unsigned>(std::min<std::uint64_t>(num_tiles, most))};
            return cudaSuccess;
        }
        return plan_tickets(card, end, 0, plan);
    }

    /// How the ring deals the stream out to that many blocks.
    Deal deal(unsigned blocks) const { return ring_deal<ItemT>(stream.end, blocks); }

    /// Enqueues what makes a board that holds anything ready for the plan's launch.
    static cudaError_t reset(const Plan& plan, Board* board, cudaStream_t cuda_stream) {
        constexpr unsigned threads = 512;
        const unsigned shot_blocks = plan.path == Path::shot ? plan.blocks : 0;
        const auto words = static_cast<unsigned>(shot_blocks > 0 ? board_copies * shot_blocks
                                                                 : sizeof(RingBoard) / sizeof(StatusWord));
        reset_kernel<<<(words + threads - 1) / threads, threads, 0, cuda_stream>>>(board, shot_blocks);
        return cudaGetLastError();
    }

    /// Enqueues one kernel. `board` and `tickets`: as their paths want them; the other may be null.
    cudaError_t launch(const Card& card, const Plan& plan, Begin begin, Board* board, std::uint32_t* tickets,
                       cudaStream_t cuda_stream, unsigned patience = shot_patience) const {
        const Launch how{card, plan, begin, cuda_stream};
        switch (plan.path) {
            case Path::shot: {
                const ShotTerms terms{begin == Begin::during_reset, patience};
                return with_form(plan.shot, [&]<typename FormT>() {
                    const auto launch_shot = [&]<auto Kernel>() {
                        return launch_kernel<Kernel>(how, shot_shape<ItemT, FormT>, stream, terms, board, out,
                                                     num_selected, keeps);
                    };
                    return begin == Begin::during_launch
                               ? launch_shot.template operator()<shot<FormT, true>>()
                               : launch_shot.template operator()<shot<FormT>>();
                });
            }
            case Path::ring:
                return launch_kernel<ring>(how, ring_shape<ItemT>, stream, deal(plan.blocks), board, out,
                                           num_selected, keeps);
            case Path::ticketed:
                break;
        }
        if (plan.rows == few_rows) return launch_tickets<few_rows>(how, TicketBoard{tickets});
        return launch_tickets<many_rows>(how, TicketBoard{tickets});
    }

  private:
    static constexpr std::uint64_t max_tiles = std::uint64_t{1} << 30;

    /// A shot of that size, if it takes no more than `most` blocks and all are resident at once on an idle
    /// card.
    static cudaError_t try_shot(const Card& card, std::uint64_t end, ShotSize size, unsigned most, Plan& plan,
                                bool& found) {
        if (found) return cudaSuccess;
        return with_form(size, [&]<typename FormT>() {
            constexpr Shape shape = shot_shape<ItemT, FormT>;
            const std::uint64_t num_tiles = shape.num_tiles(end);
            if (num_tiles > std::min(most, FormT::most_blocks)) return cudaSuccess;
            Fit fit;
            if (const cudaError_t error = fit_of<shot<FormT>>(card, shape, fit)) return error;
            found = num_tiles <= std::uint64_t{fit.blocks} * card.multiprocessors;
            const auto blocks = static_cast<unsigned>(num_tiles);
            if (found) plan = {Path::shot, size, 0, blocks, blocks};
            return cudaSuccess;
        });
    }

    static cudaError_t plan_tickets(const Card& card, std::uint64_t end, unsigned asked_blocks, Plan& plan) {
        Fit few_fit, many_fit;
        if (const auto error = fit_of<ticketed<few_rows>>(card, ticketed_shape<ItemT, few_rows>, few_fit))
            return error;
        if (const auto error = fit_of<ticketed<many_rows>>(card, ticketed_shape<ItemT, many_rows>, many_fit))
            return error;
        const std::uint64_t many_tiles = ticketed_shape<ItemT, many_rows>.num_tiles(end);
        const bool few =
            many_fit.blocks == 0 || many_tiles <= std::uint64_t{few_tiles_each} * card.multiprocessors;
        const std::uint64_t num_tiles = few ? ticketed_shape<ItemT, few_rows>.num_tiles(end) : many_tiles;
        const std::uint64_t resident =
            std::uint64_t{(few ? few_fit : many_fit).blocks} * card.multiprocessors;
        if (resident == 0 || num_tiles > max_tiles) return cudaErrorInvalidConfiguration;
        const std::uint64_t blocks = asked_blocks != 0 ? asked_blocks : std::min(num_tiles, resident);
        plan = {Path::ticketed,
                {},
                few ? few_rows : many_rows,
                static_cast<unsigned>(num_tiles),
                static_cast<unsigned>(blocks)};
        return cudaSuccess;
    }

    struct Launch {
        const Card& card;
        const Plan& plan;
        Begin begin;
        cudaStream_t stream;
    };

    template <int Rows>
    cudaError_t launch_tickets(const Launch& how, const TicketBoard& board) const {
        return launch_kernel<ticketed<Rows>>(how, ticketed_shape<ItemT, Rows>, stream, how.plan.num_tiles,
                                             board, out, num_selected, keeps);
    }

    /// The ring's launch is cooperative: the driver starts it only when all its blocks can be resident at
    /// once. Asks what fits, and for the shared memory, here too: since CUDA 13 every translation unit has
    /// kernels of its own, and the plan may have been made in another one.
    template <auto Kernel, typename... ArgumentsT>
    static cudaError_t launch_kernel(const Launch& how, const Shape& shape, ArgumentsT... arguments) {
        Fit fit;
        if (const cudaError_t error = fit_of<Kernel>(how.card, shape, fit)) return error;
        std::array<cudaLaunchAttribute, 2> attributes{};
        unsigned count = 0;
        if (how.plan.path == Path::ring) {
            // Without Hopper's parts the kernel would do nothing, and say nothing.
            if (!fit.made_for_hopper) return cudaErrorNoKernelImageForDevice;
            attributes[count].id = cudaLaunchAttributeCooperative;
            attributes[count++].val.cooperative = 1;
        }
        if (how.begin != Begin::after_launch && how.plan.path == Path::shot && fit.made_for_hopper) {
            attributes[count].id = cudaLaunchAttributeProgrammaticStreamSerialization;
            attributes[count++].val.programmaticStreamSerializationAllowed = 1;
        }
        cudaLaunchConfig_t config{};
        config.gridDim = how.plan.blocks;
        config.blockDim = shape.threads;
        config.dynamicSmemBytes = shape.shared_bytes;
        config.stream = how.stream;
        config.attrs = attributes.data();
        config.numAttrs = count;
        return cudaLaunchKernelEx(&config, Kernel, arguments...);
    }
};

/// The longest selection whose count CountT can hold, whatever is kept.
template <typename CountT>
constexpr std::uint64_t most_items = std::min(max_select_items,
                                              static_cast<std::uint64_t>(std::numeric_limits<CountT>::max()));

/// An array that a call is given.
struct Range {
    std::uintptr_t begin;
    std::uint64_t bytes;

    template <typename T>
    Range(const T* data, std::uint64_t size)
        : begin(reinterpret_cast<std::uintptr_t>(data)), bytes(size * sizeof(T)) {}

    bool overlaps(const Range& other) const {
        return begin < other.begin + other.bytes && other.begin < begin + bytes;
    }
    bool is_aligned_to(std::size_t alignment) const { return begin % alignment == 0; }
};

/// What a selector reads besides the items.
template <typename PredicateT>
cudaError_t check_selector(const ByPredicate<PredicateT>&, const Range&, const Range&, std::uint64_t) {
    return cudaSuccess;
}
template <typename FlagT>
cudaError_t check_selector(const ByFlag<FlagT>& keeps, const Range& out, const Range& num_selected,
                           std::uint64_t num_items) {
    if (!keeps.flags) return cudaErrorInvalidValue;
    const Range flags(keeps.flags, num_items);
    if (!flags.is_aligned_to(alignof(FlagT))) return cudaErrorMisalignedAddress;
    return flags.overlaps(out) || flags.overlaps(num_selected) ? cudaErrorInvalidValue : cudaSuccess;
}

/// What every call must keep, whatever its path.
template <typename ItemT, typename SelectorT, typename CountT>
cudaError_t check_selection(const ItemT* in, const ItemT* out, const CountT* num_selected,
                            std::uint64_t num_items, const SelectorT& keeps) {
    if (!num_selected || num_items > most_items<CountT>) return cudaErrorInvalidValue;
    const Range count_range(num_selected, 1);
    if (!count_range.is_aligned_to(alignof(CountT))) return cudaErrorMisalignedAddress;
    if (num_items == 0) return cudaSuccess;
    if (!in || !out) return cudaErrorInvalidValue;
    const Range in_range(in, num_items);
    const Range out_range(out, num_items);
    if (!in_range.is_aligned_to(sizeof(ItemT)) || !out_range.is_aligned_to(sizeof(ItemT)))
        return cudaErrorMisalignedAddress;
    if (in_range.overlaps(out_range) || count_range.overlaps(in_range) || count_range.overlaps(out_range))
        return cudaErrorInvalidValue;
    return check_selector(keeps, out_range, count_range, num_items);
}

}  // namespace compaction::cuda::detail
