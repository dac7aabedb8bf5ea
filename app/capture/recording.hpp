#pragma once

#include <glad/gl.h>

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "app/capture/png.hpp"
#include "app/gl/object.hpp"

namespace warpsieve::capture {

/// A short film of the window as numbered PNGs. Frames are read back behind the drawing and written by a
/// thread of its own, so that the window goes on; a frame for which there is no room yet is left out and
/// counted. Needs a current OpenGL context for all its life.
class Recording {
  public:
    static constexpr std::uint64_t most_frames = 600;
    static constexpr double frames_per_second = 30;

    /// Frames go to `folder`, which must exist, as frame-00001.png and on.
    explicit Recording(std::filesystem::path folder);
    ~Recording();
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;

    /// Takes what was drawn into `framebuffer`, unless the last frame was taken too short a time ago.
    /// `now_s`: seconds on a steady clock.
    void add(unsigned framebuffer, gl::PixelSize size, double now_s);

    /// Takes in what is still on its way and waits until all is written.
    void finish();

    std::uint64_t frames() const { return taken_; }
    std::uint64_t left_out() const { return left_out_; }
    bool full() const { return taken_ >= most_frames; }
    /// Why frames could not be written; empty where they could.
    std::string failure() const;
    const std::filesystem::path& folder() const { return folder_; }

  private:
    /// A frame on its way from the GPU.
    struct Landing {
        gl::Buffer pixels;
        gl::PixelSize size{0, 0};
        GLsync arrived = nullptr;
    };
    struct Numbered {
        std::uint64_t number;
        Image image;
    };

    /// Takes in the frames that have arrived, oldest first; all of them, waiting, where `wait`.
    void take_in(bool wait);
    void write_frames();

    static constexpr std::size_t most_waiting = 24;

    std::filesystem::path folder_;
    std::array<Landing, 3> landings_;
    std::uint64_t enqueued_ = 0;  ///< read-backs begun
    std::uint64_t taken_ = 0;     ///< of these, arrived and given to the writer
    std::uint64_t left_out_ = 0;
    double last_s_ = -1;

    mutable std::mutex mutex_;  ///< of all below
    std::condition_variable changed_;
    std::deque<Numbered> waiting_;
    std::string failure_;
    bool ending_ = false;
    std::thread writer_;
};

}  // namespace warpsieve::capture
