#include "app/gl/imgui_backend.hpp"

#include <glad/gl.h>

#include <imgui.h>
#include <imgui_impl_opengl3.h>

#include <cfloat>
#include <cmath>
#include <cstdint>
#include <utility>

#include "compaction/error.hpp"

namespace warpsieve::gl {
namespace {

/// Moves the edges of all clip rectangles to whole pixels. The backend truncates the bottom edge and the
/// height separately, so that a rectangle which ends between pixels loses its first row.
void clip_at_pixels(ImDrawData& data) {
    for (int i = 0; i < data.CmdListsCount; ++i) {
        for (ImDrawCmd& command : data.CmdLists[i]->CmdBuffer) {
            ImVec4& clip = command.ClipRect;
            clip = {std::trunc(clip.x), std::trunc(clip.y), std::trunc(clip.z), std::trunc(clip.w)};
        }
    }
}

}  // namespace

ImGuiState::ImGuiState() {
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;  // the program has a settings file of its own
}

ImGuiState::~ImGuiState() {
    ImGui::DestroyContext();
}

ImGuiBackend::ImGuiBackend(const ContextInfo& info) : nearest_font_filter_(info.software) {
    // The backend loads OpenGL itself: through GLX, even for a context of EGL.
    if (!ImGui_ImplOpenGL3_Init()) {
        throw compaction::Error(compaction::ErrorCode::unavailable,
                                "Drawing the interface needs libGL.so.1. Install libgl1 and start again.");
    }
}

ImGuiBackend::~ImGuiBackend() {
    ImGui_ImplOpenGL3_Shutdown();
}

void ImGuiBackend::begin_frame() {
    // Each upload below ends by clearing the pixels of the atlas. So if the atlas has pixels, it was built
    // again and needs another upload.
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    if (has_font_texture_ && atlas.IsBuilt() && !atlas.TexPixelsAlpha8 && !atlas.TexPixelsRGBA32) return;
    if (std::exchange(has_font_texture_, true)) {
        ImGui_ImplOpenGL3_DestroyFontsTexture();
        ImGui_ImplOpenGL3_CreateFontsTexture();
    } else {
        ImGui_ImplOpenGL3_NewFrame();  // The first call creates all OpenGL objects.
    }
    atlas.ClearTexData();
    if (!nearest_font_filter_) return;
    // Without filtering, software OpenGL is 25 % faster. The picture is the same: text and rectangles lie on
    // whole pixels, and with software OpenGL, lines are not drawn from the texture (see apply_detail).
    const auto texture = static_cast<GLuint>(reinterpret_cast<std::uintptr_t>(atlas.TexID));
    glTextureParameteri(texture, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTextureParameteri(texture, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

void ImGuiBackend::begin_picture_frame(PixelSize size) {
    begin_frame();
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {static_cast<float>(size.width), static_cast<float>(size.height)};
    io.DisplayFramebufferScale = {1, 1};
    io.MousePos = {-FLT_MAX, -FLT_MAX};
    io.MouseWheel = 0;
    io.DeltaTime = 1e-6F;  // Dear ImGui rejects 0.
    ImGui::NewFrame();
}

void ImGuiBackend::draw(unsigned framebuffer) {
    ImDrawData& data = *ImGui::GetDrawData();
    clip_at_pixels(data);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    ImGui_ImplOpenGL3_RenderDrawData(&data);
}

// Functions that windows and offscreen contexts share.

void Context::end_interface_frame() {
    ImGui::Render();
}

void Context::finish() {
    glFinish();
}

}  // namespace warpsieve::gl
