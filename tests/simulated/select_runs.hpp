#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "compaction/cuda/detail/zipped_columns.cuh"
#include "compaction/cuda/select.cuh"
#include "compaction/error.hpp"
#include "cuda/engine.hpp"
#include "tests/simulated/seeds.hpp"

/// Selections by the header that CUDA programs include, on the simulated GPU, against a plain loop.
namespace compaction::simulated_select {

/// Calls difference(seed), which runs a selection, and expects no difference from a plain loop. A failure
/// says how to repeat the run.
template <typename DifferenceT>
void expect_none(const std::string& program, std::uint64_t planned_seed, DifferenceT difference) {
    const int seed = simulated_seeds::or_chosen(static_cast<int>(planned_seed));
    SCOPED_TRACE(simulated_seeds::repeat_line(program, seed));
    try {
        EXPECT_EQ(difference(static_cast<std::uint64_t>(seed)), "");
    } catch (const Error& error) {
        ADD_FAILURE() << error.what();
    }
}

using TagSource = simulated::detail::LaunchTags::Source;

/// The tags of a launch. A replayed launch keeps those that it was captured with: a counter and its base.
inline simulated::detail::LaunchTags tags_from(TagSource source, std::uint64_t num_tags) {
    constexpr simulated::detail::Tag base_at_capture = 0x1234'5678'9abc;
    switch (source) {
        case TagSource::state:
            return {};
        case TagSource::graph_counter:
            return {base_at_capture, 17, source};
        case TagSource::host:
            break;
    }
    return {simulated::detail::take_tags(num_tags), 0, source};
}

/// A tile state: zeros if it counts the tags, otherwise arbitrary content.
inline Buffer make_tile_state(simulated::CudaEngine& engine, TagSource source) {
    Buffer state = engine.allocate(sizeof(simulated::detail::TileState));
    std::memset(state.as<void>(), source == TagSource::state ? 0 : 0xee, state.size_bytes());
    return state;
}

enum class Arrays : std::uint8_t {
    two,
    one,  ///< selects in place
    /// The same, and the race detector sees that each block loads its tile. Needs blocks that take no tile of
    /// another block.
    one_with_loads_seen,
    partition,    ///< writes the other items as well, backwards from the end of the output
    three_parts,  ///< writes the others that IsMultiple accepts behind those, and the rest at the end
    runs,         ///< selects the first items of runs; the predicate compares two items
    runs_in_place,
    positions,  ///< writes positions; the items are read as flags
    columns     ///< reads the items as two columns, and writes the second to the second half of the output
};

struct IsMultiple {
    bool operator()(Item item) const { return item % 3 == 0; }
};

/// Tests the first element of a tuple.
template <typename PredicateT>
struct OfFirst {
    PredicateT predicate;
    template <typename TupleT>
    bool operator()(const TupleT& tuple) const {
        return predicate(::cuda::std::get<0>(tuple));
    }
};

/// A random item.
template <typename PredicateT>
Item make_item(const PredicateT&, std::size_t, std::mt19937& random) {
    return static_cast<Item>(random());
}

/// Rejects the first items and keeps all others. The lowest bit of an item says which it is.
struct KeepsAllButFirst {
    std::size_t num_rejected;
    bool operator()(Item item) const { return item % 2 != 0; }
};

inline Item make_item(const KeepsAllButFirst& predicate, std::size_t i, std::mt19937& random) {
    return static_cast<Item>(random()) / 2 * 2 + (i < predicate.num_rejected ? 0 : 1);
}

constexpr bool selects_runs(Arrays arrays) {
    return arrays == Arrays::runs || arrays == Arrays::runs_in_place;
}

/// Selects items twice by `select(in, out, count, state)` of the header that CUDA programs include;
/// returns the first difference from a plain loop, or "".
template <Arrays Of = Arrays::two, typename PredicateT, typename SelectT>
std::string header_difference(std::size_t num_items, std::uint64_t seed, PredicateT predicate,
                              SelectT select) {
    simulated::CudaEngine engine(seed);
    const Buffer in = engine.allocate(num_items * sizeof(Item));
    std::mt19937 random(3);
    std::vector<Item> expected, second, rejected;
    for (std::size_t i = 0; i < num_items; ++i) {
        const Item item = in.as<Item>()[i] = make_item(predicate, i, random);
        bool is_selected;
        if constexpr (selects_runs(Of))
            is_selected = i == 0 || !predicate(in.as<Item>()[i - 1], item);
        else
            is_selected = predicate(item);
        const bool is_second = Of == Arrays::three_parts && IsMultiple{}(item);
        (is_selected ? expected
         : is_second ? second
                     : rejected)
            .push_back(Of == Arrays::positions ? static_cast<Item>(i) : item);
    }
    const std::size_t num_expected = expected.size();
    if (Of == Arrays::partition) expected.insert(expected.end(), rejected.rbegin(), rejected.rend());
    if (Of == Arrays::three_parts) {
        expected.insert(expected.end(), second.begin(), second.end());
        expected.insert(expected.end(), rejected.begin(), rejected.end());
    }
    for (int turn = 0; turn < 2; ++turn) {
        const Buffer out = engine.allocate((Of == Arrays::columns ? 2 : 1) * num_items * sizeof(Item));
        const Buffer count = engine.allocate((Of == Arrays::three_parts ? 2 : 1) * sizeof(std::uint64_t));
        if (select(engine, in.as<Item>(), out.as<Item>(), count.as<std::uint64_t>()) !=
            simulated::cudaSuccess)
            return "an error code";
        if (*count.as<std::uint64_t>() != num_expected)
            return "counted " + std::to_string(*count.as<std::uint64_t>());
        if (Of == Arrays::three_parts && count.as<std::uint64_t>()[1] != second.size())
            return "counted " + std::to_string(count.as<std::uint64_t>()[1]) + " in the second part";
        if (!std::equal(expected.begin(), expected.end(), out.as<Item>())) return "the items differ";
        if (Of == Arrays::columns &&
            !std::equal(expected.begin(), expected.end(), out.as<Item>() + num_items))
            return "the items of the second column differ";
    }
    return {};
}

/// Selects by one call, as users do.
template <typename PredicateT>
std::string call_difference(std::size_t num_items, std::uint64_t seed, PredicateT predicate) {
    simulated::SelectState state;
    return header_difference(num_items, seed, predicate,
                             [&](auto&, const Item* in, Item* out, std::uint64_t* count) {
                                 if (const auto error = state.reserve<Item>(num_items)) return error;
                                 return simulated::select_if(state, in, out, count, num_items, predicate);
                             });
}

/// Selects by calls whose kernels start while that of the previous call still runs.
template <typename PredicateT>
std::string overlapping_difference(std::size_t num_items, std::uint64_t seed, PredicateT predicate) {
    simulated::SelectState state;
    return header_difference(
        num_items, seed, predicate, [&](auto&, const Item* in, Item* out, std::uint64_t* count) {
            state.let_launches_overlap(true);
            if (const auto error = state.reserve<Item>(num_items)) return error;
            if (const auto error = simulated::select_if(state, in, out, count, num_items, predicate))
                return error;
            return simulated::select_if(state, in, out, count, num_items, predicate);
        });
}

/// Selects by one call with temporary storage of any content.
template <typename PredicateT>
std::string storage_difference(std::size_t num_items, std::uint64_t seed, PredicateT predicate) {
    std::optional<Buffer> storage;
    return header_difference(
        num_items, seed, predicate, [&](auto& engine, const Item* in, Item* out, std::uint64_t* count) {
            std::size_t bytes = 0;
            void* const none = nullptr;
            if (const auto error = simulated::select_if(none, bytes, in, out, count, num_items, predicate))
                return error;
            storage = engine.allocate(bytes);
            std::memset(storage->template as<void>(), 0xee, bytes);
            return simulated::select_if(storage->template as<void>(), bytes, in, out, count, num_items,
                                        predicate);
        });
}

/// How often a block has tested an item of another block's tile since the last selection by one wave began.
inline std::uint64_t tests_of_other_tiles = 0;

/// Notes when a block of one wave tests an item of another block's tile, which it then compacts.
template <typename SelectorT>
struct NotesOtherTiles : SelectorT {
    const Item* loads_seen_in;  ///< where a test counts as a read of the item, for the race detector; or null

    template <typename ItemT>
    [[gnu::no_sanitize_thread]] bool operator()(const ItemT& item, std::uint64_t position) const {
        namespace detail = simulated::detail;
        constexpr std::uint64_t tile_items = detail::single_wave_items<ItemT, detail::SmallTile>;
        if (position / tile_items != simulated::blockIdx.x) ++tests_of_other_tiles;
        if (loads_seen_in) {
            simulated::note_access(loads_seen_in + position, sizeof(ItemT), simulated::Access::read,
                                   simulated::Site::current());
        }
        return SelectorT::operator()(item, position);
    }
};

/// A selection by a predicate or of runs, or a partition. In place, copies the items to `out` first.
template <Arrays Of, typename PredicateT>
auto selection_of(const Item* in, Item* out, std::uint64_t* count, std::size_t num_items,
                  PredicateT predicate) {
    namespace detail = simulated::detail;
    [[maybe_unused]] const detail::ByPredicate<PredicateT> selector{predicate};
    if constexpr (Of == Arrays::two) {
        return detail::make_selection(in, out, count, num_items, selector);
    } else if constexpr (Of == Arrays::partition) {
        using Selector = detail::Partitioned<detail::ByPredicate<PredicateT>, Item, true>;
        return detail::make_selection(in, out, count, num_items, Selector{selector, out + num_items});
    } else if constexpr (Of == Arrays::three_parts) {
        Item* const second = out + std::count_if(in, in + num_items, predicate);
        Item* const rest = second + std::count_if(in, in + num_items, [&](Item item) {
                               return !predicate(item) && IsMultiple{}(item);
                           });
        using Kept = detail::TwoParts<detail::ByPredicate<PredicateT>, detail::ByPredicate<IsMultiple>, Item>;
        using Selector = detail::Partitioned<Kept, Item, false>;
        return detail::make_selection(in, out, count, num_items,
                                      Selector{{selector, {IsMultiple{}}, second}, rest});
    } else if constexpr (Of == Arrays::runs) {
        return detail::make_selection(in, out, count, num_items,
                                      detail::FirstOfRun<Item, PredicateT>{in, predicate});
    } else if constexpr (Of == Arrays::positions) {
        const Item* const no_items = nullptr;
        using Selector = detail::ByFlagIf<Item, PredicateT>;
        return detail::make_selection(no_items, out, count, num_items,
                                      detail::PositionsOf<Selector>{Selector{in, predicate}});
    } else if constexpr (Of == Arrays::columns) {
        using Tuple = ::cuda::std::tuple<Item, Item>;
        const auto zipped = detail::make_zipped_columns<Tuple>(
            detail::ByPredicate<OfFirst<PredicateT>>{{predicate}}, ::cuda::std::tuple(in, in),
            ::cuda::std::tuple(out, out + num_items), detail::ElementTypes<Item, Item>{},
            std::index_sequence_for<Item, Item>{});
        using Moved = typename decltype(zipped)::Item;
        return detail::make_selection(static_cast<const Moved*>(nullptr), static_cast<Moved*>(nullptr), count,
                                      num_items, zipped);
    } else if constexpr (Of == Arrays::runs_in_place) {
        std::copy_n(in, num_items, out);
        const Item* const data = out;
        using Selector = detail::FirstOfRun<Item, PredicateT>;
        return detail::make_selection(data, out, count, num_items,
                                      detail::InPlace<Selector>{{data, predicate}});
    } else {
        std::copy_n(in, num_items, out);
        const Item* const data = out;
        using Selector = NotesOtherTiles<detail::ByPredicate<PredicateT>>;
        const Item* const loads_seen_in = Of == Arrays::one_with_loads_seen ? data : nullptr;
        return detail::make_selection(data, out, count, num_items,
                                      detail::InPlace<Selector>{{selector, loads_seen_in}});
    }
}

/// Selects by the pipeline. `blocks` may exceed the number that the device holds at once. `launches`: the
/// number of launches.
template <Arrays Of = Arrays::two, typename PredicateT>
std::string pipeline_difference(std::size_t num_items, std::uint64_t seed, unsigned blocks,
                                unsigned poll_limit, PredicateT predicate,
                                TagSource source = TagSource::state, int launches = 1) {
    namespace detail = simulated::detail;
    std::optional<Buffer> state, tickets;
    return header_difference<Of>(
        num_items, seed, predicate, [&](auto& engine, const Item* in, Item* out, std::uint64_t* count) {
            const auto selection = selection_of<Of>(in, out, count, num_items, predicate);
            using Moved = std::remove_pointer_t<decltype(selection.out)>;
            const std::size_t ticket_bytes = detail::ticket_words<Moved>(num_items) * sizeof(std::uint32_t);
            if (!state) {
                state = make_tile_state(engine, source);
                tickets = engine.allocate(ticket_bytes);
            }
            std::memset(tickets->template as<void>(), 0xee, ticket_bytes);
            detail::DeviceProperties device;
            if (const auto error = detail::query_current_device(device)) return error;
            const detail::Plan plan{detail::Path::pipeline, {}, 0, 0, blocks};
            auto error = simulated::cudaSuccess;
            for (int i = 0; i < launches && error == simulated::cudaSuccess; ++i) {
                error = selection.launch(device, plan, detail::Start::during_previous,
                                         state->template as<detail::TileState>(),
                                         tickets->template as<std::uint32_t>(), nullptr, {0, poll_limit},
                                         tags_from(source, selection.num_tags(plan)));
            }
            return error;
        });
}

/// Selects by tickets. `launches`: the number of launches, each of which may start before the previous one
/// ends.
template <Arrays Of = Arrays::one, typename PredicateT>
std::string ticketed_difference(std::size_t num_items, std::uint64_t seed, unsigned blocks,
                                PredicateT predicate, int launches = 1) {
    namespace detail = simulated::detail;
    return header_difference<Of>(
        num_items, seed, predicate, [&](auto& engine, const Item* in, Item* out, std::uint64_t* count) {
            detail::DeviceProperties device;
            if (const auto error = detail::query_current_device(device)) return error;
            const auto selection = selection_of<Of>(in, out, count, num_items, predicate);
            detail::Plan plan;
            if (const auto error = selection.choose(device, num_items, blocks, plan)) return error;
            const Buffer tickets =
                engine.allocate(detail::ticket_words<Item>(num_items) * sizeof(std::uint32_t));
            std::memset(tickets.as<void>(), 0, tickets.size_bytes());
            auto error = simulated::cudaSuccess;
            for (int i = 0; i < launches && error == simulated::cudaSuccess; ++i)
                error = selection.launch(device, plan, detail::Start::during_previous, nullptr,
                                         tickets.as<std::uint32_t>(), nullptr);
            return error;
        });
}

/// Selects by single-wave tiles whose blocks poll a status word so often before they count the tile
/// themselves, or compact it in place.
template <Arrays Of = Arrays::two, typename PredicateT>
std::string single_wave_difference(std::size_t num_items, std::uint64_t seed, unsigned spins,
                                   PredicateT predicate, TagSource source = TagSource::state) {
    namespace detail = simulated::detail;
    std::optional<Buffer> state;
    return header_difference<Of>(
        num_items, seed, predicate, [&](auto& engine, const Item* in, Item* out, std::uint64_t* count) {
            if (!state) state = make_tile_state(engine, source);
            detail::DeviceProperties device;
            if (const auto error = detail::query_current_device(device)) return error;
            const auto selection = selection_of<Of>(in, out, count, num_items, predicate);
            const auto blocks = static_cast<unsigned>(
                detail::single_wave_shape<Item, detail::SmallTile>.num_tiles(num_items));
            const detail::Plan plan{detail::Path::single_wave, detail::TileSize::small, 0, blocks, blocks};
            return selection.launch(
                device, plan, detail::Start::after_previous, state->template as<detail::TileState>(), nullptr,
                nullptr, {spins, detail::default_poll_limit}, tags_from(source, selection.num_tags(plan)));
        });
}

struct IsOdd {
    bool operator()(Item item) const { return item % 2 != 0; }
};

/// Keeps items such that about half of the chunks keep few.
struct IsEighth {
    bool operator()(Item item) const { return item % 8 == 0; }
};

/// Makes runs of two items on average.
struct SameParity {
    bool operator()(Item before, Item item) const { return (before ^ item) % 2 == 0; }
};

struct KeepsAll {
    bool operator()(Item) const { return true; }
};

/// Keeps the items whose bit in a table is set. The pipeline has fewer stages for it.
struct IsInTable {
    const std::uint32_t* table;
    bool operator()(Item item) const { return (table[item / 32 % 64] >> item % 32 & 1U) != 0; }
};

/// Bits for IsInTable.
inline std::vector<std::uint32_t> random_table() {
    std::mt19937 random(5);
    std::vector<std::uint32_t> table(64);
    for (std::uint32_t& word : table) word = static_cast<std::uint32_t>(random());
    return table;
}

}  // namespace compaction::simulated_select
