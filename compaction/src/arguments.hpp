#pragma once

#include <cstdint>

#include "compaction/algorithm.hpp"

namespace compaction {

/// Throws Error{invalid_argument} unless the arguments of Compactor::enqueue keep its contract for that
/// problem and size of items.
void check_arguments(const void* in, std::uint64_t num_items, const void* out,
                     const std::uint64_t* num_selected, std::uint64_t reserved_items,
                     ItemSize item_size = ItemSize::bytes_4, Problem problem = Problem::compaction);

/// Throws Error{invalid_argument} where `num_items` is over Algorithm::max_items.
void check_length(const Algorithm& algorithm, std::uint64_t num_items);

}  // namespace compaction
