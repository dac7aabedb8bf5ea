#include "app/gl/imgui_renderer.hpp"

#include <glad/gl.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>

#include <cfloat>
#include <cstdint>

#include "compaction/error.hpp"

namespace warpsieve::gl {

ImGuiRenderer::ImGuiRenderer(const ContextInfo& info) : unfiltered_(info.software) {
    if (!ImGui_ImplOpenGL3_Init("#version 330 core")) {
        throw compaction::Error(
            compaction::ErrorCode::unavailable,
            "The interface found no OpenGL library. Install libgl1 (libGL.so.1) and start again.");
    }
}

ImGuiRenderer::~ImGuiRenderer() {
    ImGui_ImplOpenGL3_Shutdown();
}

void ImGuiRenderer::begin_frame() {
    // Pixels are released after each upload: pixels in the atlas are not in the texture yet.
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    // The backend makes the first texture. A rebuilt atlas forgets the texture's name, so `has_texture_`
    // keeps track.
    if (has_texture_ && (!atlas.IsBuilt() || atlas.TexPixelsAlpha8 || atlas.TexPixelsRGBA32)) {
        ImGui_ImplOpenGL3_DestroyFontsTexture();
        ImGui_ImplOpenGL3_CreateFontsTexture();
    }
    ImGui_ImplOpenGL3_NewFrame();
    const bool new_texture = atlas.TexPixelsAlpha8 || atlas.TexPixelsRGBA32;
    if (unfiltered_ && new_texture) {
        // 25 % faster on software OpenGL. The picture is the same: text and rectangles lie on whole pixels,
        // and lines there are not smoothed by the texture.
        const auto name = static_cast<GLuint>(reinterpret_cast<std::uintptr_t>(atlas.TexID));
        glTextureParameteri(name, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTextureParameteri(name, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    }
    has_texture_ = true;
    atlas.ClearTexData();
}

void ImGuiRenderer::begin_picture_frame(PixelSize size) {
    begin_frame();
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {static_cast<float>(size.width), static_cast<float>(size.height)};
    io.DisplayFramebufferScale = {1, 1};
    io.MousePos = {-FLT_MAX, -FLT_MAX};
    io.MouseWheel = 0;
    io.DeltaTime = 1e-6F;  // Dear ImGui rejects 0.
    ImGui::NewFrame();
}

void Context::end_interface_frame() {
    ImGui::Render();
}

void Context::finish() {
    glFinish();
}

void ImGuiRenderer::draw(unsigned framebuffer) {
    ImDrawData* frame = ImGui::GetDrawData();
    if (!frame) return;
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    ImGui_ImplOpenGL3_RenderDrawData(frame);
}

}  // namespace warpsieve::gl
