// The lessons of the window are those of the tutorial.
#include "app/kernel_view/lessons.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <utility>

#include "tests/app/kernel_view/traced.hpp"

namespace {

using namespace compaction;
using namespace warpsieve::kernel_view;
using warpsieve::kernel_view::Replay;

/// The page of a lesson, without marks of code, and with one space for each line break.
std::string page_of(const Lesson& lesson) {
    std::ifstream in(std::string(WARPSIEVE_SOURCE_DIR) + "/docs/tutorial/lessons/" + std::string(lesson.id) +
                     ".md");
    std::string text{std::istreambuf_iterator<char>(in), {}};
    std::erase(text, '`');
    std::ranges::replace(text, '\n', ' ');
    return text;
}

/// The words of the page's first `warpsieve trace`.
std::set<std::string> words_of_command(const std::string& page) {
    std::smatch found;
    if (!std::regex_search(page, found, std::regex("warpsieve trace ([^>]*?\\.html)"))) return {};
    const std::string command = found[1];
    const std::regex word("(--[a-z-]+ )?[^ ]+");
    std::set<std::string> words;
    for (std::sregex_iterator at(command.begin(), command.end(), word), end; at != end; ++at)
        words.insert(at->str());
    return words;
}

TEST(Lessons, AreThoseOfTheTutorial) {
    for (const Lesson& lesson : lessons()) {
        SCOPED_TRACE(lesson.id);
        const std::string page = page_of(lesson);
        ASSERT_FALSE(page.empty());
        const std::set<std::string> words = words_of_command(page);
        const auto has = [&](const std::string& option, std::uint64_t value, std::uint64_t default_value) {
            if (value == default_value) return true;
            return words.contains(option + ' ' + std::to_string(value)) ||
                   (value == 1U << 14U && words.contains(option + " 2^14"));
        };
        EXPECT_TRUE(words.contains(std::string(lesson.algorithm)));
        EXPECT_TRUE(has("--n", lesson.num_items, 4'096));
        EXPECT_TRUE(has("--schedule-seed", lesson.schedule_seed, 0));
        EXPECT_TRUE(has("--item-bytes", bytes_of(lesson.item_size), 4));
        std::string line(lesson.line);
        std::ranges::replace(line, ' ', '+');
        EXPECT_NE(page.find(".html#line=" + line + "."), std::string::npos);
        EXPECT_NE(page.find(lesson.question), std::string::npos);
        EXPECT_NE(recording_of(lesson), nullptr) << "a build without the simulated GPU shows it, too";
    }
}

TEST(Lessons, OpenAtTheirOperation) {
    for (const auto& [id, operation] :
         {std::pair("count_by_ballot", "a vote: "), std::pair("ranks_by_population_count", "a vote: "),
          std::pair("warp_scan", "__shfl_up_sync: "),
          std::pair("decoupled_look_back", "reads atomically ")}) {
        SCOPED_TRACE(id);
        const Lesson& lesson = *find_lesson(id);
        const Replay replay(
            traced(find_algorithm(lesson.algorithm), lesson.num_items, lesson.schedule_seed).trace);
        const std::size_t step = first_at_text(replay.events(), replay.steps(Order::warps), lesson.line);
        EXPECT_GT(step, 0U);
        EXPECT_TRUE(replay.sentence(Order::warps, step).text().starts_with(operation))
            << replay.sentence(Order::warps, step).text();
    }
}

}  // namespace
