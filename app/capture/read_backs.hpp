#pragma once

#include <glad/gl.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "app/capture/png.hpp"
#include "app/gl/object.hpp"
#include "app/gl/pixels.hpp"

namespace warpsieve::capture {

/// Reads framebuffers back without waiting. Needs a current OpenGL context for its whole life.
class ReadBacks {
  public:
    /// A picture and its number; no picture if host memory ran out.
    using Take = std::function<void(std::uint64_t number, std::optional<Image> image)>;

    ReadBacks() = default;
    ~ReadBacks();
    ReadBacks(const ReadBacks&) = delete;
    ReadBacks& operator=(const ReadBacks&) = delete;

    /// Starts to read `area` of a framebuffer of that size. collect() returns the picture with `number`.
    /// Returns false while all buffers are in use.
    bool start(unsigned framebuffer, gl::PixelSize size, const gl::Rectangle& area, std::uint64_t number);

    /// Calls `take` for the pictures that have arrived, oldest first. `wait`: waits for all of them.
    void collect(bool wait, const Take& take);

  private:
    /// A picture that is being read back.
    struct ReadBack {
        gl::Buffer pixels;
        gl::PixelSize size{0, 0};
        std::uint64_t number = 0;
        GLsync fence = nullptr;  ///< signalled when the pixels have arrived; null: not in use
    };

    static constexpr std::size_t max_in_flight = 3;

    std::array<ReadBack, max_in_flight> read_backs_;
    std::uint64_t num_started_ = 0;
    std::uint64_t num_taken_ = 0;
};

}  // namespace warpsieve::capture
