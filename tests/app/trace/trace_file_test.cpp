#include "app/trace/trace_file.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <string>
#include <utility>

#include "app/trace/trace_json.hpp"
#include "compaction/error.hpp"
#include "tests/app/trace/fake_accesses.hpp"

namespace warpsieve::trace {
namespace {

using compaction::AccessReader;
using compaction::AccessTrace;
using compaction::Error;

TEST(TraceFile, ReadsWhatWasWritten) {
    AccessTrace trace = *fake::random_accesses(4, 500);
    trace.algorithm = "sequence_wise";
    trace.seed = 12;
    trace.launches.front().kernel = "count";
    trace.launches.front().phase = 2;
    const AccessTrace read = read_trace_file(trace_file(trace));
    EXPECT_EQ(read.algorithm, trace.algorithm);
    EXPECT_EQ(read.seed, trace.seed);
    EXPECT_EQ(read.num_items, trace.num_items);
    EXPECT_EQ(read.num_accesses, trace.num_accesses);
    EXPECT_EQ(read.num_stored_values, trace.num_stored_values);
    EXPECT_EQ(read.num_steps, trace.num_steps);
    EXPECT_EQ(read.packed, trace.packed);
    EXPECT_EQ(read.buffers, trace.buffers);
    EXPECT_EQ(read.launches, trace.launches);
}

TEST(TraceFile, RejectsWhatIsDamaged) {
    const std::vector<std::uint8_t> whole = trace_file(*fake::random_accesses(5, 200));
    for (std::size_t size = 0; size < whole.size(); size += 97)
        EXPECT_THROW(read_trace_file(std::span(whole).first(size)), Error) << size << " bytes";
    EXPECT_THROW(read_trace_file(std::vector<std::uint8_t>{0xa0}), Error);
    // Any other byte makes an error or a trace that can be played; never an access beside its buffer.
    std::mt19937 random(1);
    unsigned refused = 0;
    for (unsigned i = 0; i < 2'000; ++i) {
        std::vector<std::uint8_t> damaged = whole;
        damaged[random() % damaged.size()] ^= static_cast<std::uint8_t>(1U << random() % 8);
        try {
            const AccessTrace trace = read_trace_file(damaged);
            for (AccessReader reader(trace); reader.next();) {
                for (const std::uint64_t element : reader.access().elements)
                    ASSERT_LT(element, trace.buffers[reader.access().buffer].num_elements);
            }
        } catch (const Error&) {
            ++refused;
        }
    }
    EXPECT_GT(refused, 0U);
}

TEST(TraceFile, TheJsonHasEveryAccess) {
    const AccessTrace trace = *fake::random_accesses(6, 50);
    const auto json = nlohmann::json::parse(accesses_json(trace));
    AccessReader reader(trace);
    std::set<std::pair<int, int>> named;
    for (const auto& event : json.at("traceEvents")) {
        const std::pair<int, int> thread(event.at("pid"), event.at("tid"));
        if (event.at("name") == "thread_name") named.insert(thread);
        if (event.at("ph") != "X") continue;
        EXPECT_TRUE(named.contains(thread)) << "a warp without a name";
        ASSERT_TRUE(reader.next());
        const compaction::WarpAccess& access = reader.access();
        EXPECT_EQ(event.at("ts"), access.step);
        EXPECT_EQ(event.at("name"),
                  std::string(name_of(access.kind)) + " " + trace.buffers[access.buffer].name);
        EXPECT_EQ(event.at("args").at("elements"), access.elements);
        EXPECT_EQ(event.at("args").contains("values"), stores(access.kind));
        if (stores(access.kind)) {
            EXPECT_EQ(event.at("args").at("values").at(0), access.value(0));
        }
    }
    EXPECT_FALSE(reader.next());
}

}  // namespace
}  // namespace warpsieve::trace
