#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/baseline.hpp"
#include "experiments/comparison.hpp"
#include "experiments/table.hpp"

namespace experiments {

/// The CSV text that one process wrote.
struct ProcessCsv {
    Program program = Program::writer;  ///< this program, or the one that it is compared with
    std::size_t process = 1;
    std::string text;
};

/// One setting in the results of several processes.
struct ComparedSetting {
    std::vector<Field> fields;
    ProcessMedians medians = {};  ///< the other side is empty if nothing is compared
    bool throttled = false;       ///< a throttled sample on either side: the setting is not judged
    ProcessComparison comparison = {};

    Verdict verdict() const { return comparison.verdict; }
};

/// The results of several processes of this program, compared with those of another program if there are any.
struct ProcessResults {
    std::vector<ComparedSetting> settings = {};
    std::vector<std::string> missing = {};  ///< settings that the other results lack, in words
    bool compared = false;
    bool interleaved = false;  ///< the processes of the two programs were started in turn
    std::optional<double> max_regress = {};
    /// Why a regression does not count: the text of why_not_judged(); empty if it does.
    std::string not_judged = {};

    bool regressed(const ComparedSetting& setting) const {
        return not_judged.empty() && setting.comparison.regressed;
    }
};

/// Compares all settings of `ours` with those of `other`, which may be null. `max_regress`: 0.03 for 3 %.
ProcessResults compare_results(const Baseline& ours, const Baseline* other, bool interleaved,
                               std::optional<double> max_regress);

/// One CSV text of several, with the columns `process` and `program`. Columns and comments are those of the
/// first process of this program; the comment "command" is replaced by `command`. The column `verdict` of
/// this program's rows has the verdicts of `results`.
std::string merge_csv(std::span<const ProcessCsv> processes, const std::string& command, bool interrupted,
                      const ProcessResults& results);

/// One row per setting: times, their spread between processes and, if compared, ratio, verdict, and the
/// smallest difference that the comparison would probably find. Times in microseconds. `machine`: the device,
/// for the caption.
Table results_table(const ProcessResults& results, const std::string& machine);

/// Sentences on how the verdicts were made and which settings were not judged.
std::vector<std::string> comparison_remarks(const ProcessResults& results);

}  // namespace experiments
