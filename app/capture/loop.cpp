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

/// `share` of 1024 parts of `b`, the rest of `a`.
Image blended(const Image& a, const Image& b, std::uint64_t share) {
    Image mixed = a;
    for (std::size_t i = 0; i < mixed.rgb.size(); ++i)
        mixed.rgb[i] = static_cast<std::uint8_t>((a.rgb[i] * (1024 - share) + b.rgb[i] * share) / 1024);
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
        const std::unique_ptr<WebPPicture, decltype(&WebPPictureFree)> at_end(&picture, WebPPictureFree);
        if (image.width != width_ || image.height != height_)
            throw std::runtime_error("the view changed its size");
        if (!WebPPictureImportRGB(&picture, image.rgb.data(), 3 * image.width)) throw std::bad_alloc();
        require(WebPAnimEncoderAdd(encoder_, &picture, milliseconds(number), &config_));
        ++frames_;
    }

    /// The file; the last frame is shown until `end`.
    std::string file(std::uint64_t end) {
        if (frames_ < 2) throw std::runtime_error("there are too few frames");
        require(WebPAnimEncoderAdd(encoder_, nullptr, milliseconds(end), nullptr));
        WebPData data;
        WebPDataInit(&data);
        require(WebPAnimEncoderAssemble(encoder_, &data));
        const std::unique_ptr<WebPData, decltype(&WebPDataClear)> at_end(&data, WebPDataClear);
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
        options.kmin = 9;
        options.kmax = 21;
        // Fast enough to follow the frames on one processor core.
        config_.method = 1;
        config_.quality = 82;
        encoder_ = WebPAnimEncoderNew(width_, height_, &options);
        if (!encoder_) throw std::bad_alloc();
    }
    void require(int done) const {
        if (!done) throw std::runtime_error(WebPAnimEncoderGetError(encoder_));
    }
    static int milliseconds(std::uint64_t number) {
        return static_cast<int>(number * 1000 / frames_per_second);
    }

    WebPAnimEncoder* encoder_ = nullptr;
    WebPConfig config_{};
    int width_ = 0;
    int height_ = 0;
    int frames_ = 0;
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
        std::string file = encoder.file(frames_in_loop);
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
        first_.push_back(std::move(frame));
        return;
    }
    const std::uint64_t shown = frame.number - fade_frames;
    if (frame.number >= frames_in_loop && !first_.empty() && same_size(frame.image, first_.front().image)) {
        const std::uint64_t over = frame.number - frames_in_loop;
        const auto later = std::ranges::upper_bound(first_, over, {}, &Frame::number);
        const Frame& first = later == first_.begin() ? first_.front() : *(later - 1);
        frame.image = blended(frame.image, first.image, 1024 * (over + 1) / (fade_frames + 1));
    }
    encoder.add(stacked(frame.image, footer_), shown);
}

}  // namespace warpsieve::capture
