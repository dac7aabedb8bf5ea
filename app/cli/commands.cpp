#include "app/cli/commands.hpp"

#include <algorithm>
#include <array>

namespace warpsieve {
namespace {

constexpr std::array all_commands{
    Command{"bench", "Measure algorithms and their steps, and compare with another program", run_bench},
    Command{"reproduce", "Measure published results again and compare", run_reproduce},
    Command{"trace", "Record every memory access of one compaction, or its times", run_trace},
};

constexpr Command first_call{"first-call", "", run_first_call};

}  // namespace

std::span<const Command> commands() {
    return all_commands;
}

const Command* find_command(std::string_view name) {
    if (name == first_call.name) return &first_call;
    const auto found = std::ranges::find(all_commands, name, &Command::name);
    return found == all_commands.end() ? nullptr : &*found;
}

std::string commands_help() {
    std::string help = "Commands (each has a --help of its own):";
    for (const Command& command : all_commands) {
        const std::string name = "  warpsieve " + std::string(command.name);
        help += "\n" + name + std::string(name.size() < 38 ? 38 - name.size() : 1, ' ') +
                std::string(command.summary);
    }
    return help;
}

}  // namespace warpsieve
