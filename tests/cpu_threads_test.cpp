// The threads of the CPU engine: look-back over sequences that finish in any order, and when threads are
// used.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "compaction/compaction.hpp"
#include "cpu/look_back.hpp"
#include "cpu/workers.hpp"
#include "platform/files.hpp"
#include "platform/machine.hpp"
#include "registration.hpp"
#include "tests/support/option_sets.hpp"
#include "tests/support/other_machine.hpp"
#include "tests/support/workbench.hpp"
#include "workloads/streams.hpp"

namespace {

using namespace compaction;
using workloads::make_stream;
using workloads::Pattern;

TEST(LookBack, AddsUpWhateverTheOrderOfAnnouncing) {
    constexpr std::uint64_t count = 200;
    std::mt19937 random(3);
    std::vector<std::uint64_t> kept(count);
    for (std::uint64_t& each : kept) each = random() % 1'000;
    std::vector<std::uint64_t> expected(count);
    std::exclusive_scan(kept.begin(), kept.end(), expected.begin(), std::uint64_t{0});
    for (int round = 0; round < 50; ++round) {
        std::vector<std::uint64_t> words(count, ~std::uint64_t{0});  // leftovers of an earlier run
        cpu::LookBack look_back(words.data(), count);
        std::vector<std::uint64_t> order(count);
        std::iota(order.begin(), order.end(), 0);
        std::ranges::shuffle(order, random);
        for (const std::uint64_t sequence : order) look_back.announce(sequence, kept[sequence]);
        // Every word is announced, so any order of look-back works.
        std::ranges::shuffle(order, random);
        for (const std::uint64_t sequence : order) {
            ASSERT_EQ(look_back.exclusive_prefix(sequence, kept[sequence]), expected[sequence]);
        }
        ASSERT_EQ(look_back.total(), expected.back() + kept.back());
    }
}

TEST(LookBack, KnowsAPrefixOnceAllBeforeItAreAnnounced) {
    std::uint64_t words[4];
    cpu::LookBack look_back(words, 4);
    EXPECT_EQ(look_back.prefix_if_known(0), 0U);
    look_back.announce(1, 20);
    EXPECT_EQ(look_back.prefix_if_known(1), std::nullopt);
    EXPECT_EQ(look_back.prefix_if_known(2), std::nullopt);
    look_back.announce_inclusive(0, 3);
    EXPECT_EQ(look_back.prefix_if_known(1), 3U);
    EXPECT_EQ(look_back.prefix_if_known(2), 23U);
    EXPECT_EQ(look_back.exclusive_prefix(1, 20), 3U);
    look_back.announce_inclusive(2, 23 + 100);
    EXPECT_EQ(look_back.prefix_if_known(3), 123U);
    look_back.announce_inclusive(3, 123 + 7);
    EXPECT_EQ(look_back.total(), 130U);
}

TEST(LookBack, HoldsCountsOfTheLongestStreams) {
    const std::uint64_t many = Algorithm{}.max_items;
    std::uint64_t words[2];
    cpu::LookBack look_back(words, 2);
    look_back.announce(0, many);
    look_back.announce(1, many);
    EXPECT_EQ(look_back.exclusive_prefix(0, many), 0U);
    EXPECT_EQ(look_back.exclusive_prefix(1, many), many);
    EXPECT_EQ(look_back.total(), 2 * many);
}

TEST(LookBack, WaitsForLaterAnnouncements) {
    std::uint64_t words[2];
    cpu::LookBack look_back(words, 2);
    look_back.announce(1, 5);
    std::uint64_t before = 0;
    std::atomic<bool> started = false;
    std::thread waiting([&] {
        started = true;
        started.notify_one();
        before = look_back.exclusive_prefix(1, 5);
    });
    started.wait(false);
    look_back.announce(0, 7);
    waiting.join();
    EXPECT_EQ(before, 7U);
}

/// More workers than processors, so that the system suspends holders of tickets while others wait for them;
/// and a single one, which never waits.
TEST(SinglePass, FinishesWithAnyNumberOfThreads) {
    const auto engine = open_engine(EngineId::cpu);
    const Algorithm& algorithm = find_algorithm("cpu_single_pass");
    constexpr std::uint64_t num_items = 300'007;
    testing_support::Workbench bench(*engine, num_items);
    bench.use(algorithm, ItemSize::bytes_4);
    std::vector<Options> option_sets;
    for (const std::uint32_t threads : {1U, 2U, 3U, 16U}) {
        for (const std::uint32_t sequences : {2U, 7U, 1'000U}) {
            for (const std::uint32_t variant : algorithm.range_of(Option::variant)->values()) {
                Options& options = option_sets.emplace_back();
                options[Option::threads_per_block] = threads;
                options[Option::sequences] = sequences;
                options[Option::variant] = variant;
            }
        }
    }
    for (const Options& options : option_sets) {
        const auto compactor = engine->make_compactor(algorithm, options);
        compactor->reserve(num_items);
        for (std::uint64_t run = 0; run < 30; ++run) {
            if (run % 10 == 0) bench.load(make_stream(Pattern::random, num_items, 0.5, run), keep_non_zero());
            ASSERT_TRUE(bench.check(*compactor)) << testing_support::describe(options);
        }
    }
}

TEST(Workers, ShareEveryIndexOutOnce) {
    const auto engine = open_engine(EngineId::cpu);
    for (const std::uint32_t threads : {1U, 2U, 5U}) {
        cpu::Workers workers(*engine, threads);
        for (const std::uint64_t count : {0U, 1U, 2U, 1'000U}) {
            std::vector<int> calls(count, 0);
            workers.for_each(count, threads, nullptr, [&](std::uint64_t i) { ++calls[i]; });
            EXPECT_EQ(std::count(calls.begin(), calls.end(), 1), static_cast<std::ptrdiff_t>(count));
        }
    }
}

TEST(Workers, UseTheCallingThreadAloneForShortStreams) {
    const auto engine = open_engine(EngineId::cpu);
    const cpu::Workers as_many_as_there_are(*engine, automatic);
    EXPECT_EQ(as_many_as_there_are.threads_for(4'096 * bytes_of(ItemSize::bytes_16)), 1U);
    EXPECT_EQ(as_many_as_there_are.threads_for(std::uint64_t{1} << 30), engine->device().processors);
    const cpu::Workers three(*engine, 3);
    EXPECT_EQ(three.threads_for(1), 3U) << "a requested number is used";
}

TEST(Workers, AreAtMostTheLegalMaximum) {
    testing_support::OtherMachineEngine engine;
    engine.machine().processors = 384;
    EXPECT_EQ(cpu::Workers(engine, automatic).threads(), cpu::max_threads);
    for (const char* id : {"cpu_sequence_wise", "cpu_single_pass"}) {
        const Algorithm& algorithm = find_algorithm(id);
        const Options chosen =
            make_registered(engine, algorithm, {}, ItemSize::bytes_4)->resolved_options(1 << 24);
        EXPECT_EQ(chosen[Option::threads_per_block], cpu::max_threads) << id;
        EXPECT_NO_THROW(validate(algorithm, chosen)) << id;
    }
}

/// The number of threads of this process, from the system.
int num_threads() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("Threads:")) return std::stoi(line.substr(8));
    }
    return 0;
}

/// Runs as a death test, in a separate process: threads of other tests would distort the count.
TEST(ShortStreamsDeathTest, StartNoThread) {
    testing::GTEST_FLAG(death_test_style) = "threadsafe";
    const auto compact_short_streams = [] {
        const auto engine = open_engine(EngineId::cpu);
        // ThreadSanitizer starts a thread itself.
        const int before = num_threads();
        for (const char* id :
             {"cpu_loop", "cpu_branchless", "cpu_simd", "cpu_sequence_wise", "cpu_single_pass"}) {
            for (const ItemSize item_size : all_item_sizes) {
                const Buffer in = engine->allocate(4'096 * bytes_of(item_size));
                const Buffer out = engine->allocate(4'096 * bytes_of(item_size));
                const Buffer num_selected = engine->allocate(sizeof(std::uint64_t));
                const std::vector<Item> stream = make_stream(Pattern::random, 4'096, 0.5, 1);
                engine->upload(in.as<void>(), workloads::widen(stream, item_size, 1).data(), in.size_bytes());
                const auto compactor = engine->make_compactor(find_algorithm(id), {}, item_size);
                compactor->reserve(4'096);
                compactor->enqueue(in.as<void>(), 4'096, out.as<void>(), num_selected.as<std::uint64_t>(),
                                   keep_non_zero(), nullptr);
            }
        }
        std::exit(num_threads() == before ? 1 : 2);
    };
    if (num_threads() == 0) GTEST_SKIP() << "The system does not report the number of threads.";
    EXPECT_EXIT(compact_short_streams(), testing::ExitedWithCode(1), "");
}

/// In-place compaction is not supported: input and output must not overlap.
TEST(CpuCompactors, RefuseRangesThatOverlap) {
    const auto engine = open_engine(EngineId::cpu);
    constexpr std::uint64_t num_items = 64;
    for (const Algorithm& algorithm : catalogue()) {
        if (algorithm.engine != EngineId::cpu) continue;
        for (const ItemSize item_size : algorithm.item_sizes) {
            const std::size_t bytes = num_items * bytes_of(item_size);
            const Buffer memory = engine->allocate(3 * bytes);
            std::fill_n(memory.as<char>(), 3 * bytes, '\0');
            char* const in = memory.as<char>() + bytes;
            std::uint64_t num_selected = 0;
            const auto compactor = engine->make_compactor(algorithm, {}, item_size);
            compactor->reserve(num_items);
            const auto last = static_cast<std::ptrdiff_t>(bytes - bytes_of(item_size));
            for (const std::ptrdiff_t distance : {std::ptrdiff_t{0}, last, -last}) {
                try {
                    compactor->enqueue(in, num_items, in + distance, &num_selected, keep_non_zero(), nullptr);
                    ADD_FAILURE() << algorithm.id << " took an output " << distance
                                  << " bytes past its input";
                } catch (const Error& error) {
                    EXPECT_EQ(error.code(), ErrorCode::invalid_argument) << algorithm.id;
                }
            }
            // Adjacent ranges do not overlap.
            EXPECT_NO_THROW(
                compactor->enqueue(in, num_items, in + bytes, &num_selected, keep_non_zero(), nullptr));
            EXPECT_NO_THROW(
                compactor->enqueue(in, num_items, in - bytes, &num_selected, keep_non_zero(), nullptr));
        }
    }
}

/// Simulated control groups.
class FakeGroups {
  public:
    explicit FakeGroups(const std::string& own_groups) { write("own", own_groups); }

    void write(const std::filesystem::path& file, const std::string& text) const {
        std::filesystem::create_directories((folder_ / file).parent_path());
        std::ofstream(folder_ / file) << text << '\n';
    }
    std::uint64_t available_bytes() const {
        return warpsieve::platform::available_memory_bytes(folder_ / "own", folder_);
    }

  private:
    warpsieve::platform::TemporaryFolder temporary_;
    std::filesystem::path folder_ = temporary_.path();
};

TEST(Machine, RespectsTheLimitsOfControlGroups) {
    const FakeGroups groups("0::/services/this");
    const std::uint64_t of_the_system = groups.available_bytes();
    EXPECT_GT(of_the_system, 1'000U) << "no group has a limit";
    groups.write("services/this/memory.max", "max");
    EXPECT_GT(groups.available_bytes(), 1'000U) << "a word, not a number";
    groups.write("services/memory.max", "1000");
    groups.write("services/memory.current", "900");
    EXPECT_EQ(groups.available_bytes(), 100U) << "the parent group has a limit";
    groups.write("services/memory.stat", "anon 650\ninactive_file 200\nactive_file 50");
    EXPECT_EQ(groups.available_bytes(), 350U) << "file pages can be reclaimed";
    groups.write("services/this/memory.max", "400");
    groups.write("services/this/memory.current", "100");
    EXPECT_EQ(groups.available_bytes(), 300U);
    groups.write("services/this/memory.current", "500");
    EXPECT_EQ(groups.available_bytes(), 1U) << "0 would mean unknown";
    groups.write("services/this/memory.max", "9000000000000000000");
    EXPECT_EQ(groups.available_bytes(), 350U);
}

TEST(Machine, RespectsTheLimitsOfControlGroupsVersion1) {
    const FakeGroups groups("5:cpu,cpuacct:/\n4:memory:/this\n0::/");
    groups.write("memory/memory.limit_in_bytes", "9223372036854771712");
    groups.write("memory/this/memory.limit_in_bytes", "1000");
    groups.write("memory/this/memory.usage_in_bytes", "900");
    groups.write("memory/this/memory.stat", "inactive_file 1\ntotal_inactive_file 200\ntotal_active_file 50");
    EXPECT_EQ(groups.available_bytes(), 350U);
}

TEST(Machine, RespectsTheLimitOfItsContainer) {
    // The name of the group is the one seen from outside; inside, only its own folder is visible, as the
    // root.
    const FakeGroups groups("0::/containers/this");
    groups.write("memory.max", "1000");
    groups.write("memory.current", "900");
    EXPECT_EQ(groups.available_bytes(), 100U);
}

TEST(Machine, ReadsTheClockThatTheSystemReports) {
    const warpsieve::platform::TemporaryFolder cpus_folder;
    const std::filesystem::path cpus = cpus_folder.path() / "cpus";
    EXPECT_EQ(warpsieve::platform::reported_clock_hz(cpus), 0) << "no such folder";
    // This may run on any core.
    for (unsigned core = 0; core < 1024; ++core) {
        const std::filesystem::path folder = cpus / ("cpu" + std::to_string(core)) / "cpufreq";
        std::filesystem::create_directories(folder);
        std::ofstream(folder / "scaling_cur_freq") << "2400000\n";
    }
    EXPECT_EQ(warpsieve::platform::reported_clock_hz(cpus), 2.4e9);
}

}  // namespace
