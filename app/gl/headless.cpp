#include <imgui.h>

#include <memory>

#include "app/gl/context.hpp"
#include "app/gl/egl.hpp"
#include "app/gl/imgui_renderer.hpp"
#include "app/gl/loader.hpp"
#include "app/gl/render_target.hpp"
#include "compaction/error.hpp"

namespace warpsieve::gl {
namespace {

class Headless final : public Context {
  public:
    explicit Headless(PixelSize size) : info_(load_opengl(EglContext::entry_point)) {
        if (size.width < 1 || size.height < 1) {
            throw compaction::Error(compaction::ErrorCode::invalid_argument,
                                    "An offscreen frame needs a width and a height of at least one pixel.");
        }
        target_.resize(size, GL_RGBA8);
    }

    const ContextInfo& info() const override { return info_; }
    PixelSize size() const override { return target_.size(); }
    unsigned framebuffer() const override { return target_.framebuffer(); }
    float content_scale() const override { return 1; }
    bool should_close() const override { return false; }

    void begin_interface_frame() override {
        ImGuiIO& io = ImGui::GetIO();
        io.DisplaySize = {static_cast<float>(size().width), static_cast<float>(size().height)};
        // A fixed step, so that the same run draws the same frames whatever the machine's speed.
        io.DeltaTime = 1.0F / 60.0F;
        interface_.begin_frame();
    }

    void draw_interface() override { interface_.draw(framebuffer()); }
    void present() override { glFlush(); }
    void set_title(const std::string&) override {}

  private:
    // Destroyed from the last to the first: what lives in the context, then the context.
    EglContext egl_;
    ContextInfo info_;
    RenderTarget target_;
    ImGuiRenderer interface_;
};

}  // namespace

std::unique_ptr<Context> open_headless(PixelSize size) {
    return std::make_unique<Headless>(size);
}

}  // namespace warpsieve::gl
