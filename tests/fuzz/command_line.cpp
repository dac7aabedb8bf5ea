// A command line, one argument per line of the input. Parses it and resolves the settings; runs nothing.
#include "app/cli/command_line.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/bench_arguments.hpp"
#include "compaction/error.hpp"
#include "experiments/grid.hpp"

namespace {

void parse(std::span<char*> arguments) {
    const int argc = static_cast<int>(arguments.size()) - 1;  // the last one is the null pointer
    if (argc > 1 && std::string_view(arguments[1]) == "bench") {
        const auto parsed = warpsieve::parse_bench_arguments(argc - 1, arguments.data() + 1);
        if (!parsed.exit_code) experiments::expand(parsed.arguments.grid, parsed.arguments.engine);
    } else {
        const auto parsed = warpsieve::parse_command_line(argc, arguments.data());
        std::vector<std::string> remarks;
        if (!parsed.exit_code) warpsieve::resolve_settings({}, parsed.command_line.overrides, remarks);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size_bytes) {
    std::string text = "warpsieve\n" + std::string(reinterpret_cast<const char*>(data), size_bytes) + "\n";
    std::vector<char*> arguments;
    for (std::size_t begin = 0; begin < text.size();) {
        arguments.push_back(text.data() + begin);
        begin = text.find('\n', begin);
        text[begin++] = '\0';
    }
    arguments.push_back(nullptr);
    try {
        parse(arguments);
    } catch (const compaction::Error&) {
    }
    return 0;
}
