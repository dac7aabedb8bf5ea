#include "app/cli/bench_arguments.hpp"

#include <set>
#include <string>
#include <vector>

#include "app/cli/arguments.hpp"
#include "compaction/error.hpp"
#include "experiments/format/text.hpp"
#include "experiments/grid.hpp"
#include "experiments/result_file.hpp"
#include "platform/process.hpp"

namespace warpsieve {
namespace {

using compaction::all_options;
using compaction::EngineId;
using compaction::Error;
using compaction::ErrorCode;
using compaction::ItemSize;
using compaction::Option;

constexpr const char* examples = R"(Each axis accepts lists, ranges and powers, and may be repeated:
  1024,4096   2^10..2^26 (every power)   2^10..2^26:2 (every second)   32..1024:32   0.1..0.9:0.2
All legal combinations are measured; others are left out with a message.

Examples:
  warpsieve bench --n 2^20 --density 0.5 --csv results.csv
  warpsieve bench --algorithm sequence_wise,cub_select --n 2^16..2^28:2 --density 0.1..0.9:0.4
  warpsieve bench --algorithm billeter --vector-width scalar,pair --threads 64..256:64 --phases
  warpsieve bench --algorithm copies,counts --n 2^24
  warpsieve bench --n 2^24 --against old/warpsieve --max-regress 3
  warpsieve bench --n 2^24 --processes 6 --csv before.csv
  warpsieve bench --n 2^24 --against before.csv
  warpsieve bench --gpus 1,2,4 --n 2^28 --csv gpus.csv

Exit codes: 0 done, 1 failure, 2 usage, 3 a wrong result, 4 slower than --max-regress allows, 77 no device,
128 + N after signal N, such as 130 for Ctrl-C (the results so far are kept).)";

/// The arguments as they were typed.
struct TypedArguments {
    std::vector<std::string> algorithms;
    std::vector<std::string> num_items;
    std::vector<std::string> keep_fractions;
    std::vector<std::string> patterns;
    PictureArguments picture;
    std::vector<std::string> item_bytes;
    std::vector<std::string> caches;
    std::vector<std::string> seeds;
    std::array<std::vector<std::string>, all_options.size()> options;
    std::vector<std::string> gpus;
    std::string engine;
    std::string phases;
    double time_limit_s = experiments::Policy{}.time_limit_s;
    std::size_t min_samples = experiments::Policy{}.min_samples;
};

/// Parses all texts of an axis into one list. Keeps the default list if there are no texts.
template <typename T, typename Parse>
void fill_axis(const std::string& flag, const std::vector<std::string>& texts, std::vector<T>& axis,
               Parse parse) {
    if (texts.empty()) return;
    axis.clear();
    std::set<T> seen;
    for (const std::string& text : texts) {
        try {
            for (const auto& value : parse(text)) {
                if (seen.insert(value).second) axis.push_back(value);
            }
            if (axis.size() > experiments::max_axis_values)
                throw Error(ErrorCode::invalid_argument,
                            "there are more than " + std::to_string(experiments::max_axis_values) +
                                " values; give larger steps, or measure in several runs.");
        } catch (const Error& error) {
            throw Error(error.code(), flag + ": " + error.what());
        }
    }
}

/// A parser for lists of names. `find` returns an empty optional for an unknown name; `what` and `names` are
/// for the message about it.
template <typename Find>
auto parser_of_names(const std::string& what, const std::string& names, Find find) {
    return [=](const std::string& text) {
        std::vector<typename decltype(find(std::string_view()))::value_type> values;
        for (const std::string& word : experiments::parse_words(text)) {
            const auto value = find(word);
            if (!value)
                throw Error(ErrorCode::invalid_argument, "there is no " + what + " '" + word +
                                                             "'; choose from: " + names + "." +
                                                             experiments::format::did_you_mean(word, names));
            values.push_back(*value);
        }
        return values;
    };
}

experiments::Grid grid_of(const TypedArguments& typed) {
    experiments::Grid grid;
    fill_axis("--algorithm", typed.algorithms, grid.algorithms, experiments::parse_words);
    fill_axis("--n", typed.num_items, grid.num_items, experiments::parse_counts);
    fill_axis("--density", typed.keep_fractions, grid.keep_fractions, experiments::parse_fractions);
    fill_axis("--pattern", typed.patterns, grid.patterns,
              parser_of_names("pattern", pattern_names(), workloads::find_pattern));
    grid.picture = load_picture(
        typed.picture, std::ranges::find(grid.patterns, workloads::Pattern::picture) != grid.patterns.end());
    fill_axis("--item-bytes", typed.item_bytes, grid.item_sizes,
              parser_of_names("item size", "4, 8, 16", find_item_size));
    fill_axis("--cache", typed.caches, grid.caches,
              parser_of_names("cache state", "cold, hot", experiments::find_cache));
    fill_axis("--seed", typed.seeds, grid.seeds, experiments::parse_counts);
    for (const Option option : all_options) {
        const auto index = static_cast<std::size_t>(option);
        fill_axis("--" + std::string(flag_of(option)), typed.options[index], grid.options[index],
                  experiments::parse_words);
    }
    return grid;
}

/// The requested numbers of GPUs. Throws Error{invalid_argument} if another option cannot be combined with
/// them.
std::vector<unsigned> gpus_of(const TypedArguments& typed, const BenchArguments& arguments) {
    std::vector<std::uint64_t> counts;
    fill_axis("--gpus", typed.gpus, counts, experiments::parse_counts);
    if (counts.empty()) return {};
    const bool has_other_options =
        !typed.algorithms.empty() || !typed.patterns.empty() || !typed.item_bytes.empty() ||
        !typed.caches.empty() || !typed.seeds.empty() || !typed.phases.empty() ||
        !arguments.against.empty() || arguments.num_processes > 0 || !arguments.json.empty() ||
        std::ranges::any_of(typed.options, [](const auto& texts) { return !texts.empty(); });
    if (has_other_options || typed.engine == "cpu") {
        throw Error(
            ErrorCode::invalid_argument,
            "--gpus measures selections over several GPUs. Of the other options it takes --n, --density, "
            "--time-limit, --csv, --markdown and --quiet.");
    }
    constexpr std::uint64_t max_gpus = 64;
    std::vector<unsigned> gpus;
    for (const std::uint64_t count : counts) {
        if (count < 1 || count > max_gpus) {
            throw Error(ErrorCode::invalid_argument, "--gpus " + std::to_string(count) + ": 1 to " +
                                                         std::to_string(max_gpus) + " are legal.");
        }
        gpus.push_back(static_cast<unsigned>(count));
    }
    return gpus;
}

/// The requested engine, else the engine of the first algorithm, else the GPU if available.
EngineId engine_of(const TypedArguments& typed, const experiments::Grid& grid) {
    if (!typed.engine.empty()) return typed.engine == "cpu" ? EngineId::cpu : EngineId::cuda;
    for (const auto list : {compaction::catalogue(), compaction::steps()}) {
        for (const compaction::Algorithm& algorithm : list) {
            if (algorithm.id == grid.algorithms.front()) return algorithm.engine;
        }
    }
    return compaction::status_of(EngineId::cuda).available ? EngineId::cuda : EngineId::cpu;
}

experiments::PhaseMethod phase_method(const std::string& typed, EngineId engine) {
    if (typed.empty()) return experiments::PhaseMethod::none;
    if (typed == "stamps") return experiments::PhaseMethod::stamps;
    if (engine == EngineId::cpu) {
        throw Error(
            ErrorCode::invalid_argument,
            "--phases subtraction: the CPU engine runs all phases in one function call and cannot end it "
            "early. Use --phases stamps, which reads the clock between the phases, or --engine cuda.");
    }
    return experiments::PhaseMethod::subtraction;
}

void add_axis(CLI::App& app, const std::string& flag, std::vector<std::string>& texts,
              const std::string& description) {
    // Each use of a flag takes one value, so that it does not swallow the arguments behind it.
    app.add_option(flag, texts, description)->allow_extra_args(false)->type_name("LIST");
}

void add_axes(CLI::App& app, TypedArguments& typed) {
    app.option_defaults()->group("Axes");
    add_axis(app, "--algorithm", typed.algorithms,
             "Ids as in `warpsieve --list`, or all, steps, copies, counts, scans. Default: all");
    add_axis(app, "--n", typed.num_items, "Lengths of the stream, in items. Default: 2^20");
    add_axis(app, "--density", typed.keep_fractions, "Keep fractions, 0 to 1. Default: 0.5");
    add_axis(app, "--pattern", typed.patterns, "Patterns: " + pattern_names() + ". Default: random");
    add_picture(app, typed.picture);
    add_axis(app, "--item-bytes", typed.item_bytes, "Item sizes in bytes: 4, 8, 16. Default: 4");
    for (const Option option : all_options) {
        add_axis(app, "--" + std::string(flag_of(option)), typed.options[static_cast<std::size_t>(option)],
                 "Values of the option " + std::string(name_of(option)) +
                     ", as listed by --list. Default: automatic");
    }
    add_axis(
        app, "--cache", typed.caches,
        "cold: every call reads its stream from memory; hot: calls reuse the same buffers. Default: cold");
    add_axis(app, "--seed", typed.seeds, "Seeds of the stream. Default: 1");
    add_axis(
        app, "--gpus", typed.gpus,
        "Measure selections over several GPUs instead, once for each number of GPUs in the list, such as "
        "1,2,4: with --n items on each GPU, and with --n items in total");
    app.add_option("--engine", typed.engine,
                   "cuda or cpu. Default: that of the first algorithm, otherwise cuda if available")
        ->check(engine_that_measures())
        ->type_name("ENGINE");
}

CLI::Validator phase_method_name() {
    const auto check = [](const std::string& name) -> std::string {
        if (name != "stamps" && name != "subtraction") refuse_value("--phases", name, "stamps, subtraction");
        return {};
    };
    return {check, "{stamps,subtraction}"};
}

void add_other_options(CLI::App& app, TypedArguments& typed, BenchArguments& arguments) {
    app.option_defaults()->group("Measurement");
    add_number(app, "--time-limit", /*min=*/0.001, /*max=*/3600, store_in(typed.time_limit_s),
               "Maximum seconds per setting, including checks. Default: 2")
        ->type_name("SECONDS");
    add_count(app, "--min-samples", /*min=*/1, /*max=*/100'000, store_in(typed.min_samples),
              "Minimum number of samples per setting. Default: 10");
    app.add_option("--phases", typed.phases,
                   "Also time the phases. stamps (if METHOD is missing): by clock readings inside each call; "
                   "subtraction: also by calls that end early (cuda only)")
        ->expected(0, 1)
        ->default_str("stamps")
        ->check(phase_method_name())
        ->type_name("METHOD");

    app.option_defaults()->group("Output");
    add_file(app, "--csv", arguments.csv, "Write one line per setting to this file");
    add_file(app, "--json", arguments.json, "Write all results, including samples, to this file");
    add_file(app, "--markdown", arguments.markdown, "Write the table to this file");
    app.add_flag("--quiet", arguments.quiet, "Print errors only");

    app.option_defaults()->group("Comparison");
    const auto against = add_file(
        app, "--against,--baseline", arguments.against,
        "Compare with this warpsieve, whose processes run in turn with those of this one, or with this CSV "
        "or JSON file of an earlier run");
    add_count(app, "--processes", /*min=*/2, /*max=*/1000, store_in(arguments.num_processes),
              "Processes of each program, whose medians are compared. Default: 6 with --against, unless its "
              "file is of one process; otherwise this process measures");
    add_number(app, "--max-regress", /*min=*/0, /*max=*/1'000'000, store_in(arguments.max_regress),
               "Exit with 4 if a setting is slower by more than this percentage")
        ->needs(against)
        ->type_name("PERCENT");
}

}  // namespace

ParsedBenchArguments parse_bench_arguments(int argc, char** argv) {
    ParsedBenchArguments parsed;
    BenchArguments& arguments = parsed.arguments;
    TypedArguments typed;
    CLI::App app(
        "Measures algorithms and steps over a grid of settings, checks every result, and prints a table.",
        "warpsieve bench");
    app.get_formatter()->column_width(30);
    app.footer(examples);
    add_axes(app, typed);
    add_other_options(app, typed, arguments);
    parsed.exit_code = parse_arguments(app, argc, argv);
    if (parsed.exit_code) return parsed;
    require_distinct({{"--against", arguments.against},
                      {"--csv", arguments.csv},
                      {"--json", arguments.json},
                      {"--markdown", arguments.markdown}});
    arguments.against_is_program =
        platform::is_program(arguments.against) && !experiments::is_result_file(arguments.against);
    arguments.grid = grid_of(typed);
    arguments.gpus = gpus_of(typed, arguments);
    arguments.engine = engine_of(typed, arguments.grid);
    arguments.policy = experiments::Policy::within(typed.time_limit_s);
    arguments.policy.min_samples = typed.min_samples;
    arguments.policy.phases = phase_method(typed.phases, arguments.engine);
    return parsed;
}

}  // namespace warpsieve
