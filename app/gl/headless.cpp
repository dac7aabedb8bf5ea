#include <imgui.h>

#include <array>
#include <cstddef>
#include <memory>

#include "app/gl/context.hpp"
#include "app/gl/egl.hpp"
#include "app/gl/imgui_backend.hpp"
#include "app/gl/loader.hpp"
#include "app/gl/render_target.hpp"
#include "compaction/error.hpp"

namespace warpsieve::gl {
namespace {

/// Keeps the host at most a few frames ahead of the GPU, as a window's swap chain does. Without a limit the
/// driver queues all frames, and the first timings arrive after the last frame was submitted.
class FramePacer {
  public:
    FramePacer() = default;
    ~FramePacer() {
        for (GLsync fence : fences_) glDeleteSync(fence);
    }
    FramePacer(const FramePacer&) = delete;
    FramePacer& operator=(const FramePacer&) = delete;

    void end_frame() {
        GLsync& fence = fences_[next_];
        next_ = (next_ + 1) % fences_.size();
        if (fence) {
            glClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, GL_TIMEOUT_IGNORED);
            glDeleteSync(fence);
        }
        fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
        glFlush();
    }

  private:
    static constexpr std::size_t max_frames_ahead = 3;

    std::array<GLsync, max_frames_ahead> fences_{};
    std::size_t next_ = 0;
};

class Headless final : public Context {
  public:
    explicit Headless(PixelSize size) : info_(load_opengl(EglContext::entry_point)), interface_(info_) {
        if (size.width < 1 || size.height < 1) {
            throw compaction::Error(compaction::ErrorCode::invalid_argument,
                                    "The width and height of an offscreen frame must be at least one pixel.");
        }
        target_.resize(size, GL_RGBA8);
    }

    const ContextInfo& info() const override { return info_; }
    PixelSize size() const override { return target_.size(); }
    unsigned framebuffer() const override { return target_.framebuffer(); }
    unsigned texture() const override { return target_.texture(); }
    float content_scale() const override { return 1; }
    bool should_close() const override { return false; }
    std::optional<WindowGeometry> geometry() const override { return std::nullopt; }
    void wait_for_input(double) override {}
    std::vector<std::filesystem::path> take_dropped() override { return {}; }
    std::span<const KeyEvent> keys() const override { return {}; }

    void begin_interface_frame() override {
        ImGuiIO& io = ImGui::GetIO();
        io.DisplaySize = {static_cast<float>(size().width), static_cast<float>(size().height)};
        // A fixed time step makes runs repeatable on any machine.
        io.DeltaTime = 1.0F / 60.0F;
        interface_.begin_frame();
        ImGui::NewFrame();
    }

    void begin_picture_frame(PixelSize size) override { interface_.begin_picture_frame(size); }
    void draw_interface_into(unsigned framebuffer) override { ImGuiBackend::draw(framebuffer); }
    void present() override { pacer_.end_frame(); }

  private:
    // Destroyed in reverse: the objects in the context, then the context.
    EglContext egl_;
    ContextInfo info_;
    RenderTarget target_;
    ImGuiBackend interface_;
    FramePacer pacer_;
};

}  // namespace

std::unique_ptr<Context> open_headless(PixelSize size) {
    return std::make_unique<Headless>(size);
}

}  // namespace warpsieve::gl
