#include "experiments/process_results.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string_view>
#include <utility>

#include "experiments/csv.hpp"
#include "experiments/format/numbers.hpp"
#include "experiments/setting.hpp"

namespace experiments {
namespace {

std::string figure(double value) {
    return format::significant(value, 3);
}

std::string percent(double share) {
    return format::significant(100 * share, 2);
}

std::string counted(std::size_t count, const std::string& one) {
    return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

double geometric_mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += std::log(value);
    return std::exp(sum / static_cast<double>(values.size()));
}

bool judged(const ComparedSetting& setting) {
    return setting.medians.comparable() && !setting.throttled;
}

std::vector<std::string> heading_of(const ProcessResults& results) {
    if (!results.compared) return {"µs", "lowest", "highest", "processes", "processes differ by %"};
    std::vector<std::string> heading{
        "other µs", "this µs", "ratio", "low", "high", "verdict", "processes differ by %", "finds from %"};
    if (results.max_regress.value_or(0) > 0)
        heading.push_back("processes to find " + percent(*results.max_regress) + " %");
    return heading;
}

std::vector<std::string> cells_of(const ProcessResults& results, const ComparedSetting& setting) {
    const auto& [other_us, this_us] = setting.medians;
    const auto mean = [](const std::vector<double>& us) {
        return us.empty() ? "-" : figure(geometric_mean(us));
    };
    if (!results.compared) {
        return {mean(this_us), this_us.empty() ? "-" : figure(std::ranges::min(this_us)),
                this_us.empty() ? "-" : figure(std::ranges::max(this_us)), std::to_string(this_us.size()),
                this_us.size() < 2 ? "-" : percent(spread_of(this_us))};
    }
    std::vector<std::string> cells{mean(other_us), mean(this_us)};
    if (!judged(setting)) {
        cells.insert(cells.end(), {"-", "-", "-"});
        cells.push_back(std::string(name_of(Verdict::cannot_tell)) +
                        (setting.throttled ? ": throttled" : ""));
        cells.resize(heading_of(results).size(), "-");
        return cells;
    }
    const ProcessComparison& comparison = setting.comparison;
    for (const double value :
         {comparison.ratio, comparison.ratio_interval.low, comparison.ratio_interval.high})
        cells.push_back(format::significant(value, 4));
    cells.emplace_back(name_of(comparison.verdict));
    cells.push_back(percent(comparison.spread));
    cells.push_back(percent(comparison.smallest_change));
    if (results.max_regress.value_or(0) > 0) {
        cells.push_back(comparison.processes_needed ? std::to_string(*comparison.processes_needed)
                                                    : "over 1000");
    }
    return cells;
}

}  // namespace

ProcessResults compare_results(const Baseline& ours, const Baseline* other, bool interleaved,
                               std::optional<double> max_regress) {
    ProcessResults results{
        .compared = other != nullptr, .interleaved = interleaved, .max_regress = max_regress};
    if (other) results.not_judged = why_not_judged(*other, ours.device(), ours.engine(), ours.version());
    std::vector<ProcessMedians> to_judge;
    for (const Baseline::Entry* const entry : ours.settings()) {
        const Baseline::Entry* const other_entry = other ? other->find(key_of(entry->fields)) : nullptr;
        if (other && !other_entry) {
            results.missing.push_back(describe(entry->fields));
            continue;
        }
        ComparedSetting setting{.fields = entry->fields, .medians = {{}, entry->medians_us}};
        if (other_entry) setting.medians.other_us = other_entry->medians_us;
        setting.throttled = entry->throttled > 0 || (other_entry && other_entry->throttled > 0);
        to_judge.push_back(judged(setting) ? setting.medians : ProcessMedians{});
        results.settings.push_back(std::move(setting));
    }
    const std::vector<ProcessComparison> comparisons = compare_processes(to_judge, max_regress);
    for (std::size_t i = 0; i < comparisons.size(); ++i) results.settings[i].comparison = comparisons[i];
    return results;
}

std::string merge_csv(std::span<const ProcessCsv> processes, const std::string& command, bool interrupted,
                      const ProcessResults& results) {
    const auto first = std::ranges::find(processes, Program::writer, &ProcessCsv::program);
    if (first == processes.end()) return {};
    const CsvText head = split_csv(first->text);
    std::ostringstream csv;
    for (const std::string& comment : head.comments)
        csv << "# " << (comment.starts_with("command: ") ? "command: " + command : comment) << '\n';
    if (interrupted) csv << "# interrupted: the remaining processes were not started\n";
    std::map<std::string, std::string_view> verdicts;
    for (const ComparedSetting& setting : results.settings) {
        if (results.compared) verdicts[key_of(setting.fields)] = name_of(setting.verdict());
    }
    for (const std::string& column : head.columns) csv << column << ',';
    csv << process_column << ',' << program_column << '\n';
    std::size_t num_rows = 0;
    for (const ProcessCsv& process : processes) {
        const CsvText text = split_csv(process.text);
        for (const std::vector<std::string>& row : text.rows) {
            const auto cell = [&](const std::string& column) -> std::string {
                const std::size_t index = text.column(column);
                return index < row.size() ? row[index] : "";
            };
            std::vector<Field> fields;
            for (const std::string& field : setting_field_names()) fields.push_back({field, cell(field)});
            const auto verdict = verdicts.find(key_of(fields));
            for (const std::string& column : head.columns) {
                const bool judges = column == "verdict" && process.program == Program::writer;
                csv << csv_cell(!judges                     ? cell(column)
                                : verdict == verdicts.end() ? ""
                                                            : verdict->second)
                    << ',';
            }
            csv << process.process << ',' << name_of(process.program) << '\n';
            ++num_rows;
        }
    }
    csv << csv_end_prefix << num_rows << '\n';
    return csv.str();
}

Table results_table(const ProcessResults& results, const std::string& machine) {
    std::vector<std::vector<Field>> all;
    for (const ComparedSetting& setting : results.settings) all.push_back(setting.fields);
    const VaryingFields fields(all);
    Table table;
    table.caption = machine + (fields.common.empty() ? "" : "; " + fields.common);
    for (const std::string& name : fields.varying) table.columns.push_back({name, name == "density"});
    for (const std::string& heading : heading_of(results))
        table.columns.push_back({heading, heading != "verdict"});
    for (const ComparedSetting& setting : results.settings) {
        Table::Row row{fields.cells(setting.fields), {}};
        for (std::string& cell : cells_of(results, setting)) row.cells.push_back(std::move(cell));
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::vector<std::string> comparison_remarks(const ProcessResults& results) {
    std::vector<std::string> remarks{
        "Times are geometric means of the medians of the processes, which differ by the standard deviation "
        "of their logarithms."};
    if (!results.compared) return remarks;
    const auto num_judged = static_cast<std::size_t>(std::ranges::count_if(results.settings, judged));
    remarks.push_back(
        "Ratios have 95 % intervals. Verdicts: Welch's t test, at 5 % for " + counted(num_judged, "setting") +
        " together (Holm). In 80 % of such comparisons it finds a change as large as \"finds from\".");
    if (!results.interleaved) {
        remarks.emplace_back(
            "Not interleaved: the other processes ran at another time, and a change of the machine since "
            "then counts as a difference.");
    }
    if (!results.not_judged.empty())
        remarks.push_back("No regression is judged: the other results were " + results.not_judged + ".");
    const auto num_throttled =
        static_cast<std::size_t>(std::ranges::count_if(results.settings, &ComparedSetting::throttled));
    if (num_throttled > 0)
        remarks.push_back(counted(num_throttled, "setting") + " had throttled samples and " +
                          (num_throttled == 1 ? "is" : "are") + " not judged.");
    return remarks;
}

}  // namespace experiments
