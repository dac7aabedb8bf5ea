#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace warpsieve {

/// The two sides of the A/B comparison. Without a comparison there is only A.
enum class Side : std::uint8_t { a, b };

inline constexpr std::array both_sides{Side::a, Side::b};

constexpr Side other(Side side) {
    return side == Side::a ? Side::b : Side::a;
}
constexpr const char* name_of(Side side) {
    return side == Side::a ? "A" : "B";
}
constexpr std::size_t index_of(Side side) {
    return static_cast<std::size_t>(side);
}

}  // namespace warpsieve
