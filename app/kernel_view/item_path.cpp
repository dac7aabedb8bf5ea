#include "app/kernel_view/item_path.hpp"

#include <set>
#include <span>

#include "app/kernel_view/word_accesses.hpp"

namespace warpsieve::kernel_view {
namespace {

using compaction::BufferRole;
using compaction::LaneSite;
using compaction::LaneStepKind;
using compaction::MemorySpace;

constexpr std::uint32_t item_bytes = 4;
constexpr std::uint32_t input_buffer = 0;

bool is_of_input(const MemoryAccess& access) {
    return access.space == MemorySpace::global && access.buffer == input_buffer && !access.stores;
}

/// Calls `visit(access, bytes)` for what a plain access or a copy loads or stores. Other operations move no
/// items.
template <typename Visit>
void for_each_move(const Events& events, const Event& event, Visit visit) {
    const LaneStepKind kind = events.site_of(event).kind;
    if (kind != LaneStepKind::load && kind != LaneStepKind::store && !performs_copy(kind)) return;
    const std::span<const std::byte> bytes =
        kind == LaneStepKind::store ? events.stored(event) : events.loaded(event);
    for_each_access(events, event, [&](const MemoryAccess& access) { visit(access, bytes); });
}

/// Calls `visit(address, word)` for each whole word of four bytes, from `address` on.
template <typename Visit>
void for_each_word(std::uint64_t address, std::span<const std::byte> bytes, Visit visit) {
    for (std::size_t at = 0; at + word_bytes <= bytes.size(); at += word_bytes)
        visit(address + at, static_cast<std::uint32_t>(number_of(bytes.subspan(at, word_bytes))));
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
        for_each_move(events, events.events[index], [&](const MemoryAccess& access, auto bytes) {
            const bool to_output = access.stores && access.space == MemorySpace::global &&
                                   events.trace.buffers[access.buffer].role == BufferRole::output;
            for_each_word(access.address, bytes, [&](std::uint64_t address, std::uint32_t word) {
                const bool has_value = path.is_unique && word == path.value;
                moves_item |=
                    has_value || (is_of_input(access) && address == std::uint64_t{item} * item_bytes);
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
    for_each_move(events, events.events[event], [&](const MemoryAccess& access, auto bytes) {
        for_each_word(access.address, bytes, [&](std::uint64_t address, std::uint32_t word) {
            if (item) return;
            if (is_of_input(access))
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
