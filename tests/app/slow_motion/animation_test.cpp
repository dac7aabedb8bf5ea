// Slow motion: the plain code compacts, and what is shown is a function of time that never contradicts
// it.
#include "app/slow_motion/animation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "compaction/engine.hpp"

namespace warpsieve::slow_motion {
namespace {

using compaction::Item;

constexpr std::array all_methods{Method::sequences, Method::blocks,   Method::flags,     Method::look_back,
                                 Method::atomics,   Method::launches, Method::one_thread};

std::vector<Item> kept_of(const Stream& stream) {
    std::vector<Item> kept;
    std::ranges::copy_if(stream, std::back_inserter(kept), [](Item item) { return item != 0; });
    return kept;
}

/// Streams of every density, also empty and full ones.
template <typename Check>
void for_each_animation(Check check) {
    for (const Method method : all_methods) {
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            const float density = static_cast<float>(seed % 11) / 10.0F;
            SCOPED_TRACE(testing::Message() << "method " << int(method) << ", seed " << seed);
            const Stream stream = stream_of(seed, density);
            check(make_animation(method, stream, 1 << 20));
        }
    }
}

TEST(Animation, CompactsWithEveryMethod) {
    for_each_animation([](const Animation& animation) {
        std::vector<Item> output = animation.output;
        if (animation.method == Method::atomics) std::ranges::sort(output);
        EXPECT_EQ(output, kept_of(animation.stream));
        EXPECT_EQ(std::accumulate(animation.counts.begin(), animation.counts.end(), 0U), output.size());
    });
}

TEST(Animation, EveryKeptItemFliesOnceToItsOwnIndexAfterItIsTested) {
    for_each_animation([](const Animation& animation) {
        std::vector<bool> taken(animation.output.size());
        for (std::uint32_t i = 0; i < num_slots; ++i) {
            const SlotTimes& slot = animation.slots[i];
            ASSERT_EQ(slot.output_index.has_value(), animation.stream[i] != 0);
            if (!slot.output_index) continue;
            ASSERT_LT(*slot.output_index, taken.size());
            EXPECT_FALSE(taken[*slot.output_index]);
            taken[*slot.output_index] = true;
            EXPECT_EQ(animation.output[*slot.output_index], animation.stream[i]);
            EXPECT_GE(slot.leaves_s, slot.tested_s);
            EXPECT_GE(slot.leaves_s, animation.parts[i / part_slots].offset_known_s);
            EXPECT_LE(slot.lands_s, animation.pull_back_s);
        }
    });
}

TEST(Animation, ATileLooksBackOnlyAtWhatIsPublished) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const Animation animation = make_animation(Method::look_back, stream_of(seed, 0.4F), 1 << 20);
        EXPECT_FALSE(animation.looks.empty());
        for (const Look& look : animation.looks) {
            EXPECT_LT(look.seen_part, look.looking_part);
            EXPECT_GE(look.begin_s, animation.parts[look.looking_part].counted_s);
            EXPECT_GE(look.begin_s, animation.parts[look.seen_part].counted_s);
            EXPECT_EQ(look.found_prefix, animation.parts[look.seen_part].offset_known_s <= look.begin_s);
            EXPECT_GE(animation.parts[look.looking_part].offset_known_s, look.end_s);
        }
        EXPECT_TRUE(std::ranges::any_of(animation.looks, &Look::found_prefix));
        EXPECT_FALSE(std::ranges::all_of(animation.looks, &Look::found_prefix));
    }
}

TEST(Animation, NothingGoesBackWhileTimePasses) {
    for_each_animation([](const Animation& animation) {
        Moment before = moment_at(animation, 0);
        for (double time = 0; time <= animation.duration_s(); time += 0.21) {
            const Moment now = moment_at(animation, time);
            EXPECT_GE(now.step, before.step);
            EXPECT_GE(now.log2_slots, before.log2_slots);
            EXPECT_GE(now.num_taken, before.num_taken);
            for (std::uint32_t i = 0; i < num_slots; ++i) {
                EXPECT_GE(now.slots[i].lit, before.slots[i].lit);
                EXPECT_GE(now.slots[i].flight, before.slots[i].flight);
            }
            for (std::uint32_t i = 0; i < num_parts; ++i) {
                EXPECT_GE(now.parts[i].count, before.parts[i].count);
                if (now.parts[i].counted) {
                    EXPECT_EQ(now.parts[i].count, animation.counts[i]);
                }
            }
            before = now;
        }
        const Moment end = moment_at(animation, animation.pull_back_s);
        for (std::uint32_t i = 0; i < num_slots; ++i)
            EXPECT_EQ(end.slots[i].flight, animation.stream[i] != 0 ? 1.0F : 0.0F);
        EXPECT_EQ(end.num_taken, animation.output.size());
    });
}

TEST(Animation, TheCameraEndsAtTheFullStreamAndBeginsAt64) {
    for (const std::uint64_t slots : {64ULL, 1'000ULL, 16'384ULL, 1'000'003ULL, 1ULL << 26}) {
        const Animation animation = make_animation(Method::sequences, stream_of(1, 0.3F), slots);
        EXPECT_EQ(moment_at(animation, animation.pull_back_s).log2_slots, 6);
        EXPECT_NEAR(moment_at(animation, animation.duration_s()).log2_slots,
                    std::log2(static_cast<double>(slots)), 1e-6);
    }
    // The camera moves without a jump.
    const Animation animation = make_animation(Method::look_back, stream_of(1, 0.3F), 1 << 24);
    for (double time = animation.pull_back_s; time < animation.duration_s(); time += 1.0 / 60)
        EXPECT_LT(moment_at(animation, time + 1.0 / 60).log2_slots - moment_at(animation, time).log2_slots,
                  0.2);
}

TEST(Animation, StepsFollowEachOtherAndHaveShortCaptions) {
    for_each_animation([](const Animation& animation) {
        EXPECT_EQ(animation.steps.front().begin_s, 0);
        EXPECT_DOUBLE_EQ(animation.steps.back().end_s, animation.duration_s());
        for (std::size_t i = 0; i < animation.steps.size(); ++i) {
            const Step& step = animation.steps[i];
            EXPECT_LT(step.begin_s, step.end_s);
            EXPECT_LE(step.caption.size(), 90U);
            EXPECT_EQ(std::ranges::count(step.caption, '.'), 1);
            if (i > 0) {
                EXPECT_DOUBLE_EQ(step.begin_s, animation.steps[i - 1].end_s);
            }
            EXPECT_EQ(moment_at(animation, step.begin_s).step, i);
        }
    });
}

TEST(Animation, StepsGoThereAndBack) {
    for_each_animation([](const Animation& animation) {
        std::vector<double> forth{0};
        while (forth.back() < animation.duration_s()) forth.push_back(next_stop(animation, forth.back()));
        EXPECT_EQ(next_stop(animation, animation.duration_s()), animation.duration_s());
        std::vector<double> back{animation.duration_s()};
        while (back.back() > 0) back.push_back(previous_stop(animation, back.back()));
        std::ranges::reverse(back);
        EXPECT_EQ(forth, back);
        EXPECT_EQ(previous_stop(animation, 0), 0);
        for (const Step& step : animation.steps) {
            EXPECT_TRUE(std::ranges::any_of(
                forth, [&](double stop) { return std::abs(stop - step.begin_s) < 2e-3; }));
        }
    });
}

TEST(Animation, TimeIsClamped) {
    const Animation animation = make_animation(Method::sequences, stream_of(1, 0.3F), 1 << 20);
    EXPECT_EQ(moment_at(animation, -1).step, 0U);
    EXPECT_EQ(moment_at(animation, 1e9).step, animation.steps.size() - 1);
}

TEST(Animation, MethodsFollowFromTheDescriptions) {
    const auto method = [](const char* id) { return method_of(compaction::find_algorithm(id)); };
    EXPECT_EQ(method("cpu_sequence_wise"), Method::sequences);
    EXPECT_EQ(method("cpu_scan_scatter"), Method::flags);
    EXPECT_EQ(method("cpu_single_pass"), Method::look_back);
    EXPECT_EQ(method("cpu_loop"), Method::one_thread);
    EXPECT_EQ(method("std_copy_if"), Method::one_thread);
    if (compaction::find_algorithm("spataro").phases.empty()) GTEST_SKIP() << "without CUDA";
    for (const char* id : {"spataro", "orange_owls", "block_wise"})
        EXPECT_EQ(method(id), Method::blocks) << id;
    for (const char* id : {"sequence_wise", "billeter", "billeter_scaled", "masked_two_pass"})
        EXPECT_EQ(method(id), Method::sequences) << id;
    for (const char* id : {"naive_scan", "work_efficient_scan"}) EXPECT_EQ(method(id), Method::flags) << id;
    for (const char* id : {"single_pass", "cub_select", "ink_compact"})
        EXPECT_EQ(method(id), Method::look_back) << id;
    EXPECT_EQ(method("atomic_append"), Method::atomics);
    EXPECT_EQ(method("device_launch"), Method::launches);
}

std::vector<Item> compacted(compaction::Engine& engine, const compaction::Algorithm& algorithm,
                            const Stream& stream) {
    const auto compactor = engine.make_compactor(algorithm, {});
    compactor->reserve(num_slots);
    compaction::Buffer in = engine.allocate(sizeof(stream));
    compaction::Buffer out = engine.allocate(sizeof(stream));
    compaction::Buffer count = engine.allocate(sizeof(std::uint64_t));
    engine.upload(in.as<void>(), stream.data(), sizeof(stream));
    compactor->enqueue(in.as<void>(), num_slots, out.as<void>(), count.as<std::uint64_t>(),
                       compaction::keep_non_zero(), nullptr);
    engine.synchronise();
    std::uint64_t num_kept = 0;
    engine.download(&num_kept, count.as<void>(), sizeof(num_kept));
    std::vector<Item> kept(std::min<std::uint64_t>(num_kept, num_slots));
    if (!kept.empty()) engine.download(kept.data(), out.as<void>(), kept.size() * sizeof(Item));
    return kept;
}

TEST(Animation, EndsWithTheOutputOfEveryAlgorithmThatRunsHere) {
    for (const compaction::EngineId id : {compaction::EngineId::cpu, compaction::EngineId::cuda}) {
        if (!compaction::status_of(id).available) continue;
        const auto engine = compaction::open_engine(id);
        for (const compaction::Algorithm& algorithm : compaction::catalogue()) {
            if (algorithm.engine != id || !algorithm.is_available()) continue;
            SCOPED_TRACE(algorithm.id);
            for (const float density : {0.0F, 0.1F, 0.35F, 0.8F, 1.0F}) {
                const Stream stream = stream_of(7, density);
                std::vector<Item> real = compacted(*engine, algorithm, stream);
                std::vector<Item> output = make_animation(method_of(algorithm), stream, 1 << 20).output;
                if (!algorithm.stable) {
                    std::ranges::sort(real);
                    std::ranges::sort(output);
                }
                EXPECT_EQ(output, real);
            }
        }
    }
}

}  // namespace
}  // namespace warpsieve::slow_motion
