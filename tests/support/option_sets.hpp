#pragma once

#include <string>
#include <vector>

#include "compaction/algorithm.hpp"

namespace testing_support {

/// The options that the algorithm chooses; on the simulated GPU, without the tens of thousands of blocks of a
/// copy that truncates.
compaction::Options automatic_options(const compaction::Algorithm& algorithm);

/// Options for tests with many streams: automatic, each vector width, each variant, all options at their
/// minimum, all at their maximum, and one in between. At most 16 threads of a CPU.
std::vector<compaction::Options> few_option_sets(const compaction::Algorithm& algorithm,
                                                 compaction::ItemSize item_size);

/// Options for tests with few streams: every combination of a sample of values of each option, including
/// automatic.
std::vector<compaction::Options> many_option_sets(const compaction::Algorithm& algorithm,
                                                  compaction::ItemSize item_size);

/// "vector width 2, sequences 65536", for the message of a failed test.
std::string describe(const compaction::Options& options);

}  // namespace testing_support
