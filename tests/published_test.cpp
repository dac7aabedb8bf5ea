#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "compaction/error.hpp"
#include "experiments/published/documents.hpp"
#include "experiments/published/plan.hpp"
#include "tests/fake_publication.hpp"

namespace {

using compaction::EngineId;
using compaction::Option;
using published::Document;
using published::Limits;

/// The document with one piece of text replaced by another.
std::string changed(const std::string& from, const std::string& to) {
    std::string text = two_algorithms;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

/// The message of the parser, or "".
std::string complaint(const std::string& text) {
    try {
        published::parse_document(text, "fake.json");
        return "";
    } catch (const compaction::Error& error) {
        EXPECT_EQ(error.code(), compaction::ErrorCode::invalid_argument);
        return error.what();
    }
}

TEST(Documents, reads_what_is_printed_and_what_is_missing) {
    const Document document = published::parse_document(two_algorithms, "fake.json");
    const published::Table& table = document.tables.at(0);
    EXPECT_EQ(table.rows[1].values[0].text, "8,57.9");
    EXPECT_DOUBLE_EQ(table.rows[1].values[0].value.value(), 857.9);
    EXPECT_FALSE(table.rows[1].values[1].text.has_value());
    const published::PartialSetting setting = table.setting_of(2, 1);
    EXPECT_EQ(setting.algorithm, "cpu_scan_scatter");
    EXPECT_EQ(setting.num_items, 4096U);
    EXPECT_EQ(setting.pattern, "random");
}

TEST(Documents, complains_with_file_field_and_reason) {
    EXPECT_EQ(complaint(two_algorithms), "");
    EXPECT_EQ(complaint(changed(R"("title": "Times", )", "")),
              "fake.json: tables[0]: the field 'title' is missing.");
    EXPECT_EQ(complaint(changed(R"("values": ["40", "0.08"])", R"("values": [40, "0.08"])")),
              "fake.json: tables[0].rows[2].values[0]: must be text, but is number.");
    EXPECT_EQ(complaint(changed(R"(["10", "0.02"])", R"(["10"])")),
              "fake.json: tables[0].rows[0].values: has 1 values for 2 columns.");
    EXPECT_EQ(complaint(changed(R"(["10", )", R"(["ten", )")),
              "fake.json: tables[0].rows[0].values[0]: 'ten' is not a number.");
    EXPECT_EQ(complaint(changed(R"("2^11"}})", R"("2^99"}})")),
              "fake.json: tables[0].rows[1].setting.num_items: '2^99' is not a count such as "
              "65536 or 2^17.");
    EXPECT_EQ(complaint(changed(R"("unit": "us")", R"("unit": "hours")")),
              "fake.json: tables[0].columns[0].unit: 'hours' is not a unit of time: s, ms or us.");
    EXPECT_EQ(complaint(changed(R"("id": "ratio", "title")", R"("id": "lengths", "title")")),
              "fake.json: tables: the id 'lengths' occurs twice.");
}

TEST(Documents, complains_of_a_truncated_file) {
    const std::string whole = two_algorithms;
    for (const std::size_t length : {std::size_t{0}, std::size_t{1}, whole.size() / 2, whole.size() - 1}) {
        EXPECT_NE(complaint(whole.substr(0, length)).find("fake.json is not complete JSON"),
                  std::string::npos);
    }
}

TEST(Documents, figures) {
    EXPECT_DOUBLE_EQ(published::value_of("1,804.7").value(), 1804.7);
    EXPECT_FALSE(published::value_of("about 3").has_value());
    EXPECT_FALSE(published::value_of("nan").has_value());
}

TEST(Documents, all_that_is_built_in_reads_and_names_what_exists) {
    std::size_t values = 0;
    for (const Document& document : published::built_in_documents()) {
        for (const published::Table& table : document.tables) {
            for (std::size_t row = 0; row < table.rows.size(); ++row) {
                for (std::size_t column = 0; column < table.columns.size(); ++column) {
                    values += table.rows[row].values[column].text.has_value();
                    if (table.no_counterpart || !is_measured(table.quantity_of(row, column)) || table.ratio)
                        continue;
                    const auto setting = table.setting_of(row, column);
                    ASSERT_TRUE(setting.algorithm && setting.num_items && setting.pattern) << table.id;
                    EXPECT_NO_THROW(compaction::find_algorithm(*setting.algorithm)) << table.id;
                }
            }
        }
    }
    // Eight of them occur twice: tables compare a published mistake with its correction. Qian's repository
    // has 192 of a graph and, of a later version, 14; as many of the graph occur twice.
    EXPECT_EQ(values, 257U + 8U + 192U + 14U + 14U);
}

/// If an engine is built in, the algorithm must accept all options that are to run on it.
TEST(Plan, all_published_options_are_legal_here) {
    const auto documents = published::built_in_documents();
    const auto tables = published::choose_tables(documents, {});
    for (const EngineId engine : {EngineId::cpu, EngineId::cuda}) {
        if (!compaction::status_of(engine).available) continue;
        const published::Plan plan = published::make_plan(tables, {.engines = {engine}});
        for (std::size_t t = 0; t < tables.size(); ++t) {
            for (const published::PlannedCell& cell : plan.tables[t]) {
                EXPECT_TRUE(cell.reason.find("is not legal") == std::string::npos &&
                            cell.reason.find("has no option") == std::string::npos)
                    << tables[t].table->id << ": " << cell.reason;
            }
        }
    }
}

TEST(Plan, says_why_a_cell_cannot_run) {
    const auto documents = published::built_in_documents();
    const std::vector<std::string> wanted{"p2_phases"};
    const auto tables = published::choose_tables(documents, wanted);
    ASSERT_EQ(tables.size(), 1U);
    const published::Plan plan = published::make_plan(tables, cpu_only());
    EXPECT_TRUE(plan.settings.empty());
    EXPECT_EQ(plan.tables[0][0].reason,
              "Billeter et al., 480 sequences runs on the cuda engine, which this run does not use");
    EXPECT_THROW(published::choose_tables(documents, std::array{std::string("p9")}), compaction::Error);
}

TEST(Plan, leaves_out_what_is_too_long_and_shares_settings) {
    const Document document = published::parse_document(two_algorithms, "fake.json");
    const auto tables = published::choose_tables(std::span(&document, 1), {});
    EXPECT_EQ(published::make_plan(tables, cpu_only()).settings.size(), 6U);
    Limits limits = cpu_only();
    limits.max_items = 2048;
    const published::Plan plan = published::make_plan(tables, limits);
    EXPECT_EQ(plan.settings.size(), 4U);
    EXPECT_EQ(plan.tables[0][4].reason, "longer than the limit of this run, 2^11");
}

TEST(Plan, a_ratio_brings_the_table_it_is_made_of) {
    const auto documents = published::built_in_documents();
    const auto tables = published::choose_tables(documents, std::array{std::string("p1_1_ratio")});
    EXPECT_EQ(tables.size(), 2U);
}

TEST(Plan, tables_have_names_for_readers) {
    const auto documents = published::built_in_documents();
    const auto ids = [&](const std::string& name) {
        std::vector<std::string> found;
        for (const published::TableRef& ref : published::choose_tables(documents, std::array{name})) {
            found.push_back(ref.table->id);
        }
        return found;
    };
    EXPECT_EQ(ids("Part 2, table 1"), std::vector<std::string>{"p2_phases"});
    EXPECT_EQ(ids("part 2"), (std::vector<std::string>{"p2_phases", "p2_sequences"}));
    EXPECT_EQ(ids("part_2"), ids("Part 2"));
    EXPECT_THROW(ids("Part 2, table 9"), compaction::Error);
    for (const Document& document : documents) {
        for (const published::Table& table : document.tables) {
            EXPECT_EQ(ids(document.label_of(table)).size(), table.ratio ? 2U : 1U);
        }
    }
}

TEST(Documents, a_sweep_makes_its_rows) {
    const auto documents = published::built_in_documents();
    const auto find = [&](const std::string& id) -> const published::Table& {
        return *published::choose_tables(documents, std::array{id}).front().table;
    };
    const published::Table& lengths = find("p5_lengths");
    ASSERT_EQ(lengths.rows.size(), 256U);
    EXPECT_EQ(lengths.setting_of(255, 0).num_items, std::uint64_t{1} << 24);
    EXPECT_EQ(find("p3_search_direct").rows.size(), 32U);
    // The printed measurements 47, 78, 109 and 139 of the search fix its order.
    const published::Table& search = find("p3_search_grid");
    ASSERT_EQ(search.rows.size(), 155U);
    EXPECT_EQ(search.rows[46].name, "128 x 65,536");
    EXPECT_EQ(search.rows[77].name, "256 x 32,768");
    EXPECT_EQ(search.rows[108].name, "512 x 16,384");
    EXPECT_EQ(search.rows[138].name, "1,024 x 7,680");
}

TEST(Documents, a_published_time_counts_in_proportion_to_what_it_covered) {
    const auto documents = published::built_in_documents();
    const auto tables = published::choose_tables(documents, std::array{std::string("part_3")});
    const auto whole = [&](const std::string& id, std::size_t row) {
        const auto found = std::ranges::find_if(tables, [&](const auto& ref) { return ref.table->id == id; });
        return found->table->published_value(row, 0).value();
    };
    EXPECT_NEAR(whole("p3_copy_pair", 3), 850.8, 0.05);
    EXPECT_NEAR(whole("p3_copy_quad", 3), 862.0, 0.05);
    EXPECT_NEAR(whole("p3_copy_scalar", 2), 1804.7 / 0.9375, 0.05);
    EXPECT_NEAR(whole("p3_copy_scalar", 3), 863.7, 1e-9) << "covers everything";
}

TEST(Plan, a_search_takes_its_last_value_when_quick) {
    const std::string text =
        changed(R"({"algorithm": "cpu_loop"})",
                R"({"algorithm": "cpu_sequence_wise", "best_of": {"vector_width": ["1", "2", "4"]}})");
    const Document document = published::parse_document(text, "fake.json");
    const auto tables = published::choose_tables(std::span(&document, 1), {});
    EXPECT_EQ(published::make_plan(tables, cpu_only()).tables[0][0].settings.size(), 3U);
    Limits quick = cpu_only();
    quick.quick = true;
    const published::Plan plan = published::make_plan(tables, quick);
    ASSERT_EQ(plan.tables[0][0].settings.size(), 1U);
    EXPECT_EQ(plan.settings[plan.tables[0][0].settings[0]].options[Option::vector_width], 4U);
}

}  // namespace
