#include "app/capture/recording.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>
#include <system_error>
#include <utility>

#include "platform/process.hpp"

namespace warpsieve::capture {

namespace {

std::size_t bytes_of(gl::PixelSize size) {
    return static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height) * 3;
}

/// Flips the rows: OpenGL's first row is the bottom row.
Image upright(const std::uint8_t* pixels, gl::PixelSize size) {
    Image image{size.width, size.height, std::vector<std::uint8_t>(bytes_of(size))};
    const std::size_t row_bytes = static_cast<std::size_t>(size.width) * 3;
    const auto rows = static_cast<std::size_t>(size.height);
    for (std::size_t row = 0; row < rows; ++row)
        std::memcpy(image.rgb.data() + row * row_bytes, pixels + (rows - 1 - row) * row_bytes, row_bytes);
    return image;
}

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
    for (const ReadBack& read_back : read_backs_) {
        if (read_back.arrived) glDeleteSync(read_back.arrived);
    }
}

void Recording::add(unsigned framebuffer, gl::PixelSize size, double now_s) {
    collect(false);
    const bool too_soon = last_s_ >= 0 && now_s - last_s_ < 1 / frames_per_second;
    if (full() || too_soon || size.width <= 0 || size.height <= 0) return;
    if (first_s_ < 0) first_s_ = now_s;
    last_s_ = now_s;
    ReadBack& read_back = read_backs_[enqueued_ % read_backs_.size()];
    const bool writer_is_behind = [this] {
        const std::lock_guard lock(mutex_);
        return waiting_.size() >= max_waiting;
    }();
    if (read_back.arrived || writer_is_behind) {
        ++dropped_;
        return;
    }
    if (read_back.size != size) {
        glNamedBufferData(read_back.pixels.name(), static_cast<GLsizeiptr>(bytes_of(size)), nullptr,
                          GL_STREAM_READ);
        read_back.size = size;
    }
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, read_back.pixels.name());
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, size.width, size.height, GL_RGB, GL_UNSIGNED_BYTE, nullptr);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    read_back.arrived = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    ++enqueued_;
}

void Recording::collect(bool wait) {
    while (taken_ < enqueued_) {
        ReadBack& read_back = read_backs_[taken_ % read_backs_.size()];
        const GLuint64 timeout = wait ? GL_TIMEOUT_IGNORED : 0;
        if (glClientWaitSync(read_back.arrived, GL_SYNC_FLUSH_COMMANDS_BIT, timeout) == GL_TIMEOUT_EXPIRED)
            return;
        glDeleteSync(std::exchange(read_back.arrived, nullptr));
        const auto size_bytes = static_cast<GLsizeiptr>(bytes_of(read_back.size));
        const void* pixels = glMapNamedBufferRange(read_back.pixels.name(), 0, size_bytes, GL_MAP_READ_BIT);
        ++taken_;
        const std::lock_guard lock(mutex_);
        try {
            if (!pixels) throw std::bad_alloc();
            waiting_.push_back({taken_, upright(static_cast<const std::uint8_t*>(pixels), read_back.size)});
        } catch (const std::bad_alloc&) {
            failure_ = "memory for a frame ran out.";
        }
        glUnmapNamedBuffer(read_back.pixels.name());
        changed_.notify_one();
    }
}

void Recording::finish(bool wait_for_opengl) {
    if (!writer_.joinable()) return;
    if (wait_for_opengl) collect(true);
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
    // Use another name until the file is complete.
    const std::filesystem::path part = folder / ".recording.gif";
    // One palette for all frames.
    const std::string filter =
        "fps=12,scale=min(iw\\,960):-1:flags=lanczos,split[a][b];[a]palettegen[p];[b][p]paletteuse";
    const bool made = platform::run_program(
        {"ffmpeg", "-nostdin", "-y", "-framerate", std::to_string(rate), "-i",
         (folder / "frame-%05d.png").string(), "-filter_complex", filter, part.string()},
        cancelled);
    std::error_code error;
    if (made) std::filesystem::rename(part, file, error);
    if (made && !error) return "Saved " + file.string() + ".";
    std::filesystem::remove(part, error);
    return "ffmpeg made no animation of " + folder.string() + "; the frames are there.";
}

}  // namespace warpsieve::capture
