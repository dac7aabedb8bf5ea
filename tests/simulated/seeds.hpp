#pragma once

#include <gtest/gtest.h>

#include <charconv>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>

/// The seed that a test of the simulated GPU runs, and the line that repeats a failure.
namespace simulated_seeds {

inline constexpr const char* variable = "WARPSIEVE_SIMULATED_SEED";

/// The seed of the environment variable if it is set, else `planned`. Throws std::invalid_argument if the
/// value is not an integer of 0 or more.
inline int or_chosen(int planned) {
    const char* const value = std::getenv(variable);
    if (value == nullptr) return planned;
    const std::string text = value;
    int seed = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
    if (error != std::errc() || end != text.data() + text.size() || seed < 0)
        throw std::invalid_argument(std::string(variable) + " must be an integer of 0 or more, not \"" +
                                    text + "\".");
    return seed;
}

/// A command line that runs the current test with this seed alone.
inline std::string repeat_line(const std::string& program, int seed) {
    const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
    std::ostringstream line;
    line << "Repeat: " << variable << '=' << seed << ' ' << program << " --gtest_filter='"
         << test.test_suite_name() << '.' << test.name() << "'";
    return line.str();
}

}  // namespace simulated_seeds
