#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "workloads/streams.hpp"

namespace testing_support {

/// A picture of 37 x 23 pixels: a disc, and a stripe of single pixels below it.
inline workloads::PicturePointer test_picture() {
    auto picture = std::make_shared<workloads::Picture>();
    picture->width = 37;
    picture->height = 23;
    for (int y = 0; y < 23; ++y) {
        for (int x = 0; x < 37; ++x) {
            const bool in_disc = (x - 18) * (x - 18) + (y - 9) * (y - 9) < 64;
            picture->bright.push_back(in_disc || (y == 20 && x % 2 == 0) ? 1 : 0);
        }
    }
    picture->source = "disc";
    picture->sha256 = std::string(64, '7');
    return picture;
}

}  // namespace testing_support
