#include "platform/source_lines.hpp"

#ifdef WARPSIEVE_HAS_BACKTRACE
#include <backtrace.h>
#endif
#include <cxxabi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <set>
#include <sstream>
#include <tuple>

namespace warpsieve::platform {

bool contains_one_of(const std::string& path, const std::string& texts) {
    std::istringstream list(texts);
    for (std::string text; std::getline(list, text, ':');)
        if (!text.empty() && path.find(text) != std::string::npos) return true;
    return false;
}

#ifdef WARPSIEVE_HAS_BACKTRACE

namespace {

void ignore_error(void*, const char*, int) {}

backtrace_state* line_tables() {
    static backtrace_state* const tables =
        backtrace_create_state(/*filename=*/nullptr, /*threaded=*/1, ignore_error, nullptr);
    return tables;
}

std::string demangled(const char* name) {
    if (!name) return "";
    const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name, nullptr, nullptr, nullptr),
                                                      std::free);
    return text ? text.get() : name;
}

int add_frame(void* frames, std::uintptr_t, const char* file, int line, const char* function) {
    if (!file && !function) return 0;
    static_cast<std::vector<SourceLine>*>(frames)->push_back(
        {demangled(function), file ? std::filesystem::path(file).lexically_normal().string() : "",
         static_cast<unsigned>(line)});
    return 0;
}

/// Names the outermost function where the line tables do not: Clang leaves the name out if nothing was
/// inlined there.
void add_symbol(void* frames, std::uintptr_t, const char* symbol, std::uintptr_t, std::uintptr_t) {
    if (!symbol) return;
    auto& lines = *static_cast<std::vector<SourceLine>*>(frames);
    if (lines.empty()) lines.emplace_back();
    lines.back().function = demangled(symbol);
}

/// Function, file and line, as the line tables hold them.
using TableLine = std::tuple<const char*, const char*, int>;

int add_table_line(void* lines, std::uintptr_t, const char* file, int line, const char* function) {
    static_cast<std::vector<TableLine>*>(lines)->emplace_back(function, file, line);
    return 0;
}

#ifdef __x86_64__
constexpr std::size_t call_bytes = 5;

/// The function that the call at `code` calls; null if there is no direct call.
const std::byte* callee_of(const std::byte* code) {
    constexpr std::byte direct_call{0xe8};
    if (*code != direct_call) return nullptr;
    std::int32_t distance = 0;
    std::memcpy(&distance, code + 1, sizeof distance);
    return code + call_bytes + distance;
}
#else
constexpr std::size_t call_bytes = 4;

const std::byte* callee_of(const std::byte*) {
    return nullptr;
}
#endif

}  // namespace

std::vector<std::vector<SourceLine>> source_lines_after(std::span<const void* const> calls,
                                                        std::span<const void* const> block_begins) {
    // An address from calling_instruction() is that of the call's last byte.
    const auto return_address = [](const void* call) { return static_cast<const std::byte*>(call) + 1; };
    std::vector<std::vector<SourceLine>> lines(calls.size());
    std::set<const std::byte*> block_functions;
    for (const void* call : block_begins)
        if (const std::byte* const callee = callee_of(return_address(call) - call_bytes))
            block_functions.insert(callee);
    backtrace_state* const tables = line_tables();
    if (!tables || block_functions.empty()) return lines;
    const std::set<const void*> ends(calls.begin(), calls.end());
    const auto look_up = [&](const std::byte* code, std::vector<TableLine>& frames) {
        frames.clear();
        backtrace_pcinfo(tables, reinterpret_cast<std::uintptr_t>(code), add_table_line, ignore_error,
                         &frames);
    };
    std::vector<TableLine> frames, next;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        if (!calls[i]) continue;
        look_up(static_cast<const std::byte*>(calls[i]), frames);
        if (frames.empty()) continue;
        const char* const outer_function = std::get<0>(frames.back());
        std::set<TableLine> found;
        for (const std::byte* code = return_address(calls[i]);
             !ends.contains(code) && !block_functions.contains(callee_of(code)); ++code) {
            look_up(code, next);
            if (next.empty() || std::get<0>(next.back()) != outer_function) break;
            // A row of the table begins with an instruction.
            const bool is_new_row = next != frames;
            if (is_new_row || found.empty()) found.insert(next.begin(), next.end());
            frames.swap(next);
        }
        for (const auto& [function, file, line] : found)
            if (file && line > 0) add_frame(&lines[i], 0, file, line, function);
    }
    return lines;
}

std::vector<std::vector<SourceLine>> source_frames(std::span<const void* const> instructions) {
    std::vector<std::vector<SourceLine>> frames(instructions.size());
    backtrace_state* const tables = line_tables();
    if (!tables) return frames;
    for (std::size_t i = 0; i < instructions.size(); ++i) {
        const auto address = reinterpret_cast<std::uintptr_t>(instructions[i]);
        backtrace_pcinfo(tables, address, add_frame, ignore_error, &frames[i]);
        if (frames[i].empty() || frames[i].back().function.empty())
            backtrace_syminfo(tables, address, add_symbol, ignore_error, &frames[i]);
    }
    return frames;
}

std::string missing_lines_reason() {
    return std::filesystem::exists("/proc/self/exe")
               ? "the program has no line tables"
               : "without /proc, the program cannot read its line tables";
}

#else

std::vector<std::vector<SourceLine>> source_frames(std::span<const void* const> instructions) {
    return std::vector<std::vector<SourceLine>>(instructions.size());
}

std::vector<std::vector<SourceLine>> source_lines_after(std::span<const void* const> calls,
                                                        std::span<const void* const>) {
    return std::vector<std::vector<SourceLine>>(calls.size());
}

std::string missing_lines_reason() {
    return "the program was built without libbacktrace";
}

#endif

SourceLine source_line(const void* instruction, const std::string& skipped) {
    const std::vector<SourceLine> frames = source_frames({&instruction, 1}).front();
    for (const SourceLine& frame : frames)
        if (!contains_one_of(frame.file, skipped)) return frame;
    return frames.empty() ? SourceLine{} : frames.front();
}

}  // namespace warpsieve::platform
