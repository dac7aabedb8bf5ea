#pragma once

#include <cstdint>
#include <string>

#include "app/scene/side.hpp"

namespace warpsieve {

enum class CheckState : std::uint8_t { off, waiting, correct, wrong };

/// Results of comparing a run's output with the reference.
struct CheckView {
    CheckState state = CheckState::waiting;
    std::uint64_t checked = 0;  ///< comparisons since the start
    std::uint64_t wrong = 0;    ///< of these, how many failed; a later success does not reset it
    std::string last;           ///< the last verdict in words
    std::string first_failure;  ///< the first failure in words, with algorithm and frame
};

/// The checks of both sides. B's outlast B: they cover every algorithm that was ever B.
struct ChecksView {
    CheckView a;
    CheckView b;

    const CheckView& of(Side side) const { return side == Side::a ? a : b; }
};

}  // namespace warpsieve
