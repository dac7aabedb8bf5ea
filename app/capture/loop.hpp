#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "app/capture/png.hpp"

namespace warpsieve::capture {

/// Makes an animated WebP of six seconds that ends where it begins: the last frames fade into the first ones.
/// A thread encodes the frames as they come.
///
/// Frames are numbered at a fixed rate. Those from `frames_in_loop` on are blended over the first
/// `fade_frames`, which are kept until then, and the animation begins after these: it runs from frame
/// `fade_frames` through the blended ones and on to frame `fade_frames` again.
class Loop {
  public:
    static constexpr std::uint64_t frames_per_second = 20;
    static constexpr std::uint64_t frames_in_loop = 6 * frames_per_second;
    static constexpr std::uint64_t fade_frames = 16;
    /// The number of frames to add.
    static constexpr std::uint64_t num_frames = frames_in_loop + fade_frames;
    /// Wider frames are reduced by a whole factor.
    static constexpr int max_width = 1600;
    /// The least width and height of a frame.
    static constexpr int min_side = 64;

    /// The factor by which frames of this width are reduced.
    static int reduction_of(int width) { return (width + max_width - 1) / max_width; }

    /// `footer`: below each frame; as wide as the reduced frames.
    explicit Loop(Image footer);
    ~Loop();
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;

    /// Adds a frame; all have the same size. Numbers increase, and may be left out: the frame before is then
    /// shown for longer. While the thread is too far behind, waits for it, or drops the frame unless `wait`.
    void add(std::uint64_t number, Image image, bool wait);

    /// Waits for the thread and returns the bytes of the file. Throws std::bad_alloc if memory ran out, or
    /// std::runtime_error if a frame cannot be encoded or fewer than two were added.
    std::string finish();

    /// Makes finish() return soon, with an exception. Any thread may call it.
    void cancel() { cancelled_ = true; }

  private:
    struct Frame {
        std::uint64_t number;
        Image image;
    };
    class Encoder;

    void encode_frames();
    void encode(Encoder& encoder, Frame frame);

    static constexpr std::size_t max_waiting_bytes = std::size_t{96} << 20;

    const Image footer_;
    std::atomic<bool> cancelled_ = false;
    std::vector<Frame> first_frames_;  ///< the thread keeps them for the fade

    std::mutex mutex_;  ///< protects the members below
    std::condition_variable changed_;
    std::deque<Frame> waiting_;
    std::size_t waiting_bytes_ = 0;
    bool ending_ = false;
    std::string file_;
    std::exception_ptr failure_;
    std::thread thread_;
};

}  // namespace warpsieve::capture
