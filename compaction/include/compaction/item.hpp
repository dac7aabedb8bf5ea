#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "compaction/host_device.hpp"

namespace compaction {

/// A 4-byte item: a handle, an index, a packed record.
using Item = std::uint32_t;

/// An item of several words, such as a particle record. The predicate tests the last word, the flag word; the
/// others are payload that moves with it.
template <std::size_t Words>
struct alignas(Words * sizeof(Item)) WideItem {
    Item word[Words];  ///< payload, then the flag word

    /// Compares all words.
    bool operator==(const WideItem&) const = default;
};
/// An 8-byte item: one word of payload and the flag word.
using Item8 = WideItem<2>;
/// A 16-byte item: three words of payload and the flag word.
using Item16 = WideItem<4>;

/// The word that the predicate tests: the item itself.
COMPACTION_HOST_DEVICE constexpr Item flag_word(Item item) {
    return item;
}
/// The word that the predicate tests: the last one.
template <std::size_t Words>
COMPACTION_HOST_DEVICE constexpr Item flag_word(const WideItem<Words>& item) {
    return item.word[Words - 1];
}

/// The item sizes that algorithms support; the value is the size in bytes.
enum class ItemSize : std::uint8_t {
    bytes_4 = 4,    ///< Item
    bytes_8 = 8,    ///< Item8
    bytes_16 = 16,  ///< Item16
};

/// Every item size, in ascending order.
inline constexpr std::array all_item_sizes{ItemSize::bytes_4, ItemSize::bytes_8, ItemSize::bytes_16};

/// The size in bytes.
constexpr std::size_t bytes_of(ItemSize size) {
    return static_cast<std::size_t>(size);
}
/// The size in 32-bit words.
constexpr std::size_t words_of(ItemSize size) {
    return bytes_of(size) / sizeof(Item);
}

/// Calls visit(std::type_identity<ItemT>{}) with the item type of that size and returns the result.
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

/// The widest memory access; the upper bound for a vector of items.
inline constexpr std::size_t max_access_bytes = 16;

/// How many items of that size fit one memory access: 4, 2 or 1.
constexpr std::uint32_t max_vector_width(ItemSize size) {
    return static_cast<std::uint32_t>(max_access_bytes / bytes_of(size));
}

}  // namespace compaction
