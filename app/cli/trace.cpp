#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/cli/arguments.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/exit.hpp"
#include "app/kernel_view/page.hpp"
#include "app/kernel_view/plants.hpp"
#include "app/kernel_view/recording.hpp"
#include "app/kernel_view/replay.hpp"
#include "app/trace/lanes_csv.hpp"
#include "app/trace/trace_file.hpp"
#include "app/trace/trace_json.hpp"
#include "app/trace/traced_run.hpp"
#include "app/version.hpp"
#include "compaction/access_trace.hpp"
#include "compaction/engine.hpp"
#include "compaction/error.hpp"
#include "compaction/lane_trace.hpp"
#include "experiments/format/numbers.hpp"
#include "experiments/format/terminal.hpp"
#include "experiments/format/text.hpp"
#include "experiments/machine.hpp"
#include "experiments/table.hpp"
#include "platform/files.hpp"
#include "workloads/streams.hpp"

namespace warpsieve {
namespace {

using compaction::AccessTrace;
using compaction::Algorithm;
using compaction::EngineId;
using compaction::Error;
using compaction::ErrorCode;
using compaction::ItemSize;
using experiments::format::grouped;
using experiments::format::print_line;

constexpr const char* examples = R"(Examples:
  warpsieve trace sequence_wise --n 2^12 --out sequence_wise.trace   every load and store, on the simulated GPU
  warpsieve trace sequence_wise.trace                                what the file holds
  warpsieve trace sequence_wise.trace --out sequence_wise.json       the same for ui.perfetto.dev
  warpsieve trace sequence_wise --n 100 --out steps.csv              every step of every lane
  warpsieve trace sequence_wise --html sequence_wise.html            a page that plays the kernels, lane by lane
  warpsieve trace sequence_wise --plant scan-barrier --html fault.html   the same without one of its barriers
  warpsieve trace cpu_sequence_wise --n 2^20 --out cpu.trace         when each worker processed which part
)";

/// The largest input that the simulated GPU traces, for which a naive scan takes some seconds and 200 MB.
/// Time and memory grow with the length.
constexpr std::uint64_t max_simulated_items = std::uint64_t{1} << 18;

/// The largest input whose lane steps are written as a table, for which a naive scan makes a file of about
/// 100 MB.
constexpr std::uint64_t max_table_items = std::uint64_t{1} << 12;

/// The largest input whose lane steps are written as a page, which is packed.
constexpr std::uint64_t max_page_items = std::uint64_t{1} << 14;

/// The largest file that is read as a trace.
constexpr std::uint64_t max_file_bytes = std::uint64_t{1} << 30;

struct TraceArguments {
    std::string algorithm_or_file;
    std::string engine;
    std::uint64_t num_items = 1U << 12;
    workloads::Pattern pattern = workloads::Pattern::random;
    PictureArguments picture;
    double keep_fraction = 0.5;
    std::uint64_t seed = 1;
    std::optional<std::uint64_t> schedule_seed;
    const kernel_view::Plant* plant = nullptr;
    ItemSize item_size = ItemSize::bytes_4;
    std::array<std::string, compaction::all_options.size()> options;
    std::filesystem::path out;
    std::filesystem::path html;
    std::string command;
};

bool writes_json(const TraceArguments& arguments) {
    return arguments.out.extension() == ".json";
}

bool writes_csv(const TraceArguments& arguments) {
    return arguments.out.extension() == ".csv";
}

/// Whether an output file holds the steps of lanes.
bool writes_lanes(const TraceArguments& arguments) {
    return writes_csv(arguments) || !arguments.html.empty();
}

std::uint64_t schedule_seed_of(const TraceArguments& arguments) {
    return arguments.schedule_seed.value_or(arguments.plant ? arguments.plant->schedule_seed : 0);
}

EngineId engine_of(const TraceArguments& arguments, const Algorithm& algorithm) {
    for (const compaction::EngineStatus& status : compaction::engine_statuses())
        if (arguments.engine == compaction::id_of(status.id)) return status.id;
    if (algorithm.engine == EngineId::cuda && !compaction::status_of(EngineId::cuda).available)
        return EngineId::simulated;
    return algorithm.engine;
}

/// The algorithm whose options are legal on that engine. In a build without CUDA, only the algorithm of the
/// simulated GPU knows the options of a kernel.
const Algorithm& with_options_on(EngineId engine, const Algorithm& algorithm) {
    if (engine != EngineId::simulated) return algorithm;
    const auto catalogue = compaction::catalogue();
    const auto found = std::ranges::find(catalogue, "simulated_" + algorithm.id, &Algorithm::id);
    return found == catalogue.end() ? algorithm : *found;
}

compaction::Options options_of(const TraceArguments& arguments, const Algorithm& on_any_engine,
                               EngineId engine) {
    const Algorithm& algorithm = with_options_on(engine, on_any_engine);
    compaction::Options options;
    for (const compaction::Option option : compaction::all_options) {
        const std::string& text = arguments.options[static_cast<std::size_t>(option)];
        if (text.empty()) continue;
        options[option] = parse_option(algorithm, option, text);
    }
    return options;
}

std::vector<std::byte> items_of(const TraceArguments& arguments) {
    const std::vector<compaction::Item> stream = workloads::make_stream(
        arguments.pattern, arguments.num_items, arguments.keep_fraction, arguments.seed,
        load_picture(arguments.picture, arguments.pattern == workloads::Pattern::picture));
    const std::vector<compaction::Item> words = workloads::widen(stream, arguments.item_size, arguments.seed);
    const auto bytes = std::as_bytes(std::span(words));
    return {bytes.begin(), bytes.end()};
}

/// The names of the buffers that are used: "counts, offsets". `used`: a flag for each buffer.
std::string buffer_names(const AccessTrace& trace, const std::vector<bool>& used) {
    std::string names;
    for (std::size_t i = 0; i < used.size(); ++i)
        if (used[i]) names += (names.empty() ? "" : ", ") + trace.buffers[i].name;
    return names;
}

/// The end of the sentence about a trace of the simulated GPU.
std::string schedule_text(std::uint64_t seed) {
    return ", simulated schedule, seed " + std::to_string(seed) + ". A step is not a time.";
}

/// Prints a table of the launches, and a sentence about the whole.
void print_accesses(const AccessTrace& trace) {
    struct Use {
        std::vector<bool> loads;   ///< a flag for each buffer
        std::vector<bool> stores;  ///< a flag for each buffer
        std::uint64_t num_accesses = 0;
    };
    const std::vector<bool> none(trace.buffers.size());
    std::vector<Use> uses(trace.launches.size(), Use{none, none, 0});  // of each launch
    for (compaction::AccessReader reader(trace); reader.next();) {
        const compaction::WarpAccess& access = reader.access();
        Use& use = uses[access.launch];
        ++use.num_accesses;
        if (stores(access.kind)) use.stores[access.buffer] = true;
        if (!stores(access.kind) || access.kind == compaction::AccessKind::atomic)
            use.loads[access.buffer] = true;
    }
    experiments::Table table;
    table.caption = "Accesses of global memory by " + trace.algorithm + ", " + grouped(trace.num_items) +
                    " items of " + std::to_string(bytes_of(trace.item_size)) + " bytes";
    table.columns = {{"launch"},
                     {"blocks", /*is_figure=*/true},
                     {"threads", /*is_figure=*/true},
                     {"accesses", /*is_figure=*/true},
                     {"steps", /*is_figure=*/true},
                     {"reads"},
                     {"writes"}};
    for (std::size_t i = 0; i < uses.size(); ++i) {
        const compaction::TracedLaunch& launch = trace.launches[i];
        experiments::Table::Row& row = table.rows.emplace_back();
        row.cells = {launch.kernel,
                     grouped(launch.blocks),
                     grouped(launch.threads),
                     grouped(uses[i].num_accesses),
                     grouped(launch.end_step - launch.begin_step),
                     buffer_names(trace, uses[i].loads),
                     buffer_names(trace, uses[i].stores)};
    }
    print(to_terminal(table, /*colour=*/false));
    print_line(grouped(trace.num_accesses) + " accesses of warps in " + grouped(trace.num_steps) + " steps" +
               schedule_text(trace.seed));
}

void write_text(const std::filesystem::path& file, const std::string& text) {
    end_unsaved_work();
    platform::write_file(file, text);
}
void write_bytes(const std::filesystem::path& file, const std::vector<std::uint8_t>& bytes) {
    end_unsaved_work();
    platform::write_file(file, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

void print_and_write(const TraceArguments& arguments, const AccessTrace& trace) {
    print_accesses(trace);
    if (writes_json(arguments)) {
        write_text(arguments.out, trace::accesses_json(trace));
    } else if (!arguments.out.empty()) {
        write_bytes(arguments.out, trace::trace_file(trace));
    }
}

void print_and_write(const TraceArguments& arguments, const trace::RecordedRun& recorded) {
    const Algorithm& algorithm = compaction::find_algorithm(recorded.algorithm);
    const trace::TracedRun run = trace::prepare(algorithm, /*frame=*/0, recorded.trace);
    print_line(algorithm.id + ", " + grouped(recorded.num_items) + " items: " + grouped(run.spans.size()) +
               " blocks or tasks recorded on " + grouped(run.processors) + " processors, " +
               grouped(run.spans_left_out) + " not recorded.");
    if (run.blocks_merged + run.launches_left_out > 0)
        print_line("The trace would be too long: " + run.omissions() + ".");
    if (writes_json(arguments)) {
        const trace::NamedRun named{&run, "warpsieve trace"};
        write_text(arguments.out, trace::trace_json(std::span(&named, 1)));
    } else if (!arguments.out.empty()) {
        write_bytes(arguments.out, trace::trace_file(recorded));
    }
}

/// Throws Error{unavailable} if the simulated GPU cannot trace the algorithm. Names one that it traces.
void require_trace(const Algorithm& algorithm) {
    const std::string reason = compaction::simulated::no_trace_reason(algorithm);
    if (reason.empty()) return;
    const Algorithm& other = kernel_view::shown_for(algorithm);
    throw Error(ErrorCode::unavailable,
                algorithm.id + " has no trace. " + reason +
                    (&other == &algorithm ? "" : " The kernel view shows " + other.id + " in its place."));
}

int trace_accesses(const TraceArguments& arguments, const Algorithm& algorithm) {
    if (arguments.num_items > max_simulated_items)
        throw Error(ErrorCode::invalid_argument,
                    "The simulated GPU traces at most 2^18 items. Pass a smaller --n.");
    require_trace(algorithm);
    const compaction::TracedCompaction traced = compaction::simulated::trace_compaction(
        algorithm, options_of(arguments, algorithm, EngineId::simulated), arguments.item_size,
        items_of(arguments), compaction::keep_non_zero(), schedule_seed_of(arguments));
    print_and_write(arguments, traced.trace);
    return exit_ok;
}

/// Throws Error{invalid_argument} if the steps of lanes cannot be written.
void require_writable_lanes(const TraceArguments& arguments) {
    if (arguments.num_items > (writes_csv(arguments) ? max_table_items : max_page_items))
        throw Error(
            ErrorCode::invalid_argument,
            "The steps of all lanes are written for at most 2^14 items as a page, and 2^12 as a table. "
            "Pass a smaller --n, or name neither --html nor a file that ends with .csv.");
    if (!arguments.html.empty() && !arguments.out.empty() && !writes_csv(arguments))
        throw Error(ErrorCode::invalid_argument,
                    "--html writes the steps of lanes; with it, the file of --out must end with .csv.");
}

std::string page_title(const TraceArguments& arguments, const Algorithm& algorithm) {
    return algorithm.id + ", " + grouped(arguments.num_items) + " items of " +
           std::to_string(bytes_of(arguments.item_size)) + " bytes";
}

/// The recording that is built in, for builds without the simulated GPU. Throws Error{unavailable} if there
/// is none of these arguments.
const kernel_view::BuiltInRecording& recording_for(const TraceArguments& arguments,
                                                   const Algorithm& algorithm) {
    const std::string reason =
        algorithm.id + " has no trace. " + compaction::status_of(EngineId::simulated).reason;
    const kernel_view::BuiltInRecording* const first = kernel_view::find_recording(algorithm.id);
    if (!first || !arguments.out.empty()) throw Error(ErrorCode::unavailable, reason);
    const TraceArguments defaults;
    const bool has_recorded_stream = arguments.pattern == defaults.pattern &&
                                     arguments.keep_fraction == defaults.keep_fraction &&
                                     arguments.seed == defaults.seed && arguments.options == defaults.options;
    for (const kernel_view::BuiltInRecording& each : kernel_view::recordings())
        if (has_recorded_stream && each.algorithm == algorithm.id && each.num_items == arguments.num_items &&
            each.item_size == arguments.item_size && each.schedule_seed == schedule_seed_of(arguments))
            return each;
    throw Error(ErrorCode::unavailable, reason + " The page of --n " + std::to_string(first->num_items) +
                                            " --schedule-seed " + std::to_string(first->schedule_seed) +
                                            " is recorded.");
}

/// Writes the page of a recording.
int write_recording(const TraceArguments& arguments, const Algorithm& algorithm) {
    kernel_view::Recording recording =
        kernel_view::read_recording(recording_for(arguments, algorithm).file());
    const std::uint64_t num_steps = recording.trace.num_steps;
    const kernel_view::Replay replay(std::move(recording.trace), std::move(recording.sources));
    write_text(arguments.html, page(replay, page_title(arguments, algorithm)));
    print_line(algorithm.id + ", " + grouped(arguments.num_items) + " items: " + grouped(num_steps) +
               " recorded steps of lanes" + schedule_text(schedule_seed_of(arguments)));
    return exit_ok;
}

/// Writes the steps of all lanes, as CSV or as a page.
int trace_lanes(const TraceArguments& arguments, const Algorithm& algorithm) {
    require_writable_lanes(arguments);
    if (!compaction::status_of(EngineId::simulated).available) return write_recording(arguments, algorithm);
    require_trace(algorithm);
    compaction::LaneTrace lanes =
        compaction::simulated::trace_lanes(algorithm, options_of(arguments, algorithm, EngineId::simulated),
                                           arguments.item_size, items_of(arguments),
                                           compaction::keep_non_zero(), schedule_seed_of(arguments))
            .trace;
    const std::string fault = lanes.fault;
    const std::string missing_lines = lanes.missing_lines;
    const std::uint64_t num_steps = lanes.num_steps;
    const bool writes_table = writes_csv(arguments) && fault.empty();
    const std::string table = writes_table ? trace::lanes_csv(lanes) : "";
    const std::string page =
        arguments.html.empty() ? "" : kernel_view::page(std::move(lanes), page_title(arguments, algorithm));
    if (writes_table) write_text(arguments.out, table);
    if (!arguments.html.empty()) write_text(arguments.html, page);
    if (!fault.empty()) throw Error(ErrorCode::device_failure, fault);
    print_line(algorithm.id + ", " + grouped(arguments.num_items) + " items: " + grouped(num_steps) +
               " steps of lanes" + schedule_text(schedule_seed_of(arguments)));
    if (!missing_lines.empty()) print_line(missing_lines);
    return exit_ok;
}

/// Runs the algorithm with a fault, says what goes wrong, and writes the page of the run.
int trace_plant(const TraceArguments& arguments, const Algorithm& algorithm) {
    const kernel_view::Plant& plant = *arguments.plant;
    require_writable_lanes(arguments);
    if (!arguments.out.empty())
        throw Error(ErrorCode::invalid_argument, "A run with --plant is written by --html, not by --out.");
    if (!runs_line_of(plant, algorithm))
        throw Error(ErrorCode::invalid_argument, "The fault " + std::string(plant.id) + " is one of " +
                                                     std::string(plant.algorithm) + ", not of " +
                                                     algorithm.id + ".");
    const kernel_view::PlantedRun run = kernel_view::run_plant(
        plant, algorithm, options_of(arguments, algorithm, EngineId::simulated), arguments.item_size,
        items_of(arguments), compaction::keep_non_zero(), schedule_seed_of(arguments));
    if (!arguments.html.empty())
        write_text(arguments.html,
                   page(run.replay, page_title(arguments, algorithm) + ", " + std::string(plant.name),
                        notice_of(plant, run.finding)));
    print_line(run.finding.text);
    print_line(algorithm.id + ", " + grouped(arguments.num_items) + " items, fault " + std::string(plant.id) +
               schedule_text(schedule_seed_of(arguments)));
    return exit_ok;
}

/// Runs the algorithm, and records when each block or worker ran.
trace::RecordedRun record_run(const TraceArguments& arguments, const Algorithm& algorithm) {
    const std::unique_ptr<compaction::Engine> engine = compaction::open_engine(algorithm.engine);
    const std::unique_ptr<compaction::Compactor> compactor = engine->make_compactor(
        algorithm, options_of(arguments, algorithm, algorithm.engine), arguments.item_size);
    const std::vector<std::byte> items = items_of(arguments);
    const compaction::Buffer in = engine->allocate(items.size());
    const compaction::Buffer out = engine->allocate(items.size());
    const compaction::Buffer num_selected = engine->allocate(sizeof(std::uint64_t));
    engine->upload(in.as<void>(), items.data(), items.size());
    compactor->reserve(arguments.num_items);
    const std::unique_ptr<compaction::PhaseRecorder> recorder = engine->make_recorder(/*max_runs=*/4);
    std::optional<compaction::RunTrace> trace;
    // The first run loads the kernels; the second is traced.
    for (const std::uint64_t run : {0, 1}) {
        if (run == 1) recorder->request_trace(/*roles_block=*/0);
        {
            const compaction::ScopedRun scope(recorder.get(), run);
            compactor->enqueue(in.as<void>(), arguments.num_items, out.as<void>(),
                               num_selected.as<std::uint64_t>(), compaction::keep_non_zero(), recorder.get());
        }
        recorder->collect();
        engine->synchronise();
        std::vector<compaction::RunTiming> timings;
        recorder->poll(timings);
        trace = recorder->poll_trace();
    }
    if (!trace) throw Error(ErrorCode::unavailable, algorithm.id + " has no trace: it records no times.");
    return {algorithm.id, arguments.num_items, arguments.item_size,
            experiments::describe_machine(*engine, version, commit, arguments.command), *std::move(trace)};
}

int show_trace_file(const TraceArguments& arguments) {
    if (!arguments.html.empty())
        throw Error(ErrorCode::invalid_argument,
                    "A trace file holds no steps of lanes. Pass the id of an algorithm with --html.");
    const platform::FileText file = platform::read_file(arguments.algorithm_or_file, max_file_bytes);
    if (!file.problem.empty())
        throw Error(ErrorCode::invalid_argument, arguments.algorithm_or_file + ": " + file.problem + ".");
    const auto read =
        trace::read_trace_file({reinterpret_cast<const std::uint8_t*>(file.text.data()), file.text.size()});
    std::visit([&](const auto& trace) { print_and_write(arguments, trace); }, read);
    if (const auto* const run = std::get_if<trace::RecordedRun>(&read))
        print_line("Recorded on " + run->machine.device + " by version " + run->machine.version + ", " +
                   run->machine.date + ".");
    return exit_ok;
}

/// Adds an option for a name of a value. `find` returns the value, or nullopt for an unknown name, which is
/// then refused with the legal names.
template <typename T, typename Find>
void add_name(CLI::App& app, const std::string& flag, const std::string& legal, Find find, T& target,
              const std::string& help) {
    const auto store = [=, &target](const std::string& text) {
        const std::optional<T> value = find(text);
        if (!value) refuse_value(flag, text, legal);
        target = *value;
    };
    app.add_option_function<std::string>(flag, store, help)->type_name("NAME");
}

/// "scan-barrier, lockstep, ...".
std::string plant_names() {
    std::string names;
    for (const kernel_view::Plant& plant : kernel_view::plants())
        names += (names.empty() ? "" : ", ") + std::string(plant.id);
    return names;
}

std::optional<const kernel_view::Plant*> find_plant_of_name(const std::string& id) {
    const kernel_view::Plant* const plant = kernel_view::find_plant(id);
    return plant ? std::optional(plant) : std::nullopt;
}

/// The faults of --plant, for the help.
std::string plants_help() {
    std::string text = "Faults of --plant:\n";
    for (const kernel_view::Plant& plant : kernel_view::plants())
        text += "  " + std::string(plant.id) + ", in " + std::string(plant.algorithm) + "\n      " +
                std::string(plant.consequence) + "\n";
    return text;
}

void add_options(CLI::App& app, TraceArguments& arguments) {
    app.add_option("ALGORITHM", arguments.algorithm_or_file,
                   "Id of an algorithm as in `warpsieve --list`, or a file that this command has written")
        ->required();
    app.add_option(
           "--engine", arguments.engine,
           "cuda or cpu: when each block or worker ran. simulated: every load, store and atomic of global "
           "memory. Default: that of the algorithm; simulated where there is no GPU")
        ->check(engine_name())
        ->type_name("ENGINE");
    add_count(app, "--n", /*min=*/1, /*max=*/std::uint64_t{1} << 30, store_in(arguments.num_items),
              "Items. Default: 2^12");
    add_name(app, "--pattern", pattern_names(), workloads::find_pattern, arguments.pattern,
             "Pattern of the stream: " + pattern_names() + ". Default: random");
    add_picture(app, arguments.picture);
    add_number(app, "--density", /*min=*/0, /*max=*/1, store_in(arguments.keep_fraction),
               "Keep fraction. Default: 0.5");
    add_name(app, "--item-bytes", "4, 8, 16", find_item_size, arguments.item_size,
             "Item size in bytes: 4, 8 or 16. Default: 4");
    add_count(app, "--seed", /*min=*/0, /*max=*/~0U, store_in(arguments.seed),
              "Seed of the stream. Default: 1");
    add_count(
        app, "--schedule-seed", /*min=*/0, /*max=*/2'147'483'647, store_in(arguments.schedule_seed),
        "Seed of the simulated GPU, which fixes every choice that a GPU leaves open. Default: 0, or one "
        "in which the fault of --plant shows");
    add_name(app, "--plant", plant_names(), find_plant_of_name, arguments.plant,
             "Run on the simulated GPU without a line of the kernel, and say what goes wrong: one of the "
             "faults below");
    for (const compaction::Option option : compaction::all_options) {
        app.add_option(
               "--" + std::string(flag_of(option)), arguments.options[static_cast<std::size_t>(option)],
               "The option " + std::string(name_of(option)) + ", as listed by --list. Default: automatic")
            ->type_name("VALUE");
    }
    add_file(
        app, "--out", arguments.out,
        "Write the trace to this file: for ui.perfetto.dev if it ends with .json, every step of every lane "
        "of the simulated GPU if it ends with .csv, else compact");
    add_file(app, "--html", arguments.html,
             "Write a page that plays every step of every lane of the simulated GPU beside the source, "
             "forwards and backwards");
}

}  // namespace

int run_trace(int argc, char** argv) {
    TraceArguments arguments;
    arguments.command = "warpsieve " + experiments::command_text(argc, argv);
    CLI::App app(
        "Traces one compaction: every access of memory on the simulated GPU, or the times of blocks and "
        "workers. Prints a summary.",
        "warpsieve trace");
    app.get_formatter()->column_width(30);
    app.footer(examples + ("\n" + plants_help()));
    add_options(app, arguments);
    if (const auto exit_code = parse_arguments(app, argc, argv)) return *exit_code;
    require_distinct({{"the file to read", arguments.algorithm_or_file},
                      {"--out", arguments.out},
                      {"--html", arguments.html}});
    for (const std::filesystem::path& file : {arguments.out, arguments.html})
        if (!file.empty()) platform::require_writable(file);
    begin_unsaved_work("the trace");
    const auto catalogue = compaction::catalogue();
    const auto found = std::ranges::find(catalogue, arguments.algorithm_or_file, &Algorithm::id);
    if (found == catalogue.end()) {
        if (std::filesystem::exists(arguments.algorithm_or_file)) return show_trace_file(arguments);
        std::string ids;
        for (const Algorithm& each : catalogue) ids += each.id + ", ";
        throw Error(ErrorCode::invalid_argument,
                    "There is no algorithm and no file '" + arguments.algorithm_or_file + "'." +
                        experiments::format::did_you_mean(arguments.algorithm_or_file, ids) +
                        " warpsieve --list lists the algorithms.");
    }
    const Algorithm& algorithm = *found;
    const EngineId engine = engine_of(arguments, algorithm);
    if (arguments.plant) {
        if (engine != EngineId::simulated && !arguments.engine.empty())
            throw Error(ErrorCode::invalid_argument, "--plant needs --engine simulated.");
        return trace_plant(arguments, algorithm);
    }
    if (engine == EngineId::simulated && algorithm.engine != EngineId::cpu)
        return writes_lanes(arguments) ? trace_lanes(arguments, algorithm)
                                       : trace_accesses(arguments, algorithm);
    if (writes_lanes(arguments))
        throw Error(
            ErrorCode::invalid_argument,
            "Only the simulated GPU knows the steps of lanes. Pass --engine simulated and an algorithm "
            "of the GPU, or name neither --html nor a file that ends with .csv.");
    if (engine != algorithm.engine)
        throw Error(ErrorCode::invalid_argument, algorithm.id + " does not run on --engine " +
                                                     std::string(compaction::id_of(engine)) + ".");
    print_and_write(arguments, record_run(arguments, algorithm));
    return exit_ok;
}

}  // namespace warpsieve
