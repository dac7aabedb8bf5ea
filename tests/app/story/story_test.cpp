// Slow motion: the reference code compacts, and what is shown is a function of time that never contradicts
// it.
#include "app/story/story.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "compaction/engine.hpp"

namespace warpsieve::story {
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
void for_each_story(Check check) {
    for (const Method method : all_methods) {
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            const float density = static_cast<float>(seed % 11) / 10.0F;
            SCOPED_TRACE(testing::Message() << "method " << int(method) << ", seed " << seed);
            const Stream stream = stream_of(seed, density);
            check(make_story(method, stream, 1 << 20));
        }
    }
}

TEST(Story, CompactsWithEveryMethod) {
    for_each_story([](const Story& story) {
        std::vector<Item> output = story.output;
        if (story.method == Method::atomics) std::ranges::sort(output);
        EXPECT_EQ(output, kept_of(story.stream));
        EXPECT_EQ(std::accumulate(story.counts.begin(), story.counts.end(), 0U), output.size());
    });
}

TEST(Story, EveryKeptItemFliesOnceToAPlaceOfItsOwnAfterItIsTested) {
    for_each_story([](const Story& story) {
        std::vector<bool> taken(story.output.size());
        for (std::uint32_t i = 0; i < num_slots; ++i) {
            const SlotTimes& slot = story.slots[i];
            ASSERT_EQ(slot.place.has_value(), story.stream[i] != 0);
            if (!slot.place) continue;
            ASSERT_LT(*slot.place, taken.size());
            EXPECT_FALSE(taken[*slot.place]);
            taken[*slot.place] = true;
            EXPECT_EQ(story.output[*slot.place], story.stream[i]);
            EXPECT_GE(slot.leaves_s, slot.tested_s);
            EXPECT_GE(slot.leaves_s, story.parts[i / part_slots].placed_s);
            EXPECT_LE(slot.lands_s, story.pull_back_s);
        }
    });
}

TEST(Story, ATileLooksBackOnlyAtWhatIsPublished) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const Story story = make_story(Method::look_back, stream_of(seed, 0.4F), 1 << 20);
        EXPECT_FALSE(story.looks.empty());
        for (const Look& look : story.looks) {
            EXPECT_LT(look.at, look.from);
            EXPECT_GE(look.begin_s, story.parts[look.from].counted_s);
            EXPECT_GE(look.begin_s, story.parts[look.at].counted_s);
            EXPECT_EQ(look.found_prefix, story.parts[look.at].placed_s <= look.begin_s);
            EXPECT_GE(story.parts[look.from].placed_s, look.end_s);
        }
        EXPECT_TRUE(std::ranges::any_of(story.looks, &Look::found_prefix));
        EXPECT_FALSE(std::ranges::all_of(story.looks, &Look::found_prefix));
    }
}

TEST(Story, NothingGoesBackWhileTimePasses) {
    for_each_story([](const Story& story) {
        Moment before = at(story, 0);
        for (double time = 0; time <= story.duration_s(); time += 0.21) {
            const Moment now = at(story, time);
            EXPECT_GE(now.chapter, before.chapter);
            EXPECT_GE(now.log2_slots, before.log2_slots);
            EXPECT_GE(now.num_taken, before.num_taken);
            for (std::uint32_t i = 0; i < num_slots; ++i) {
                EXPECT_GE(now.slots[i].lit, before.slots[i].lit);
                EXPECT_GE(now.slots[i].flight, before.slots[i].flight);
            }
            for (std::uint32_t i = 0; i < num_parts; ++i) {
                EXPECT_GE(now.parts[i].count, before.parts[i].count);
                if (now.parts[i].counted) {
                    EXPECT_EQ(now.parts[i].count, story.counts[i]);
                }
            }
            before = now;
        }
        const Moment end = at(story, story.pull_back_s);
        for (std::uint32_t i = 0; i < num_slots; ++i)
            EXPECT_EQ(end.slots[i].flight, story.stream[i] != 0 ? 1.0F : 0.0F);
        EXPECT_EQ(end.num_taken, story.output.size());
    });
}

TEST(Story, TheCameraEndsAtTheFullStreamAndBeginsAt64) {
    for (const std::uint64_t slots : {64ULL, 1'000ULL, 16'384ULL, 1'000'003ULL, 1ULL << 26}) {
        const Story story = make_story(Method::sequences, stream_of(1, 0.3F), slots);
        EXPECT_EQ(at(story, story.pull_back_s).log2_slots, 6);
        EXPECT_NEAR(at(story, story.duration_s()).log2_slots, std::log2(static_cast<double>(slots)), 1e-6);
    }
    // Without a cut.
    const Story story = make_story(Method::look_back, stream_of(1, 0.3F), 1 << 24);
    for (double time = story.pull_back_s; time < story.duration_s(); time += 1.0 / 60)
        EXPECT_LT(at(story, time + 1.0 / 60).log2_slots - at(story, time).log2_slots, 0.2);
}

TEST(Story, ChaptersFollowEachOtherAndHaveShortCaptions) {
    for_each_story([](const Story& story) {
        EXPECT_EQ(story.chapters.front().begin_s, 0);
        EXPECT_DOUBLE_EQ(story.chapters.back().end_s, story.duration_s());
        for (std::size_t i = 0; i < story.chapters.size(); ++i) {
            const Chapter& chapter = story.chapters[i];
            EXPECT_LT(chapter.begin_s, chapter.end_s);
            EXPECT_LE(chapter.caption.size(), 90U);
            EXPECT_EQ(std::ranges::count(chapter.caption, '.'), 1);
            if (i > 0) {
                EXPECT_DOUBLE_EQ(chapter.begin_s, story.chapters[i - 1].end_s);
            }
            EXPECT_EQ(at(story, chapter.begin_s).chapter, i);
        }
    });
}

TEST(Story, StepsGoThereAndBack) {
    for_each_story([](const Story& story) {
        std::vector<double> forth{0};
        while (forth.back() < story.duration_s()) forth.push_back(next_step(story, forth.back()));
        EXPECT_EQ(next_step(story, story.duration_s()), story.duration_s());
        std::vector<double> back{story.duration_s()};
        while (back.back() > 0) back.push_back(previous_step(story, back.back()));
        std::ranges::reverse(back);
        EXPECT_EQ(forth, back);
        EXPECT_EQ(previous_step(story, 0), 0);
        for (const Chapter& chapter : story.chapters) {
            EXPECT_TRUE(std::ranges::any_of(
                forth, [&](double step) { return std::abs(step - chapter.begin_s) < 2e-3; }));
        }
    });
}

TEST(Story, TimeIsClamped) {
    const Story story = make_story(Method::sequences, stream_of(1, 0.3F), 1 << 20);
    EXPECT_EQ(at(story, -1).chapter, 0U);
    EXPECT_EQ(at(story, 1e9).chapter, story.chapters.size() - 1);
}

TEST(Story, MethodsFollowFromTheDescriptions) {
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

TEST(Story, EndsWithTheOutputOfEveryAlgorithmThatRunsHere) {
    for (const compaction::EngineId id : {compaction::EngineId::cpu, compaction::EngineId::cuda}) {
        if (!compaction::status_of(id).available) continue;
        const auto engine = compaction::open_engine(id);
        for (const compaction::Algorithm& algorithm : compaction::catalogue()) {
            if (algorithm.engine != id || !algorithm.is_available()) continue;
            SCOPED_TRACE(algorithm.id);
            for (const float density : {0.0F, 0.1F, 0.35F, 0.8F, 1.0F}) {
                const Stream stream = stream_of(7, density);
                std::vector<Item> real = compacted(*engine, algorithm, stream);
                std::vector<Item> output = make_story(method_of(algorithm), stream, 1 << 20).output;
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
}  // namespace warpsieve::story
