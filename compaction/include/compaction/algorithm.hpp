#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compaction/item.hpp"
#include "compaction/options.hpp"
#include "compaction/traffic.hpp"

namespace compaction {

/// The engines that this library knows.
enum class EngineId : std::uint8_t {
    cpu,        ///< host threads and SIMD
    cuda,       ///< one NVIDIA GPU
    simulated,  ///< a GPU that is simulated on the CPU: results, no times
};

/// The engine's id: "cpu", "cuda" or "simulated".
std::string_view id_of(EngineId engine);

/// The work of a phase. Plots and tables give each role one colour and a fixed position.
enum class PhaseRole : std::uint8_t {
    count,           ///< counts or flags the kept items
    prefix,          ///< scans the counts
    scatter,         ///< writes the kept items
    fused,           ///< several of these at once
    move = scatter,  ///< the earlier name of `scatter`
};

/// A part of an algorithm that is timed by itself.
struct Phase {
    PhaseRole role;                    ///< the work of the phase
    std::string name;                  ///< "count"
    std::string meaning;               ///< one sentence, for the tooltip
    MovedBytes moved_bytes = nullptr;  ///< memory traffic; null if unknown (library calls, data-dependent)
};

/// The result of a compactor. The steps of compaction (copy, count, scan) are also measured by themselves.
enum class Operation : std::uint8_t {
    compaction,  ///< writes the kept items to the front of `out` and their number to `num_selected`
    copy,        ///< out[i] = in[i]; ignores `num_selected`, which may be null
    count,       ///< writes the number of kept items to `num_selected`; ignores `out`, which may be null
    scan,        ///< out[i] = in[0] + ... + in[i - 1] modulo 2^32; ignores `num_selected`
};

/// The name of the operation: "compaction", "copy", "count" or "scan".
std::string_view name_of(Operation operation);

/// An algorithm described as data. Menus, legends, CSV columns, tests and benchmarks loop over these
/// descriptions instead of listing algorithms or phases by hand.
struct Algorithm {
    std::string id;                               ///< "sequence_wise": unique, stable across versions
    std::string name;                             ///< "Sequence-wise, vectorised"
    EngineId engine;                              ///< the engine that runs it
    Operation operation = Operation::compaction;  ///< the result of the algorithm
    std::string authors;                          ///< who published it
    int year = 0;                                 ///< when it was published
    std::string source;                           ///< the publication: author, year, section
    std::string summary;                          ///< one or two sentences on how it works
    bool stable = true;                           ///< keeps the order of the input
    /// `enqueue` waits for the device and may allocate, as the published code does.
    bool synchronises = false;
    /// Its kernels launch further kernels. A graph may end before these do, so `enqueue` throws on a stream
    /// that is being captured.
    bool launches_on_device = false;
    std::uint64_t max_items = std::uint64_t{1} << 40;  ///< the longest stream it accepts
    /// Why this build cannot run it, although it has the engine; else empty.
    std::string unavailable_reason{};
    /// The item sizes it supports.
    std::vector<ItemSize> item_sizes{all_item_sizes.begin(), all_item_sizes.end()};
    std::vector<Phase> phases;        ///< in the order they run
    std::vector<LegalRange> options;  ///< the options it has; others must stay `automatic`
    /// Whether it is a copy (Operation::copy) that leaves the last items uncopied, as the published program
    /// does. Compactor::partition gives the items that it copies. Lists of algorithms leave it out: it runs
    /// only where its id is given.
    bool truncates = false;

    /// Whether this build can run it.
    bool is_available() const { return unavailable_reason.empty(); }

    /// The legal values of `option`; nullptr if the algorithm does not have it.
    const LegalRange* range_of(Option option) const;
};

/// Bytes that all phases of the algorithm move for a stream of this shape; nullopt if one is unknown.
std::optional<double> moved_bytes(const Algorithm& algorithm, const StreamShape& shape);

/// Checks options against an algorithm. Throws Error{invalid_option}, which names the option and its legal
/// values, if a value is neither `automatic` nor declared by the algorithm, or if a vector of items exceeds
/// one memory access; Error{invalid_argument} if the algorithm does not support the item size;
/// Error{unavailable} if this build does not have it.
void validate(const Algorithm& algorithm, const Options& options, ItemSize item_size = ItemSize::bytes_4);

/// Parses an option value from a command line: a name, digits, a power such as 2^10, or "automatic". Throws
/// Error{invalid_option}, which names the legal values.
std::uint32_t parse_option(const Algorithm& algorithm, Option option, std::string_view text);

/// Every compaction algorithm of all engines, in the order of `algorithms.def`. Algorithms of an engine that
/// is not in this build have only id and name.
std::span<const Algorithm> catalogue();

/// The steps of compaction (copies, counts, scans), measured by themselves, in the order of `steps.def`. They
/// are described, created and run like algorithms.
std::span<const Algorithm> steps();

/// Finds an algorithm or step by id. Throws Error{invalid_argument}, which lists the known ids.
const Algorithm& find_algorithm(std::string_view id);

/// Finds an algorithm by id in `among`. Throws Error{invalid_argument}, which lists the ids in `among`.
const Algorithm& find_algorithm(std::string_view id, std::span<const Algorithm> among);

/// The default algorithm of an engine: its first one in catalogue().
const Algorithm& default_algorithm(EngineId engine);

}  // namespace compaction
