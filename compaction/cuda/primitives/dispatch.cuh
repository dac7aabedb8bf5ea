#pragma once

#include <algorithm>
#include <cstdint>

#include "compaction/cuda/warp.cuh"
#include "compaction/item.hpp"
#include "compaction/options.hpp"

/// Options of kernels: their legal values and defaults, and the kernels compiled for them.
namespace compaction::cuda {

/// Tag: items of type ItemT, Width of them per access.
template <typename ItemT, int Width>
struct Vectors {};

/// Calls visit(Vectors<ItemT, Width>{}) with the item type of that size and that many items per access, and
/// returns its result:
///
///     visit_vectors(item_size, width, []<typename ItemT, int Width>(Vectors<ItemT, Width>) { ... });
///
/// The pairs are those that fit one access: 1, 2 or 4 items of 4 bytes, 1 or 2 of 8, 1 of 16. A width above
/// max_vector_width(item_size), which `validate` refuses, is reduced to the maximum.
template <typename Visit>
decltype(auto) visit_vectors(ItemSize item_size, std::uint32_t width, Visit visit) {
    switch (item_size) {
        case ItemSize::bytes_16:
            return visit(Vectors<Item16, 1>{});
        case ItemSize::bytes_8:
            return width == 1 ? visit(Vectors<Item8, 1>{}) : visit(Vectors<Item8, 2>{});
        case ItemSize::bytes_4:
            break;
    }
    return width == 1   ? visit(Vectors<Item, 1>{})
           : width == 2 ? visit(Vectors<Item, 2>{})
                        : visit(Vectors<Item, 4>{});
}

/// The largest value of Option::blocks.
inline constexpr unsigned max_blocks = 65'536;

/// Every number of blocks, for kernels that accept any.
inline LegalRange every_grid_size() {
    return {Option::blocks, 1, max_blocks};
}

/// Every block size of whole warps, for kernels that accept any.
inline LegalRange every_block_size() {
    return {Option::threads_per_block, warp_size, max_threads_per_block, LegalRange::Spacing::multiples,
            warp_size};
}

/// `options` with `option` set to `value` if it is automatic.
inline Options with_default(Options options, Option option, std::uint32_t value) {
    if (options[option] == automatic) options[option] = value;
    return options;
}

/// `options` with an automatic vector width replaced by `preferred`, or by the widest for that item size.
inline Options with_default_width(Options options, std::uint32_t preferred, ItemSize item_size) {
    std::uint32_t& width = options[Option::vector_width];
    if (width == automatic) width = std::min(preferred, max_vector_width(item_size));
    return options;
}

}  // namespace compaction::cuda
