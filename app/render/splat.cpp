#include "app/render/splat.hpp"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "app/render/bloom.hpp"
#include "app/render/sparse_dense.hpp"
#include "app/render/splat_kernels.hpp"
#include "app/render/streak.hpp"

namespace warpsieve::render {
namespace {

namespace kernels = splat_kernels;
using kernels::Bounds;
using kernels::channels;

constexpr std::size_t border = 1;

/// The sums of one thread, in units of `light_per_unit`. Zero between frames, except for the border, which is
/// never read.
struct Accumulator {
    std::vector<std::uint16_t> sums;
    Bounds bounds;
    kernels::Batch batch;
    kernels::Batch points;  ///< of streaks
};

/// Particles at the positions of their source, coloured by age. HostSparseDense has the same functions.
struct SourceLayout {
    static scene::Vector position(std::uint32_t, const scene::Position& source) {
        return {source.x, source.y, source.z};
    }
    static float batch_age(std::uint32_t, float age) { return std::min(age, 1.0F); }
    static void record(std::uint32_t, std::uint32_t) {}
};

void widen(Bounds& bounds, const Bounds& other) {
    bounds.left = std::min(bounds.left, other.left);
    bounds.right = std::max(bounds.right, other.right);
    bounds.bottom = std::min(bounds.bottom, other.bottom);
    bounds.top = std::max(bounds.top, other.top);
}

/// The scale of the 16-bit sums: fine enough for one faint particle, with room for several bright ones on one
/// pixel.
float light_per_unit(float brightest) {
    return std::max(8.0F, 8.0F * brightest) / kernels::max_sum;
}

/// Stores the ramp in 16 bits, multiplied by `units`. The rounding error is carried to the next entry, so
/// that faint colours keep their hue on average.
void fill_table(const Ramp& ramp, float units, std::uint16_t* table) {
    constexpr float max_entry = std::numeric_limits<std::uint16_t>::max();
    std::array<float, 3> carried{};
    for (std::size_t i = 0; i < kernels::table_size; ++i) {
        const float at = static_cast<float>(i) * (ramp_size - 1) / (kernels::table_size - 1);
        const auto below = std::min(static_cast<std::size_t>(at), ramp_size - 2);
        const float t = at - static_cast<float>(below);
        const Rgb& a = ramp[below];
        const Rgb& b = ramp[below + 1];
        const std::array exact{std::lerp(a.red, b.red, t), std::lerp(a.green, b.green, t),
                               std::lerp(a.blue, b.blue, t)};
        for (std::size_t channel = 0; channel < exact.size(); ++channel) {
            const float wanted = exact[channel] * units + carried[channel];
            const float stored = std::clamp(std::round(wanted), 0.0F, max_entry);
            carried[channel] = std::clamp(wanted - stored, -1.0F, 1.0F);
            table[i * channels + channel] = static_cast<std::uint16_t>(stored);
        }
    }
}

/// The colours by age, and those of the slots unless `slot_ramp` is null.
kernels::ColourTable make_table(const Ramp& ages, const Ramp* slot_ramp, float units) {
    kernels::ColourTable table{};
    fill_table(ages, units, table.data());
    if (slot_ramp) fill_table(*slot_ramp, units, table.data() + kernels::table_size * channels);
    return table;
}

std::vector<float> scaled(std::vector<float> weights, float factor) {
    for (float& weight : weights) weight *= factor;
    return weights;
}

/// Weights of a Gaussian blur for offsets 0, 1, 2, ...; {1} if the deposit is wide enough without a blur.
std::vector<float> blur_weights(float spread_pixels, float deposit_variance) {
    const float variance = spread_pixels * spread_pixels - deposit_variance;
    if (variance < 0.04F) return {1.0F};
    const auto radius = static_cast<std::size_t>(std::ceil(2.5F * std::sqrt(variance)));
    std::vector<float> weights(radius + 1);
    float sum = 0;
    for (std::size_t i = 0; i <= radius; ++i) {
        weights[i] = std::exp(-static_cast<float>(i * i) / (2 * variance));
        sum += i == 0 ? weights[i] : 2 * weights[i];
    }
    return scaled(std::move(weights), 1 / sum);
}

}  // namespace

struct Splatter::Implementation {
    gl::PixelSize size{0, 0};
    tbb::enumerable_thread_specific<Accumulator> accumulators;
    tbb::enumerable_thread_specific<std::vector<float>> scratch;  ///< one row of light
    std::vector<float> rows;  ///< blurred along the rows, [height][width][channels]
    std::vector<std::uint32_t> picture;
    Bounds drawn;  ///< area that the last frame lit
    HostSparseDense host_sparse_dense;
    HostBloom bloom;
    tbb::enumerable_thread_specific<std::vector<float>> bloom_scratch;  ///< one row of cells

    std::size_t stride() const { return static_cast<std::size_t>(size.width) + 2 * border; }

    void resize(gl::PixelSize new_size) {
        if (size == new_size) return;
        size = new_size;
        const auto pixels = static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height);
        accumulators.clear();
        rows.assign(pixels * channels, 0.0F);
        picture.assign(pixels, 0);
        drawn = {};
    }

    Accumulator& local_accumulator() {
        Accumulator& local = accumulators.local();
        if (local.sums.empty()) {
            local.sums.resize(stride() * (static_cast<std::size_t>(size.height) + 2 * border) * channels);
        }
        return local;
    }

    /// Step 1: each thread projects its particles and adds their light to its own sums.
    template <typename Layout>
    void accumulate(const scene::HostParticles& particles, const kernels::Projection& projection,
                    const StreakSampler& streaks, const kernels::ColourTable& table, Layout& layout) {
        const std::size_t grain = std::max<std::size_t>(kernels::batch_size, 8192);
        tbb::parallel_for(
            tbb::blocked_range<std::size_t>(0, particles.handles.size(), grain), [&](const auto& range) {
                Accumulator& local = local_accumulator();
                for (std::size_t begin = range.begin(); begin < range.end(); begin += kernels::batch_size) {
                    const std::size_t count = std::min(kernels::batch_size, range.end() - begin);
                    gather(particles, begin, count, layout, local.batch);
                    if (particles.previous_positions.empty() || streaks.max_points == 1) {
                        add_light(projection, table, count, local.batch, local);
                    } else {
                        add_streaks(projection, streaks, table, count, local);
                    }
                }
            });
    }

    static void add_light(const kernels::Projection& projection, const kernels::ColourTable& table,
                          std::size_t count, kernels::Batch& batch, Accumulator& to) {
        kernels::project(projection, count, batch, to.bounds);
        kernels::deposit(projection, table, count, batch, to.sums.data());
    }

    /// Adds the light of `count` particles of the thread's batch along their streaks.
    static void add_streaks(const kernels::Projection& projection, const StreakSampler& streaks,
                            const kernels::ColourTable& table, std::size_t count, Accumulator& local) {
        std::size_t points = 0;
        for (std::size_t i = 0; i < count; ++i) {
            points = streaks.append_points(local.batch, i, local.points, points);
            const bool full = points + max_streak_points > kernels::batch_size;
            if (!full && i + 1 < count) continue;
            add_light(projection, table, points, local.points, local);
            points = 0;
        }
    }

    /// Step 1 for the beads on the arcs of the sparse and dense scene.
    void accumulate_beads(const kernels::Projection& projection, const kernels::ColourTable& table) {
        constexpr std::size_t count = scene::SparseDenseLayout::beads_per_arc;
        static_assert(count <= kernels::batch_size);
        tbb::parallel_for(tbb::blocked_range<std::size_t>(0, host_sparse_dense.num_arcs(), 32),
                          [&](const auto& range) {
                              Accumulator& local = local_accumulator();
                              for (std::size_t arc = range.begin(); arc < range.end(); ++arc) {
                                  host_sparse_dense.gather_beads(arc, local.batch);
                                  add_light(projection, table, count, local.batch, local);
                              }
                          });
    }

    /// Returns the area that the sums cover, and resets it.
    Bounds take_bounds() {
        Bounds lit;
        for (Accumulator& accumulator : accumulators) {
            widen(lit, accumulator.bounds);
            accumulator.bounds = {};
        }
        return lit;
    }

    /// Fills a batch with the particles of the handles [begin, begin + count).
    template <typename Layout>
    static void gather(const scene::HostParticles& particles, std::size_t begin, std::size_t count,
                       Layout& layout, kernels::Batch& batch) {
        for (std::size_t i = 0; i < count; ++i) {
            const auto rank = static_cast<std::uint32_t>(begin + i);
            const std::uint32_t slot = particles.handles[rank] - 1;
            const scene::Position& position = particles.attributes.position[slot];
            const scene::Vector head = layout.position(rank, position);
            batch.x[i] = head.x;
            batch.y[i] = head.y;
            batch.z[i] = head.z;
            batch.age[i] = layout.batch_age(slot, position.age);
            batch.light[i] = 1;
            layout.record(rank, slot);
            if (particles.previous_positions.empty()) continue;
            const scene::Vector tail =
                layout.position(rank, streak_end(position, particles.previous_positions[slot]));
            batch.tail_x[i] = tail.x;
            batch.tail_y[i] = tail.y;
            batch.tail_z[i] = tail.z;
        }
    }

    /// `lit`, widened by the radius and the border, and clipped to the picture.
    Bounds reached_area(const Bounds& lit, std::size_t radius) const {
        const auto r = static_cast<std::int32_t>(radius + border);
        return {std::max(lit.left - r, 0), std::min(lit.right + r, size.width - 1),
                std::max(lit.bottom - r, 0), std::min(lit.top + r, size.height - 1)};
    }

    /// Step 2: adds up the sums of the threads, blurs along the rows with weights that convert to light, and
    /// clears the sums. The result does not depend on which thread handled which particles.
    void merge_rows(const Bounds& area, const std::vector<float>& blur) {
        const std::size_t radius = blur.size() - 1;
        const std::size_t width = static_cast<std::size_t>(area.right - area.left + 1) * channels;
        tbb::parallel_for(
            tbb::blocked_range<std::int32_t>(area.bottom, area.top + 1, 8), [&](const auto& range) {
                // Margins on both sides, so that the blur needs no bounds check.
                const std::size_t margin = (radius + border) * channels;
                std::vector<float>& sums = scratch.local();
                for (std::int32_t y = range.begin(); y < range.end(); ++y) {
                    sums.assign(width + 2 * margin, 0.0F);
                    const std::size_t first_pixel = (static_cast<std::size_t>(y) + border) * stride() +
                                                    static_cast<std::size_t>(area.left) + border;
                    for (Accumulator& accumulator : accumulators) {
                        std::uint16_t* row = accumulator.sums.data() + first_pixel * channels;
                        kernels::add(row, width, sums.data() + margin);
                        std::fill_n(row, width, std::uint16_t{0});
                    }
                    float* out = row_at(area.left, y);
                    std::fill_n(out, width, 0.0F);
                    blur_row(blur, sums.data() + margin, channels, width, out);
                }
            });
    }

    /// Step 3: blurs along the columns and tone-maps into the picture.
    void tone_rows(const Bounds& area, const std::vector<float>& blur, bool with_bloom) {
        const auto radius = static_cast<std::int32_t>(blur.size()) - 1;
        const std::size_t width = static_cast<std::size_t>(area.right - area.left + 1) * channels;
        tbb::parallel_for(
            tbb::blocked_range<std::int32_t>(area.bottom, area.top + 1, 8), [&](const auto& range) {
                std::vector<float>& light = scratch.local();
                for (std::int32_t y = range.begin(); y < range.end(); ++y) {
                    light.assign(width, 0.0F);
                    for (std::int32_t row = std::max(y - radius, area.bottom);
                         row <= std::min(y + radius, area.top); ++row) {
                        kernels::add_scaled(row_at(area.left, row),
                                            blur[static_cast<std::size_t>(std::abs(row - y))], width,
                                            light.data());
                    }
                    if (with_bloom)
                        bloom.add_to(area.left, y, width / channels, bloom_scratch.local(), light.data());
                    kernels::tone_map(light.data(), width,
                                      reinterpret_cast<std::uint8_t*>(picture_at(area.left, y)));
                }
            });
    }

    /// `step`: values from one pixel to the next.
    static void blur_row(const std::vector<float>& blur, const float* in, std::size_t step, std::size_t width,
                         float* out) {
        kernels::add_scaled(in, blur[0], width, out);
        for (std::size_t i = 1; i < blur.size(); ++i) {
            kernels::add_scaled(in - i * step, blur[i], width, out);
            kernels::add_scaled(in + i * step, blur[i], width, out);
        }
    }

    void erase(const Bounds& area) {
        if (area.empty()) return;
        for (std::int32_t y = area.bottom; y <= area.top; ++y) {
            std::fill_n(picture_at(area.left, y), area.right - area.left + 1, 0U);
        }
    }

    float* row_at(std::int32_t x, std::int32_t y) { return rows.data() + pixel_at(x, y) * channels; }
    std::uint32_t* picture_at(std::int32_t x, std::int32_t y) { return picture.data() + pixel_at(x, y); }
    std::size_t pixel_at(std::int32_t x, std::int32_t y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(size.width) +
               static_cast<std::size_t>(x);
    }
};

Splatter::Splatter() : implementation_(std::make_unique<Implementation>()) {}
Splatter::~Splatter() = default;

std::span<const std::uint32_t> Splatter::draw(const scene::HostParticles& particles,
                                              const scene::Camera& camera, const Ramp& ramp,
                                              gl::PixelSize size, Columns columns,
                                              const SparseDenseInput* sparse_dense, bool with_bloom) {
    Implementation& self = *implementation_;
    self.resize(size);

    const std::size_t count = particles.handles.size();
    const SpriteScale scale = sprite_scale(camera, size);
    const float wanted_spread = SpriteScale::spread(count) * scale.pixels_per_metre / camera.distance();
    const float spread = std::clamp(wanted_spread, min_spread_pixels, max_spread_pixels);
    const float radius = radius_per_spread * spread;
    const float brightest = max_peak * std::numbers::pi_v<float> * radius * radius / 3;
    const float energy = std::min(scale.energy(count), brightest);

    kernels::Projection projection;
    projection.view_projection =
        camera.view_projection(static_cast<float>(size.width) / static_cast<float>(size.height));
    projection.width = static_cast<float>(size.width);
    projection.height = static_cast<float>(size.height);
    projection.stride = static_cast<std::uint32_t>(self.stride());
    projection.reference_distance = reference_distance;
    projection.spread_over_four = count <= max_particles_over_four_pixels;
    // Sharing between two pixels has a mean variance of 1/6; a single pixel has 1/12.
    const std::vector<float> blur = blur_weights(spread, projection.spread_over_four ? 1.0F / 6 : 1.0F / 12);
    const std::size_t bloom_reach = with_bloom ? bloom::reach : 0;
    const auto light_reach = static_cast<float>(blur.size() + bloom_reach);
    projection.left = std::max(static_cast<float>(columns.begin) - light_reach, 0.0F);
    projection.right = std::min(static_cast<float>(columns.end) + light_reach, projection.width);

    const float bead_energy = sparse_dense ? scale.bead_energy() : 0;
    const float unit = light_per_unit(std::max(energy, bead_energy));
    const Ramp* slot_ramp = sparse_dense ? &sparse_dense->slot_ramp : nullptr;
    const kernels::ColourTable table = make_table(ramp, slot_ramp, energy * max_brightness / unit);
    if (sparse_dense) self.host_sparse_dense.begin(sparse_dense->layout, particles.handles.size());
    const StreakSampler streaks{projection.view_projection, 0.5F * projection.width, 0.5F * projection.height,
                                streak_spacing * spread, points_per_streak(count)};
    if (!sparse_dense) {
        SourceLayout at_source;
        self.accumulate(particles, projection, streaks, table, at_source);
    } else {
        self.accumulate(particles, projection, streaks, table, self.host_sparse_dense);
        self.host_sparse_dense.finish(particles);
        self.accumulate_beads(projection, make_table(ramp, slot_ramp, bead_energy * max_brightness / unit));
    }
    const Bounds lit = self.take_bounds();

    self.erase(self.drawn);
    self.drawn = {};
    if (!lit.empty()) {
        const Bounds area = self.reached_area(lit, blur.size() - 1 + bloom_reach);
        self.merge_rows(area, scaled(blur, unit));
        const bool glows = with_bloom && self.bloom.compute(self.rows.data(), size, area);
        self.tone_rows(area, blur, glows);
        self.drawn = area;
    }
    return self.picture;
}

std::span<const CellLook> Splatter::cell_looks() const {
    return implementation_->host_sparse_dense.looks();
}

}  // namespace warpsieve::render
