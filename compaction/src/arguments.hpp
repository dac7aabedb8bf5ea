#pragma once

#include <cstdint>

#include "compaction/keep.hpp"

namespace compaction {

/// Throws Error{invalid_argument} unless the arguments of Compactor::enqueue keep its contract.
void check_arguments(const Item* in, std::uint64_t num_items, const Item* out,
                     const std::uint64_t* num_selected, std::uint64_t max_items);

}  // namespace compaction
