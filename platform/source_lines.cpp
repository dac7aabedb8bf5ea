#include "platform/source_lines.hpp"

#ifdef WARPSIEVE_HAS_BACKTRACE
#include <backtrace.h>
#endif
#include <cxxabi.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>

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

}  // namespace

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
