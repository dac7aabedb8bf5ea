#include "app/render/memory_pass.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "app/render/particle_style.hpp"
#include "embedded/shaders.hpp"

namespace warpsieve::render {
namespace {

using scene::Tint;

constexpr Tint rgb(std::uint32_t colour) {
    return {static_cast<float>(colour >> 16 & 255) / 255, static_cast<float>(colour >> 8 & 255) / 255,
            static_cast<float>(colour & 255) / 255};
}

/// Colours that the description of the scene does not need.
struct Surroundings {
    Tint base;  ///< below the cells
    Tint rim;   ///< around the base
    /// Brightness of the upper, the front and the side face of a box: at its top, then at its foot.
    std::array<float, 6> shades;
};

constexpr Surroundings dark_surroundings{
    rgb(0x11151B), rgb(0x52758A), {1.0F, 0.64F, 0.44F, 1.0F, 0.17F, 0.12F}};
constexpr Surroundings light_surroundings{
    rgb(0xF4F1EC), rgb(0x8A8071), {1.0F, 0.80F, 0.66F, 1.0F, 0.56F, 0.46F}};

void set(const gl::Program& program, GLint location, const Tint& tint) {
    glProgramUniform3f(program.name(), location, tint.red, tint.green, tint.blue);
}

/// `vector`: three components, padded to four as in std140.
void set(const gl::Program& program, GLint location, const std::array<float, 4>& vector) {
    glProgramUniform3f(program.name(), location, vector[0], vector[1], vector[2]);
}

scene::MemoryColours make_colours(Theme theme) {
    const bool dark = theme == Theme::dark;
    const Ramp ramp = make_slot_ramp(theme);
    scene::MemoryColours colours;
    static_assert(ramp_size == std::tuple_size_v<decltype(colours.slots)>);
    for (std::size_t i = 0; i < ramp_size; ++i) {
        const auto shown = [dark](float light) { return dark ? tone(light) : 1 - tone(light); };
        colours.slots[i] = {shown(ramp[i].red), shown(ramp[i].green), shown(ramp[i].blue)};
    }
    // In the order of PhaseRole.
    colours.phases = {rgb(0x56B4E9), rgb(0xE69F00), rgb(0x009E73), rgb(0xCC79A7)};
    colours.ground = dark ? rgb(0x0B0D11) : rgb(0xFFFFFF);
    colours.hole = dark ? rgb(0x1A1F27) : rgb(0xE9E6E0);
    colours.future = dark ? rgb(0x2B333E) : rgb(0xD3CEC5);
    colours.flash = dark ? rgb(0xFFFFFF) : rgb(0x000000);
    return colours;
}

}  // namespace

const scene::MemoryColours& memory_colours(Theme theme) {
    static const scene::MemoryColours dark = make_colours(Theme::dark);
    static const scene::MemoryColours light = make_colours(Theme::light);
    return theme == Theme::dark ? dark : light;
}

void MemoryPass::Upload::bind(const void* data, std::size_t bytes) {
    // A new block of memory each time, so that earlier draws need not be waited for.
    capacity_ = std::max({capacity_, bytes, std::size_t{4096}});
    glNamedBufferData(buffer_.name(), static_cast<GLsizeiptr>(capacity_), nullptr, GL_STREAM_DRAW);
    glNamedBufferSubData(buffer_.name(), 0, static_cast<GLsizeiptr>(bytes), data);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer_.name());
}

MemoryPass::MemoryPass(bool smooth)
    : smooth_(smooth),
      sheets_("memory_sheets", {shaders::memory_sheets_vert()}, {shaders::memory_sheets_frag()}),
      boxes_("memory_boxes", {shaders::memory_boxes_vert()}, {shaders::memory_boxes_frag()}),
      ribbons_("memory_ribbons", {shaders::memory_ribbons_vert()}, {shaders::memory_ribbons_frag()}),
      arcs_("memory_arcs", {shaders::memory_arcs_vert()}, {shaders::memory_arcs_frag()}),
      picture_over_target_("memory_over", {shaders::fullscreen_vert()}, {shaders::memory_over_frag()}) {
    glVertexArrayElementBuffer(box_vertices_.name(), box_corners_.name());
}

void MemoryPass::resize(gl::PixelSize size) {
    if (surface_ && size_ == size) return;
    constexpr GLsizei samples = 4;
    size_ = size;
    drawn_.reset();
    surface_.emplace();
    const GLuint framebuffer = surface_->framebuffer.name();
    glTextureStorage2D(surface_->picture.name(), 1, GL_RGBA8, size.width, size.height);
    glNamedFramebufferTexture(surface_->picture_framebuffer.name(), GL_COLOR_ATTACHMENT0,
                              surface_->picture.name(), 0);
    if (smooth_) {
        glNamedRenderbufferStorageMultisample(surface_->samples.name(), samples, GL_RGBA8, size.width,
                                              size.height);
        glNamedFramebufferRenderbuffer(framebuffer, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                                       surface_->samples.name());
    } else {
        glNamedFramebufferTexture(framebuffer, GL_COLOR_ATTACHMENT0, surface_->picture.name(), 0);
    }
    glNamedRenderbufferStorageMultisample(surface_->depths.name(), smooth_ ? samples : 0,
                                          GL_DEPTH_COMPONENT24, size.width, size.height);
    glNamedFramebufferRenderbuffer(framebuffer, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER,
                                   surface_->depths.name());
}

MemoryPass::Area MemoryPass::area_of_words(const scene::MemoryScene& memory,
                                           const scene::Matrix& view_projection, const Target& target) {
    const Area whole{target.columns_begin, 0, target.columns_end, target.size.height};
    if (memory.boxes.empty()) return {};
    std::array low = memory.boxes.front().foot, high = low;
    for (const scene::Box& box : memory.boxes) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            // A box stands on its foot; the lower bound of y is generous.
            const float extent = axis == 1 ? box.size[axis] : box.size[axis] / 2;
            low[axis] = std::min(low[axis], box.foot[axis] - extent);
            high[axis] = std::max(high[axis], box.foot[axis] + extent);
        }
    }
    // Ribbons lead to the near edge of the output.
    low[2] = std::min(low[2], memory.output.near_left().z);
    Area area{target.size.width, target.size.height, 0, 0};
    for (unsigned corner = 0; corner < 8; ++corner) {
        const auto clip = [&](std::size_t row) {
            float sum = view_projection[12 + row];
            for (std::size_t axis = 0; axis < 3; ++axis)
                sum += view_projection[4 * axis + row] * (corner >> axis & 1U ? high : low)[axis];
            return sum;
        };
        const float w = clip(3);
        if (w <= 0) return whole;
        const float x = 0.5F * (1 + clip(0) / w) * static_cast<float>(target.size.width);
        const float y = 0.5F * (1 + clip(1) / w) * static_cast<float>(target.size.height);
        constexpr int margin = 2;
        // The bounds keep the conversion to int defined.
        const auto pixel = [](float at) { return static_cast<int>(std::clamp(at, -1e6F, 1e6F)); };
        area = {std::min(area.left, pixel(x) - margin), std::min(area.bottom, pixel(y) - margin),
                std::max(area.right, pixel(x) + margin), std::max(area.top, pixel(y) + margin)};
    }
    return {std::max(area.left, whole.left), std::max(area.bottom, 0), std::min(area.right, whole.right),
            std::min(area.top, whole.top)};
}

void MemoryPass::set_uniforms(const scene::Matrix& view_projection, const scene::Vector& eye, Theme theme) {
    // Locations of uniforms are the numbers in the shaders.
    const Surroundings& surroundings = theme == Theme::dark ? dark_surroundings : light_surroundings;
    const Tint& ground = memory_colours(theme).ground;
    for (const gl::Program* program : {&sheets_, &boxes_, &ribbons_, &arcs_})
        glProgramUniformMatrix4fv(program->name(), 0, 1, GL_FALSE, view_projection.data());
    glProgramUniform3f(boxes_.name(), 1, eye.x, eye.y, eye.z);
    glProgramUniform3fv(boxes_.name(), 2, 2, surroundings.shades.data());
    set(boxes_, 4, ground);
    // The colours of phases are too light for paper without a dark outline.
    glProgramUniform1i(boxes_.name(), 5, theme == Theme::light);
    set(sheets_, 10, surroundings.base);
    set(sheets_, 11, surroundings.rim);
    set(sheets_, 12, ground);
    glProgramUniform2f(arcs_.name(), 1, 0.5F * static_cast<float>(size_.width),
                       0.5F * static_cast<float>(size_.height));
    // The width of arcs grows with the picture; in small pictures, it is constant in pixels.
    constexpr float usual_height = 500;
    glProgramUniform1f(arcs_.name(), 2, std::max(1.0F, static_cast<float>(size_.height) / usual_height));
}

void MemoryPass::draw(const scene::MemoryScene& memory, const scene::Camera& camera, Theme theme,
                      const Target& target) {
    const float aspect = static_cast<float>(target.size.width) / static_cast<float>(target.size.height);
    const scene::Matrix view_projection = camera.view_projection(aspect);
    const Area area = memory.at_rest ? area_of_words(memory, view_projection, target)
                                     : Area{target.columns_begin, 0, target.columns_end, target.size.height};
    if (area.empty()) return;
    resize(target.size);
    // At rest, the picture often stays the same and need not be drawn again.
    const Subject subject{memory.revision, view_projection, theme, target.columns_begin, target.columns_end};
    const bool may_have_changed = memory.revision == 0 || drawn_ != subject;
    if (may_have_changed) render(memory, camera.position(), subject, area);
    drawn_ = subject;
    lay_over(target, area, memory.at_rest);
    glDisable(GL_BLEND);
    glDisable(GL_SCISSOR_TEST);
}

void MemoryPass::render(const scene::MemoryScene& memory, const scene::Vector& eye, const Subject& subject,
                        const Area& area) {
    const Theme theme = subject.theme;
    set_uniforms(subject.view_projection, eye, theme);
    glBindFramebuffer(GL_FRAMEBUFFER, surface_->framebuffer.name());
    glViewport(0, 0, size_.width, size_.height);
    glEnable(GL_SCISSOR_TEST);
    glScissor(area.left, area.bottom, area.right - area.left, area.top - area.bottom);
    const Tint& ground = memory_colours(theme).ground;
    const std::array<float, 4> background = memory.at_rest
                                                ? std::array{0.0F, 0.0F, 0.0F, 0.0F}
                                                : std::array{ground.red, ground.green, ground.blue, 1.0F};
    constexpr float farthest = 1;
    glDepthMask(GL_TRUE);
    glClearNamedFramebufferfv(surface_->framebuffer.name(), GL_COLOR, 0, background.data());
    glClearNamedFramebufferfv(surface_->framebuffer.name(), GL_DEPTH, 0, &farthest);
    draw_shapes(memory, theme);
    if (smooth_) {
        glDisable(GL_SCISSOR_TEST);
        glBlitNamedFramebuffer(surface_->framebuffer.name(), surface_->picture_framebuffer.name(), area.left,
                               area.bottom, area.right, area.top, area.left, area.bottom, area.right,
                               area.top, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    }
}

void MemoryPass::draw_shapes(const scene::MemoryScene& memory, Theme theme) {
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glDisable(GL_CULL_FACE);
    glDisable(GL_BLEND);
    if (!memory.at_rest) draw_sheets(memory);
    draw_boxes(memory.boxes);
    glDepthMask(GL_FALSE);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    draw_ribbons(memory.ribbons);
    draw_boxes(memory.ghosts);
    // Arcs are light, or ink on paper.
    if (theme == Theme::dark) glBlendFuncSeparate(GL_ONE, GL_ONE_MINUS_SRC_COLOR, GL_ZERO, GL_ONE);
    draw_arcs(memory.arcs);
    glDepthMask(GL_TRUE);
    glDisable(GL_DEPTH_TEST);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, 0);
    glBindVertexArray(0);
    glUseProgram(0);
}

void MemoryPass::lay_over(const Target& target, const Area& area, bool at_rest) {
    const int left = target.left + area.left, bottom = target.bottom + area.bottom;
    const int width = area.right - area.left, height = area.top - area.bottom;
    glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
    if (!at_rest) {
        glDisable(GL_SCISSOR_TEST);
        glBlitNamedFramebuffer(surface_->picture_framebuffer.name(), target.framebuffer, area.left,
                               area.bottom, area.right, area.top, left, bottom, left + width, bottom + height,
                               GL_COLOR_BUFFER_BIT, GL_NEAREST);
        return;
    }
    glEnable(GL_SCISSOR_TEST);
    glViewport(target.left, target.bottom, target.size.width, target.size.height);
    glScissor(left, bottom, width, height);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    // Particles and arcs shine through the words.
    constexpr float strength = 0.7F;
    glProgramUniform2i(picture_over_target_.name(), 0, target.left, target.bottom);
    glProgramUniform1f(picture_over_target_.name(), 1, strength);
    glBindTextureUnit(0, surface_->picture.name());
    picture_over_target_.use();
    glBindVertexArray(no_vertices_.name());
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
    glUseProgram(0);
}

void MemoryPass::draw_sheets(const scene::MemoryScene& memory) {
    const std::array<const scene::CellField*, 2> fields{&memory.input, &memory.output};
    // Each uniform is an array of two: for the input and, one location further, for the output.
    for (GLint i = 0; i < 2; ++i) {
        const scene::CellField& field = *fields[static_cast<std::size_t>(i)];
        set(sheets_, 1 + i, field.corner);
        set(sheets_, 3 + i, field.across);
        set(sheets_, 5 + i, field.along);
        glProgramUniform2i(sheets_.name(), 7 + i, static_cast<GLint>(field.columns),
                           static_cast<GLint>(field.rows));
    }
    glProgramUniform2i(sheets_.name(), 9, static_cast<GLint>(memory.input_cells.size()),
                       static_cast<GLint>(memory.output_cells.size()));
    cells_.assign(memory.input_cells.begin(), memory.input_cells.end());
    cells_.insert(cells_.end(), memory.output_cells.begin(), memory.output_cells.end());
    cells_upload_.bind(cells_.data(), cells_.size() * sizeof(scene::SheetCell));
    sheets_.use();
    glBindVertexArray(no_vertices_.name());
    constexpr GLsizei vertices = 2 * 6;  // a quad for each sheet
    glDrawArrays(GL_TRIANGLES, 0, vertices);
}

void MemoryPass::draw_boxes(const std::vector<scene::Box>& boxes) {
    if (boxes.empty()) return;
    // The shader knows the face of a triangle by its last corner.
    constexpr std::array<GLuint, 18> corners{1, 2, 0, 2, 3, 0, 3, 2, 5, 2, 4, 5, 1, 2, 6, 2, 4, 6};
    constexpr GLuint corners_of_box = 7;
    if (num_indexed_boxes_ < boxes.size()) {
        num_indexed_boxes_ = std::max<std::size_t>(1024, 2 * boxes.size());
        std::vector<GLuint> indices;
        indices.reserve(num_indexed_boxes_ * corners.size());
        for (GLuint box = 0; box < num_indexed_boxes_; ++box)
            for (const GLuint corner : corners) indices.push_back(box * corners_of_box + corner);
        glNamedBufferData(box_corners_.name(), static_cast<GLsizeiptr>(indices.size() * sizeof(GLuint)),
                          indices.data(), GL_STATIC_DRAW);
    }
    boxes_upload_.bind(boxes.data(), boxes.size() * sizeof(scene::Box));
    boxes_.use();
    glBindVertexArray(box_vertices_.name());
    glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(boxes.size() * corners.size()), GL_UNSIGNED_INT,
                   nullptr);
}

void MemoryPass::draw_ribbons(const std::vector<scene::Ribbon>& ribbons) {
    if (ribbons.empty()) return;
    constexpr std::size_t vertices = 6 * 12;  // twelve quads
    ribbons_upload_.bind(ribbons.data(), ribbons.size() * sizeof(scene::Ribbon));
    ribbons_.use();
    glBindVertexArray(no_vertices_.name());
    glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(ribbons.size() * vertices));
}

void MemoryPass::draw_arcs(const std::vector<scene::Arc>& arcs) {
    if (arcs.empty()) return;
    constexpr std::size_t vertices = 6 * 11;  // ten quads and one for the head
    arcs_upload_.bind(arcs.data(), arcs.size() * sizeof(scene::Arc));
    arcs_.use();
    glBindVertexArray(no_vertices_.name());
    glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(arcs.size() * vertices));
}

}  // namespace warpsieve::render
