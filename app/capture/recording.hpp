#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "app/capture/png.hpp"
#include "app/capture/read_backs.hpp"

namespace warpsieve::capture {

/// Records the window as numbered PNGs. Frames are read back asynchronously and written by a thread, so that
/// the window does not wait; a frame that finds no free buffer is dropped and counted. Needs a current OpenGL
/// context for its whole life.
class Recording {
  public:
    static constexpr std::uint64_t max_frames = 600;
    static constexpr double frames_per_second = 30;

    /// Writes frame-00001.png and so on to `folder`, which must exist.
    explicit Recording(std::filesystem::path folder);
    ~Recording();
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;

    /// Records `framebuffer`, at most frames_per_second times per second. `now_s`: seconds on a steady clock.
    void add(unsigned framebuffer, gl::PixelSize size, double now_s);

    /// Waits until all frames are written. `wait_for_opengl`: waits for frames that OpenGL still reads back.
    /// Pass false after a display or device is lost, because OpenGL may never return them; they are dropped.
    void finish(bool wait_for_opengl = true);

    std::uint64_t frames_written() const { return written_; }
    /// Recorded frames per second; 0 for fewer than two frames.
    double rate() const {
        return last_s_ > first_s_ ? static_cast<double>(enqueued_ - 1) / (last_s_ - first_s_) : 0;
    }
    std::uint64_t frames_dropped() const { return dropped_; }
    /// Whether the recording has max_frames.
    bool full() const { return taken_ >= max_frames; }
    /// Why frames could not be written; empty if they could.
    std::string failure() const;
    const std::filesystem::path& folder() const { return folder_; }

  private:
    struct NumberedImage {
        std::uint64_t number;
        Image image;
    };

    /// Passes arrived frames to the writer, oldest first. `wait`: waits for all of them.
    void collect(bool wait);
    void write_frames();

    static constexpr std::size_t max_waiting_frames = 24;

    std::filesystem::path folder_;
    ReadBacks read_backs_;
    std::uint64_t enqueued_ = 0;  ///< started read-backs
    std::uint64_t taken_ = 0;     ///< frames passed to the writer
    std::uint64_t dropped_ = 0;
    double first_s_ = -1;  ///< time of the first frame; -1 before it
    double last_s_ = -1;   ///< time of the last frame; -1 before the first one

    std::atomic<std::uint64_t> written_ = 0;

    mutable std::mutex mutex_;  ///< protects the members below
    std::condition_variable changed_;
    std::deque<NumberedImage> waiting_;  ///< for the writer
    std::string failure_;
    bool ending_ = false;
    std::thread writer_;
};

/// Whether ffmpeg is installed, which makes animations.
bool can_animate();

/// Makes a GIF beside the frames of a recording, at most 960 pixels wide and 12 frames per second. `rate`:
/// recorded frames per second. Waits for ffmpeg, until `cancelled` returns true. Returns a message: the file,
/// or that there is none.
std::string animate(const std::filesystem::path& folder, double rate, const std::function<bool()>& cancelled);

}  // namespace warpsieve::capture
