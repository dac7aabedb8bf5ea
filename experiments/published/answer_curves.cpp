#include <algorithm>
#include <bit>
#include <cmath>

#include "experiments/format/counts.hpp"
#include "experiments/format/numbers.hpp"
#include "experiments/published/answer_texts.hpp"
#include "experiments/published/text.hpp"

namespace published {
namespace {

namespace format = experiments::format;

const RatioAnswer* find_ratio(const Answers& answers, const Question& question) {
    const auto found = answers_about(question, answers.ratios);
    return found.empty() ? nullptr : found.front();
}

double variation_of(const Spread& spread) {
    return spread.mean > 0 ? spread.sd / spread.mean : 0;
}

/// Judges whether the ratio varies no more than on the published card where it varies most.
std::string add_variation(const RatioAnswer& ratio, Judge& judge) {
    const auto [smallest, largest] =
        std::ranges::minmax(ratio.measured, {}, [](const RatioPoint& point) { return point.ratio.value; });
    std::string text = "The ratio goes from " + figure(smallest.ratio.value) + " at " +
                       format::count_text(smallest.num_items) + " to " + figure(largest.ratio.value) +
                       " at " + format::count_text(largest.num_items) + " items; its deviation is " +
                       percent(variation_of(*ratio.spread)) + " of the mean, " + figure(ratio.spread->mean) +
                       ".";
    if (const RatioAnswer::Gpu* most = ratio.most_varying()) {
        const double published = most->sd / most->mean;
        judge.add(variation_of(*ratio.spread) <= published ? Finding::agrees : Finding::contradicts);
        text += " On a published card it is " + percent(published) + " at most (" + most->name + ").";
    } else {
        judge.add(Finding::unclaimed);
    }
    if (ratio.spread_long) {
        text += " From 2^18 items on it is " + percent(variation_of(*ratio.spread_long)) + " of " +
                figure(ratio.spread_long->mean) + ".";
    }
    return text;
}

std::vector<std::string> spread_row(const std::string& name, double mean, double sd) {
    return {name, figure(mean), figure(sd), mean > 0 ? percent(sd / mean) : "-"};
}

}  // namespace

AnswerText answer_ratio(const AnswerInputs& inputs, const Question& question) {
    AnswerText answer;
    answer.table.headers = {"device", "mean", "deviation", "deviation / mean"};
    if (const RatioAnswer* first = find_ratio(inputs.answers.front(), question)) {
        for (const RatioAnswer::Gpu& gpu : first->published) {
            const bool pooled = first->published.size() > 1 && &gpu == &first->published.back();
            answer.table.rows.push_back(
                spread_row(gpu.name + (pooled ? " (pooled), published" : ", published"), gpu.mean, gpu.sd));
        }
        if (!first->published.empty())
            answer.remarks.push_back(
                "Judged per device: a ratio is constant if its deviation is no larger a share of its mean "
                "than on the published card that varies most. The pooled row mixes cards.");
    }
    for (std::size_t run = 0; run < inputs.answers.size(); ++run) {
        const RatioAnswer* ratio = find_ratio(inputs.answers[run], question);
        Judge judge;
        std::string text;
        if (ratio && ratio->spread) {
            const std::string name = inputs.report.name_of(run);
            text = add_variation(*ratio, judge);
            answer.table.rows.push_back(spread_row(name, ratio->spread->mean, ratio->spread->sd));
            if (ratio->spread_long)
                answer.table.rows.push_back(
                    spread_row(name + ", from 2^18", ratio->spread_long->mean, ratio->spread_long->sd));
        }
        answer.runs.push_back(judge.answer(inputs.report, run, question, text));
    }
    return answer;
}

namespace {

struct CurvePoint {
    std::uint64_t num_items = 0;
    MeasuredTime time;
};

/// The times of one column over the powers of two, from one run.
struct Curve {
    std::string run_name;
    std::vector<CurvePoint> points;

    const MeasuredTime* at(std::uint64_t num_items) const {
        const auto found = std::ranges::find(points, num_items, &CurvePoint::num_items);
        return found == points.end() ? nullptr : &found->time;
    }
};

Curve curve_of(const Report& report, std::size_t run, std::size_t table_index, const std::string& column) {
    const Table& table = *report.tables[table_index].table;
    const auto found = std::ranges::find(table.columns, column, &Column::name);
    const auto column_index = static_cast<std::size_t>(found - table.columns.begin());
    Curve curve{report.name_of(run), {}};
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const auto num_items = table.rows[row].setting.num_items;
        if (!num_items || !std::has_single_bit(*num_items)) continue;
        if (const auto time = measured_time(report, run, table_index, row, column_index))
            curve.points.push_back({*num_items, *time});
    }
    std::ranges::sort(curve.points, {}, &CurvePoint::num_items);
    return curve;
}

/// The curve of a column in the run or, if the run has no times for it, in another run.
Curve find_curve(const Report& report, std::size_t run, std::size_t table_index, const std::string& column) {
    Curve curve = curve_of(report, run, table_index, column);
    for (std::size_t other = 0; curve.points.empty() && other < report.runs.size(); ++other) {
        curve = curve_of(report, other, table_index, column);
    }
    return curve;
}

/// Where the curve `above` becomes faster than the curve `below`, as measured.
struct MeasuredCrossing {
    bool measured = false;
    std::optional<std::uint64_t> longest_before;  ///< longest length at which `below` is faster
    std::optional<std::uint64_t> shortest_after;  ///< from this length on, `above` is faster
};

MeasuredCrossing crossing_of(const Curve& below, const Curve& above) {
    MeasuredCrossing found;
    for (const auto& [num_items, time] : below.points) {
        const MeasuredTime* other = above.at(num_items);
        if (!other) continue;
        found.measured = true;
        const auto change = experiments::compare(time.interval, other->interval);
        if (change == experiments::Change::slower) {
            found.longest_before = num_items;
            found.shortest_after.reset();
        } else if (change == experiments::Change::faster) {
            if (!found.shortest_after) found.shortest_after = num_items;
        } else {
            found.shortest_after.reset();
        }
    }
    return found;
}

std::string text_of(const MeasuredCrossing& found) {
    if (!found.measured) return "-";
    if (!found.longest_before) return found.shortest_after ? "faster at every length" : "unclear";
    if (!found.shortest_after) return "not up to the longest";
    return "between " + format::count_text(*found.longest_before) + " and " +
           format::count_text(*found.shortest_after);
}

/// Whether the published crossing lies between the two lengths, or at most a factor of two outside.
Finding finding_of(const MeasuredCrossing& found, std::uint64_t published) {
    if (!found.measured) return Finding::missing;
    if (!found.longest_before && !found.shortest_after) return Finding::undecided;
    if (!found.longest_before || !found.shortest_after) return Finding::contradicts;
    const bool near = *found.longest_before / 2 <= published && published <= *found.shortest_after * 2;
    return near ? Finding::agrees : Finding::contradicts;
}

}  // namespace

AnswerText answer_crossings(const AnswerInputs& inputs, const Question& question) {
    const Report& report = inputs.report;
    const std::size_t table_index = tables_of(report, question).front();
    AnswerBuilder rows(inputs, question, {"faster below", "faster above", "published"});
    std::vector<std::vector<std::string>> parts(report.runs.size());
    for (const Crossing& crossing : question.crossings) {
        const auto& [below, above, published] = crossing;
        const auto cell = [&](std::size_t run, Judge& judge) {
            const Curve curve_below = find_curve(report, run, table_index, crossing.faster_below);
            const MeasuredCrossing found =
                crossing_of(curve_below, curve_of(report, run, table_index, crossing.faster_above));
            judge.add(finding_of(found, crossing.at));
            if (!found.measured) return text_of(found);
            parts[run].push_back(crossing.faster_above + " passes " + crossing.faster_below + ": " +
                                 text_of(found));
            const bool other_run = curve_below.run_name != report.name_of(run);
            return text_of(found) + (other_run
                                         ? " (" + crossing.faster_below + ": " + curve_below.run_name + ")"
                                         : std::string());
        };
        rows.add_row({below, above, "about " + format::count_text(published)}, cell);
    }
    for (std::size_t run = 0; run < report.runs.size(); ++run)
        rows.say(run, with_full_stop(joined_with_and(parts[run])));
    AnswerText answer = rows.answer();
    answer.remarks.push_back(
        "A crossing lies between the longest length at which the first is faster and the first length from "
        "which on the second is, by 95 % intervals that do not overlap. It counts as published if it is "
        "within a factor of two. Merge the results of a GPU with those of a CPU to compare both.");
    return answer;
}

namespace {

/// The exponent of time over length: the slope of the regression of logarithms.
double exponent_of(const Curve& curve) {
    double n = 0;
    double x_sum = 0;
    double y_sum = 0;
    double xx_sum = 0;
    double xy_sum = 0;
    for (const auto& [num_items, time] : curve.points) {
        const double x = std::log2(static_cast<double>(num_items));
        const double y = std::log2(time.us);
        n += 1;
        x_sum += x;
        y_sum += y;
        xx_sum += x * x;
        xy_sum += x * y;
    }
    return (n * xy_sum - x_sum * y_sum) / (n * xx_sum - x_sum * x_sum);
}

/// Minimum length of the streams whose times are compared: shorter ones take a constant time.
constexpr std::uint64_t min_linear_items = std::uint64_t{1} << 10;
/// Maximum difference of the exponent from 1 if time grows in proportion to the length.
constexpr double max_exponent_error = 0.1;

}  // namespace

AnswerText answer_linear(const AnswerInputs& inputs, const Question& question) {
    const Report& report = inputs.report;
    const std::size_t table_index = tables_of(report, question).front();
    AnswerBuilder rows(inputs, question, {"ns per item at"});
    std::vector<Curve> curves;
    for (std::size_t run = 0; run < report.runs.size(); ++run) {
        curves.push_back(curve_of(report, run, table_index, question.column));
        std::erase_if(curves[run].points,
                      [](const CurvePoint& point) { return point.num_items < min_linear_items; });
    }
    for (const unsigned bits : {10U, 14U, 18U, 22U, 26U, 27U}) {
        const std::uint64_t num_items = std::uint64_t{1} << bits;
        rows.add_row({format::count_text(num_items)}, [&](std::size_t run, Judge&) {
            const MeasuredTime* time = curves[run].at(num_items);
            return time ? figure(time->us * 1e3 / static_cast<double>(num_items)) : std::string("-");
        });
    }
    rows.add_findings([&](std::size_t run, Judge& judge) {
        if (curves[run].points.size() < 3) return;
        const double exponent = exponent_of(curves[run]);
        judge.add(std::abs(exponent - 1) <= max_exponent_error ? Finding::agrees : Finding::contradicts);
        rows.say(run, "From 2^10 items on, time grows with the power " + format::fixed(exponent, 2) +
                          " of the length.");
    });
    return rows.answer();
}

namespace {

/// A length that takes longer than both neighbours.
struct Peak {
    std::size_t row = 0;
    Factor over_slower;  ///< its time over that of the slower neighbour
};

/// Minimum factor by which a peak is slower than the slower of its neighbours.
constexpr double min_peak_factor = 1.05;
constexpr std::size_t max_peaks = 8;

struct Peaks {
    std::vector<Peak> found;
    std::size_t num_compared = 0;  ///< lengths with both neighbours
    std::size_t num_late = 0;      ///< number of these lengths in the last eighth of the table
    std::size_t num_wide = 0;      ///< number of these lengths whose interval is too wide to show a peak
    std::size_t num_drops = 0;     ///< number of these lengths that certainly take less than the one before
};

/// Whether the row is in the last eighth of the table.
bool is_late(std::size_t row, std::size_t num_rows) {
    return row >= num_rows - num_rows / 8;
}

Peaks peaks_in(const Report& report, std::size_t run, std::size_t table_index, std::size_t column) {
    Peaks peaks;
    const std::size_t rows = report.tables[table_index].table->rows.size();
    for (std::size_t row = 1; row + 1 < rows; ++row) {
        const auto before = measured_time(report, run, table_index, row - 1, column);
        const auto time = measured_time(report, run, table_index, row, column);
        const auto after = measured_time(report, run, table_index, row + 1, column);
        if (!before || !time || !after) continue;
        ++peaks.num_compared;
        peaks.num_late += is_late(row, rows);
        peaks.num_wide +=
            time->interval.coverage <= 0 || time->interval.high > time->interval.low * min_peak_factor;
        if (experiments::compare(before->interval, time->interval) == experiments::Change::faster)
            ++peaks.num_drops;
        const Factor over_slower = quotient(*time, before->us > after->us ? *before : *after);
        if (over_slower.interval.low > min_peak_factor) peaks.found.push_back({row, over_slower});
    }
    return peaks;
}

/// Judges the peaks of a column, which are published at the end of the graph. Returns a sentence.
std::string add_peaks(const std::string& column, const Peaks& peaks, const Table& table, Judge& judge) {
    if (peaks.num_compared == 0) return {};
    const auto at_the_end = std::ranges::count_if(
        peaks.found, [&](const Peak& peak) { return is_late(peak.row, table.rows.size()); });
    std::string text = column + ": ";
    text += peaks.found.empty()
                ? "no length takes more than 5 % longer than both neighbours"
                : std::to_string(peaks.found.size()) + " of " + std::to_string(peaks.num_compared) +
                      " lengths take more than 5 % longer than both neighbours, " +
                      std::to_string(at_the_end) + " of them in the last eighth of the graph";
    text += "; " + std::to_string(peaks.num_drops) + " take less time than the length before.";
    if (at_the_end > 0) {
        judge.add(Finding::agrees);
    } else if (peaks.num_late == 0) {
        judge.add(Finding::unclaimed);
        text += " The last eighth was not measured.";
    } else {
        judge.add(2 * peaks.num_wide > peaks.num_compared ? Finding::undecided : Finding::contradicts);
    }
    return text;
}

}  // namespace

std::vector<std::size_t> peak_rows(const Report& report, std::size_t run, std::size_t table,
                                   std::size_t column) {
    std::vector<std::size_t> rows;
    for (const Peak& peak : peaks_in(report, run, table, column).found) rows.push_back(peak.row);
    return rows;
}

AnswerText answer_peaks(const AnswerInputs& inputs, const Question& question) {
    const Report& report = inputs.report;
    const std::size_t table_index = tables_of(report, question).front();
    const Table& table = *report.tables[table_index].table;
    AnswerText answer;
    answer.table.headers = {"peak at", "program", "device", "time", "times the slower neighbour"};
    for (std::size_t run = 0; run < report.runs.size(); ++run) {
        Judge judge;
        std::string sentence;
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            Peaks peaks = peaks_in(report, run, table_index, column);
            // The publication is about the first column that runs here.
            Judge column_judge;
            const std::string text = add_peaks(table.columns[column].name, peaks, table, column_judge);
            if (sentence.empty()) judge = column_judge;
            sentence += (sentence.empty() || text.empty() ? "" : " ") + text;
            std::ranges::sort(peaks.found, std::ranges::greater{},
                              [](const Peak& peak) { return peak.over_slower.value; });
            if (peaks.found.size() > max_peaks) peaks.found.resize(max_peaks);
            for (const Peak& peak : peaks.found) {
                const auto time = measured_time(report, run, table_index, peak.row, column);
                answer.table.rows.push_back({"64 Ki x " + std::to_string(peak.row + 1),
                                             table.columns[column].name, report.name_of(run),
                                             time_text(*time), factor_text(peak.over_slower)});
            }
        }
        answer.runs.push_back(judge.answer(report, run, question, sentence));
    }
    if (answer.table.rows.empty()) answer.table = {};
    return answer;
}

namespace {

/// A time over the geometric mean of those at half and twice the length: 1 on a straight line of a plot with
/// logarithmic axes.
Factor over_neighbours(const MeasuredTime& before, const MeasuredTime& time, const MeasuredTime& after) {
    const auto over = [](double us, double before_us, double after_us) {
        return us / std::sqrt(before_us * after_us);
    };
    const double coverage =
        std::min({before.interval.coverage, time.interval.coverage, after.interval.coverage});
    Factor factor{over(time.us, before.us, after.us)};
    if (coverage > 0) {
        factor.interval = {over(time.interval.low, before.interval.high, after.interval.high),
                           over(time.interval.high, before.interval.low, after.interval.low), coverage};
    }
    return factor;
}

/// over_neighbours() of a row; empty unless all three times are known. `time_at`: the time of a row, if
/// known.
std::optional<Factor> spike_of(std::size_t row, std::size_t num_rows, const auto& time_at) {
    if (row == 0 || row + 1 >= num_rows) return std::nullopt;
    const std::optional<MeasuredTime> before = time_at(row - 1);
    const std::optional<MeasuredTime> time = time_at(row);
    const std::optional<MeasuredTime> after = time_at(row + 1);
    if (!before || !time || !after) return std::nullopt;
    return over_neighbours(*before, *time, *after);
}

/// Whether a length stands out here where it does in the publication, and nowhere else. As for factors, the
/// boundary is halfway to no difference.
Finding finding_of_spike(double published, const experiments::Interval& measured) {
    const bool stands_out = published >= min_notable_factor;
    const double boundary = stands_out ? std::sqrt(published) : min_notable_factor;
    if (measured.coverage > 0 && measured.low > boundary)
        return stands_out ? Finding::agrees : Finding::contradicts;
    if (measured.coverage > 0 && measured.high < boundary)
        return stands_out ? Finding::contradicts : Finding::agrees;
    return Finding::undecided;
}

}  // namespace

AnswerText answer_spikes(const AnswerInputs& inputs, const Question& question) {
    const Report& report = inputs.report;
    const std::size_t table_index = tables_of(report, question).front();
    const Table& table = *report.tables[table_index].table;
    AnswerBuilder rows(inputs, question, {"time over that of its neighbours", "published"});
    std::vector<std::vector<std::string>> spikes(report.runs.size());
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            const std::uint64_t num_items = table.rows[row].setting.num_items.value_or(0);
            if (num_items < question.from || num_items > question.to) continue;
            const auto published = spike_of(row, table.rows.size(), [&](std::size_t at) {
                const auto value = table.published_value(at, column);
                return value ? std::optional(MeasuredTime{*value}) : std::nullopt;
            });
            if (!published) continue;
            const std::string where = table.columns[column].name + " at " + table.rows[row].name;
            const auto cell = [&](std::size_t run, Judge& judge) -> std::string {
                const auto measured = spike_of(row, table.rows.size(), [&](std::size_t at) {
                    return measured_time(report, run, table_index, at, column);
                });
                if (!measured) {
                    judge.add_missing(/*comparisons=*/1);
                    return "-";
                }
                if (measured->interval.low > min_notable_factor) spikes[run].push_back(where);
                judge.add(finding_of_spike(published->value, measured->interval),
                          factor(measured->value) + " instead of " + factor(published->value), where);
                return factor_text(*measured);
            };
            rows.add_row({where, factor(published->value)}, cell);
        }
    }
    for (std::size_t run = 0; run < report.runs.size(); ++run) {
        rows.say(run, spikes[run].empty() ? "No time stands out against its neighbours."
                                          : "Stand out: " + with_full_stop(joined_with_and(spikes[run])));
    }
    AnswerText answer = rows.answer();
    answer.remarks.push_back(
        "Each time over the geometric mean of those at half and twice the length, which is 1 on a straight "
        "line of the plot. A time stands out from " +
        factor(min_notable_factor) + " on.");
    return answer;
}

}  // namespace published
