#pragma once

#include <string>
#include <vector>

#include "experiments/measure.hpp"

namespace experiments {

/// A setting as name and text pairs for files: always the same names in the same order. The text is empty if
/// the algorithm or the pattern does not have the field.
struct Field {
    std::string name;
    std::string text;
};
std::vector<Field> fields_of(const Setting& setting);

/// The fields of the copy on a stream; its algorithm is "copy".
std::vector<Field> fields_of_copy(const StreamSpec& stream);

/// Key of a setting across runs: all fields except the seed, which makes another stream of the same kind.
std::string key_of(const std::vector<Field>& fields);

/// The layout that was used: "vector-width=4 threads=256".
std::string layout_text(const Result& result);

}  // namespace experiments
