#include "platform/source_lines.hpp"

#include <dlfcn.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <sstream>
#include <vector>

namespace warpsieve::platform {
namespace {

/// The output of a command; "" if it cannot be run.
std::string output_of(const std::string& command) {
    struct Close {
        void operator()(std::FILE* pipe) const { pclose(pipe); }
    };
    const std::unique_ptr<std::FILE, Close> pipe(popen(command.c_str(), "r"));
    std::string output;
    std::array<char, 4096> part{};
    while (pipe && std::fgets(part.data(), static_cast<int>(part.size()), pipe.get())) output += part.data();
    return output;
}

std::string quoted(const std::string& text) {
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
    return result + "'";
}

/// Whether the loader chose the address of the file that begins at `base`. Otherwise the file fixes it.
bool is_position_independent(const void* base) {
    constexpr std::size_t offset_of_type = 16;
    constexpr unsigned char shared_object = 3;
    return static_cast<const unsigned char*>(base)[offset_of_type] == shared_object;
}

bool contains_one_of(const std::string& path, const std::string& names) {
    std::istringstream list(names);
    for (std::string name; std::getline(list, name, ':');)
        if (!name.empty() && path.find(name) != std::string::npos) return true;
    return false;
}

/// A line of addr2line: "/a/b.cpp:12 (discriminator 3)".
SourceLine source_line_of(const std::string& function, const std::string& text) {
    const std::size_t colon = text.rfind(':');
    SourceLine location{function == "??" ? "" : function, text.substr(0, colon), 0};
    if (location.file == "??") location.file.clear();
    if (colon != std::string::npos)
        std::from_chars(text.data() + colon + 1, text.data() + text.size(), location.line);
    return location;
}

}  // namespace

SourceLine source_line(const void* instruction, const std::string& skipped) {
    Dl_info module{};
    if (dladdr(instruction, &module) == 0) return {};
    auto address = reinterpret_cast<std::uintptr_t>(instruction);
    if (is_position_independent(module.dli_fbase))
        address -= reinterpret_cast<std::uintptr_t>(module.dli_fbase);
    std::ostringstream command;
    command << "addr2line -C -f -i -e " << quoted(module.dli_fname) << " 0x" << std::hex << address
            << " 2>/dev/null";
    std::istringstream lines(output_of(command.str()));
    std::vector<SourceLine> lines_found;
    for (std::string function, text; std::getline(lines, function) && std::getline(lines, text);)
        lines_found.push_back(source_line_of(function, text));
    for (const SourceLine& location : lines_found)
        if (!contains_one_of(location.file, skipped)) return location;
    return lines_found.empty() ? SourceLine{} : lines_found.front();
}

}  // namespace warpsieve::platform
