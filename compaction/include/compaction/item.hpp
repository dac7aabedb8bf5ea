#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "compaction/host_device.hpp"

namespace compaction {

/// One item of a stream of 4-byte items: a handle, an index, a packed record.
using Item = std::uint32_t;

/// An item of several words, such as a particle record. Its last word says whether it is alive: the predicate
/// looks at that one, and the others are payload that travels along.
template <std::size_t Words>
struct alignas(Words * sizeof(Item)) WideItem {
    Item word[Words];

    bool operator==(const WideItem&) const = default;
};
using Item8 = WideItem<2>;
using Item16 = WideItem<4>;

/// The word of an item that the predicate looks at: the item itself, or the last word of a wide one.
COMPACTION_HOST_DEVICE constexpr Item flag_word(Item item) {
    return item;
}
template <std::size_t Words>
COMPACTION_HOST_DEVICE constexpr Item flag_word(const WideItem<Words>& item) {
    return item.word[Words - 1];
}

/// The sizes of items that algorithms may be made for.
enum class ItemSize : std::uint8_t { bytes_4 = 4, bytes_8 = 8, bytes_16 = 16 };

inline constexpr std::array all_item_sizes{ItemSize::bytes_4, ItemSize::bytes_8, ItemSize::bytes_16};

constexpr std::size_t bytes_of(ItemSize size) {
    return static_cast<std::size_t>(size);
}
constexpr std::size_t words_of(ItemSize size) {
    return bytes_of(size) / sizeof(Item);
}

/// Calls visit(std::type_identity<ItemT>{}) with the type of items of that size; returns what it returns.
template <typename Visit>
constexpr decltype(auto) visit_item_type(ItemSize size, Visit&& visit) {
    switch (size) {
        case ItemSize::bytes_8:
            return visit(std::type_identity<Item8>{});
        case ItemSize::bytes_16:
            return visit(std::type_identity<Item16>{});
        case ItemSize::bytes_4:
            break;
    }
    return visit(std::type_identity<Item>{});
}

/// The widest memory access there is: no vector of items is larger.
inline constexpr std::size_t max_access_bytes = 16;

/// How many items of that size one memory access can hold: 4, 2 or 1.
constexpr std::uint32_t max_vector_width(ItemSize size) {
    return static_cast<std::uint32_t>(max_access_bytes / bytes_of(size));
}

}  // namespace compaction
