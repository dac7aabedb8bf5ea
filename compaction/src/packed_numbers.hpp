#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "compaction/error.hpp"

/// Numbers of variable length, as the packed traces hold them: 7 bits in each byte, lowest first; bit 7 says
/// that another byte follows. The sign of a signed number is its lowest bit.
namespace compaction {

inline std::int64_t signed_from(std::uint64_t number) {
    return static_cast<std::int64_t>(number >> 1 ^ (0 - (number & 1)));
}
inline std::uint64_t unsigned_from(std::int64_t number) {
    return static_cast<std::uint64_t>(number) << 1 ^ static_cast<std::uint64_t>(number >> 63);
}

inline void put_number(std::vector<std::byte>& to, std::uint64_t number) {
    for (; number >= 0x80; number >>= 7) to.push_back(static_cast<std::byte>((number & 0x7f) | 0x80));
    to.push_back(static_cast<std::byte>(number));
}
inline void put_signed(std::vector<std::byte>& to, std::int64_t number) {
    put_number(to, unsigned_from(number));
}

/// Throws Error{invalid_argument}, which says that the trace is damaged, unless `is_intact`.
inline void require_intact(bool is_intact) {
    if (!is_intact) throw Error(ErrorCode::invalid_argument, "The trace is damaged. Record it again.");
}

/// Returns the byte at `position` and advances it. Throws as require_intact at the end of `from`.
inline std::uint64_t get_byte(const std::vector<std::byte>& from, std::size_t& position) {
    require_intact(position < from.size());
    return std::to_integer<std::uint64_t>(from[position++]);
}
/// Returns the number at `position` and advances it. Throws as get_byte.
inline std::uint64_t get_number(const std::vector<std::byte>& from, std::size_t& position) {
    std::uint64_t number = 0;
    for (unsigned shift = 0;; shift += 7) {
        require_intact(shift < 64);
        const std::uint64_t next = get_byte(from, position);
        number |= (next & 0x7f) << shift;
        if (next < 0x80) return number;
    }
}

}  // namespace compaction
