// Counts the memory accesses of the kernels of algorithms on the simulated GPU.
//
//   bench_watch_kernels [--counters FILE] [--engine cuda] ITEMS ALGORITHM... [ITEMS ALGORITHM...]...
//
// Compacts ITEMS 4-byte items, such as 65536 or 2^16, half of them kept at random, by each ALGORITHM, such as
// sequence_wise or, with options, sequence_wise:blocks=256,sequences=2048. Prints a line for each kernel as
// CSV. `--counters` writes a line for each instruction of the first algorithm that accesses memory.
// `--engine cuda` compacts on a GPU, uncounted, for scripts/compare-counters.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "compaction/compaction.hpp"
#include "simulated/counters.hpp"
#include "workloads/streams.hpp"

namespace {

using namespace compaction;
using simulated::Access;
using simulated::AccessCounters;
using simulated::Counters;
using simulated::KernelCounters;
using simulated::Space;

/// One algorithm on one stream.
struct Case {
    std::uint64_t num_items = 0;
    std::string id;
    std::string options;  ///< "blocks=256,sequences=2048"
};

struct Arguments {
    std::string counters;
    EngineId engine = EngineId::simulated;
    std::vector<Case> cases;
};

/// "65536" or "2^16", up to 2^24; 0 if it is neither.
std::uint64_t parse_items(const std::string& text) {
    constexpr unsigned max_exponent = 24;
    const bool is_power = text.starts_with("2^");
    std::uint64_t number = 0;
    const auto [end, error] =
        std::from_chars(text.data() + (is_power ? 2 : 0), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || (is_power && number > max_exponent))
        return 0;
    const std::uint64_t items = is_power ? std::uint64_t{1} << number : number;
    return items <= std::uint64_t{1} << max_exponent ? items : 0;
}

/// Returns no cases if the arguments are wrong.
Arguments parse(const std::vector<std::string>& words) {
    Arguments arguments;
    std::size_t i = 0;
    for (; i + 1 < words.size() && words[i].starts_with("--"); i += 2) {
        if (words[i] == "--counters")
            arguments.counters = words[i + 1];
        else if (words[i] == "--engine" && words[i + 1] == "cuda")
            arguments.engine = EngineId::cuda;
        else
            return {};
    }
    std::uint64_t num_items = 0;
    for (; i < words.size(); ++i) {
        if (const std::uint64_t items = parse_items(words[i])) {
            num_items = items;
            continue;
        }
        if (num_items == 0) return {};
        const std::size_t colon = std::min(words[i].find(':'), words[i].size());
        arguments.cases.push_back(
            {num_items, words[i].substr(0, colon), words[i].substr(std::min(colon + 1, words[i].size()))});
    }
    return arguments;
}

/// "blocks=256,sequences=2048"; throws Error if a name or a value is wrong.
Options parse_options(const Algorithm& algorithm, const std::string& text) {
    Options options;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) {
        const std::size_t equals = std::min(part.find('='), part.size());
        const auto option = std::ranges::find(all_options, part.substr(0, equals), flag_of);
        if (option == all_options.end() || equals == part.size())
            throw Error(ErrorCode::invalid_argument, "'" + part + "' is not OPTION=VALUE.");
        options[*option] = parse_option(algorithm, *option, part.substr(equals + 1));
    }
    return options;
}

/// Runs one compaction, and counts nothing else. Returns the number of kept items.
std::uint64_t compact(Engine& engine, const Algorithm& algorithm, const Case& which, Counters& counters) {
    const auto items = workloads::make_stream(workloads::Pattern::random, which.num_items, 0.5, 1);
    const Buffer in = engine.allocate(which.num_items * sizeof(std::uint32_t));
    const Buffer out = engine.allocate(which.num_items * sizeof(std::uint32_t));
    const Buffer count = engine.allocate(sizeof(std::uint64_t));
    engine.upload(in.as<void>(), items.data(), in.size_bytes());
    const auto compactor =
        engine.make_compactor(algorithm, parse_options(algorithm, which.options), ItemSize::bytes_4);
    compactor->reserve(which.num_items);
    engine.synchronise();
    counters.clear();
    compactor->enqueue(in.as<void>(), which.num_items, out.as<void>(), count.as<std::uint64_t>(),
                       keep_non_zero(), nullptr);
    engine.synchronise();
    std::uint64_t kept = 0;
    engine.download(&kept, count.as<void>(), sizeof kept);
    return kept;
}

void print(const Case& which, const std::string& name, const KernelCounters& kernel) {
    AccessCounters all;
    std::printf("%s,%llu,%s,%llu", which.id.c_str(), static_cast<unsigned long long>(which.num_items),
                name.c_str(), static_cast<unsigned long long>(kernel.launches));
    for (const auto& [space, access] :
         {std::pair(Space::global, Access::read), std::pair(Space::global, Access::write),
          std::pair(Space::shared, Access::read), std::pair(Space::shared, Access::write)}) {
        const AccessCounters counters = kernel.total(space, access);
        all.requests += counters.requests;
        all.lanes += counters.lanes;
        std::printf(",%llu,%llu,", static_cast<unsigned long long>(counters.requests),
                    static_cast<unsigned long long>(counters.units));
        if (counters.min_units > 0)
            std::printf("%.2f",
                        static_cast<double>(counters.units) / static_cast<double>(counters.min_units));
    }
    std::printf(",%.1f,%.1f,%u,%llu,%llu,%llu\n",
                all.requests == 0 ? 0 : static_cast<double>(all.lanes) / static_cast<double>(all.requests),
                kernel.resident_warps(), kernel.possible_warps,
                static_cast<unsigned long long>(kernel.shared_bytes),
                static_cast<unsigned long long>(kernel.bytes_copied_in),
                static_cast<unsigned long long>(kernel.bytes_copied_out));
}

/// Writes a table; throws Error if that fails.
template <typename Table>
void write(const std::string& path, const Table& table) {
    std::ofstream file(path);
    table.write_csv(file);
    file.close();
    if (!file) throw Error(ErrorCode::invalid_argument, path + " could not be written.");
}

void print_heading() {
    std::printf("algorithm,n,kernel,launches");
    for (const char* const access : {"load", "store", "shared_load", "shared_store"})
        std::printf(",%s_requests,%s_units,%s_over_least", access, access, access);
    std::printf(",lanes,resident_warps,possible_warps,shared_bytes,bytes_copied_in,bytes_copied_out\n");
}

}  // namespace

int main(int argc, char** argv) try {
    const Arguments arguments = parse({argv + 1, argv + argc});
    if (arguments.cases.empty()) {
        std::fprintf(stderr,
                     "Usage: bench_watch_kernels [--counters FILE] [--engine cuda] ITEMS "
                     "ALGORITHM[:OPTION=VALUE,...]..., with up to 2^24 items\n");
        return 2;
    }
    const bool counted = arguments.engine == EngineId::simulated;
    const auto engine = open_engine(arguments.engine);
    std::printf("# device: %s\n# engine: %s\n", engine->device().name.c_str(),
                std::string(id_of(arguments.engine)).c_str());
    if (counted) print_heading();
    for (const Case& each : arguments.cases) {
        const bool first = &each == arguments.cases.data();
        Counters counters;
        const std::uint64_t kept =
            compact(*engine, find_algorithm((counted ? "simulated_" : "") + each.id), each, counters);
        for (const auto& [name, kernel] : counters.kernels()) print(each, name, kernel);
        if (!counted) std::printf("%s: kept %llu\n", each.id.c_str(), static_cast<unsigned long long>(kept));
        if (first && !arguments.counters.empty()) write(arguments.counters, counters);
    }
    return 0;
} catch (const compaction::Error& error) {
    std::fprintf(stderr, "bench_watch_kernels: %s\n", error.what());
    return 1;
}
