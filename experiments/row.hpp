#pragma once

#include <string>
#include <vector>

#include "experiments/measure.hpp"

namespace experiments {

/// What a setting is called in files: a name and a text for each of its parts, always the same ones in the
/// same order. "" where the algorithm or the pattern does not have the part.
struct Field {
    std::string name;
    std::string text;
};
std::vector<Field> fields_of(const Setting& setting);

/// The same of the copy on a stream: its algorithm is called "copy".
std::vector<Field> fields_of_copy(const StreamSpec& stream);

/// Which settings are the same thing measured again: the fields but for the seed, which makes another stream
/// of the same kind.
std::string key_of(const std::vector<Field>& fields);

/// The layout that `automatic` became: "vector-width=4 threads=256".
std::string layout_text(const Result& result);

}  // namespace experiments
