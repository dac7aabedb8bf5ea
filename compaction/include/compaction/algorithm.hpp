#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compaction/options.hpp"

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
};

/// Everything the rest of the program knows of an algorithm, as data. Menus, legends, CSV columns, tests and
/// benches loop over this; none of them lists algorithms or phases by hand.
struct Algorithm {
    std::string id;    ///< "sequence_wise": unique, stable over versions, what the command line takes
    std::string name;  ///< "Sequence-wise, vectorised"
    EngineId engine;
    std::string authors;
    int year = 0;
    std::string source;   ///< author, year, section
    std::string summary;  ///< one or two sentences on how it works
    bool stable = true;   ///< kept items stay in the order of the input
    std::vector<Phase> phases;
    std::vector<LegalRange> options;  ///< the options it honours; the others must stay `automatic`

    /// The legal values of `option`, or nullptr where the algorithm does not have it.
    const LegalRange* range_of(Option option) const;
};

/// Throws Error{invalid_option} that names the option and its legal values, unless every value is either
/// `automatic` or one the algorithm declares.
void validate(const Algorithm& algorithm, const Options& options);

/// Every algorithm that this build knows, both engines, in the order of `algorithms.def`. Those of an engine
/// that was not built in are listed too, by id and name alone.
std::span<const Algorithm> catalogue();

/// The algorithm of that id, or Error{invalid_argument} that lists the ids there are.
const Algorithm& find_algorithm(std::string_view id);

/// The algorithm an engine runs unless told otherwise: the first of its lines in `algorithms.def`.
const Algorithm& default_algorithm(EngineId engine);

}  // namespace compaction
