#pragma once

#include <cstdint>

namespace warpsieve {

/// The buffer that is compacted.
struct StreamView {
    std::uint64_t slots = 0;
    std::uint64_t memory_bytes = 0;  ///< of the slots
};

}  // namespace warpsieve
