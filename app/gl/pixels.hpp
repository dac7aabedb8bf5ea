#pragma once

namespace warpsieve::gl {

/// A size in pixels. The default is that of a picture for which nothing else gives one.
struct PixelSize {
    int width = 1280;
    int height = 720;

    bool operator==(const PixelSize&) const = default;
};

/// A rectangle of the framebuffer in pixels, y down from the top.
struct Rectangle {
    int x = 0;
    int y = 0;
    int width = 0;
    int height = 0;
};

}  // namespace warpsieve::gl
