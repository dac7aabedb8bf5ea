#include "app/render/splat_kernels.hpp"

#include <algorithm>
#include <cmath>

// Highway compiles this file once per instruction set, each time with another HWY_NAMESPACE. Loops are plain
// where the compiler vectorises them, and use Highway's vectors elsewhere.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "app/render/splat_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace warpsieve::render::splat_kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Splits the light of particles between four pixels, bilinearly. `to_right`, `to_top`: 0 to 1.
template <typename D>
void store_weights(D, hn::Vec<D> light, hn::Vec<D> to_right, hn::Vec<D> to_top, Batch& batch, std::size_t i) {
    const hn::RebindToSigned<D> whole;
    const auto above = hn::Mul(light, to_top);
    const auto below = hn::Sub(light, above);
    const auto store = [&](std::size_t pixel, auto weight) {
        hn::Store(hn::ConvertTo(whole, weight), whole, &batch.weight[pixel][i]);
    };
    store(0, hn::NegMulAdd(below, to_right, below));
    store(1, hn::Mul(below, to_right));
    store(2, hn::NegMulAdd(above, to_right, above));
    store(3, hn::Mul(above, to_right));
}

void project(const Projection& projection, std::size_t count, Batch& batch, Bounds& bounds) {
    const hn::ScalableTag<float> d;
    const hn::RebindToSigned<decltype(d)> whole;
    const scene::Matrix& m = projection.view_projection;
    const auto half_width = hn::Set(d, 0.5F * projection.width);
    const auto half_height = hn::Set(d, 0.5F * projection.height);
    // From the picture to the accumulators, whose border is one pixel. With four lit pixels, half a pixel
    // less: that leads to the lower left one, whose centre is to the left and below.
    const auto offset = hn::Set(d, projection.spread_over_four ? 0.5F : 1.0F);
    const auto spread = hn::Set(d, projection.spread_over_four ? 1.0F : 0.0F);
    const auto left_edge = hn::Add(hn::Set(d, projection.left), offset);
    const auto right_edge = hn::Add(hn::Set(d, projection.right), offset);
    const auto top_edge = hn::Add(hn::Set(d, projection.height), offset);
    const auto nearest = hn::Set(d, 0.1F);
    const auto far_off = hn::Set(d, 1e9F);
    auto left = far_off, right = hn::Zero(d), bottom = far_off, top = hn::Zero(d);

    for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
        const auto x = hn::Load(d, &batch.x[i]), y = hn::Load(d, &batch.y[i]), z = hn::Load(d, &batch.z[i]);
        const auto clip = [&](std::size_t row) {
            const auto moved = hn::MulAdd(hn::Set(d, m[8 + row]), z, hn::Set(d, m[12 + row]));
            return hn::MulAdd(hn::Set(d, m[row]), x, hn::MulAdd(hn::Set(d, m[4 + row]), y, moved));
        };
        const auto w = clip(3);
        const auto inverse = hn::Div(hn::Set(d, 1.0F), hn::Max(w, nearest));
        const auto across = hn::MulAdd(half_width, hn::Mul(inverse, clip(0)), hn::Add(half_width, offset));
        const auto up = hn::MulAdd(half_height, hn::Mul(inverse, clip(1)), hn::Add(half_height, offset));

        auto visible = hn::And(hn::FirstN(d, count - i), hn::Gt(w, nearest));
        visible = hn::And(visible, hn::And(hn::Ge(across, left_edge), hn::Lt(across, right_edge)));
        visible = hn::And(visible, hn::And(hn::Ge(up, offset), hn::Lt(up, top_edge)));
        left = hn::Min(left, hn::IfThenElse(visible, across, far_off));
        bottom = hn::Min(bottom, hn::IfThenElse(visible, up, far_off));
        right = hn::Max(right, hn::IfThenElseZero(visible, across));
        top = hn::Max(top, hn::IfThenElseZero(visible, up));

        // Invisible particles add zero to a border pixel.
        const auto column = hn::ConvertTo(whole, hn::IfThenElseZero(visible, across));
        const auto row = hn::ConvertTo(whole, hn::IfThenElseZero(visible, up));
        const auto stride = hn::Set(whole, static_cast<std::int32_t>(projection.stride));
        hn::Store(hn::Add(hn::Mul(row, stride), column), whole, &batch.pixel[i]);
        const auto age = hn::Clamp(hn::Load(d, &batch.age[i]), hn::Zero(d), hn::Set(d, max_age));
        const auto entry = hn::MulAdd(age, hn::Set(d, table_size - 1.0F), hn::Set(d, 0.5F));
        hn::Store(hn::ConvertTo(whole, hn::IfThenElseZero(visible, entry)), whole, &batch.colour[i]);

        // The cube instead of the square, so that distant particles fade.
        const auto nearness = hn::Mul(hn::Set(d, projection.reference_distance), inverse);
        const auto cubed = hn::Mul(nearness, hn::Mul(nearness, nearness));
        const auto brightness = hn::Min(cubed, hn::Set(d, max_brightness));
        const auto weight_per_brightness =
            hn::Mul(hn::Load(d, &batch.light[i]), hn::Set(d, 65535.0F / max_brightness));
        const auto light = hn::IfThenElseZero(visible, hn::Mul(brightness, weight_per_brightness));
        const auto to_right = hn::Mul(spread, hn::Sub(across, hn::ConvertTo(d, column)));
        const auto to_top = hn::Mul(spread, hn::Sub(up, hn::ConvertTo(d, row)));
        store_weights(d, light, to_right, to_top, batch, i);
    }
    const auto min_of = [&](auto v) { return static_cast<std::int32_t>(hn::GetLane(hn::MinOfLanes(d, v))); };
    const auto max_of = [&](auto v) { return static_cast<std::int32_t>(hn::GetLane(hn::MaxOfLanes(d, v))); };
    if (hn::GetLane(hn::MaxOfLanes(d, right)) == 0.0F) return;  // none is visible
    bounds = {std::min(bounds.left, min_of(left)), std::max(bounds.right, max_of(right)),
              std::min(bounds.bottom, min_of(bottom)), std::max(bounds.top, max_of(top))};
}

void deposit(const Projection& projection, const ColourTable& table, std::size_t count, const Batch& batch,
             std::uint16_t* accumulators) {
    // One vector per pixel; without vectors the inner loop runs over its channels.
    const hn::CappedTag<std::uint16_t, channels> pixel;
    const std::size_t next_row = projection.stride * channels;
    const auto add = [&](std::uint16_t* to, const std::uint16_t* colour, std::int32_t weight) {
        const auto fraction = hn::Set(pixel, static_cast<std::uint16_t>(weight));
        for (std::size_t channel = 0; channel < channels; channel += hn::Lanes(pixel)) {
            const auto light = hn::MulHigh(hn::LoadU(pixel, colour + channel), fraction);
            const auto sum = hn::SaturatedAdd(hn::LoadU(pixel, to + channel), light);
            hn::StoreU(sum, pixel, to + channel);
        }
    };
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint16_t* colour = table.data() + static_cast<std::size_t>(batch.colour[i]) * channels;
        std::uint16_t* to = accumulators + static_cast<std::size_t>(batch.pixel[i]) * channels;
        add(to, colour, batch.weight[0][i]);
        if (!projection.spread_over_four) continue;
        add(to + channels, colour, batch.weight[1][i]);
        add(to + next_row, colour, batch.weight[2][i]);
        add(to + next_row + channels, colour, batch.weight[3][i]);
    }
}

void add(const std::uint16_t* HWY_RESTRICT in, std::size_t count, float* HWY_RESTRICT sum) {
    for (std::size_t i = 0; i < count; ++i) sum[i] = std::min(sum[i] + static_cast<float>(in[i]), max_sum);
}

void add_scaled(const float* HWY_RESTRICT in, float scale, std::size_t count, float* HWY_RESTRICT sum) {
    for (std::size_t i = 0; i < count; ++i) sum[i] += in[i] * scale;
}

void add_enlarged(const float* HWY_RESTRICT cells, std::size_t first_pixel, std::size_t pixels,
                  float* HWY_RESTRICT light) {
    for (std::size_t i = 0; i < pixels; ++i) {
        const std::size_t x = first_pixel + i;
        const float t = (static_cast<float>(x % enlargement) + 0.5F) / enlargement;
        const float* cell = cells + x / enlargement * channels;
        for (std::size_t c = 0; c < channels; ++c)
            light[i * channels + c] += cell[c] * (1 - t) + cell[channels + c] * t;
    }
}

void tone_map(const float* HWY_RESTRICT light, std::size_t count, std::uint8_t* HWY_RESTRICT bytes) {
    for (std::size_t i = 0; i < count; ++i) {
        const float x = light[i];
        const float filmic = x * (2.51F * x + 0.03F) / (x * (2.43F * x + 0.59F) + 0.14F);
        bytes[i] = static_cast<std::uint8_t>(
            static_cast<std::int32_t>(std::sqrt(std::min(filmic, 1.0F)) * 255.0F + 0.5F));
    }
}

}  // namespace warpsieve::render::splat_kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpsieve::render::splat_kernels {

HWY_EXPORT(project);
HWY_EXPORT(deposit);
HWY_EXPORT(add);
HWY_EXPORT(add_scaled);
HWY_EXPORT(add_enlarged);
HWY_EXPORT(tone_map);

void project(const Projection& projection, std::size_t count, Batch& batch, Bounds& bounds) {
    HWY_DYNAMIC_DISPATCH(project)(projection, count, batch, bounds);
}

void deposit(const Projection& projection, const ColourTable& table, std::size_t count, const Batch& batch,
             std::uint16_t* accumulators) {
    HWY_DYNAMIC_DISPATCH(deposit)(projection, table, count, batch, accumulators);
}

void add(const std::uint16_t* in, std::size_t count, float* sum) {
    HWY_DYNAMIC_DISPATCH(add)(in, count, sum);
}

void add_scaled(const float* in, float scale, std::size_t count, float* sum) {
    HWY_DYNAMIC_DISPATCH(add_scaled)(in, scale, count, sum);
}

void add_enlarged(const float* cells, std::size_t first_pixel, std::size_t pixels, float* light) {
    HWY_DYNAMIC_DISPATCH(add_enlarged)(cells, first_pixel, pixels, light);
}

void tone_map(const float* light, std::size_t count, std::uint8_t* bytes) {
    HWY_DYNAMIC_DISPATCH(tone_map)(light, count, bytes);
}

}  // namespace warpsieve::render::splat_kernels
#endif
