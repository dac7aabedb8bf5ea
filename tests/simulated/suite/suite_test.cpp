// Runs the kernels of the suite on the simulated GPU, each in a process of its own, and compares what it
// finds with verdicts.csv. `suite_test`: all kernels; fails if a row got worse. `suite_test --write FILE`:
// writes the verdicts. `suite_test KERNEL`: prints what the simulated GPU says of that kernel.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "simulated/gpu.hpp"
#include "suite.hpp"

namespace {

constexpr std::uint64_t num_seeds = 288;
constexpr rlim_t max_seconds = 60;  // of processor time, for all seeds of a kernel

struct Outcome {
    std::string verdict;
    std::string report;   ///< the kind of fault that was reported
    std::string message;  ///< the whole report
};

/// The part of a message that says which kind of fault it is.
std::string kind_of(const std::string& message) {
    constexpr std::string_view before = "failed on the simulated GPU: ";
    const std::size_t begin = message.find(before);
    const std::string text = begin == std::string::npos ? message : message.substr(begin + before.size());
    return text.substr(0, text.find_first_of(":(;,\n"));
}

/// Runs the kernel with all seeds, until one reports a fault.
Outcome run_here(const suite::Case& each) {
    const bool is_right = std::string_view(each.fault) == "none";
    bool wrong_result = false;
    for (std::uint64_t seed = 0; seed < num_seeds; ++seed) {
        compaction::simulated::set_seed(seed);
        try {
            wrong_result |= !each.run();
        } catch (const std::exception& error) {
            return {is_right ? "false alarm" : "found", kind_of(error.what()), error.what()};
        }
    }
    if (wrong_result) return {is_right ? "false alarm" : "found", "a wrong result", "a wrong result"};
    return {is_right ? "right" : "missed", "", ""};
}

/// Runs the kernel in a child process, which may crash or run without end.
Outcome run_apart(const suite::Case& each) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) return {"crash", "", "no pipe"};
    const pid_t child = fork();
    if (child == 0) {
        const rlimit seconds{max_seconds, max_seconds};
        const rlimit none{0, 0};
        setrlimit(RLIMIT_CPU, &seconds);
        setrlimit(RLIMIT_CORE, &none);
        if (!std::freopen("/dev/null", "w", stdout)) _exit(1);
        const Outcome outcome = run_here(each);
        const std::string text = outcome.verdict + '\0' + outcome.report + '\0' + outcome.message;
        _exit(write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0 : 1);
    }
    close(ends[1]);
    std::string text;
    std::array<char, 4096> buffer{};
    for (ssize_t bytes = 0; (bytes = read(ends[0], buffer.data(), buffer.size())) > 0;)
        text.append(buffer.data(), static_cast<std::size_t>(bytes));
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) {
        const int signal = WTERMSIG(status);
        return {signal == SIGXCPU || signal == SIGKILL ? "hang" : "crash", "",
                "signal " + std::to_string(signal)};
    }
    const std::size_t first = text.find('\0');
    const std::size_t second = text.find('\0', first + 1);
    if (second == std::string::npos) return {"crash", "", "it ended without a verdict"};
    return {text.substr(0, first), text.substr(first + 1, second - first - 1), text.substr(second + 1)};
}

/// The tool of compute-sanitizer whose manual says that it finds such faults; "none" if there is none.
std::string tool_for(const std::string& fault) {
    static const std::map<std::string, std::string> tools{{"race in shared memory", "racecheck"},
                                                          {"out of bounds", "memcheck"},
                                                          {"misaligned access", "memcheck"},
                                                          {"read of unwritten global memory", "initcheck"},
                                                          {"divergent barrier", "synccheck"},
                                                          {"wrong mask", "synccheck"},
                                                          {"host memory", "memcheck"},
                                                          {"use after free", "memcheck"},
                                                          {"wrong free", "memcheck"}};
    const auto found = tools.find(fault);
    return found == tools.end() ? "none" : found->second;
}

using Rows = std::map<std::string, std::string>;

/// The rest of each row, by the name of the kernel.
Rows read_rows(std::istream& file) {
    Rows rows;
    for (std::string line; std::getline(file, line);) rows[line.substr(0, line.find(','))] = line;
    return rows;
}

std::string row_of(const suite::Case& each, const Outcome& outcome) {
    const std::string fault = each.fault;
    return std::string(each.name) + "," + fault + "," + (fault == "none" ? "" : tool_for(fault)) + "," +
           outcome.verdict + "," + outcome.report;
}

}  // namespace

int main(int count, char** arguments) {
    const std::string_view option = count > 1 ? arguments[1] : "";
    const bool writes = option == "--write" && count > 2;
    std::ostringstream table;
    table << "kernel,fault,compute_sanitizer,verdict,report\n";
    for (const suite::Case& each : suite::cases()) {
        if (!option.empty() && !writes && option != each.name) continue;
        const Outcome outcome = run_apart(each);
        table << row_of(each, outcome) << "\n";
        if (option == each.name)
            std::printf("%s: %s\n%s\n", each.name, outcome.verdict.c_str(), outcome.message.c_str());
    }
    if (writes) {
        std::ofstream(arguments[2]) << table.str();
        return 0;
    }
    if (!option.empty()) return 0;
    std::ifstream file(SUITE_VERDICTS);
    Rows expected = read_rows(file);
#ifdef __clang__
    // verdicts.csv is of GCC. Clang does not check the address when a whole structure is copied.
    expected["saxpy_misaligned"] = "saxpy_misaligned,misaligned access,memcheck,missed,";
#endif
    std::istringstream now(table.str());
    const Rows found = read_rows(now);
    if (found == expected) {
        std::printf("All %zu kernels have the verdicts of verdicts.csv.\n", suite::cases().size());
        return 0;
    }
    for (const auto& [name, row] : found)
        if (!expected.contains(name) || expected.at(name) != row) std::printf("now:  %s\n", row.c_str());
    for (const auto& [name, row] : expected)
        if (!found.contains(name) || found.at(name) != row) std::printf("was:  %s\n", row.c_str());
    std::printf("If each row got better, renew the table: suite_test --write %s\n", SUITE_VERDICTS);
    return 1;
}
