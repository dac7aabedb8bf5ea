#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// Options of the window and of the commands. A value that is not legal is refused with the legal range.
namespace warpsieve {

/// Throws compaction::Error{invalid_argument}: "--size 100 is not legal; legal values are 1x1 to
/// 16384x16384."
[[noreturn]] void refuse_value(const std::string& flag, const std::string& text, const std::string& legal);

/// The same for a whole number; a text such as 1e6 is answered with how to write one.
[[noreturn]] void refuse_count(const std::string& flag, const std::string& text, const std::string& legal);

/// The name of a file, which must not be empty.
CLI::Option* add_file(CLI::App& app, const std::string& flag, std::filesystem::path& file,
                      const std::string& help);

/// Stores the value of an option.
constexpr auto store_in(auto& target) {
    return [&target](auto value) { target = static_cast<std::remove_reference_t<decltype(target)>>(value); };
}

/// A whole number from `least` to `most`, such as 4096 or 2^12.
CLI::Option* add_count(CLI::App& app, const std::string& flag, std::uint64_t least, std::uint64_t most,
                       const std::function<void(std::uint64_t)>& store, const std::string& help);

/// A finite number from `least` to `most`.
CLI::Option* add_number(CLI::App& app, const std::string& flag, double least, double most,
                        const std::function<void(double)>& store, const std::string& help);

/// Refuses an engine that measures nothing, with a sentence, and a word that is no engine.
CLI::Validator engine_that_measures();

/// Parses the command line. Returns the exit code if the program is to end: after --help, --version and usage
/// errors, which are printed.
std::optional<int> parse_arguments(CLI::App& app, int argc, char** argv);

/// Throws Error{invalid_argument} where two flags name the same file, because a result would replace another
/// one or the file that is read. Devices and pipes may be named twice, and a file by one flag.
void require_distinct(const std::vector<std::pair<std::string, std::filesystem::path>>& files);

}  // namespace warpsieve
