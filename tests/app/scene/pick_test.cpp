// Particles on the screen: where a slot's particle is, and which slot the mouse points at.
#include "app/scene/pick.hpp"

#include <gtest/gtest.h>

#include "app/scene/sources.hpp"

namespace warpsieve::scene {
namespace {

class PickTest : public testing::Test {
  protected:
    PickTest() {
        Clock clock;
        clock.advance(2, 0.5F);
        frame_ = {.source = &effective_source("fountain"), .slots = 5000, .moment = clock.moment(0.5F, 7)};
        camera_ = Camera(frame_.source->viewpoint);
        query_ = {
            .view_projection = camera_.view_projection(1.5F), .placement = {}, .point = {}, .aspect = 1.5F};
    }

    Frame frame_;
    Camera camera_;
    PickQuery query_;
};

TEST_F(PickTest, FindsTheParticleAtItsOwnPlace) {
    int found = 0;
    for (std::uint64_t slot = 0; slot < frame_.slots; slot += 37) {
        const auto position = locate(frame_, slot);
        if (!position) continue;
        const auto at = project(query_.view_projection, query_.placement.drawn_position(slot, *position));
        if (!at) continue;
        query_.point = *at;
        const Picked picked = pick(frame_, query_);
        ASSERT_TRUE(picked.slot.has_value());
        EXPECT_FALSE(picked.output_index.has_value());
        // Another one may be as near, to the last bit.
        const auto nearest =
            project(query_.view_projection,
                    query_.placement.drawn_position(*picked.slot, *locate(frame_, *picked.slot)));
        EXPECT_NEAR(nearest->x, at->x, 1e-4F);
        EXPECT_NEAR(nearest->y, at->y, 1e-4F);
        ++found;
    }
    EXPECT_GT(found, 20);
}

TEST_F(PickTest, FindsNothingOutOfReachAndNoEmptySlot) {
    query_.point = {0.99F, 0.99F};
    query_.reach = 0.001F;
    EXPECT_FALSE(pick(frame_, query_).slot.has_value());
    frame_.slots = 0;
    EXPECT_FALSE(pick(frame_, query_).slot.has_value());
    EXPECT_FALSE(locate(frame_, 3).has_value());
}

TEST_F(PickTest, SearchesALongBufferInTurns) {
    query_.reach = 100;
    query_.max_slots = 1000;
    for (query_.turn = 0; query_.turn < 5; ++query_.turn) {
        const Picked picked = pick(frame_, query_);
        ASSERT_TRUE(picked.slot.has_value());
        EXPECT_EQ(*picked.slot % 5, query_.turn);
    }
}

TEST_F(PickTest, OfSparseAndDenseItFindsCellsOfBothArrays) {
    const SparseDenseLayout layout = sparse_dense_layout(frame_.slots, frame_.source->viewpoint, 2);
    query_.placement = {&layout, 0.5};
    query_.view_projection = Camera(sparse_dense_viewpoint()).view_projection(1.5F);
    query_.reach = 1e-4F;
    const std::uint32_t slot_cell = layout.sparse.cells / 3;
    query_.point = *project(query_.view_projection, layout.sparse.centre(slot_cell));
    EXPECT_EQ(pick(frame_, query_).slot, std::uint64_t{slot_cell} << layout.sparse.bits);
    const std::uint32_t output_cell = layout.dense.cells / 4;
    query_.point = *project(query_.view_projection, layout.dense.centre(output_cell));
    EXPECT_EQ(pick(frame_, query_).output_index, std::uint64_t{output_cell} << layout.dense.bits);
}

TEST_F(PickTest, WhatIsBehindTheCameraIsNotOnTheScreen) {
    const Vector eye = camera_.position();
    EXPECT_FALSE(project(query_.view_projection, {eye.x * 2, eye.y * 2, eye.z * 2}).has_value());
}

}  // namespace
}  // namespace warpsieve::scene
