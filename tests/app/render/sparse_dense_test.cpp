#include "app/scene/sparse_dense.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "app/render/sparse_dense.hpp"
#include "tests/app/render/render_fixture.hpp"

namespace warpsieve {
namespace {

constexpr std::uint32_t num_slots = 4096;  // a cell for each

scene::SparseDenseLayout layout_of(std::uint32_t slots, double seconds = 0) {
    return scene::sparse_dense_layout(slots, scene::Fountain::info.viewpoint, seconds);
}

/// All positions far outside the picture, so that only the cells are seen.
std::vector<scene::Position> hidden_particles(std::uint32_t slots) {
    return std::vector<scene::Position>(slots, {0, 1e4F, 0, 0.5F});
}

Colour at(const Picture& picture, const scene::Vector& position) {
    const Pixel pixel = seen_at(scene::Camera(scene::sparse_dense_viewpoint()),
                                {position.x, position.y, position.z, 0}, whole_window);
    return picture.at(static_cast<int>(pixel.x), static_cast<int>(pixel.y));
}

int brightness(const Colour& colour) {
    return colour.red + colour.green + colour.blue;
}

class SparseDenseTest : public MethodTest {};
INSTANTIATE_TEST_SUITE_P(Methods, SparseDenseTest, testing::Values(Method::compute_splat, Method::host_splat),
                         [](const auto& method) { return name_of(method.param); });

// The front row is far from the arcs, whose beads start in the cells.
TEST_P(SparseDenseTest, KeptSlotsAreLitAndEmptyOnesAreHoles) {
    const scene::SparseDenseLayout layout = layout_of(num_slots);
    const std::vector<scene::Position> positions = hidden_particles(num_slots);
    // Blocks of four columns, so that a pixel lies within one.
    const auto is_kept = [&](std::uint32_t slot) { return slot / layout.sparse.rows / 4 % 2 == 1; };
    std::vector<compaction::Item> kept;
    for (std::uint32_t slot = 0; slot < num_slots; ++slot) {
        if (is_kept(slot)) kept.push_back(scene::handle_of(slot));
    }
    const Picture picture = draw_sparse_dense(*renderer_, host_particles(positions, kept), layout);
    int lit = 0, dark = 0;
    for (std::uint32_t column = 1; column < layout.sparse.columns; column += 4) {
        const std::uint32_t slot = column * layout.sparse.rows + layout.sparse.rows - 3;
        const float row = static_cast<float>(layout.sparse.rows) - 2.5F;
        const int light = brightness(at(picture, layout.sparse.at(static_cast<float>(column) + 1, row)));
        if (is_kept(slot)) {
            lit += light > 150;
        } else {
            dark += light < 120;
        }
    }
    EXPECT_EQ(lit, 16);
    EXPECT_EQ(dark, 16);
}

TEST_P(SparseDenseTest, TheOnlyKeptItemIsSeenWhereverItIsInItsCell) {
    constexpr std::uint32_t slots = 1U << 16;
    const scene::SparseDenseLayout layout = layout_of(slots);
    const std::vector<scene::Position> positions = hidden_particles(slots);
    ASSERT_GT(layout.sparse.bits, 0U) << "a cell has several slots";
    for (const std::uint32_t slot : {slots / 2 + 1, slots - 1}) {
        const std::vector<compaction::Item> kept{scene::handle_of(slot)};
        const Picture picture = draw_sparse_dense(*renderer_, host_particles(positions, kept), layout);
        const std::uint32_t cell = layout.sparse.cell_of(slot);
        EXPECT_GT(brightness(at(picture, layout.sparse.centre(cell))), 150) << slot;
        EXPECT_LT(brightness(at(picture, layout.sparse.centre(cell - 5))), 120) << slot;
    }
}

TEST_P(SparseDenseTest, TheDenseArrayIsFilledUpToTheCount) {
    const scene::SparseDenseLayout layout = layout_of(num_slots);
    const std::vector<scene::Position> positions = hidden_particles(num_slots);
    std::vector<compaction::Item> kept;
    for (std::uint32_t slot = 0; slot < num_slots; slot += 4) kept.push_back(scene::handle_of(slot));
    const Picture picture = draw_sparse_dense(*renderer_, host_particles(positions, kept), layout);
    // A quarter is kept. Single arcs pass in front of the lowest row.
    const auto darkest_at = [&](float share) {
        std::array<int, 5> light{};
        for (std::size_t i = 0; i < light.size(); ++i) {
            const float column = share * static_cast<float>(layout.dense.columns) + static_cast<float>(i);
            light[i] = brightness(
                at(picture, layout.dense.at(column, static_cast<float>(layout.dense.rows) - 0.5F)));
        }
        return std::ranges::min(light);
    };
    EXPECT_GT(darkest_at(0.12F), 200);
    EXPECT_GT(darkest_at(0.22F), 200);
    EXPECT_LT(darkest_at(0.40F), 150);
    EXPECT_LT(darkest_at(0.90F), 150);
}

TEST_P(SparseDenseTest, AnUnorderedOutputLightsTheSameCells) {
    const scene::SparseDenseLayout layout = layout_of(num_slots);
    const std::vector<scene::Position> positions = hidden_particles(num_slots);
    std::vector<compaction::Item> kept;
    for (std::uint32_t slot = 0; slot < num_slots; slot += 2) kept.push_back(scene::handle_of(slot));
    const Picture ordered = draw_sparse_dense(*renderer_, host_particles(positions, kept), layout);
    std::ranges::reverse(kept);
    const Picture reversed = draw_sparse_dense(*renderer_, host_particles(positions, kept), layout);
    // The nearest rows, below all arcs.
    const Rectangle front{60, 255, 280, 12};
    for (int y = front.y; y < front.y + front.height; ++y) {
        for (int x = front.x; x < front.x + front.width; ++x)
            ASSERT_LE(difference(ordered.at(x, y), reversed.at(x, y)), 90) << x << ", " << y;
    }
    EXPECT_NE(ordered.pixels, reversed.pixels) << "the dense array runs the other way";
}

TEST_P(SparseDenseTest, TwoSidesMakeTheWholePicture) {
    const FountainFrame fountain(1U << 14);
    const scene::HostParticles particles = host_particles(fountain.positions, fountain.handles);
    const scene::SparseDenseLayout layout = layout_of(1U << 14, 1.5);
    const Picture whole = draw_sparse_dense(*renderer_, particles, layout);
    for (const int divider : {1, 130, 200, 399}) {
        const std::array parts{render::Columns{0, divider}, render::Columns{divider, window.width}};
        EXPECT_EQ(draw_sparse_dense(*renderer_, particles, layout, Theme::dark, parts).pixels, whole.pixels)
            << divider;
    }
}

TEST_P(SparseDenseTest, BeadsFlowWithTheClockAndOnPaperTheyAreInk) {
    const FountainFrame fountain(1U << 14);
    const scene::HostParticles particles = host_particles(fountain.positions, fountain.handles);
    const Picture now = draw_sparse_dense(*renderer_, particles, layout_of(1U << 14, 1));
    EXPECT_EQ(draw_sparse_dense(*renderer_, particles, layout_of(1U << 14, 1)).pixels, now.pixels);
    EXPECT_NE(draw_sparse_dense(*renderer_, particles, layout_of(1U << 14, 1.1)).pixels, now.pixels);
    const Picture paper = draw_sparse_dense(*renderer_, particles, layout_of(1U << 14, 1), Theme::light);
    EXPECT_EQ(paper.at(2, 2), (Colour{255, 255, 255, 255}));
    EXPECT_GT(std::ranges::count_if(paper.pixels, [](const Colour& c) { return c.green < 0xD0; }), 4000);
}

TEST_P(SparseDenseTest, WithoutParticlesThereAreOnlyHoles) {
    const Picture picture = draw_sparse_dense(*renderer_, scene::HostParticles{}, layout_of(num_slots));
    EXPECT_EQ(std::ranges::count_if(picture.pixels, [](const Colour& c) { return brightness(c) > 420; }), 0);
    EXPECT_GT(std::ranges::count_if(picture.pixels, [](const Colour& c) { return c.blue > 0x18; }), 2000);
}

/// A picture of 128 by 128 pixels, of which a cell shows four.
TEST_P(SparseDenseTest, APictureIsSeenInTheSparseBufferAndSqueezedInTheDenseArray) {
    constexpr std::uint32_t side = 128;
    const scene::SparseDenseLayout layout =
        scene::sparse_dense_layout(side * side, scene::Fountain::info.viewpoint, 0, side);
    ASSERT_EQ(layout.sparse.cells, 64 * 64);
    // The near right quarter is bright.
    std::vector<compaction::Item> kept;
    for (std::uint32_t slot = 0; slot < side * side; ++slot) {
        if (slot / side >= side / 2 && slot % side >= side / 2) kept.push_back(scene::handle_of(slot));
    }
    const std::vector<scene::Position> positions = hidden_particles(side * side);
    const Picture picture = draw_sparse_dense(*renderer_, host_particles(positions, kept), layout);
    const auto light_at = [&](const scene::CellField& field, float down, float right) {
        return brightness(at(picture, field.at(down * static_cast<float>(field.columns),
                                               right * static_cast<float>(field.rows))));
    };
    EXPECT_GT(light_at(layout.sparse, 0.95F, 0.9F), 180);
    EXPECT_GT(light_at(layout.sparse, 0.95F, 0.6F), 180);
    EXPECT_LT(light_at(layout.sparse, 0.95F, 0.4F), 150);
    EXPECT_LT(light_at(layout.sparse, 0.2F, 0.1F), 150);
    // The first rows of the output are full.
    EXPECT_GT(light_at(layout.dense, 0.15F, 0.03F), 180);
    EXPECT_LT(light_at(layout.dense, 0.9F, 0.03F), 150);
}

/// Both ways of drawing share their look; only grain and rounding differ.
TEST_F(RenderTest, HostAndGpuDrawTheSameSparseAndDenseScene) {
    const FountainFrame fountain(1U << 14);
    const scene::HostParticles particles = host_particles(fountain.positions, fountain.handles);
    const scene::SparseDenseLayout layout = layout_of(1U << 14, 2.25);
    render::ParticleRenderer by_host(context_->info(), Method::host_splat);
    render::ParticleRenderer by_gpu(context_->info(), Method::compute_splat);
    const Picture a = draw_sparse_dense(by_host, particles, layout);
    const Picture b = draw_sparse_dense(by_gpu, particles, layout);
    std::int64_t apart = 0;
    for (std::size_t i = 0; i < a.pixels.size(); ++i) apart += difference(a.pixels[i], b.pixels[i]);
    EXPECT_LT(static_cast<double>(apart) / static_cast<double>(a.pixels.size()), 3.0);
}

/// The compute splat finds the cells of a pixel, and the host splat rasterises them.
TEST_F(RenderTest, HostAndGpuDrawTheSameCells) {
    const scene::SparseDenseLayout layout = layout_of(num_slots);
    const std::vector<scene::Position> positions = hidden_particles(num_slots);
    std::vector<compaction::Item> kept;
    for (std::uint32_t slot = 0; slot < num_slots; ++slot) {
        if (scene::hash(slot) % 3 != 0) kept.push_back(scene::handle_of(slot));
    }
    render::ParticleRenderer by_host(context_->info(), Method::host_splat);
    render::ParticleRenderer by_gpu(context_->info(), Method::compute_splat);
    // The front half of the sparse buffer: below all arcs.
    const auto pixel_of = [&](float column, float row) {
        const scene::Vector at = layout.sparse.at(column, row);
        return seen_at(scene::Camera(scene::sparse_dense_viewpoint()), {at.x, at.y, at.z, 0}, whole_window);
    };
    const auto rows = static_cast<float>(layout.sparse.rows);
    const Pixel low = pixel_of(2, rows / 2),
                high = pixel_of(static_cast<float>(layout.sparse.columns) - 2, rows);
    const Rectangle front{static_cast<int>(low.x), static_cast<int>(low.y), static_cast<int>(high.x - low.x),
                          static_cast<int>(high.y - low.y)};
    for (const Theme theme : {Theme::dark, Theme::light}) {
        const Picture a = draw_sparse_dense(by_host, host_particles(positions, kept), layout, theme);
        const Picture b = draw_sparse_dense(by_gpu, host_particles(positions, kept), layout, theme);
        int lit = 0;
        for (int y = front.y; y < front.y + front.height; ++y) {
            for (int x = front.x; x < front.x + front.width; ++x) {
                lit += difference(a.at(x, y), a.at(1, 1)) > 60;
                ASSERT_LE(difference(a.at(x, y), b.at(x, y)), 12) << x << ", " << y;
            }
        }
        EXPECT_GT(lit, 1000);
    }
}

TEST_F(RenderTest, AKnownTextureMakesNoDifference) {
    const FountainFrame fountain(1U << 14);
    const scene::HostParticles particles = host_particles(fountain.positions, fountain.handles);
    const scene::SparseDenseLayout layout = layout_of(1U << 14, 1.5);
    const Rectangle part{30, 20, 300, 200};
    render::ParticleRenderer renderer(context_->info(), Method::compute_splat);
    const auto picture_with = [&](unsigned texture) {
        clear();
        for (const render::Columns& columns : {render::Columns{0, 110}, {110, 250}})
            renderer.draw(particles, scene::Camera(scene::sparse_dense_viewpoint()), Theme::dark,
                          context_->framebuffer(), window, part, columns, &layout, nullptr, texture);
        return read();
    };
    EXPECT_EQ(picture_with(context_->texture()).pixels, picture_with(0).pixels);
}

TEST(CellsOfPixels, LeadBackToTheCellOfEveryPlace) {
    const scene::Camera camera(scene::sparse_dense_viewpoint());
    const scene::Matrix view_projection =
        camera.view_projection(static_cast<float>(window.width) / static_cast<float>(window.height));
    const scene::SparseDenseLayout layout = layout_of(100'003);
    for (const scene::CellField& field : {layout.sparse, layout.dense}) {
        const std::array<float, 9> m = render::cells_of_pixels(field, view_projection, window);
        for (const auto& [column, row] : {std::pair{0.0F, 0.0F}, {12.25F, 3.5F}, {100.0F, 1.0F}}) {
            const scene::Vector at = field.at(column, row);
            const Pixel pixel = seen_at(camera, {at.x, at.y, at.z, 0}, whole_window);
            const float up = static_cast<float>(window.height) - pixel.y;
            const auto seen = [&](std::size_t i) { return m[i] * pixel.x + m[3 + i] * up + m[6 + i]; };
            EXPECT_GT(seen(2), 0);
            EXPECT_NEAR(seen(0) / seen(2), column, 0.01F);
            EXPECT_NEAR(seen(1) / seen(2), row, 0.01F);
        }
    }
}

TEST(SparseDenseLayout, CellsCoverEveryLength) {
    for (const std::uint64_t slots :
         {4096ULL, 4097ULL, 100'003ULL, 1ULL << 17, 1ULL << 20, 1ULL << 26, 4'294'967'295ULL}) {
        const scene::SparseDenseLayout layout =
            scene::sparse_dense_layout(slots, scene::Fountain::info.viewpoint, 0);
        for (const scene::CellField& field : {layout.sparse, layout.dense}) {
            EXPECT_GE(std::uint64_t{field.cells} << field.bits, slots);
            EXPECT_LT((std::uint64_t{field.cells} - 1) << field.bits, slots);
            EXPECT_GE(field.columns * field.rows, field.cells);
        }
        EXPECT_LE(layout.sparse.cells, scene::SparseDenseLayout::max_cells);
        EXPECT_LE(layout.dense.cells, scene::SparseDenseLayout::max_dense_cells);
    }
}

TEST(SparseDenseLayout, APictureHasSquarePixelsAndACellForEachPlace) {
    for (const auto& [slots, columns] : {std::pair<std::uint64_t, std::uint64_t>{4096, 64},
                                         {4096, 290},
                                         {1ULL << 14, 128},
                                         {1ULL << 14, 288},
                                         {100'003, 7},
                                         {100'003, 100'003},
                                         {1ULL << 20, 1024},
                                         {1ULL << 26, 21'280}}) {
        const scene::SparseDenseLayout layout =
            scene::sparse_dense_layout(slots, scene::Fountain::info.viewpoint, 0, columns);
        const scene::CellField& field = layout.sparse;
        EXPECT_LE(field.cells, scene::SparseDenseLayout::max_cells);
        EXPECT_EQ(field.cells, field.columns * field.rows);
        EXPECT_EQ(field.cells, layout.dense.cells);
        const float pixel_across = field.cell_metres_across() / field.cell_width,
                    pixel_deep = field.cell_metres_deep() / field.cell_height;
        EXPECT_NEAR(pixel_across / pixel_deep, 0.85F, 0.001F);
        EXPECT_LE(field.cell_metres_across() * static_cast<float>(field.rows), 19.001F);
        for (std::uint32_t cell = 0; cell < field.cells; ++cell)
            ASSERT_EQ(field.cell_of(field.item_of(cell)), cell) << slots << ", " << columns;
        EXPECT_LT(field.cell_of(static_cast<std::uint32_t>(slots - 1)), field.cells);
    }
}

TEST(SparseDenseLayout, ParticlesRiseFromTheirPlaceInTheDenseArray) {
    const scene::SparseDenseLayout layout = layout_of(1U << 17);
    for (const std::uint32_t rank : {0U, 77U, 65'000U}) {
        const scene::Vector from = layout.dense.position_of_item(rank);
        const scene::Vector born = layout.risen_position(rank, {1, 5, 2, 0});
        EXPECT_EQ(born.x, from.x);
        EXPECT_EQ(born.y, from.y);
        EXPECT_EQ(born.z, from.z);
        // Risen, the rank makes no difference.
        const scene::Vector risen = layout.risen_position(rank, {1, 5, 2, 0.5F});
        EXPECT_EQ(risen.x, layout.risen_position(rank + 1, {1, 5, 2, 0.5F}).x);
        EXPECT_GT(risen.y, from.y);
    }
}

}  // namespace
}  // namespace warpsieve
