#include "app/capture/loop.hpp"

#include <webp/encode.h>
#include <webp/mux.h>

#include <algorithm>
#include <memory>
#include <new>
#include <stdexcept>
#include <utility>

#include "app/capture/picture.hpp"

namespace warpsieve::capture {
namespace {

/// The mean of each square of `factor` x `factor` pixels; leaves out an incomplete column or row at the end.
Image reduced(const Image& image, int factor) {
    if (factor <= 1) return image;
    Image small{image.width / factor, image.height / factor, {}};
    small.rgb.reserve(static_cast<std::size_t>(small.width) * static_cast<std::size_t>(small.height) * 3);
    for (int y = 0; y < small.height; ++y) {
        for (int x = 0; x < small.width; ++x) {
            for (int channel = 0; channel < 3; ++channel) {
                int sum = 0;
                for (int row = y * factor; row < (y + 1) * factor; ++row)
                    for (int column = x * factor; column < (x + 1) * factor; ++column)
                        sum +=
                            image.rgb[(static_cast<std::size_t>(row) * static_cast<std::size_t>(image.width) +
                                       static_cast<std::size_t>(column)) *
                                          3 +
                                      static_cast<std::size_t>(channel)];
                small.rgb.push_back(static_cast<std::uint8_t>(sum / (factor * factor)));
            }
        }
    }
    return small;
}

bool same_size(const Image& a, const Image& b) {
    return a.width == b.width && a.height == b.height;
}

constexpr std::uint64_t full_weight = 1024;

/// The weighted mean of two pictures; a weight of 0 gives `a`, full_weight gives `b`.
Image blended(const Image& a, const Image& b, std::uint64_t weight_of_b) {
    Image mixed = a;
    for (std::size_t i = 0; i < mixed.rgb.size(); ++i)
        mixed.rgb[i] = static_cast<std::uint8_t>(
            (a.rgb[i] * (full_weight - weight_of_b) + b.rgb[i] * weight_of_b) / full_weight);
    return mixed;
}

}  // namespace

/// Encodes frames into an animated WebP.
class Loop::Encoder {
  public:
    ~Encoder() { WebPAnimEncoderDelete(encoder_); }

    void add(const Image& image, std::uint64_t number) {
        if (!encoder_) begin(image);
        WebPPicture picture;
        if (!WebPPictureInit(&picture))
            throw std::runtime_error("libwebp has another version than its headers");
        picture.use_argb = 1;
        picture.width = image.width;
        picture.height = image.height;
        const std::unique_ptr<WebPPicture, decltype(&WebPPictureFree)> free_at_end(&picture, WebPPictureFree);
        if (image.width != width_ || image.height != height_)
            throw std::runtime_error("the view changed its size");
        if (!WebPPictureImportRGB(&picture, image.rgb.data(), 3 * image.width)) throw std::bad_alloc();
        require(WebPAnimEncoderAdd(encoder_, &picture, start_ms(number), &config_));
        ++num_frames_;
    }

    /// Ends the animation where frame `end_number` would begin. Returns the bytes of the file.
    std::string finish(std::uint64_t end_number) {
        if (num_frames_ < 2) throw std::runtime_error("there are too few frames");
        require(WebPAnimEncoderAdd(encoder_, nullptr, start_ms(end_number), nullptr));
        WebPData data;
        WebPDataInit(&data);
        require(WebPAnimEncoderAssemble(encoder_, &data));
        const std::unique_ptr<WebPData, decltype(&WebPDataClear)> clear_at_end(&data, WebPDataClear);
        return {reinterpret_cast<const char*>(data.bytes), data.size};
    }

  private:
    void begin(const Image& first) {
        width_ = first.width;
        height_ = first.height;
        WebPAnimEncoderOptions options;
        if (!WebPAnimEncoderOptionsInit(&options) || !WebPConfigInit(&config_))
            throw std::runtime_error("libwebp has another version than its headers");
        options.anim_params.loop_count = 0;  // for ever
        options.kmin = 9;                    // least distance between key frames
        options.kmax = 21;                   // largest distance
        // Fast enough to follow the frames on one processor core.
        config_.method = 1;
        config_.quality = 82;
        encoder_ = WebPAnimEncoderNew(width_, height_, &options);
        if (!encoder_) throw std::bad_alloc();
    }
    void require(int succeeded) const {
        if (!succeeded) throw std::runtime_error(WebPAnimEncoderGetError(encoder_));
    }
    static int start_ms(std::uint64_t number) { return static_cast<int>(number * 1000 / frames_per_second); }

    WebPAnimEncoder* encoder_ = nullptr;
    WebPConfig config_{};
    int width_ = 0;
    int height_ = 0;
    int num_frames_ = 0;
};

Loop::Loop(Image footer) : footer_(std::move(footer)), thread_([this] { encode_frames(); }) {}

Loop::~Loop() {
    cancel();
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void Loop::add(std::uint64_t number, Image image, bool wait) {
    const auto has_room = [this, bytes = image.rgb.size()] {
        return waiting_.empty() || waiting_bytes_ + bytes <= max_waiting_bytes || failure_;
    };
    std::unique_lock lock(mutex_);
    if (wait) changed_.wait(lock, has_room);
    if (!has_room() || failure_) return;
    waiting_bytes_ += image.rgb.size();
    waiting_.push_back({number, std::move(image)});
    changed_.notify_all();
}

std::string Loop::finish() {
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
    if (failure_) std::rethrow_exception(failure_);
    return std::move(file_);
}

void Loop::encode_frames() {
    Encoder encoder;
    try {
        while (true) {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
            if (waiting_.empty()) break;
            Frame frame = std::move(waiting_.front());
            waiting_.pop_front();
            waiting_bytes_ -= frame.image.rgb.size();
            lock.unlock();
            changed_.notify_all();
            if (cancelled_) throw std::runtime_error("the program ended");
            encode(encoder, std::move(frame));
        }
        std::string file = encoder.finish(frames_in_loop);
        const std::lock_guard lock(mutex_);
        file_ = std::move(file);
    } catch (...) {
        const std::lock_guard lock(mutex_);
        failure_ = std::current_exception();
        waiting_.clear();
        waiting_bytes_ = 0;
    }
    changed_.notify_all();
}

void Loop::encode(Encoder& encoder, Frame frame) {
    frame.image = reduced(frame.image, reduction_of(frame.image.width));
    if (frame.number < fade_frames) {
        first_frames_.push_back(std::move(frame));
        return;
    }
    const std::uint64_t number_in_loop = frame.number - fade_frames;
    if (frame.number >= frames_in_loop && !first_frames_.empty() &&
        same_size(frame.image, first_frames_.front().image)) {
        // Blends with the frame of first_frames_ that has this number or, if it was left out, the one before.
        const std::uint64_t number_in_fade = frame.number - frames_in_loop;
        const auto next = std::ranges::upper_bound(first_frames_, number_in_fade, {}, &Frame::number);
        const Frame& first = next == first_frames_.begin() ? first_frames_.front() : *(next - 1);
        frame.image =
            blended(frame.image, first.image, full_weight * (number_in_fade + 1) / (fade_frames + 1));
    }
    encoder.add(stacked(frame.image, footer_), number_in_loop);
}

}  // namespace warpsieve::capture
