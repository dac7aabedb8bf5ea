#include <algorithm>
#include <cmath>
#include <map>

#include "experiments/format/counts.hpp"
#include "experiments/format/numbers.hpp"
#include "experiments/published/answers.hpp"
#include "experiments/published/figures.hpp"

namespace published {
namespace {

std::string joined(const std::vector<std::string>& parts, const std::string& between = ", ") {
    std::string all;
    for (const std::string& part : parts) all += (all.empty() ? "" : between) + part;
    return all;
}

std::string tau_text(double tau) {
    return experiments::format::fixed(tau, 2);
}

/// A sentence about all rankings of a table.
std::string describe_rankings(const std::vector<const Ranking*>& rankings) {
    std::size_t preserved = 0;
    double least = 1;
    double most = -1;
    std::map<std::string, std::vector<std::string>> certain;
    std::map<std::string, std::vector<std::string>> unclear;
    for (const Ranking* ranking : rankings) {
        preserved += ranking->preserved();
        if (ranking->tau) {
            least = std::min(least, *ranking->tau);
            most = std::max(most, *ranking->tau);
        }
        for (const Swap& swap : ranking->swaps) {
            auto& pairs = swap.certain ? certain : unclear;
            pairs[swap.faster_here + " passes " + swap.faster_published].push_back(ranking->group);
        }
    }
    std::string text = rankings.front()->title + ": preserved in " + std::to_string(preserved) + " of " +
                       std::to_string(rankings.size()) + (rankings.size() == 1 ? " ranking" : " rankings");
    if (most >= least) {
        text += ", Kendall's tau " +
                (least == most ? tau_text(least) : tau_text(least) + " to " + tau_text(most));
    }
    std::vector<std::string> pairs;
    for (const auto& [pair, groups] : certain) pairs.push_back(pair + " (" + joined(groups) + ")");
    if (!pairs.empty()) text += "; " + joined(pairs, "; ");
    if (!unclear.empty()) {
        std::size_t count = 0;
        for (const auto& [pair, groups] : unclear) count += groups.size();
        text += "; " + std::to_string(count) + (count == 1 ? " other pair stands" : " other pairs stand") +
                " in the opposite order, but too close to call";
    }
    return text + ".";
}

AnswerText describe_question_1(const std::vector<Ranking>& rankings) {
    AnswerText text{"1. Is the published ranking preserved on this machine?", {}};
    std::vector<std::vector<const Ranking*>> by_table;
    for (const Ranking& ranking : rankings) {
        if (by_table.empty() || by_table.back().front()->table != ranking.table) by_table.emplace_back();
        by_table.back().push_back(&ranking);
    }
    for (const std::vector<const Ranking*>& of_table : by_table)
        text.sentences.push_back(describe_rankings(of_table));
    if (text.sentences.empty()) {
        text.sentences.push_back("No answer: no published ranking has two entries that were measured here.");
    }
    return text;
}

std::string describe_ratio_here(const RatioAnswer& ratio) {
    const auto [least, most] = std::ranges::minmax(ratio.here, {}, &Reproduction::RatioPoint::ratio);
    const double variation = ratio.spread->sd / ratio.spread->mean;
    std::string text = "Here: mean " + figure(ratio.spread->mean) + ", standard deviation " +
                       figure(ratio.spread->sd) + " over " + std::to_string(ratio.spread->n) +
                       " lengths from " + experiments::format::count_text(ratio.here.front().num_items) +
                       " to " + experiments::format::count_text(ratio.here.back().num_items) + "; from " +
                       figure(least.ratio) + " at " + experiments::format::count_text(least.num_items) +
                       " to " + figure(most.ratio) + " at " +
                       experiments::format::count_text(most.num_items) + ".";
    if (ratio.published.empty() || ratio.published.back().mean <= 0) return text;
    const RatioAnswer::Gpu& all = ratio.published.back();
    const double published = all.sd / all.mean;
    text += variation <= published ? " That is as constant as published: " : " That is not constant: ";
    text += "the standard deviation is " + percent(variation) + " of the mean, published " +
            percent(published) + " (" + all.name + ").";
    if (most.ratio < 1) text += " " + ratio.source.of + " is faster at every length.";
    if (least.ratio < 1 && most.ratio >= 1) {
        text += " Which one is faster depends on the length: the ratio crosses 1.";
    }
    return text;
}

AnswerText describe_question_2(const std::vector<RatioAnswer>& ratios) {
    AnswerText text{"2. Is the ratio Orange Owls : Billeter et al. constant over the length?", {}};
    for (const RatioAnswer& ratio : ratios) {
        std::vector<std::string> gpus;
        for (const RatioAnswer::Gpu& gpu : ratio.published) {
            gpus.push_back(gpu.name + " " + experiments::format::shortest(gpu.mean) + " (" +
                           experiments::format::shortest(gpu.sd) + ")");
        }
        text.sentences.push_back("Published, mean (standard deviation): " + joined(gpus) + ".");
        if (ratio.spread) {
            text.sentences.push_back(describe_ratio_here(ratio));
        } else {
            text.sentences.push_back("No answer here: both are needed at two lengths or more, and " +
                                     std::to_string(ratio.here.size()) + " were measured.");
        }
    }
    if (text.sentences.empty()) text.sentences.push_back("No answer: the table of ratios was not chosen.");
    return text;
}

/// "pair x1.26, quad x1.35", or why it is unknown.
std::string gains_text(const VectorGain& gain, bool here) {
    std::vector<std::string> parts;
    for (const char* width : {"pair", "quad"}) {
        const auto value = here ? gain.gain_here(width) : gain.published_gain(width);
        if (!value) continue;
        std::string part = std::string(width) + " " + factor(*value);
        if (here) {
            const auto change = gain.change_here(width);
            if (change == experiments::Change::same) part += " (same within 1 %)";
            if (change == experiments::Change::ambiguous) part += " (too close to call)";
        }
        parts.push_back(std::move(part));
    }
    return parts.empty() ? (here ? "not measured" : "not in the text") : joined(parts);
}

AnswerText describe_question_3(const std::vector<VectorGain>& gains) {
    AnswerText text{"3. How much does vector I/O give, times faster than scalar?", {}};
    for (const VectorGain& gain : gains) {
        text.sentences.push_back(gain.algorithm + " (" + gain.series + "): published " +
                                 gains_text(gain, false) + "; here " + gains_text(gain, true) + ".");
    }
    if (text.sentences.empty()) text.sentences.push_back("No answer: no table of vector widths was chosen.");
    return text;
}

/// "count +438 us (33 %), prefix +39.9 us (3.0 %), move +846 us (64 %): the move differs most".
std::string differences_text(const std::vector<PhaseComparison::Difference>& differences) {
    std::vector<std::string> parts;
    for (const auto& each : differences) {
        const std::string sign = each.us > 0 ? "+" : "";
        parts.push_back(std::string(name_of(each.role)) + " " + sign + figure(each.us) + " us (" +
                        percent(each.share) + ")");
    }
    const auto most = std::ranges::max_element(differences, {}, &PhaseComparison::Difference::share);
    return joined(parts) + ": the " + std::string(name_of(most->role)) + " differs most";
}

AnswerText describe_question_4(const std::vector<PhaseComparison>& comparisons) {
    AnswerText text{"4. Which phase differs?", {}};
    constexpr std::array timings{std::pair{Timing::published, "published: "},
                                 std::pair{Timing::stamps, "here, by stamps: "},
                                 std::pair{Timing::subtraction, "here, by subtraction: "}};
    for (const PhaseComparison& comparison : comparisons) {
        std::vector<std::string> parts;
        for (const auto& [timing, label] : timings) {
            const auto differences = comparison.differences(timing);
            if (!differences.empty()) {
                parts.push_back(label + differences_text(differences));
            } else {
                parts.push_back(
                    label + std::string(timing == Timing::published ? "not in the text" : "not measured"));
            }
        }
        text.sentences.push_back(comparison.other.name + " minus " + comparison.base.name + " (" +
                                 comparison.title + "), " + joined(parts, "; ") + ".");
    }
    if (text.sentences.empty()) text.sentences.push_back("No answer: no table of phases was chosen.");
    return text;
}

}  // namespace

std::vector<AnswerText> describe(const Answers& answers) {
    return {describe_question_1(answers.rankings), describe_question_2(answers.ratios),
            describe_question_3(answers.vector_gains), describe_question_4(answers.phases)};
}

}  // namespace published
