#pragma once

#include <string>
#include <vector>

#include "compaction/algorithm.hpp"

namespace testing_support {

/// Layouts for tests with many streams: automatic, each vector width, each variant, all options at their
/// minimum, all at their maximum, and one in between.
std::vector<compaction::Options> few_layouts(const compaction::Algorithm& algorithm,
                                             compaction::ItemSize item_size);

/// Layouts for tests with few streams: every combination of a sample of values of each option, including
/// automatic.
std::vector<compaction::Options> many_layouts(const compaction::Algorithm& algorithm,
                                              compaction::ItemSize item_size);

/// "vector width 2, sequences 65536", for the message of a failed test.
std::string describe(const compaction::Options& options);

}  // namespace testing_support
