#include "app/cli/arguments.hpp"

#include <algorithm>
#include <sstream>

#include "app/cli/commands.hpp"
#include "app/cli/exit.hpp"
#include "compaction/error.hpp"
#include "experiments/format/counts.hpp"
#include "experiments/format/numbers.hpp"
#include "experiments/format/terminal.hpp"
#include "experiments/format/text.hpp"
#include "workloads/streams.hpp"

namespace warpsieve {
namespace {

namespace fs = std::filesystem;

/// A canonical name of the file; empty for devices, pipes and an empty name.
fs::path identity_of(const fs::path& file) {
    std::error_code error;
    if (file.empty() || (fs::exists(file, error) && !fs::is_regular_file(file, error))) return {};
    const fs::path full = fs::weakly_canonical(fs::absolute(file, error), error);
    return error ? file : full;
}

/// Why a flag's value is refused, as in `--quick=maybe`; empty if it has none. CLI11 gives a flag without a
/// value the text "true".
std::string problem_of_flag_value(const std::string& text) {
    return text == "true" ? "" : "is a flag and takes no value, but was given " + text;
}

/// Names the unexpected arguments in the order in which they were typed. If one of them is a command, says
/// only that it must come first.
std::string sentence_on_extras(const CLI::App& app) {
    std::string names;
    for (const CLI::Option* const option : app.get_options())
        for (const std::string& name : option->get_lnames()) names += "--" + name + ", ";
    if (app.get_name() == "warpsieve")
        for (const Command& command : commands()) names += std::string(command.name) + ", ";
    std::string text = "Not expected:";
    for (const std::string& argument : app.remaining()) {
        const auto has_its_name = [&](const Command& command) { return command.name == argument; };
        if (std::ranges::any_of(commands(), has_its_name))
            return argument + " must come first: warpsieve " + argument + " ...";
        text += " " + argument;
    }
    const std::string first = app.remaining().front();
    return text + "." + experiments::format::did_you_mean(first.substr(0, first.find('=')), names) + " Run " +
           app.get_name() + " --help for the options.";
}

/// Says that an option has no value or too many. The text of CLI11 begins with the name of the option.
std::string sentence_on_mismatch(const CLI::App& app, const std::string& text) {
    const std::string name = text.substr(0, text.find(':'));
    const CLI::Option* const option = app.get_option_no_throw(name);
    if (!option) return text + ".";
    const auto max_values = static_cast<std::size_t>(option->get_items_expected_max());
    if (option->count() <= max_values) return name + " needs a value: " + option->get_type_name() + ".";
    const std::string count = std::to_string(option->count());
    if (max_values <= 1) return name + " is given " + count + " times; give it once.";
    return name + " takes at most " + std::to_string(max_values) + " values; " + count + " are given.";
}

/// The error of CLI11 as a sentence, followed by what to do.
std::string sentence_of(const CLI::App& app, const CLI::ParseError& error) {
    std::string text = error.what();
    while (text.ends_with('\n') || text.ends_with('.')) text.pop_back();
    switch (static_cast<CLI::ExitCodes>(error.get_exit_code())) {
        case CLI::ExitCodes::ExtrasError:
            return sentence_on_extras(app);
        case CLI::ExitCodes::ArgumentMismatch:
            return sentence_on_mismatch(app, text);
        case CLI::ExitCodes::ExcludesError:
            return text + ". Leave one of the two out.";
        case CLI::ExitCodes::RequiresError:
            return text + ". Add it, or leave the first one out.";
        default:
            return text.ends_with('?') ? text : text + ".";
    }
}

std::string sentence_on_engine(const std::string& unknown, const std::string& legal) {
    return "there is no engine " + unknown + "; use " + legal + "." +
           experiments::format::did_you_mean(unknown, legal);
}

}  // namespace

void refuse_value(const std::string& flag, const std::string& text, const std::string& legal) {
    throw compaction::Error(compaction::ErrorCode::invalid_argument,
                            flag + " " + text + " is not legal; legal values are " + legal + "." +
                                experiments::format::did_you_mean(text, legal));
}

void refuse_count(const std::string& flag, const std::string& text, const std::string& legal) {
    if (text.find_first_not_of("0123456789^+-., ") == std::string::npos) refuse_value(flag, text, legal);
    throw compaction::Error(compaction::ErrorCode::invalid_argument,
                            flag + " " + text +
                                " is not a number; write digits such as 1000000, or 2^20. Legal values are " +
                                legal + ".");
}

CLI::Option* add_file(CLI::App& app, const std::string& flag, fs::path& file, const std::string& help) {
    const auto not_empty = [](const std::string& text) {
        return text.empty() ? std::string("needs the name of a file") : std::string();
    };
    return app.add_option(flag, file, help)->check(CLI::Validator(not_empty, ""))->type_name("FILE");
}

CLI::Option* add_count(CLI::App& app, const std::string& flag, std::uint64_t min, std::uint64_t max,
                       const std::function<void(std::uint64_t)>& store, const std::string& help) {
    const auto read = [=](const std::string& text) {
        const auto count = experiments::format::parse_count(text);
        if (!count || *count < min || *count > max)
            refuse_count(flag, text, std::to_string(min) + " to " + std::to_string(max));
        store(*count);
    };
    return app.add_option_function<std::string>(flag, read, help)->type_name("COUNT");
}

std::string pattern_names() {
    std::string names;
    for (const workloads::PatternInfo& info : workloads::patterns())
        names += (names.empty() ? "" : ", ") + std::string(info.name);
    return names;
}

void add_picture(CLI::App& app, PictureArguments& arguments) {
    app.add_option("--picture", arguments.source,
                   "Picture of the pattern picture: a PNG file, or a word to draw. Default: " +
                       std::string(picture::default_word))
        ->type_name("FILE|WORD");
    app.add_option("--picture-sha256", arguments.sha256,
                   "First 8 to 64 digits of the SHA-256 that the file of --picture must have")
        ->type_name("DIGITS");
}

workloads::PicturePointer load_picture(const PictureArguments& arguments, bool used) {
    if (used)
        return picture::load(arguments.source.empty() ? picture::default_word : arguments.source,
                             arguments.sha256);
    if (arguments.source.empty() && arguments.sha256.empty()) return nullptr;
    throw compaction::Error(
        compaction::ErrorCode::invalid_argument,
        "--picture and --picture-sha256 need the pattern picture; add --pattern picture.");
}

std::optional<compaction::ItemSize> find_item_size(std::string_view text) {
    for (const compaction::ItemSize size : compaction::all_item_sizes) {
        if (text == std::to_string(bytes_of(size))) return size;
    }
    return std::nullopt;
}

CLI::Validator engine_name() {
    const auto problem = [](const std::string& engine) -> std::string {
        if (engine == "cuda" || engine == "cpu" || engine == "simulated") return {};
        return sentence_on_engine(engine, "cuda, cpu or simulated");
    };
    return {problem, "{cuda,cpu,simulated}"};
}

CLI::Validator engine_that_measures() {
    const auto problem = [](const std::string& engine) -> std::string {
        if (engine == "cuda" || engine == "cpu") return {};
        if (engine == "simulated") return "a simulated GPU has no times to measure; use cuda or cpu";
        return sentence_on_engine(engine, "cuda or cpu");
    };
    return {problem, "{cuda,cpu}"};
}

CLI::Option* add_number(CLI::App& app, const std::string& flag, double min, double max,
                        const std::function<void(double)>& store, const std::string& help) {
    const auto read = [=](const std::string& text) {
        const auto number = experiments::format::parse_number<double>(text);
        if (!number || !(*number >= min && *number <= max))
            refuse_value(flag, text,
                         experiments::format::shortest(min) + " to " + experiments::format::shortest(max));
        store(*number);
    };
    return app.add_option_function<std::string>(flag, read, help)->type_name("NUMBER");
}

std::optional<int> parse_arguments(CLI::App& app, int argc, char** argv) {
    const auto is_flag = [](const CLI::Option* option) { return option->get_items_expected_max() == 0; };
    for (CLI::Option* const option : app.get_options(is_flag))
        option->check(CLI::Validator(problem_of_flag_value, ""));
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        std::ostringstream out;
        const bool asks_for_text = app.exit(error, out, out) == 0;  // --help, --version
        if (asks_for_text) {
            experiments::format::TerminalText text;
            text.add_lines(out.str());
            experiments::format::print(text);
            return exit_ok;
        }
        experiments::format::print_error_line("warpsieve: " + sentence_of(app, error));
        return exit_usage;
    }
    return std::nullopt;
}

void require_distinct(const std::vector<NamedFile>& files) {
    for (auto file = files.begin(); file != files.end(); ++file) {
        const fs::path identity = identity_of(file->path);
        if (identity.empty()) continue;
        const auto conflicts = [&](const NamedFile& later) {
            return later.flag != file->flag && identity_of(later.path) == identity;
        };
        const auto conflict = std::find_if(file + 1, files.end(), conflicts);
        if (conflict != files.end())
            throw compaction::Error(compaction::ErrorCode::invalid_argument,
                                    file->flag + " and " + conflict->flag + " both name " +
                                        file->path.string() + "; give each a file of its own.");
    }
}

}  // namespace warpsieve
