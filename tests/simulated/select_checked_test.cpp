// Selections, compiled so that the simulated GPU sees each load and store, on the ways that a call takes only
// under contention: tickets instead of the pipeline, and counting other blocks' tiles instead of waiting.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "simulated/card.hpp"
#include "tests/simulated/select_runs.hpp"

namespace compaction {
namespace {

using namespace simulated_select;

class SelectUnderChecks : public testing::Test {
  protected:
    // The pipeline reads whole slots, also where a chunk fills only a part, and ignores the rest. Tickets
    // write again what it wrote before a block left it.
    void SetUp() override {
        simulated::set_checks({.accesses = true, .stale_values = true, .allows_rewrites = true});
    }
    void TearDown() override { simulated::set_checks({}); }

    template <typename DifferenceT>
    static void expect_no_fault(std::uint64_t planned_seed, DifferenceT difference) {
        expect_none("simulated_select_checked_test", planned_seed, difference);
    }
};

/// The seeds of a few schedules of all orders and times of copies, on cards of different sizes.
constexpr std::uint64_t few_seeds[] = {0, 13, 26, 36, 58, 76, 107, 141, 144, 157, 170, 254};

TEST_F(SelectUnderChecks, GoesOnByTicketsWhereBlocksAreNotAllResident) {
    const std::vector<std::uint32_t> table = random_table();
    for (const std::uint64_t planned : few_seeds) {
        const unsigned blocks = simulated::schedule_of(planned).multiprocessors + 1 + planned % 4;
        const std::size_t num_items = 5'000 + planned * 303;
        expect_no_fault(planned, [&](std::uint64_t seed) {
            return planned % 2 == 0
                       ? pipeline_difference(num_items, seed, blocks, 2, IsOdd{})
                       : pipeline_difference(num_items, seed, blocks, 2, IsInTable{table.data()});
        });
    }
}

/// More tickets than one warp resets.
TEST_F(SelectUnderChecks, GoesOnByManyTickets) {
    for (const std::uint64_t planned : {0U, 36U, 144U}) {
        const unsigned blocks = simulated::schedule_of(planned).multiprocessors + 1;
        expect_no_fault(planned, [&](std::uint64_t seed) {
            return pipeline_difference(900'000, seed, blocks, 2, IsOdd{});
        });
    }
}

TEST_F(SelectUnderChecks, StaysInThePipelineOrLeaves) {
    for (const std::uint64_t planned : few_seeds) {
        const unsigned blocks = simulated::schedule_of(planned).multiprocessors;
        expect_no_fault(planned, [&](std::uint64_t seed) {
            return pipeline_difference(20'000 + planned * 303, seed, blocks, 1, IsOdd{});
        });
    }
}

TEST_F(SelectUnderChecks, StaysInThePipeline) {
    const std::vector<std::uint32_t> table = random_table();
    for (const std::uint64_t planned : {36U, 58U, 107U, 141U, 144U, 170U}) {
        const unsigned blocks = simulated::schedule_of(planned).multiprocessors;
        expect_no_fault(planned, [&](std::uint64_t seed) {
            return pipeline_difference(100'003, seed, blocks, 1U << 30, IsInTable{table.data()});
        });
    }
}

/// Chunks that keep few items take another way out than those that keep many.
TEST_F(SelectUnderChecks, WritesChunksWithFewItemsAndWithMany) {
    constexpr std::size_t tile_items = 8'192;
    constexpr unsigned rounds = 8;  // more than there are slots
    for (const std::uint64_t planned : {36U, 107U, 144U, 170U}) {
        const unsigned multiprocessors = simulated::schedule_of(planned).multiprocessors;
        const std::size_t num_items = std::min(multiprocessors, 3U) * tile_items * rounds + planned;
        for (const auto& [blocks, polls] :
             {std::pair{std::min(multiprocessors, 3U), 1U << 30}, std::pair{multiprocessors + 1, 2U}}) {
            expect_no_fault(planned, [&, blocks = blocks, polls = polls](std::uint64_t seed) {
                return pipeline_difference(num_items, seed, blocks, polls, IsEighth{});
            });
        }
    }
}

TEST_F(SelectUnderChecks, WaitsForTheLaunchBefore) {
    for (const std::uint64_t planned : few_seeds) {
        expect_no_fault(planned, [&](std::uint64_t seed) {
            return overlapping_difference(9'001 + planned * 10, seed, IsOdd{});
        });
    }
}

constexpr TagSource sources_without_reset[] = {TagSource::host, TagSource::slot};

TEST_F(SelectUnderChecks, NeedsNoResetOfTheStorage) {
    for (const std::uint64_t planned : few_seeds) {
        for (const std::size_t num_items : {9'001 + planned * 10, 100'003 + planned}) {
            expect_no_fault(planned,
                            [&](std::uint64_t seed) { return storage_difference(num_items, seed, IsOdd{}); });
        }
    }
}

TEST_F(SelectUnderChecks, NeedsNoResetInOneWave) {
    for (const std::uint64_t planned : few_seeds) {
        for (const TagSource source : sources_without_reset) {
            expect_no_fault(planned, [&](std::uint64_t seed) {
                return single_wave_difference(3'001 + planned * 10, seed, unsigned(planned % 3), IsOdd{},
                                              source);
            });
        }
    }
}

TEST_F(SelectUnderChecks, NeedsNoResetInThePipelineOrByTickets) {
    for (const std::uint64_t planned : few_seeds) {
        for (const TagSource source : sources_without_reset) {
            for (const unsigned more : {0U, 1U}) {
                const unsigned blocks = simulated::schedule_of(planned).multiprocessors + more;
                expect_no_fault(planned, [&](std::uint64_t seed) {
                    return pipeline_difference(20'000 + planned * 303, seed, blocks,
                                               1 + unsigned(planned % 50), IsOdd{}, source);
                });
            }
        }
    }
}

constexpr std::uint64_t rounds_before = 5;

/// The way of a block through arrivals.cuh, without the pipeline: signs in, waits for a time of its own, and
/// gives up. courses: [gridDim.x], how each block goes on
void sign_in_and_give_up(cuda::detail::PipelineState* state, cuda::detail::LaunchTags tags,
                         unsigned* courses) {
    using namespace cuda::detail;
    const std::uint64_t found = read_arrivals(*state, tags);
    const Tag first_tag = first_tag_in(found, tags);
    // Other blocks may sign in between.
    for (unsigned i = 0; i < simulated::blockIdx.x % 4 * 10; ++i) simulated::yield_lane();
    const std::uint64_t before = arrive_at_pipeline(*state, tags, found);
    Course course = course_at_arrival(*state, tags, first_tag, before, 1);
    for (unsigned i = 0; i < simulated::blockIdx.x % 3 * 20; ++i) simulated::yield_lane();
    if (course == Course::pipeline) course = choose_course(*state, tags, first_tag);
    if (course == Course::tickets_after_reset) store_release(&state->tickets_ready, first_tag);
    courses[simulated::blockIdx.x] = static_cast<unsigned>(course);
}

/// What is wrong with the courses of `blocks` blocks, or "".
std::string course_difference(std::uint64_t seed, unsigned blocks, TagSource source) {
    using cuda::detail::Course;
    using cuda::detail::PipelineState;
    simulated::CudaEngine engine(seed);
    const Buffer state = engine.allocate(sizeof(PipelineState));
    const Buffer courses = engine.allocate(blocks * sizeof(unsigned));
    std::memset(state.as<void>(), 0, state.size_bytes());
    const bool counted = source == TagSource::state;
    cuda::detail::LaunchTags tags{.source = source};
    if (!counted) tags.base = rounds_before;
    state.as<PipelineState>()->arrivals =
        counted ? rounds_before << cuda::detail::arrivals_bits : ~std::uint64_t{seed};
    simulated::run_kernel("sign_in", {.blocks = blocks, .threads = 1}, simulated::schedule_of(seed),
                          sign_in_and_give_up, state.as<PipelineState>(), tags, courses.as<unsigned>());
    const auto all = std::span(courses.as<unsigned>(), blocks);
    const auto num = [&](Course course) { return std::ranges::count(all, static_cast<unsigned>(course)); };
    if (state.as<PipelineState>()->arrivals >> cuda::detail::arrivals_bits != rounds_before + 1)
        return "the number of rounds is wrong";
    if (num(Course::pipeline) > 0 && num(Course::pipeline) < blocks) return "the blocks do not agree";
    if (num(Course::pipeline) == 0 && num(Course::tickets_after_reset) != 1) return "not one block resets";
    return {};
}

TEST_F(SelectUnderChecks, AllBlocksTakeTheSameCourse) {
    for (std::uint64_t planned = 0; planned < 4 * 288; ++planned) {
        expect_no_fault(planned, [&](std::uint64_t seed) {
            return course_difference(seed, 2 + static_cast<unsigned>(planned % 5),
                                     planned % 2 == 0 ? TagSource::state : TagSource::host);
        });
    }
}

/// Blocks that do not wait for each other.
TEST_F(SelectUnderChecks, CountsTheTilesOfBlocksThatAreLate) {
    for (const std::uint64_t planned : few_seeds) {
        for (const unsigned spins : {0U, 1U}) {
            expect_no_fault(planned, [&](std::uint64_t seed) {
                return single_wave_difference(3'001 + planned * 10, seed, spins, IsOdd{});
            });
        }
    }
}

}  // namespace
}  // namespace compaction
