#include "app/cli/commands.hpp"

#include <algorithm>
#include <array>

namespace warpsieve {
namespace {

constexpr std::array listed_commands{
    Command{"bench", "Measure algorithms and their steps, and compare with another program", run_bench},
    Command{"reproduce", "Measure published results again and compare", run_reproduce},
    Command{"trace", "Record every memory access of one compaction, or its times", run_trace},
};

constexpr Command unlisted_first_call{"first-call", /*summary=*/"", run_first_call};

}  // namespace

std::span<const Command> commands() {
    return listed_commands;
}

const Command* find_command(std::string_view name) {
    if (name == unlisted_first_call.name) return &unlisted_first_call;
    const auto found = std::ranges::find(listed_commands, name, &Command::name);
    return found == listed_commands.end() ? nullptr : &*found;
}

std::string commands_help() {
    std::string help = "Commands (each has a --help of its own):";
    for (const Command& command : listed_commands) {
        std::string name = "  warpsieve " + std::string(command.name) + ' ';
        name.resize(std::max(name.size(), help_column_width), ' ');
        help += "\n" + name + std::string(command.summary);
    }
    return help;
}

}  // namespace warpsieve
