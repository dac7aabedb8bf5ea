#pragma once

#include <glad/gl.h>
#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/gl/context.hpp"
#include "app/render/particle_renderer.hpp"
#include "app/scene/camera.hpp"
#include "app/scene/sources/fountain.hpp"
#include "app/scene/sparse_dense.hpp"
#include "compaction/error.hpp"
#include "tests/app/render/host_particles.hpp"

/// Shared by the render tests: an offscreen context, pictures read back from it, and positions in them.
namespace warpsieve {

using gl::Rectangle;
using render::Method;

inline constexpr gl::PixelSize window{400, 300};
inline constexpr Rectangle whole_window{0, 0, window.width, window.height};

/// Far enough apart for separate sprites.
inline const std::vector<scene::Position> four_positions{
    {-5, 1, 0, 0.1F}, {-2, 4, 0, 0.3F}, {2, 1.5F, 1, 0.5F}, {5, 4, -1, 0.7F}};

struct Pixel {
    float x = 0;
    float y = 0;
};

struct Colour {
    std::uint8_t red, green, blue, alpha;
    bool operator==(const Colour&) const = default;
};

/// The framebuffer's contents, top row first.
struct Picture {
    gl::PixelSize size;
    std::vector<Colour> pixels;

    const Colour& at(int x, int y) const { return pixels[static_cast<std::size_t>(y * size.width + x)]; }
};

/// The projection of a position, in window pixels from the top left.
inline Pixel seen_at(const scene::Camera& camera, const scene::Position& p, const Rectangle& viewport) {
    const scene::Matrix m =
        camera.view_projection(static_cast<float>(viewport.width) / static_cast<float>(viewport.height));
    const auto clip = [&](std::size_t row) {
        return m[row] * p.x + m[4 + row] * p.y + m[8 + row] * p.z + m[12 + row];
    };
    const float right = clip(0) / clip(3);
    const float up = clip(1) / clip(3);
    return {static_cast<float>(viewport.x) + static_cast<float>(viewport.width) * (0.5F + 0.5F * right),
            static_cast<float>(viewport.y) + static_cast<float>(viewport.height) * (0.5F - 0.5F * up)};
}

inline int difference(const Colour& a, const Colour& b) {
    return std::abs(a.red - b.red) + std::abs(a.green - b.green) + std::abs(a.blue - b.blue);
}

/// The indices of the pixels at which two pictures differ.
inline std::vector<std::size_t> lit_pixels(const Picture& with, const Picture& without,
                                           const std::vector<Pixel>& pixels) {
    std::vector<std::size_t> lit;
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        const int x = static_cast<int>(pixels[i].x);
        const int y = static_cast<int>(pixels[i].y);
        if (difference(with.at(x, y), without.at(x, y)) > 60) lit.push_back(i);
    }
    return lit;
}

/// Differing pixels farther than `reach` pixels from all `pixels`.
inline int stray_pixels(const Picture& with, const Picture& without, const std::vector<Pixel>& pixels,
                        float reach) {
    int stray = 0;
    for (int y = 0; y < with.size.height; ++y) {
        for (int x = 0; x < with.size.width; ++x) {
            if (with.at(x, y) == without.at(x, y)) continue;
            const bool explained = std::ranges::any_of(pixels, [&](const Pixel& pixel) {
                return std::hypot(pixel.x - static_cast<float>(x), pixel.y - static_cast<float>(y)) < reach;
            });
            stray += explained ? 0 : 1;
        }
    }
    return stray;
}

class RenderTest : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        setenv("WARPSIEVE_GL_DEBUG", "1", 1);
        ImGui::CreateContext();
        try {
            context_ = gl::open_headless(window);
        } catch (const compaction::Error& error) {
            skip_reason_ = error.what();
        }
    }

    static void TearDownTestSuite() {
        context_.reset();
        ImGui::DestroyContext();
    }

    void SetUp() override {
        if (!context_) GTEST_SKIP() << skip_reason_;
        while (glGetError() != GL_NO_ERROR) {
        }
    }

    void TearDown() override {
        if (context_) {
            EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
        }
    }

    /// Draws over black and reads the framebuffer back.
    static Picture draw(render::ParticleRenderer& renderer, const scene::DrawableParticles& particles,
                        Rectangle viewport = whole_window, Theme theme = Theme::dark,
                        const scene::Frame* frame = nullptr) {
        clear();
        renderer.draw(particles, camera_, theme, context_->framebuffer(), window, viewport,
                      {0, viewport.width}, nullptr, frame);
        return read();
    }

    /// Draws the sparse and the dense buffer, from their own viewpoint.
    static Picture draw_sparse_dense(render::ParticleRenderer& renderer,
                                     const scene::DrawableParticles& particles,
                                     const scene::SparseDenseLayout& layout, Theme theme = Theme::dark,
                                     std::span<const render::Columns> parts = whole_columns,
                                     const scene::Frame* frame = nullptr) {
        clear();
        for (const render::Columns& part : parts) {
            renderer.draw(particles, scene::Camera(scene::sparse_dense_viewpoint()), theme,
                          context_->framebuffer(), window, whole_window, part, &layout, frame);
        }
        return read();
    }
    static constexpr std::array whole_columns{render::Columns{0, window.width}};

    static void clear() {
        glBindFramebuffer(GL_FRAMEBUFFER, context_->framebuffer());
        glClearColor(0, 0, 0, 1);
        glClear(GL_COLOR_BUFFER_BIT);
    }

    static Picture read() {
        Picture picture{window, std::vector<Colour>(static_cast<std::size_t>(window.width * window.height))};
        glReadPixels(0, 0, window.width, window.height, GL_RGBA, GL_UNSIGNED_BYTE, picture.pixels.data());
        for (int y = 0; y < window.height / 2; ++y) {
            const auto row = picture.pixels.begin() + y * window.width;
            std::swap_ranges(row, row + window.width, picture.pixels.end() - (y + 1) * window.width);
        }
        return picture;
    }

    static std::vector<Pixel> seen(const std::vector<scene::Position>& positions,
                                   Rectangle viewport = whole_window) {
        std::vector<Pixel> pixels;
        for (const scene::Position& position : positions)
            pixels.push_back(seen_at(camera_, position, viewport));
        return pixels;
    }

    static inline std::unique_ptr<gl::Context> context_;
    static inline std::string skip_reason_;
    static inline const scene::Camera camera_ = scene::Camera();
};

inline std::string name_of(Method method) {
    switch (method) {
        case Method::automatic:
            return "automatic";
        case Method::sprites:
            return "sprites";
        case Method::compute_splat:
            return "compute_splat";
        case Method::host_splat:
            return "host_splat";
    }
    return {};
}

class MethodTest : public RenderTest, public testing::WithParamInterface<Method> {
  protected:
    void SetUp() override {
        RenderTest::SetUp();
        if (context_) renderer_ = std::make_unique<render::ParticleRenderer>(context_->info(), GetParam());
    }

    std::unique_ptr<render::ParticleRenderer> renderer_;
};

/// The fountain half a life, and then some seconds, after its start.
struct FountainFrame {
    scene::Frame frame;
    std::vector<scene::Position> positions;
    std::vector<compaction::Item> handles;

    explicit FountainFrame(std::uint32_t slots, double seconds = 0) : positions(slots) {
        frame.source = &scene::Fountain::info;
        frame.slots = slots;
        frame.moment.live_below = std::uint64_t{1} << 31;
        // A life is half a cycle.
        frame.moment.phase =
            (std::uint64_t{3} << 31) + static_cast<std::uint64_t>(seconds / scene::life_seconds * 0x1p31);
        frame.moment.time = static_cast<std::uint64_t>((seconds + 1) * 0x1p32);
        const scene::Fountain fountain(frame);
        for (std::uint32_t slot = 0; slot < slots; ++slot) {
            if (!fountain.is_live(slot)) continue;
            positions[slot] = fountain.position_of(slot);
            handles.push_back(scene::handle_of(slot));
        }
    }
};

}  // namespace warpsieve
