#include "app/gl/imgui_renderer.hpp"

#include <imgui.h>

#include <algorithm>
#include <cfloat>
#include <cstdint>
#include <cstring>

#include "embedded/interface_shaders.hpp"

namespace warpsieve::gl {
namespace {

constexpr GLenum index_type = sizeof(ImDrawIdx) == 2 ? GL_UNSIGNED_SHORT : GL_UNSIGNED_INT;

void set_attribute(GLuint array, GLuint index, GLint count, GLenum type, bool normalised,
                   std::size_t offset) {
    glEnableVertexArrayAttrib(array, index);
    glVertexArrayAttribFormat(array, index, count, type, normalised ? GL_TRUE : GL_FALSE,
                              static_cast<GLuint>(offset));
    glVertexArrayAttribBinding(array, index, 0);
}

template <typename T>
std::byte* append(std::byte* to, const ImVector<T>& from) {
    const std::size_t size_bytes = static_cast<std::size_t>(from.Size) * sizeof(T);
    if (size_bytes > 0) std::memcpy(to, from.Data, size_bytes);
    return to + size_bytes;
}

}  // namespace

ImGuiRenderer::ImGuiRenderer(const ContextInfo& info)
    : unfiltered_(info.software),
      program_("interface", {interface_shaders::version_glsl(), interface_shaders::interface_vert()},
               {interface_shaders::version_glsl(), interface_shaders::interface_frag()}) {
    ImGuiIO& io = ImGui::GetIO();
    io.BackendRendererName = "warpsieve";
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    const GLuint array = vertices_.name();
    set_attribute(array, 0, 2, GL_FLOAT, false, offsetof(ImDrawVert, pos));
    set_attribute(array, 1, 2, GL_FLOAT, false, offsetof(ImDrawVert, uv));
    set_attribute(array, 2, 4, GL_UNSIGNED_BYTE, true, offsetof(ImDrawVert, col));
    glVertexArrayVertexBuffer(array, 0, buffer_.name(), 0, sizeof(ImDrawVert));
    glVertexArrayElementBuffer(array, buffer_.name());
}

void ImGuiRenderer::begin_frame() {
    // Pixels are released after each upload: pixels in the atlas are not in the texture yet.
    const ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    if (!fonts_ || !atlas.IsBuilt() || atlas.TexPixelsAlpha8 || atlas.TexPixelsRGBA32) upload_fonts();
}

void ImGuiRenderer::upload_fonts() {
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    atlas.GetTexDataAsRGBA32(&pixels, &width, &height);
    const GLuint name = fonts_.emplace().name();
    glTextureStorage2D(name, 1, GL_RGBA8, width, height);
    glTextureSubImage2D(name, 0, 0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    // Without a filter, software OpenGL is 25 % faster. The picture is the same: text and rectangles lie on
    // whole pixels, and lines there are not smoothed by the texture.
    const GLint filter = unfiltered_ ? GL_NEAREST : GL_LINEAR;
    glTextureParameteri(name, GL_TEXTURE_MIN_FILTER, filter);
    glTextureParameteri(name, GL_TEXTURE_MAG_FILTER, filter);
    atlas.SetTexID(reinterpret_cast<ImTextureID>(static_cast<std::uintptr_t>(name)));
    atlas.ClearTexData();
    // They name the texture before.
    commands_.clear();
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

void ImGuiRenderer::keep() {
    commands_.clear();
    const ImDrawData* const frame = ImGui::GetDrawData();
    if (!frame || frame->DisplaySize.x <= 0 || frame->DisplaySize.y <= 0) return;
    const float width = frame->DisplaySize.x, height = frame->DisplaySize.y;
    size_ = {static_cast<int>(width * frame->FramebufferScale.x),
             static_cast<int>(height * frame->FramebufferScale.y)};
    to_clip_ = {2 / width, -2 / height, -1 - 2 * frame->DisplayPos.x / width,
                1 + 2 * frame->DisplayPos.y / height};
    const std::size_t vertex_bytes = static_cast<std::size_t>(frame->TotalVtxCount) * sizeof(ImDrawVert);
    data_.resize(vertex_bytes + static_cast<std::size_t>(frame->TotalIdxCount) * sizeof(ImDrawIdx));
    std::byte* vertex = data_.data();
    std::byte* index = vertex + vertex_bytes;
    for (int i = 0; i < frame->CmdListsCount; ++i) {
        const ImDrawList& list = *frame->CmdLists[i];
        keep_commands(*frame, list, static_cast<GLint>((vertex - data_.data()) / sizeof(ImDrawVert)),
                      static_cast<std::size_t>(index - data_.data()));
        vertex = append(vertex, list.VtxBuffer);
        index = append(index, list.IdxBuffer);
    }
}

void ImGuiRenderer::keep_commands(const ImDrawData& frame, const ImDrawList& list, GLint first_vertex,
                                  std::size_t index_offset) {
    const ImVec2 scale = frame.FramebufferScale;
    for (const ImDrawCmd& command : list.CmdBuffer) {
        const ImVec4& clip = command.ClipRect;
        const int left = std::max(static_cast<int>((clip.x - frame.DisplayPos.x) * scale.x), 0);
        const int top = std::max(static_cast<int>((clip.y - frame.DisplayPos.y) * scale.y), 0);
        const int right = std::min(static_cast<int>((clip.z - frame.DisplayPos.x) * scale.x), size_.width);
        const int bottom = std::min(static_cast<int>((clip.w - frame.DisplayPos.y) * scale.y), size_.height);
        if (command.ElemCount == 0 || right <= left || bottom <= top) continue;
        commands_.push_back(
            {.left = left,
             .bottom = size_.height - bottom,
             .width = right - left,
             .height = bottom - top,
             .texture = static_cast<GLuint>(reinterpret_cast<std::uintptr_t>(command.GetTexID())),
             .indices = static_cast<GLsizei>(command.ElemCount),
             .index_offset = index_offset + command.IdxOffset * sizeof(ImDrawIdx),
             .first_vertex = first_vertex + static_cast<GLint>(command.VtxOffset)});
    }
}

bool ImGuiRenderer::draw_kept(unsigned framebuffer) {
    if (commands_.empty()) return false;
    glNamedBufferData(buffer_.name(), static_cast<GLsizeiptr>(data_.size()), data_.data(), GL_STREAM_DRAW);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, size_.width, size_.height);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glEnable(GL_SCISSOR_TEST);
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    program_.use();
    glUniform4fv(0, 1, to_clip_.data());
    glBindVertexArray(vertices_.name());
    GLuint bound = 0;
    for (const Command& command : commands_) {
        if (command.texture != bound) glBindTextureUnit(0, command.texture);
        bound = command.texture;
        glScissor(command.left, command.bottom, command.width, command.height);
        glDrawElementsBaseVertex(GL_TRIANGLES, command.indices, index_type,
                                 reinterpret_cast<const void*>(command.index_offset), command.first_vertex);
    }
    glBindVertexArray(0);
    glDisable(GL_BLEND);
    glDisable(GL_SCISSOR_TEST);
    return true;
}

}  // namespace warpsieve::gl
