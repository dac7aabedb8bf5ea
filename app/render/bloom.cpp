#include "app/render/bloom.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "app/render/splat_kernels.hpp"
#include "embedded/shaders.hpp"

namespace warpsieve::render {
namespace {

constexpr GLuint group_side = 8;  // threads
// Uniforms of bloom_blur.comp.
constexpr GLint direction_location = 0;
constexpr GLint gain_location = 1;
constexpr std::size_t channels = splat_kernels::channels;

int cells_for(int pixels) {
    return (pixels + bloom::cell - 1) / bloom::cell;
}

/// Weights of the blur for offsets 0, 1, 2, ... Those of all offsets to both sides add up to `total`.
std::array<float, bloom::radius + 1> make_weights(float total) {
    std::array<float, bloom::radius + 1> weights{};
    float sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        weights[i] = std::exp(-static_cast<float>(i * i) / (2 * bloom::deviation * bloom::deviation));
        sum += i == 0 ? weights[i] : 2 * weights[i];
    }
    for (float& weight : weights) weight *= total / sum;
    return weights;
}

}  // namespace

BloomPass::BloomPass()
    : down_("bloom_down", {shaders::bloom_down_comp()}), blur_("bloom_blur", {shaders::bloom_blur_comp()}) {
    glTextureStorage2D(black_.name(), 1, GL_RGBA16F, 1, 1);
    constexpr std::array black{0.0F, 0.0F, 0.0F, 0.0F};
    glClearTexImage(black_.name(), 0, GL_RGBA, GL_FLOAT, black.data());
}

GLuint BloomPass::black() {
    return black_.name();
}

void BloomPass::resize(gl::PixelSize cells) {
    if (cells_ && size_ == cells) return;
    size_ = cells;
    cells_.emplace();
    for (const gl::Texture2D& texture : *cells_) {
        glTextureStorage2D(texture.name(), 1, GL_RGBA16F, cells.width, cells.height);
        glTextureParameteri(texture.name(), GL_TEXTURE_MIN_FILTER, GL_LINEAR);
        glTextureParameteri(texture.name(), GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        glTextureParameteri(texture.name(), GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    }
}

GLuint BloomPass::draw(GLuint light, gl::PixelSize size) {
    resize({cells_for(size.width), cells_for(size.height)});
    const auto dispatch = [&](GLuint from, const gl::Texture2D& to) {
        glBindTextureUnit(0, from);
        glBindImageTexture(0, to.name(), 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA16F);
        glDispatchCompute((static_cast<GLuint>(size_.width) + group_side - 1) / group_side,
                          (static_cast<GLuint>(size_.height) + group_side - 1) / group_side, 1);
        // Completes the cells before the next step reads them, and their reads before they are overwritten.
        glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    };
    const auto& [cells, blurred_rows] = *cells_;
    down_.use();
    dispatch(light, cells);
    blur_.use();
    glProgramUniform2i(blur_.name(), direction_location, 1, 0);
    glProgramUniform1f(blur_.name(), gain_location, 1);
    dispatch(cells.name(), blurred_rows);
    glProgramUniform2i(blur_.name(), direction_location, 0, 1);
    glProgramUniform1f(blur_.name(), gain_location, bloom::gain);
    dispatch(blurred_rows.name(), cells);
    glUseProgram(0);
    return cells.name();
}

bool HostBloom::compute(const float* light, gl::PixelSize size, const splat_kernels::Bounds& lit) {
    width_ = cells_for(size.width);
    height_ = cells_for(size.height);
    cells_.assign(stride() * (static_cast<std::size_t>(height_) + 2), 0.0F);
    if (!fill(light, size.width, lit)) return false;
    blur();
    return true;
}

bool HostBloom::fill(const float* light, int picture_width, const splat_kernels::Bounds& lit) {
    std::array<float, channels> brightest{};
    const auto add_row = [&](int y) {
        float* cells = cells_.data() + (static_cast<std::size_t>(y / bloom::cell) + 1) * stride() + channels;
        const float* row =
            light + static_cast<std::size_t>(y) * static_cast<std::size_t>(picture_width) * channels;
        for (int x = lit.left; x <= lit.right; ++x) {
            float* cell = cells + static_cast<std::size_t>(x / bloom::cell) * channels;
            const float* pixel = row + static_cast<std::size_t>(x) * channels;
            for (std::size_t c = 0; c < channels; ++c) cell[c] += pixel[c];
        }
    };
    tbb::parallel_for(lit.bottom / bloom::cell, lit.top / bloom::cell + 1, [&](int cell_row) {
        for (int y = std::max(cell_row * bloom::cell, lit.bottom);
             y <= std::min(cell_row * bloom::cell + bloom::cell - 1, lit.top); ++y)
            add_row(y);
    });
    constexpr float per_pixel = 1.0F / (bloom::cell * bloom::cell);
    for (std::size_t i = 0; i < cells_.size(); ++i) {
        cells_[i] = std::clamp(cells_[i] * per_pixel - bloom::threshold, 0.0F, bloom::max_light);
        brightest[i % channels] = std::max(brightest[i % channels], cells_[i]);
    }
    return std::max({brightest[0], brightest[1], brightest[2]}) > 0;
}

void HostBloom::blur() {
    static const auto along_rows = make_weights(1);
    static const auto along_columns = make_weights(bloom::gain);
    const std::size_t inner = static_cast<std::size_t>(width_) * channels;
    const auto row_of = [&](std::vector<float>& cells, int y) {
        return cells.data() + (static_cast<std::size_t>(y) + 1) * stride() + channels;
    };
    // Wide margins, so that the rows need no bounds check.
    constexpr std::size_t margin = bloom::radius * channels;
    std::vector<float> padded(inner + 2 * margin);
    blurred_rows_.assign(cells_.size(), 0.0F);
    for (int y = 0; y < height_; ++y) {
        std::copy_n(row_of(cells_, y), inner, padded.begin() + margin);
        float* out = row_of(blurred_rows_, y);
        splat_kernels::add_scaled(padded.data() + margin, along_rows[0], inner, out);
        for (std::size_t i = 1; i < along_rows.size(); ++i) {
            splat_kernels::add_scaled(padded.data() + margin - i * channels, along_rows[i], inner, out);
            splat_kernels::add_scaled(padded.data() + margin + i * channels, along_rows[i], inner, out);
        }
    }
    std::ranges::fill(cells_, 0.0F);
    for (int y = 0; y < height_; ++y) {
        float* out = row_of(cells_, y);
        for (int i = -bloom::radius; i <= bloom::radius; ++i) {
            if (y + i < 0 || y + i >= height_) continue;
            splat_kernels::add_scaled(row_of(blurred_rows_, y + i),
                                      along_columns[static_cast<std::size_t>(std::abs(i))], inner, out);
        }
        std::copy_n(out, channels, out - channels);
        std::copy_n(out + inner - channels, channels, out + inner);
    }
    const auto padded_row = [&](int y) { return row_of(cells_, y) - channels; };
    std::copy_n(padded_row(0), stride(), padded_row(-1));
    std::copy_n(padded_row(height_ - 1), stride(), padded_row(height_));
}

void HostBloom::add_to(int left, int y, std::size_t pixels, std::vector<float>& scratch, float* row) const {
    constexpr int half = bloom::cell / 2;
    const auto lower = static_cast<std::size_t>((y + half) / bloom::cell);
    const float upwards = (static_cast<float>((y + half) % bloom::cell) + 0.5F) / bloom::cell;
    scratch.assign(stride(), 0.0F);
    splat_kernels::add_scaled(cells_.data() + lower * stride(), 1 - upwards, stride(), scratch.data());
    splat_kernels::add_scaled(cells_.data() + (lower + 1) * stride(), upwards, stride(), scratch.data());
    splat_kernels::add_enlarged(scratch.data(), static_cast<std::size_t>(left + half), pixels, row);
}

}  // namespace warpsieve::render
