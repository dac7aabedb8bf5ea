#pragma once

namespace warpsieve::render {

/// The pixel columns [begin, end) of a picture. A draw leaves the other columns unchanged.
struct Columns {
    int begin = 0;
    int end = 0;

    int count() const { return end - begin; }
    bool operator==(const Columns&) const = default;
};

}  // namespace warpsieve::render
