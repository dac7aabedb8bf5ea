#include "app/kernel_view/item_path.hpp"

#include <set>
#include <span>

namespace warpsieve::kernel_view {
namespace {

using compaction::BufferRole;
using compaction::LaneSite;
using compaction::LaneStepKind;
using compaction::MemorySpace;

constexpr std::uint32_t item_bytes = 4;
constexpr std::uint32_t input_buffer = 0;

/// Bytes that an event loads from memory or stores there.
struct MovedBytes {
    MemorySpace space = MemorySpace::none;
    std::uint32_t buffer = 0;   ///< in global memory: index into LaneTrace::buffers
    std::uint64_t address = 0;  ///< of the first byte
    std::span<const std::byte> bytes;
    bool stores = false;

    bool is_input() const { return space == MemorySpace::global && buffer == input_buffer && !stores; }
};

/// Calls `visit(moved)` for what a plain access or a copy loads or stores. Other operations move no items.
template <typename Visit>
void for_each_move(const Events& events, const Event& event, Visit visit) {
    const LaneSite& site = events.site_of(event);
    if (performs_copy(site.kind)) {
        const std::span<const std::byte> bytes = events.loaded(event);
        const bool to_shared = site.kind == LaneStepKind::copied_to_shared;
        visit(MovedBytes{.space = site.space,
                         .buffer = site.buffer,
                         .address = event.address,
                         .bytes = bytes,
                         .stores = !to_shared});
        visit(MovedBytes{.space = MemorySpace::shared,
                         .buffer = 0,
                         .address = events.numbers[event.first_number],
                         .bytes = bytes,
                         .stores = to_shared});
    } else if (site.kind == LaneStepKind::load) {
        visit(MovedBytes{.space = site.space,
                         .buffer = site.buffer,
                         .address = event.address,
                         .bytes = events.loaded(event),
                         .stores = false});
    } else if (site.kind == LaneStepKind::store) {
        visit(MovedBytes{.space = site.space,
                         .buffer = site.buffer,
                         .address = event.address,
                         .bytes = events.stored(event),
                         .stores = true});
    }
}

/// Calls `visit(address, word)` for each whole word of four bytes.
template <typename Visit>
void for_each_word(const MovedBytes& moved, Visit visit) {
    for (std::size_t at = 0; at + word_bytes <= moved.bytes.size(); at += word_bytes)
        visit(moved.address + at, static_cast<std::uint32_t>(number_of(moved.bytes.subspan(at, word_bytes))));
}

std::uint32_t input_word(const Events& events, std::uint32_t item) {
    return static_cast<std::uint32_t>(number_of(std::span(events.trace.buffers[input_buffer].initial)
                                                    .subspan(std::size_t{item} * item_bytes, item_bytes)));
}

std::uint32_t num_items(const Events& events) {
    return static_cast<std::uint32_t>(events.trace.buffers[input_buffer].initial.size() / item_bytes);
}

/// The item with that value if no other item has it.
std::optional<std::uint32_t> item_with(const Events& events, std::uint32_t value) {
    std::optional<std::uint32_t> found;
    for (std::uint32_t item = 0; item < num_items(events); ++item) {
        if (input_word(events, item) != value) continue;
        if (found) return std::nullopt;
        found = item;
    }
    return found;
}

}  // namespace

ItemPath path_of_item(const Events& events, std::uint32_t item) {
    ItemPath path;
    path.item = item;
    path.value = input_word(events, item);
    path.is_unique = path.value != 0 && item_with(events, path.value).has_value();
    for (std::uint32_t index = 0; index < events.events.size(); ++index) {
        bool moves_item = false;
        for_each_move(events, events.events[index], [&](const MovedBytes& moved) {
            const bool to_output = moved.stores && moved.space == MemorySpace::global &&
                                   events.trace.buffers[moved.buffer].role == BufferRole::output;
            for_each_word(moved, [&](std::uint64_t address, std::uint32_t word) {
                const bool has_value = path.is_unique && word == path.value;
                moves_item |= has_value || (moved.is_input() && address == std::uint64_t{item} * item_bytes);
                if (!to_output) return;
                const auto output = static_cast<std::uint32_t>(address / item_bytes);
                if (has_value)
                    path.output = output;
                else if (path.output == output)
                    path.output.reset();  // another word overwrites the item
            });
        });
        if (moves_item) path.events.push_back(index);
    }
    return path;
}

std::optional<std::uint32_t> item_of(const Events& events, std::uint32_t event) {
    std::optional<std::uint32_t> item;
    for_each_move(events, events.events[event], [&](const MovedBytes& moved) {
        for_each_word(moved, [&](std::uint64_t address, std::uint32_t word) {
            if (item) return;
            if (moved.is_input())
                item = static_cast<std::uint32_t>(address / item_bytes);
            else if (word != 0)
                item = item_with(events, word);
        });
    });
    return item;
}

std::vector<std::uint32_t> observed_stores(const Events& events, const State& state,
                                           std::span<const std::uint32_t> step) {
    std::set<std::uint32_t> stores;
    for (const std::uint32_t index : step) {
        const Event& event = events.events[index];
        const LaneSite& site = events.site_of(event);
        if (site.kind != LaneStepKind::load && site.kind != LaneStepKind::atomic_load) continue;
        const Memory& memory = state.memory_of(event, site);
        const std::uint32_t end = event.address + site.bytes;
        for (std::uint32_t word = event.address / word_bytes; word * word_bytes < end; ++word) {
            const std::uint32_t store = memory.stored_by[word];
            if (store != none && events.site_of(events.events[store]).kind != LaneStepKind::memory)
                stores.insert(store);
        }
    }
    return {stores.begin(), stores.end()};
}

}  // namespace warpsieve::kernel_view
