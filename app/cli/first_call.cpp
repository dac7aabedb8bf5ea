#include "app/cli/first_call.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/exit_code.hpp"
#include "app/cli/interrupt.hpp"
#include "compaction/error.hpp"
#include "experiments/first_calls.hpp"
#include "experiments/format/numbers.hpp"
#include "experiments/format/printable.hpp"
#include "platform/process.hpp"
#include "platform/signals.hpp"

namespace warpsieve {
namespace {

using compaction::Error;
using compaction::ErrorCode;
using experiments::Setting;

/// First on the line that carries the times.
constexpr std::string_view times_mark = "first_calls_us";
/// Opening a GPU and making the longest stream take seconds.
constexpr std::chrono::seconds most_time{120};

/// `warpsieve first-call ID LENGTH PATTERN KEEP_FRACTION [OPTION VALUE]...`
std::vector<std::string> arguments_of(const Setting& setting) {
    std::vector<std::string> arguments{"warpsieve",
                                       "first-call",
                                       setting.algorithm->id,
                                       std::to_string(setting.stream.num_items),
                                       std::string(workloads::info_of(setting.stream.pattern).name),
                                       experiments::format::shortest(setting.stream.density, 17)};
    for (const compaction::LegalRange& range : setting.algorithm->options) {
        const std::uint32_t value = setting.options[range.option];
        if (value == compaction::automatic) continue;
        arguments.emplace_back(flag_of(range.option));
        arguments.push_back(range.text_of(value));
    }
    return arguments;
}

[[noreturn]] void refuse() {
    throw Error(ErrorCode::invalid_argument,
                "first-call is started by `warpsieve reproduce`: ID LENGTH PATTERN KEEP_FRACTION [OPTION "
                "VALUE]...");
}

Setting setting_of(const std::vector<std::string>& arguments) {
    using experiments::format::parse_number;
    if (arguments.size() < 4 || arguments.size() % 2 != 0) refuse();
    Setting setting;
    setting.algorithm = &compaction::find_algorithm(arguments[0]);
    const auto num_items = parse_number<std::uint64_t>(arguments[1]);
    const auto pattern = workloads::find_pattern(arguments[2]);
    const auto density = parse_number<double>(arguments[3]);
    if (!num_items || *num_items == 0 || !pattern || !density) refuse();
    if (!(*density >= 0 && *density <= 1)) refuse();
    setting.stream.num_items = *num_items;
    setting.stream.pattern = *pattern;
    setting.stream.density = *density;
    setting.stream.cache = experiments::Cache::hot;
    for (std::size_t i = 4; i < arguments.size(); i += 2) {
        const auto option = std::ranges::find(compaction::all_options, arguments[i], compaction::flag_of);
        if (option == compaction::all_options.end()) refuse();
        setting.options[*option] = compaction::parse_option(*setting.algorithm, *option, arguments[i + 1]);
    }
    return setting;
}

/// The times in the output of a process; empty if there are none.
std::optional<experiments::FirstCalls> read_times(const std::string& output) {
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string mark;
        experiments::FirstCalls calls;
        if (words >> mark >> calls.first_us >> calls.second_us >> calls.later_us && mark == times_mark)
            return calls;
    }
    return std::nullopt;
}

/// Why a process gave no times: its last line, or how it ended.
std::string failure_of(const platform::ChildResult& child) {
    switch (child.end) {
        case platform::ChildEnd::not_started:
            return "the system refused to start it";
        case platform::ChildEnd::timed_out:
            return "it took longer than " + std::to_string(most_time.count()) + " s";
        case platform::ChildEnd::killed:
            return "signal " + std::to_string(child.code) + " ended it";
        case platform::ChildEnd::cancelled:
            return {};
        case platform::ChildEnd::exited:
            break;
    }
    std::string last;
    std::istringstream lines(child.output);
    for (std::string line; std::getline(lines, line);) {
        if (!line.empty()) last = line;
    }
    const std::string ended = "it ended with exit code " + std::to_string(child.code);
    return last.empty() ? ended : ended + ": " + experiments::format::printable(last);
}

}  // namespace

int run_first_call(int argc, char** argv) {
    const Setting setting = setting_of({argv + 1, argv + argc});
    // It keeps nothing, so a signal may end it at once.
    platform::end_at_signals();
    const auto engine = compaction::open_engine(setting.algorithm->engine);
    const experiments::FirstCalls calls = experiments::time_first_calls(*engine, setting);
    std::printf("%s %.3f %.3f %.3f\n", times_mark.data(), calls.first_us, calls.second_us, calls.later_us);
    return exit_ok;
}

published::ProcessResult start_first_call(const Setting& setting) {
    const platform::ChildResult child =
        platform::run_this_program(arguments_of(setting), most_time, &interrupted());
    published::ProcessResult result;
    if (child.end == platform::ChildEnd::exited && child.code == exit_ok)
        result.calls = read_times(child.output);
    if (!result.calls && !interrupted()) result.failure = failure_of(child);
    return result;
}

}  // namespace warpsieve
