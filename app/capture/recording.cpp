#include "app/capture/recording.hpp"

#include <algorithm>
#include <cstdio>
#include <new>
#include <system_error>
#include <utility>

#include "platform/process.hpp"

namespace warpsieve::capture {

namespace {

std::string frame_name(std::uint64_t number) {
    char name[32];
    std::snprintf(name, sizeof name, "frame-%05llu.png", static_cast<unsigned long long>(number));
    return name;
}

}  // namespace

Recording::Recording(std::filesystem::path folder)
    : folder_(std::move(folder)), writer_([this] { write_frames(); }) {}

Recording::~Recording() {
    finish();
}

void Recording::add(unsigned framebuffer, gl::PixelSize size, double now_s) {
    collect(/*wait=*/false);
    const bool too_soon = last_s_ >= 0 && now_s - last_s_ < 1 / frames_per_second;
    if (full() || too_soon || size.width <= 0 || size.height <= 0) return;
    if (first_s_ < 0) first_s_ = now_s;
    last_s_ = now_s;
    const bool writer_is_behind = [this] {
        const std::lock_guard lock(mutex_);
        return waiting_.size() >= max_waiting_frames;
    }();
    const gl::Rectangle whole{0, 0, size.width, size.height};
    if (writer_is_behind || !read_backs_.start(framebuffer, size, whole, enqueued_ + 1)) {
        ++dropped_;
        return;
    }
    ++enqueued_;
}

void Recording::collect(bool wait) {
    read_backs_.collect(wait, [this](std::uint64_t number, std::optional<Image> image) {
        taken_ = number;
        const std::lock_guard lock(mutex_);
        if (image) {
            waiting_.push_back({number, std::move(*image)});
        } else {
            failure_ = "memory for a frame ran out.";
        }
        changed_.notify_one();
    });
}

void Recording::finish(bool wait_for_opengl) {
    if (!writer_.joinable()) return;
    if (wait_for_opengl) collect(/*wait=*/true);
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    changed_.notify_one();
    writer_.join();
}

std::string Recording::failure() const {
    const std::lock_guard lock(mutex_);
    return failure_;
}

void Recording::write_frames() {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
        if (waiting_.empty()) return;
        const NumberedImage frame = std::move(waiting_.front());
        waiting_.pop_front();
        lock.unlock();
        std::string failure;
        try {
            write_png(folder_ / frame_name(frame.number), frame.image);
            ++written_;
        } catch (const std::filesystem::filesystem_error& error) {
            failure = error.path1().string() + ": " + error.code().message() + ".";
        } catch (const std::bad_alloc&) {
            failure = "host memory ran out.";
        }
        lock.lock();
        if (failure_.empty()) failure_ = failure;
    }
}

bool can_animate() {
    return platform::has_program("ffmpeg");
}

std::string animate(const std::filesystem::path& folder, double rate,
                    const std::function<bool()>& cancelled) {
    const std::filesystem::path file = folder / "recording.gif";
    // ffmpeg writes under this name until the file is complete.
    const std::filesystem::path unfinished = folder / ".recording.gif";
    // Makes one palette for all frames.
    const std::string filter =
        "fps=12,scale=min(iw\\,960):-1:flags=lanczos,split[a][b];[a]palettegen[p];[b][p]paletteuse";
    const bool made = platform::run_program(
        {"ffmpeg", "-nostdin", "-y", "-framerate", std::to_string(rate), "-i",
         (folder / "frame-%05d.png").string(), "-filter_complex", filter, unfinished.string()},
        cancelled);
    std::error_code error;
    if (made) std::filesystem::rename(unfinished, file, error);
    if (made && !error) return "Saved " + file.string() + ".";
    std::filesystem::remove(unfinished, error);
    return "ffmpeg made no animation of " + folder.string() + "; the frames are there.";
}

}  // namespace warpsieve::capture
