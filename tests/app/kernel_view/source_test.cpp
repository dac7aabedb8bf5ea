// What the source says about a step: its function, and the variable that receives its value.
#include "app/kernel_view/source.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "platform/files.hpp"

namespace {

using namespace warpsieve::kernel_view;
using compaction::LaneSite;
using compaction::LaneStepKind;
using compaction::MemorySpace;
using compaction::SourceFrame;

TEST(FindFunctions, FindsThoseOfNamespacesAndClasses) {
    const std::vector<SourceFunction> functions = find_functions(R"(#include "a.hpp"
namespace n {
/// Not { part of it.
template <typename T, int N>
__global__ void __launch_bounds__(256, 1)
    kernel(const T* in) {
    for_each([&](int i) { use(in[i], '{', "}"); });
}

struct Row : Base<int> {
    static constexpr int values[] = {1, 2};
  public:
    /// Makes it.
    Row() : a_(1) {}
    int& operator()(int i) { return a_[i]; }
};
}  // namespace n
)");
    ASSERT_EQ(functions.size(), 3U);
    EXPECT_EQ(functions[0].name, "kernel");
    EXPECT_EQ(functions[0].first_line, 4U);
    EXPECT_EQ(functions[0].lines.size(), 5U);
    EXPECT_TRUE(functions[0].has(8));
    EXPECT_FALSE(functions[0].has(9));
    EXPECT_EQ(functions[1].name, "Row");
    EXPECT_EQ(functions[1].lines, std::vector<std::string>{"    Row() : a_(1) {}"});
    EXPECT_EQ(functions[2].name, "operator()");
}

/// The target of an access at a line of a function that consists of these lines; "-" if it is unknown.
std::string target(const std::string& statements, std::uint32_t line = 2,
                   LaneStepKind kind = LaneStepKind::load, const std::string& name = "") {
    const warpsieve::platform::TemporaryFolder folder;
    const std::string file = folder.path() / "source.cu";
    std::ofstream(file) << "__global__ void kernel(int* in) {\n"
                        << statements << "\n}\nint get(int i) {\n    return in[i];\n}\n";
    LaneSite site{kind, MemorySpace::global, 0, 4, 0, name};
    return Sources().target_of(site, {{"kernel(int*)", file, line}}).value_or("-");
}

TEST(TargetOf, IsTheVariableThatReceivesTheValue) {
    EXPECT_EQ(target("    const unsigned item = in[i * 32 + lane];"), "item");
    EXPECT_EQ(target("    auto* const next = node->next;"), "next");
    EXPECT_EQ(target("    const T value = *pointer;"), "value");
    EXPECT_EQ(target("    batch.item[r][k] = i >= begin && i < limit ? base[i] : ItemT{};"),
              "batch.item[r][k]");
    EXPECT_EQ(target("    reinterpret_cast<V&>(batch.item[r]) = __ldg(vectors + r * 32);"), "batch.item[r]");
    EXPECT_EQ(target("    for (int i = 0; i < n; ++i) line[i] = stage[i];"), "line[i]");
    EXPECT_EQ(target("    const unsigned kept =\n        lane < 8 ? totals[lane] : 0;", 3), "kept");
    const LaneStepKind collective = LaneStepKind::collective_results;
    EXPECT_EQ(target("    const int below = __shfl_up_sync(~0U, sum, 1);", 2, collective, "__shfl_up_sync"),
              "below");
    EXPECT_EQ(target("    votes = __ballot_sync(~0U, item != 0);", 2, collective, "a vote"), "votes");
}

TEST(TargetOf, IsUnknownWhereTheValueIsPartOfMore) {
    EXPECT_EQ(target("    const int twice = in[i] + in[i];"), "-");
    EXPECT_EQ(target("    sum += in[i];"), "-");
    EXPECT_EQ(target("    const int next = in[i] ? out[i] : 0;"), "-");
    EXPECT_EQ(target("    const int either = first ? in[i] : out[i];"), "-");
    EXPECT_EQ(target("    const int value = f(in[i]);"), "-");
    EXPECT_EQ(target("    Writer writer(stage, out + offsets[s]);"), "-");
    EXPECT_EQ(target("    if (in[i] == 0) count = 0;"), "-");
    EXPECT_EQ(target("    const int popular = __popc(__ballot_sync(~0U, item));", 2,
                     LaneStepKind::collective_results, "a vote"),
              "-");
}

TEST(TargetOf, FollowsFunctionsThatReturnTheValue) {
    const warpsieve::platform::TemporaryFolder folder;
    const std::string file = folder.path() / "calls.cu";
    std::ofstream(file)
        << "int get(int i) {\n    return in[i];\n}\nint twice(int i) {\n    return 2 * in[i];\n}\n"
           "void kernel() {\n    const int item = get(3);\n    const int other = twice(3);\n"
           "    const int sum = get(1) + get(2);\n}\n";
    const LaneSite site{LaneStepKind::load, MemorySpace::global, 0, 4, 0, ""};
    EXPECT_EQ(Sources().target_of(site, {{"get", file, 2}, {"kernel", file, 8}}), "item");
    EXPECT_EQ(Sources().target_of(site, {{"twice", file, 5}, {"kernel", file, 9}}), std::nullopt);
    EXPECT_EQ(Sources().target_of(site, {{"get", file, 2}, {"kernel", file, 10}}), std::nullopt);
    EXPECT_EQ(Sources().target_of(site, {{"get", "no_such_file.cu", 2}}), std::nullopt);
}

TEST(Sources, KnowTheKernelsOfTheLibrary) {
    Sources sources;
    const SourceFunction* const function =
        sources.function_at({"", "/elsewhere/compaction/simulated/../cuda/primitives/staged_writer.cuh", 45});
    ASSERT_NE(function, nullptr);
    EXPECT_EQ(function->name, "append");
    EXPECT_EQ(function->file, "compaction/cuda/primitives/staged_writer.cuh");
}

}  // namespace
