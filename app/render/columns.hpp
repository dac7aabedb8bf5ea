#pragma once

namespace warpsieve::render {

/// Columns of pixels of a picture, from `begin` up to but without `end`: what a draw is to leave alone the
/// rest of.
struct Columns {
    int begin = 0;
    int end = 0;

    int count() const { return end - begin; }
    bool operator==(const Columns&) const = default;
};

}  // namespace warpsieve::render
