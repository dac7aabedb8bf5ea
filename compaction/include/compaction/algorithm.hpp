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

enum class EngineId : std::uint8_t { cpu, cuda };

/// "cpu", "cuda".
std::string_view id_of(EngineId engine);

/// What a phase does, so that every plot and table gives it the same colour and place.
enum class PhaseRole : std::uint8_t { count, prefix, move, fused };

/// A part of an algorithm that can be timed alone.
struct Phase {
    PhaseRole role;
    std::string name;     ///< "count"
    std::string meaning;  ///< one sentence, for the tooltip
    MovedBytes moved_bytes =
        nullptr;  ///< null where it is not known: library calls, and what depends on the data
};

/// What is asked of a kernel. Compaction is what this library is for; the others are its parts, measured by
/// themselves.
enum class Operation : std::uint8_t {
    compaction,  ///< kept items to the front of `out`, their number to `num_selected`
    copy,        ///< out[i] = in[i]; `num_selected` is left alone and may be null
    count,       ///< the number of kept items to `num_selected`; `out` is left alone and may be null
    scan,  ///< out[i] = in[0] + ... + in[i - 1] modulo 2^32; `num_selected` is left alone and may be null
};

/// "compaction", "copy", "count", "scan".
std::string_view name_of(Operation operation);

/// Everything the rest of the program knows of an algorithm, as data. Menus, legends, CSV columns, tests and
/// benches loop over this; none of them lists algorithms or phases by hand.
struct Algorithm {
    std::string id;    ///< "sequence_wise": unique, stable over versions, what the command line takes
    std::string name;  ///< "Sequence-wise, vectorised"
    EngineId engine;
    Operation operation = Operation::compaction;
    std::string authors;
    int year = 0;
    std::string source;         ///< author, year, section
    std::string summary;        ///< one or two sentences on how it works
    bool stable = true;         ///< kept items stay in the order of the input
    bool synchronises = false;  ///< `enqueue` waits for the device and may allocate, by design of its source
    std::uint64_t max_items = std::uint64_t{1} << 40;  ///< the longest stream it takes
    std::string unavailable_reason{};  ///< why this build cannot run it, though it has its engine; else empty
    std::vector<ItemSize> item_sizes{all_item_sizes.begin(),
                                     all_item_sizes.end()};  ///< that it can be made for
    std::vector<Phase> phases;
    std::vector<LegalRange> options;  ///< the options it honours; the others must stay `automatic`

    bool is_available() const { return unavailable_reason.empty(); }

    /// The legal values of `option`, or nullptr where the algorithm does not have it.
    const LegalRange* range_of(Option option) const;
};

/// Bytes that all phases of the algorithm move on such a stream; nothing where it is not known of one.
std::optional<double> moved_bytes(const Algorithm& algorithm, const StreamShape& shape);

/// Throws Error{invalid_option} that names the option and its legal values, unless every value is either
/// `automatic` or one the algorithm declares, and a vector of items of that size fits one access;
/// Error{invalid_argument} where the algorithm cannot be made for items of that size; Error{unavailable}
/// where this build does not have it.
void validate(const Algorithm& algorithm, const Options& options, ItemSize item_size = ItemSize::bytes_4);

/// The value that `text` stands for, as a command line gives it: a name, digits, a power such as 2^10, or
/// "automatic". Throws Error{invalid_option} that names the legal values.
std::uint32_t parse_option(const Algorithm& algorithm, Option option, std::string_view text);

/// Every compaction algorithm that this build knows, both engines, in the order of `algorithms.def`. Those of
/// an engine that was not built in are listed too, by id and name alone.
std::span<const Algorithm> catalogue();

/// The steps that compactions are made of (copies, counts, scans), each a kernel to be measured by itself, in
/// the order of `steps.def`. They are described, made and run like algorithms.
std::span<const Algorithm> steps();

/// The algorithm or step of that id, or Error{invalid_argument} that lists the ids there are.
const Algorithm& find_algorithm(std::string_view id);

/// The one of `among` that has that id, or Error{invalid_argument} that lists their ids.
const Algorithm& find_algorithm(std::string_view id, std::span<const Algorithm> among);

/// The algorithm an engine runs unless told otherwise: the first of its lines in `algorithms.def`.
const Algorithm& default_algorithm(EngineId engine);

}  // namespace compaction
