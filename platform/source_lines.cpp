#include "platform/source_lines.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
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

/// A line of addr2line: "/a/b.cpp:12 (discriminator 3)".
SourceLine source_line_of(const std::string& function, const std::string& text) {
    const std::size_t colon = text.rfind(':');
    SourceLine location{function == "??" ? "" : function, text.substr(0, colon), 0};
    location.file =
        location.file == "??" ? "" : std::filesystem::path(location.file).lexically_normal().string();
    if (colon != std::string::npos)
        std::from_chars(text.data() + colon + 1, text.data() + text.size(), location.line);
    return location;
}

/// Reads what `addr2line -a` printed: for each instruction its address, and two lines for each frame.
void read_frames(const std::string& output, std::span<const std::size_t> indices,
                 std::vector<std::vector<SourceLine>>& frames) {
    std::istringstream lines(output);
    std::size_t num_read = 0;
    for (std::string function, text; std::getline(lines, function);) {
        if (function.starts_with("0x")) {
            if (++num_read > indices.size()) return;
        } else if (num_read > 0 && std::getline(lines, text)) {
            frames[indices[num_read - 1]].push_back(source_line_of(function, text));
        }
    }
}

}  // namespace

bool is_in_one_of(const std::string& path, const std::string& names) {
    std::istringstream list(names);
    for (std::string name; std::getline(list, name, ':');)
        if (!name.empty() && path.find(name) != std::string::npos) return true;
    return false;
}

std::vector<std::vector<SourceLine>> source_frames(std::span<const void* const> instructions) {
    constexpr std::size_t max_instructions_per_command = 4096;  // a command line has a limit
    std::map<std::string, std::vector<std::size_t>> indices_by_module;
    std::vector<std::uintptr_t> addresses;
    for (const void* const instruction : instructions) {
        Dl_info module{};
        addresses.push_back(reinterpret_cast<std::uintptr_t>(instruction));
        if (dladdr(instruction, &module) == 0) continue;
        if (is_position_independent(module.dli_fbase))
            addresses.back() -= reinterpret_cast<std::uintptr_t>(module.dli_fbase);
        indices_by_module[module.dli_fname].push_back(addresses.size() - 1);
    }
    std::vector<std::vector<SourceLine>> frames(instructions.size());
    for (const auto& [module, indices] : indices_by_module) {
        for (std::size_t first = 0; first < indices.size(); first += max_instructions_per_command) {
            const std::size_t count = std::min(max_instructions_per_command, indices.size() - first);
            const std::span some(indices.data() + first, count);
            std::ostringstream command;
            command << "addr2line -a -C -f -i -e " << quoted(module) << std::hex;
            for (const std::size_t index : some) command << " 0x" << addresses[index];
            command << " 2>/dev/null";
            read_frames(output_of(command.str()), some, frames);
        }
    }
    return frames;
}

SourceLine source_line(const void* instruction, const std::string& skipped) {
    const std::vector<SourceLine> frames = source_frames({&instruction, 1}).front();
    for (const SourceLine& frame : frames)
        if (!is_in_one_of(frame.file, skipped)) return frame;
    return frames.empty() ? SourceLine{} : frames.front();
}

}  // namespace warpsieve::platform
