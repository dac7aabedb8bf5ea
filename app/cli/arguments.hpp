#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "app/picture/load.hpp"
#include "compaction/item.hpp"

/// Command-line options, of the program that opens the window and of its commands. A value that is not legal
/// is refused with the legal range.
namespace warpsieve {

/// Throws compaction::Error{invalid_argument}: "--size 100 is not legal; legal values are 1x1 to
/// 16384x16384."
[[noreturn]] void refuse_value(const std::string& flag, const std::string& text, const std::string& legal);

/// refuse_value() for a whole number. For a text such as 1e6, the message says how to write the number.
[[noreturn]] void refuse_count(const std::string& flag, const std::string& text, const std::string& legal);

/// Adds an option for a file, whose name must not be empty.
CLI::Option* add_file(CLI::App& app, const std::string& flag, std::filesystem::path& file,
                      const std::string& help);

/// A callback that stores the value of an option in `target`.
constexpr auto store_in(auto& target) {
    return [&target](auto value) { target = static_cast<std::remove_reference_t<decltype(target)>>(value); };
}

/// Adds an option for a whole number from `min` to `max`, such as 4096 or 2^12.
CLI::Option* add_count(CLI::App& app, const std::string& flag, std::uint64_t min, std::uint64_t max,
                       const std::function<void(std::uint64_t)>& store, const std::string& help);

/// Adds an option for a finite number from `min` to `max`.
CLI::Option* add_number(CLI::App& app, const std::string& flag, double min, double max,
                        const std::function<void(double)>& store, const std::string& help);

/// The names of all patterns: "empty, full, ...".
std::string pattern_names();

/// The picture of Pattern::picture as typed.
struct PictureArguments {
    std::string source;  ///< empty: the default
    std::string sha256;
};
void add_picture(CLI::App& app, PictureArguments& arguments);

/// The picture if a stream uses one (`used`), else null. Throws Error{invalid_argument} if it cannot be
/// loaded, or if one is named that no stream uses.
workloads::PicturePointer load_picture(const PictureArguments& arguments, bool used);

/// The item size of that many bytes, such as "8"; nullopt if there is none.
std::optional<compaction::ItemSize> find_item_size(std::string_view text);

/// Accepts the ids of all engines.
CLI::Validator engine_name();

/// Accepts the ids of the engines whose times can be measured.
CLI::Validator engine_that_measures();

/// Parses the command line. Returns the exit code if the program must end: after --help, --version or a usage
/// error, which is printed.
std::optional<int> parse_arguments(CLI::App& app, int argc, char** argv);

/// A file that the command line names; its path may be empty.
struct NamedFile {
    std::string flag;
    std::filesystem::path path;
};

/// Throws Error{invalid_argument} if two different flags name the same file: writing a result would then
/// overwrite another result or an input. Different flags may name the same device or pipe.
void require_distinct(const std::vector<NamedFile>& files);

}  // namespace warpsieve
