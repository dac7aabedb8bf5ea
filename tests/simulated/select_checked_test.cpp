// Selections, compiled so that the simulated GPU sees each load and store, on the paths that a call takes
// only under contention: tickets instead of the pipeline, and counting other blocks' tiles instead of
// waiting.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "simulated/gpu.hpp"
#include "tests/simulated/select_runs.hpp"

namespace compaction {
namespace {

using namespace simulated_select;

class SelectUnderChecks : public testing::Test {
  protected:
    // The pipeline reads whole buffers, also where a chunk fills only a part, and ignores the rest. Tickets
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

/// The seeds of a few schedules of all orders and times of copies, on devices of different sizes.
constexpr std::uint64_t few_seeds[] = {0, 13, 26, 36, 58, 76, 107, 141, 144, 157, 170, 254};

// The tests that take a second come first: scripts/mutants stops at the first failure.

/// Blocks that write over the input of others. KeepsAll reads no item and leaves the order to fences.
class SelectInPlaceUnderChecks : public SelectUnderChecks {
  protected:
    void SetUp() override { simulated::set_checks({.accesses = true, .stale_values = true}); }
};

TEST_F(SelectInPlaceUnderChecks, CompactsTheTilesOfBlocksThatAreLate) {
    tests_of_other_tiles = 0;
    for (const std::uint64_t planned : {46U, 47U, 53U, 94U, 100U}) {
        expect_no_fault(planned, [&](std::uint64_t seed) {
            return single_wave_difference<Arrays::one>(30'011, seed, unsigned(planned % 2), IsOdd{});
        });
    }
    EXPECT_GT(tests_of_other_tiles, 0) << "no block was late enough";
}

/// The detector sees no speculative load. So here each block also reads its tile where it loads it, and waits
/// for the others: then nobody writes to the tile before the block has published its count.
TEST_F(SelectInPlaceUnderChecks, LoadsATileBeforeOthersWriteThere) {
    constexpr unsigned without_end = ~0U;
    tests_of_other_tiles = 0;
    for (const std::uint64_t planned : few_seeds) {
        expect_no_fault(planned, [&](std::uint64_t seed) {
            return single_wave_difference<Arrays::one_with_loads_seen>(9'001 + planned * 10, seed,
                                                                       without_end, IsOdd{});
        });
    }
    EXPECT_EQ(tests_of_other_tiles, 0) << "a block took the tile of another";
}

TEST_F(SelectInPlaceUnderChecks, WaitsForBlocksThatAreLate) {
    for (const std::uint64_t planned : few_seeds) {
        for (const unsigned spins : {0U, 1U, 100U}) {
            for (const TagSource source : {TagSource::state, TagSource::host, TagSource::graph_counter}) {
                expect_no_fault(planned, [&](std::uint64_t seed) {
                    return planned % 2 == 0 ? single_wave_difference<Arrays::one>(3'001 + planned * 10, seed,
                                                                                  spins, IsOdd{}, source)
                                            : single_wave_difference<Arrays::one>(3'001 + planned * 10, seed,
                                                                                  spins, KeepsAll{}, source);
                });
            }
        }
    }
}

TEST_F(SelectInPlaceUnderChecks, TakesTickets) {
    for (const std::uint64_t planned : few_seeds) {
        const unsigned blocks = simulated::schedule_of(planned).multiprocessors + unsigned(planned % 3);
        expect_no_fault(planned, [&](std::uint64_t seed) {
            return planned % 2 == 0 ? ticketed_difference(20'000 + planned * 303, seed, blocks, IsEighth{})
                                    : ticketed_difference(20'000 + planned * 303, seed, blocks, KeepsAll{});
        });
    }
}

/// Every later tile moves by exactly the length of a tile.
TEST_F(SelectInPlaceUnderChecks, MovesAllTilesBehindARejectedOne) {
    namespace detail = simulated::detail;
    for (const std::uint64_t planned : {0U, 36U, 107U}) {
        const std::size_t ticketed = detail::ticketed_items<Item, detail::few_rows>;
        expect_no_fault(planned, [&](std::uint64_t seed) {
            return ticketed_difference(3 * ticketed + 100, seed, 2, KeepsAllButFirst{ticketed});
        });
        const std::size_t single_wave = detail::single_wave_items<Item, detail::SmallTile>;
        expect_no_fault(planned, [&](std::uint64_t seed) {
            return single_wave_difference<Arrays::one>(3 * single_wave + 100, seed, 1,
                                                       KeepsAllButFirst{single_wave});
        });
    }
}

/// The item before a tile is read before the tile's count is published, and no earlier tile changes it.
TEST_F(SelectInPlaceUnderChecks, SelectsRuns) {
    for (const std::uint64_t planned : few_seeds) {
        const unsigned multiprocessors = simulated::schedule_of(planned).multiprocessors;
        expect_no_fault(planned, [&](std::uint64_t seed) {
            return single_wave_difference<Arrays::runs_in_place>(3'001 + planned * 10, seed,
                                                                 unsigned(planned % 3), SameParity{});
        });
        expect_no_fault(planned, [&](std::uint64_t seed) {
            return ticketed_difference<Arrays::runs_in_place>(20'000 + planned * 303, seed, multiprocessors,
                                                              SameParity{});
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

TEST_F(SelectUnderChecks, CountsTheRunsOfBlocksThatAreLate) {
    for (const std::uint64_t planned : few_seeds) {
        for (const unsigned spins : {0U, 1U}) {
            expect_no_fault(planned, [&](std::uint64_t seed) {
                return single_wave_difference<Arrays::runs>(3'001 + planned * 10, seed, spins, SameParity{});
            });
        }
    }
}

TEST_F(SelectUnderChecks, SelectsRunsByTickets) {
    for (const std::uint64_t planned : few_seeds) {
        const unsigned blocks = simulated::schedule_of(planned).multiprocessors + 1 + planned % 4;
        const std::size_t num_items = 5'000 + planned * 303;
        expect_no_fault(planned, [&](std::uint64_t seed) {
            return pipeline_difference<Arrays::runs>(num_items, seed, blocks, 2, SameParity{});
        });
    }
}

constexpr TagSource sources_without_reset[] = {TagSource::host, TagSource::graph_counter};

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

/// Chunks that keep few items are written differently from those that keep many.
TEST_F(SelectUnderChecks, WritesChunksWithFewItemsAndWithMany) {
    constexpr std::size_t tile_items = 8'192;
    constexpr unsigned rounds = 8;  // more than there are stages
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

/// A scatter warp goes on while bulk copies still read what it has packed.
TEST_F(SelectUnderChecks, WritesPositionsOfFlags) {
    constexpr std::size_t round_items = 8'192;
    constexpr unsigned rounds = 13;  // a warp comes back to each stage
    for (const std::uint64_t planned : {36U, 107U, 144U, 170U}) {
        const unsigned multiprocessors = std::min(simulated::schedule_of(planned).multiprocessors, 2U);
        const std::size_t num_items = multiprocessors * round_items * rounds + planned;
        for (const auto& [blocks, polls] :
             {std::pair{multiprocessors, 1U << 30},
              std::pair{simulated::schedule_of(planned).multiprocessors + 1, 2U}}) {
            expect_no_fault(planned, [&, blocks = blocks, polls = polls](std::uint64_t seed) {
                return planned % 4 == 0
                           ? pipeline_difference<Arrays::positions>(num_items, seed, blocks, polls, IsOdd{})
                           : pipeline_difference<Arrays::positions>(num_items, seed, blocks, polls,
                                                                    IsEighth{});
            });
        }
    }
}

/// Each column of a chunk is packed in the buffer that the chunk was read from.
TEST_F(SelectUnderChecks, WritesColumns) {
    for (const std::uint64_t planned : {36U, 107U, 144U, 170U}) {
        const unsigned multiprocessors = simulated::schedule_of(planned).multiprocessors;
        for (const auto& [blocks, polls] :
             {std::pair{multiprocessors, 1U << 30}, std::pair{multiprocessors + 1, 2U}}) {
            expect_no_fault(planned, [&, blocks = blocks, polls = polls](std::uint64_t seed) {
                return pipeline_difference<Arrays::columns>(20'000 + planned * 303, seed, blocks, polls,
                                                            IsOdd{});
            });
        }
    }
}

TEST_F(SelectUnderChecks, Partitions) {
    for (const std::uint64_t planned : few_seeds) {
        const unsigned multiprocessors = simulated::schedule_of(planned).multiprocessors;
        const std::size_t num_items = 20'000 + planned * 303;
        expect_no_fault(planned, [&](std::uint64_t seed) {
            return single_wave_difference<Arrays::partition>(3'001 + planned * 10, seed,
                                                             unsigned(planned % 3), IsOdd{});
        });
        expect_no_fault(planned, [&](std::uint64_t seed) {
            return ticketed_difference<Arrays::partition>(num_items, seed, multiprocessors, IsEighth{});
        });
        for (const auto& [blocks, polls] :
             {std::pair{multiprocessors, 1U << 30}, std::pair{multiprocessors + 1, 2U}}) {
            expect_no_fault(planned, [&, blocks = blocks, polls = polls](std::uint64_t seed) {
                return pipeline_difference<Arrays::partition>(num_items, seed, blocks, polls, IsOdd{});
            });
        }
    }
}

TEST_F(SelectUnderChecks, PartitionsIntoThree) {
    for (const std::uint64_t planned : few_seeds) {
        for (const unsigned spins : {0U, 1U, 100U}) {
            for (const TagSource source : {TagSource::state, TagSource::host}) {
                expect_no_fault(planned, [&](std::uint64_t seed) {
                    return single_wave_difference<Arrays::three_parts>(3'001 + planned * 10, seed, spins,
                                                                       IsOdd{}, source);
                });
            }
        }
        const unsigned blocks = simulated::schedule_of(planned).multiprocessors + unsigned(planned % 3);
        expect_no_fault(planned, [&](std::uint64_t seed) {
            return ticketed_difference<Arrays::three_parts>(20'000 + planned * 303, seed, blocks, IsEighth{});
        });
    }
}

TEST_F(SelectUnderChecks, WaitsForTheLaunchBefore) {
    for (const std::uint64_t planned : few_seeds) {
        expect_no_fault(planned, [&](std::uint64_t seed) {
            return overlapping_difference(9'001 + planned * 10, seed, IsOdd{});
        });
        const unsigned multiprocessors = simulated::schedule_of(planned).multiprocessors;
        for (const unsigned blocks : {multiprocessors, multiprocessors + 1}) {
            for (const TagSource source : {TagSource::state, TagSource::host}) {
                expect_no_fault(planned, [&](std::uint64_t seed) {
                    return pipeline_difference(20'000 + planned * 303, seed, blocks, 2, IsOdd{}, source, 2);
                });
            }
            expect_no_fault(planned, [&](std::uint64_t seed) {
                return ticketed_difference<Arrays::two>(20'000 + planned * 303, seed, blocks, IsOdd{}, 2);
            });
        }
    }
}

TEST_F(SelectUnderChecks, NeedsNoResetOfTheStorage) {
    for (const std::uint64_t planned : few_seeds) {
        for (const std::size_t num_items : {9'001 + planned * 10, 100'003 + planned}) {
            expect_no_fault(planned,
                            [&](std::uint64_t seed) { return storage_difference(num_items, seed, IsOdd{}); });
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

/// A block uses arrivals.cuh without the pipeline: it arrives, waits for a different time than the others,
/// and decides. fallbacks: [gridDim.x], the decision of each block
void arrive_and_decide(cuda::detail::PipelineState* state, cuda::detail::LaunchTags tags,
                       cuda::detail::Tag* tag, unsigned* fallbacks) {
    using namespace cuda::detail;
    if (simulated::threadIdx.x == 0) {
        const Tag first_tag = first_tag_of_launch(state->rounds, tags, 1);
        // Meanwhile other blocks may arrive and decide.
        for (unsigned i = 0; i < simulated::blockIdx.x % 4 * 10; ++i) simulated::yield_lane();
        arrive_at_pipeline(*state, first_tag);
        store_relaxed(tag, first_tag);
    }
    simulated::__syncwarp();
    const Tag first_tag = load_relaxed(tag);
    Fallback fallback = fallback_at_arrival(*state, first_tag);
    for (unsigned i = 0; i < simulated::blockIdx.x % 3 * 20; ++i) simulated::yield_lane();
    const bool all_arrived = have_all_arrived(*state, first_tag);
    if (simulated::threadIdx.x != 0) return;
    if (fallback == Fallback::none) fallback = decide_fallback(*state, first_tag, all_arrived);
    if (fallback == Fallback::tickets_after_reset) store_release(&state->tickets_ready, first_tag);
    fallbacks[simulated::blockIdx.x] = static_cast<unsigned>(fallback);
}

/// The blocks that are still in the pipeline decide again.
void decide_again(cuda::detail::PipelineState* state, const cuda::detail::Tag* tag, unsigned* fallbacks) {
    using namespace cuda::detail;
    const bool all_arrived = have_all_arrived(*state, *tag);
    if (simulated::threadIdx.x != 0) return;
    unsigned& fallback = fallbacks[simulated::blockIdx.x];
    if (fallback == static_cast<unsigned>(Fallback::none))
        fallback = static_cast<unsigned>(decide_fallback(*state, *tag, all_arrived));
}

/// Describes what is wrong with the final decisions of `blocks` blocks; "" if nothing is.
std::string fallback_difference(std::uint64_t seed, unsigned blocks, TagSource source) {
    using cuda::detail::Fallback;
    using cuda::detail::PipelineState;
    using cuda::detail::Tag;
    simulated::CudaEngine engine(seed);
    const Buffer memory = engine.allocate(sizeof(PipelineState));
    const Buffer tag = engine.allocate(sizeof(Tag));
    const Buffer fallbacks = engine.allocate(blocks * sizeof(unsigned));
    auto* const state = memory.as<PipelineState>();
    const bool counted = source == TagSource::state;
    std::memset(memory.as<void>(), counted ? 0 : 0xee, memory.size_bytes());
    cuda::detail::LaunchTags tags{.source = source};
    if (!counted) tags.base = rounds_before;
    if (counted) state->rounds = rounds_before << cuda::detail::arrivals_bits;
    const simulated::Schedule schedule = simulated::schedule_of(seed);
    simulated::run_kernel("arrive_and_decide", {.blocks = blocks, .threads = 32}, schedule, arrive_and_decide,
                          state, tags, tag.as<Tag>(), fallbacks.as<unsigned>());
    simulated::run_kernel("decide_again", {.blocks = blocks, .threads = 32}, schedule, decide_again, state,
                          tag.as<Tag>(), fallbacks.as<unsigned>());
    const auto all = std::span(fallbacks.as<unsigned>(), blocks);
    const auto num = [&](Fallback fallback) {
        return std::ranges::count(all, static_cast<unsigned>(fallback));
    };
    if (counted && state->rounds != (rounds_before + 1) << cuda::detail::arrivals_bits)
        return "the number of rounds is wrong";
    if (num(Fallback::none) > 0 && num(Fallback::none) < blocks) return "a block would wait forever";
    if (num(Fallback::none) == 0 && num(Fallback::tickets_after_reset) != 1) return "not one block resets";
    return {};
}

TEST_F(SelectUnderChecks, AllBlocksThatDecideAgainAgreeOnTheFallback) {
    for (std::uint64_t planned = 0; planned < 4 * 288; ++planned) {
        expect_no_fault(planned, [&](std::uint64_t seed) {
            return fallback_difference(seed, 2 + static_cast<unsigned>(planned % 5),
                                       planned % 2 == 0 ? TagSource::state : TagSource::host);
        });
    }
}

}  // namespace
}  // namespace compaction
