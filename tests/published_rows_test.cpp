#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "compaction/algorithm.hpp"
#include "experiments/published/documents.hpp"
#include "experiments/published/plan.hpp"

/// Every system and experiment that the documents describe has a setting, or is a known gap with a reason.
namespace {

using compaction::Option;
using compaction::PhaseRole;
using published::Document;
using published::PartialSetting;
using published::Quantity;
using published::QuestionKind;
using published::Table;

/// One measured cell.
struct Cell {
    const Table& table;
    std::size_t row;
    std::size_t column;
    PartialSetting setting;

    std::string option(Option option) const {
        const auto found = setting.options.find(option);
        return found == setting.options.end() ? "" : found->second;
    }
    bool is_phase(PhaseRole role) const { return table.phase_of(row, column) == role; }
};

/// A property that a document describes: the number of cells that satisfy `is_it`.
struct Described {
    const char* document;  ///< label
    const char* what;
    std::size_t num_settings;
    std::function<bool(const Cell&)> is_it;
};

bool is(const Cell& cell, const char* algorithm) {
    return cell.setting.algorithm == algorithm;
}

bool counts(const Cell& cell, Quantity quantity) {
    return cell.table.quantity_of(cell.row, cell.column) == quantity;
}

bool is_sequence_wise(const published::PartialSetting& setting) {
    return setting.algorithm == "sequence_wise";
}

/// Whether the cell takes the best of the variants that are the code of 2009.
bool runs_as_published(const Cell& cell) {
    const auto found = cell.setting.best_of.find(Option::variant);
    return found != cell.setting.best_of.end() &&
           found->second == std::vector<std::string>{"published_staged", "published_scattered"};
}

constexpr std::uint64_t largest_2_24 = std::uint64_t{1} << 24;

std::vector<Described> all_described() {
    return {
        {"Part 1", "six implementations by two kinds of data, with means", 12,
         [](const Cell& cell) { return cell.table.prints_means && cell.setting.num_items == largest_2_24; }},
        {"Part 1", "inactive lanes of four implementations, counted", 4,
         [](const Cell& cell) { return counts(cell, Quantity::inactive_lanes); }},
        {"Part 1.1", "three implementations from 2^10 to 2^26, for a report of several cards", 51,
         [](const Cell& cell) { return cell.table.ranks == published::Ranks::columns; }},
        {"Part 1.1", "32 to 1024 threads of Orange Owls and Spataro", 34,
         [](const Cell& cell) {
             const auto found = cell.setting.best_of.find(Option::threads_per_block);
             return found != cell.setting.best_of.end() && found->second.size() == 32;
         }},
        {"Part 2", "count, prefix and move of three implementations", 9,
         [](const Cell& cell) {
             return cell.is_phase(PhaseRole::count) || cell.is_phase(PhaseRole::prefix) ||
                    cell.is_phase(PhaseRole::scatter);
         }},
        {"Part 3", "the published winner of 256 x 38,912 threads, with pairs and quads", 2,
         [](const Cell& cell) {
             return is(cell, "copy_warp_stride") && cell.option(Option::blocks) == "38912" &&
                    cell.table.quantity_of(cell.row, cell.column) == Quantity::total &&
                    cell.table.share_covered(cell.row) < 0.97;
         }},
        {"Part 3", "the copy by 480 sequences, of which the scalar one covers 93.75 %", 1,
         [](const Cell& cell) {
             return is(cell, "copy_sequences") && cell.table.share_covered(cell.row) == 0.9375 &&
                    cell.table.quantity_of(cell.row, cell.column) == Quantity::total;
         }},
        {"Part 3", "the truncating copy with pairs and quads", 2,
         [](const Cell& cell) {
             return is(cell, "copy_truncating") && cell.option(Option::blocks) == "38912";
         }},
        {"Part 3", "the same copy with the set-up of its sequences in the timing and before, three widths", 6,
         [](const Cell& cell) {
             const std::string variant = cell.option(Option::variant);
             return cell.table.id == "p3_set_up" && (variant == "set_up_timed" || variant == "set_up_once");
         }},
        {"Part 3", "the search over 32 numbers of threads, three widths", 96,
         [](const Cell& cell) { return cell.table.swept && is(cell, "copy_direct"); }},
        {"Part 3", "the search over threads and blocks, grid stride, three widths", 465,
         [](const Cell& cell) { return cell.table.swept && is(cell, "copy_grid_stride"); }},
        {"Part 3", "the search over threads and blocks, warp stride, three widths", 465,
         [](const Cell& cell) { return cell.table.swept && is(cell, "copy_warp_stride"); }},
        {"Part 4", "both counts by their own phase, without clearing memory and adding up", 6,
         [](const Cell& cell) {
             return cell.is_phase(PhaseRole::count) && cell.table.ranks == published::Ranks::columns;
         }},
        {"Part 4", "the search at a constant product of threads and blocks, three widths", 15,
         [](const Cell& cell) {
             const std::string threads = cell.option(Option::threads_per_block);
             const std::string blocks = cell.option(Option::blocks);
             return is(cell, "count_sequence_wise") && cell.table.rows.size() == 5 &&
                    std::stoul(threads) * std::stoul(blocks) == 128 * 128;
         }},
        {"Part 4", "sequence-wise count, a row at a time, beside several rows at once", 3,
         [](const Cell& cell) {
             return cell.option(Option::variant) == "row_at_a_time" && cell.table.id == "p4_rows";
         }},
        {"Part 4", "metadata volume as a question of its own", 18,
         [](const Cell& cell) { return !cell.option(Option::sequences).empty(); }},
        {"Part 5", "vector width for each phase", 9,
         [](const Cell& cell) {
             return cell.option(Option::variant).starts_with("count_") &&
                    !cell.option(Option::vector_width).empty();
         }},
        {"Part 5", "rounding unit with fewer sequences", 15,
         [](const Cell& cell) { return cell.option(Option::variant) == "rounded"; }},
        {"Part 5", "64 Ki x i items for i to 256 with the library, a row of quads at a time", 256,
         [](const Cell& cell) {
             return cell.table.swept && is(cell, "sequence_wise") &&
                    cell.option(Option::variant) == "published" && *cell.setting.num_items % 65536 == 0;
         }},
        {"Part 5", "exact lengths beside rounded ones", 12,
         [](const Cell& cell) {
             return cell.table.id == "p5_exact" && *cell.setting.num_items % 65536 != 0 &&
                    cell.option(Option::variant).starts_with("published");
         }},
        {"Part 5", "the phases of Billeter et al., summed and scanned in shared memory", 4,
         [](const Cell& cell) { return is(cell, "billeter") && runs_as_published(cell); }},
        {"Part 5", "launch from the device, without metadata, beside the sequence-wise library", 8,
         [](const Cell& cell) {
             return is(cell, "device_launch") && cell.table.id == "p5_device_launch" &&
                    is_sequence_wise(cell.table.setting_of(cell.row, 0));
         }},
        {"Part 5", "launch from the device with tiles of 12 sizes", 12,
         [](const Cell& cell) {
             return is(cell, "device_launch") && !cell.option(Option::variant).empty() &&
                    !cell.option(Option::threads_per_block).empty();
         }},
        {"Gilbert", "both scans, before and after the optimisations, at 2^7 and 2^7 - 3", 8,
         [](const Cell& cell) {
             return cell.table.rows.size() == 2 && cell.option(Option::variant).starts_with("padded_");
         }},
        {"Gilbert", "padding to a power of two, and without it", 8,
         [](const Cell& cell) { return cell.table.id == "gilbert_padding"; }},
        {"Gilbert", "one launch of n - 2^(d-1) threads for each level, with the copy of the n threads", 6,
         [](const Cell& cell) {
             return is(cell, "scan_naive") && cell.option(Option::variant) == "padded_n_minus_d";
         }},
        {"Gilbert", "device pow() in the sweeps, with all threads and trimmed", 14,
         [](const Cell& cell) {
             const std::string variant = cell.option(Option::variant);
             return is(cell, "scan_work_efficient") &&
                    (variant == "padded_first" || variant == "padded_trimmed");
         }},
        {"Gilbert", "clearing the root from the host, and by a kernel", 8,
         [](const Cell& cell) { return cell.table.id == "gilbert_root"; }},
        {"Gilbert", "additions, launches and threads of both scans, also at lengths below a power of two", 48,
         [](const Cell& cell) {
             return counts(cell, Quantity::additions) || counts(cell, Quantity::launches) ||
                    counts(cell, Quantity::launched_threads);
         }},
        {"Qian", "a scan in shared memory beside one in global memory", 18,
         [](const Cell& cell) { return cell.table.id == "qian_shared_memory"; }},
        {"Qian", "four scans at all 48 lengths", 192,
         [](const Cell& cell) { return cell.table.rows.size() == 48; }},
        {"Qian", "the scans at 8 to 1024 threads a block", 32,
         [](const Cell& cell) {
             return cell.table.rows.size() == 8 && cell.setting.algorithm->starts_with("scan_");
         }},
        {"Qian", "the compaction at 8 to 1024 threads a block", 16,
         [](const Cell& cell) {
             return cell.table.rows.size() == 8 && is(cell, "work_efficient_scan") &&
                    !cell.table.rows[cell.row].no_counterpart;
         }},
        {"Qian", "Thrust's scan with allocation and copies in every call", 7,
         [](const Cell& cell) {
             return is(cell, "scan_thrust_per_call") && cell.table.id == "qian_per_call";
         }},
        {"Qian", "Thrust's scan alone, inside a call that allocates and copies", 14,
         [](const Cell& cell) {
             return is(cell, "scan_thrust_per_call") && cell.is_phase(PhaseRole::prefix);
         }},
        {"Qian", "one process for each measurement: Thrust's first and second call", 14,
         [](const Cell& cell) {
             const Quantity quantity = cell.table.quantity_of(cell.row, cell.column);
             return is(cell, "scan_thrust") &&
                    (quantity == Quantity::first_call || quantity == Quantity::second_call);
         }},
        {"Qian", "one process for each measurement, with allocation and copies in every call", 14,
         [](const Cell& cell) {
             return is(cell, "scan_thrust_per_call") &&
                    published::is_of_fresh_process(cell.table.quantity_of(cell.row, cell.column));
         }},
    };
}

const Document& find(const std::vector<Document>& documents, const std::string& label) {
    return *std::ranges::find(documents, label, &Document::label);
}

bool has_cuda_descriptions() {
    return !compaction::find_algorithm("billeter").phases.empty();
}

TEST(PublishedRows, have_a_setting_in_the_plan) {
    const auto documents = published::built_in_documents();
    const published::Limits limits{
        .engines = {compaction::EngineId::cuda, compaction::EngineId::cpu, compaction::EngineId::simulated}};
    for (const Described& described : all_described()) {
        const Document& document = find(documents, described.document);
        std::size_t count = 0;
        std::size_t running = 0;
        const auto tables = published::choose_tables(documents, std::vector{document.label});
        const published::Plan plan = published::make_plan(tables, limits);
        for (std::size_t t = 0; t < tables.size(); ++t) {
            const Table& table = *tables[t].table;
            for (std::size_t row = 0; row < table.rows.size(); ++row) {
                for (std::size_t column = 0; column < table.columns.size(); ++column) {
                    const Cell cell{table, row, column, table.setting_of(row, column)};
                    const bool measured = published::is_measured(table.quantity_of(row, column));
                    if (table.no_counterpart || !measured || !cell.setting.algorithm ||
                        !described.is_it(cell))
                        continue;
                    EXPECT_TRUE(cell.setting.num_items && cell.setting.pattern) << described.what;
                    ++count;
                    running += plan.tables[t][row * table.columns.size() + column].runs();
                }
            }
        }
        EXPECT_EQ(count, described.num_settings) << described.document << ": " << described.what;
        if (has_cuda_descriptions()) {
            EXPECT_GT(running, 0U) << described.document << ": " << described.what;
        }
    }
}

/// Published figures that no run can stand beside, by table: "p2_sequences: 4, reason". Lists may only
/// shrink.
const std::vector<std::string> not_runnable = {
    "p1_1_bandwidth: 4, no counterpart: the figure of a data sheet, not a measurement; the copy measured "
    "beside every run stands for it here",
    "p5_rounding: 2, no counterpart: arithmetic, not a measurement",
    "other_monads: 4, no counterpart: not stream compaction: the cost of composed functions in C++",
    "other_bilateral_steps: 24, no counterpart: not stream compaction: a bilateral filter",
    "other_vector_matrix: 14, no counterpart: not stream compaction: a vector-matrix product",
    "other_amp_now: 12, no counterpart: not stream compaction: matrix product, vector addition and N-body "
    "simulation",
    "other_amp_n_body: 12, no counterpart: not stream compaction: an N-body simulation",
    "other_amp_vector_addition: 16, no counterpart: not stream compaction: vector addition",
    "other_amp_matrix: 16, no counterpart: not stream compaction: a matrix product",
};

TEST(PublishedRows, that_cannot_run_are_listed) {
    if (!has_cuda_descriptions()) GTEST_SKIP() << "this build does not know the CUDA algorithms";
    const auto documents = published::built_in_documents();
    const published::Limits limits{
        .engines = {compaction::EngineId::cuda, compaction::EngineId::cpu, compaction::EngineId::simulated}};
    const auto tables = published::choose_tables(documents, {});
    const published::Plan plan = published::make_plan(tables, limits);
    std::vector<std::string> found;
    for (std::size_t t = 0; t < tables.size(); ++t) {
        std::map<std::string, std::size_t> cells_by_reason;
        for (const published::PlannedCell& cell : plan.tables[t])
            if (!cell.reason.empty()) ++cells_by_reason[cell.reason];
        for (const auto& [reason, cells] : cells_by_reason)
            found.push_back(tables[t].table->id + ": " + std::to_string(cells) + ", " + reason);
    }
    for (const std::string& each : found)
        EXPECT_TRUE(std::ranges::count(not_runnable, each) > 0) << "not listed: " << each;
    for (const std::string& each : not_runnable)
        EXPECT_TRUE(std::ranges::count(found, each) > 0) << "runs now, so it leaves the list: " << each;
}

TEST(PublishedRows, questions_of_the_documents_are_asked) {
    const auto documents = published::built_in_documents();
    const auto asks = [&](const char* document, QuestionKind kind) {
        return std::ranges::count(find(documents, document).questions, kind, &published::Question::kind) > 0;
    };
    EXPECT_TRUE(asks("Part 1", QuestionKind::columns)) << "structured against rand()";
    EXPECT_TRUE(asks("Part 1.1", QuestionKind::ratio));
    EXPECT_TRUE(asks("Part 2", QuestionKind::phases));
    EXPECT_TRUE(asks("Part 3", QuestionKind::coverage));
    EXPECT_TRUE(asks("Part 3", QuestionKind::search));
    EXPECT_TRUE(asks("Part 3", QuestionKind::gain)) << "truncating and set-up";
    EXPECT_TRUE(asks("Part 4", QuestionKind::gain)) << "a row at a time";
    EXPECT_TRUE(asks("Part 4", QuestionKind::product));
    EXPECT_TRUE(asks("Part 5", QuestionKind::peaks));
    EXPECT_TRUE(asks("Gilbert", QuestionKind::gain));
    EXPECT_TRUE(asks("Qian", QuestionKind::crossings));
    EXPECT_TRUE(asks("Qian", QuestionKind::linear));
    EXPECT_TRUE(asks("Qian", QuestionKind::spikes)) << "from 2^18 to 2^23";
    EXPECT_TRUE(asks("Qian", QuestionKind::first_call));
}

TEST(PublishedRows, say_what_they_infer) {
    const auto documents = published::built_in_documents();
    const auto infers = [&](const std::string& id, const std::string& words) {
        const auto tables = published::choose_tables(documents, std::vector{id});
        const auto ref = std::ranges::find_if(tables, [&](const auto& each) { return each.table->id == id; });
        return std::ranges::any_of(ref->table->inferences, [&](const std::string& inference) {
            return inference.find(words) != std::string::npos;
        });
    };
    EXPECT_TRUE(infers("p1_1_ratio", "lengths and the data"));
    EXPECT_TRUE(infers("gilbert_naive_trimming", "number of runs"));
    EXPECT_TRUE(infers("gilbert_work_efficient_trimming", "number of runs"));
    EXPECT_TRUE(infers("p4_anchor", "455.5"));
}

}  // namespace
