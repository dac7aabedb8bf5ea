#include "experiments/published/plan.hpp"

#include <algorithm>

#include "compaction/error.hpp"
#include "experiments/format/counts.hpp"
#include "experiments/format/text.hpp"
#include "experiments/published/text.hpp"

namespace published {
namespace {

using compaction::Algorithm;
using compaction::Option;

/// A quick run takes every n-th point of a sweep.
constexpr std::size_t quick_stride = 16;

/// All settings of the searches in `wanted`: the product of the values of each option.
std::vector<PartialSetting> expand_searches(const PartialSetting& wanted, bool quick) {
    std::vector<PartialSetting> all{wanted};
    for (const auto& [option, values] : wanted.best_of) {
        const std::size_t first = quick ? values.size() - 1 : 0;  // a quick run takes the last value only
        std::vector<PartialSetting> more;
        for (const PartialSetting& each : all) {
            for (std::size_t i = first; i < values.size(); ++i) {
                more.push_back(each);
                more.back().options[option] = values[i];
            }
        }
        all = std::move(more);
    }
    return all;
}

const Algorithm* find_or_null(const std::string& id) {
    try {
        return &compaction::find_algorithm(id);
    } catch (const compaction::Error&) {
        return nullptr;
    }
}

/// Plans one cell after another; adds their settings to the plan.
class Planner {
  public:
    Planner(const Limits& limits, Plan& plan) : limits_(limits), plan_(plan) {}

    PlannedCell plan(const Table& table, std::size_t row, std::size_t column) {
        const Quantity quantity = table.quantity_of(row, column);
        if (quantity == Quantity::launch_configuration || quantity == Quantity::ratio_mean ||
            quantity == Quantity::ratio_sd) {
            return {};
        }
        if (table.no_counterpart) return {{}, "no counterpart: " + *table.no_counterpart};
        if (quantity == Quantity::other) return {};
        if (const auto& why = table.rows[row].no_counterpart) return {{}, "no counterpart: " + *why};
        if (limits_.quick && table.swept && row % quick_stride != quick_stride - 1) {
            return {{}, "left out of a quick run"};
        }
        PartialSetting wanted = table.setting_of(row, column);
        if (is_counted(quantity)) {
            if (!uses(compaction::EngineId::simulated))
                return {{}, "counted on a simulated GPU: `warpsieve reproduce --engine simulated`"};
            wanted.algorithm = "simulated_" + wanted.algorithm.value();
        }
        PlannedCell cell{{}, why_not(wanted)};
        if (!cell.reason.empty()) return cell;
        for (const PartialSetting& each : expand_searches(wanted, limits_.quick)) {
            try {
                add(quantity, to_setting(each), cell);
            } catch (const compaction::Error& error) {
                cell.reason = std::string("no counterpart: ") + error.what();
            }
        }
        // A search skips values that are illegal here.
        if (cell.runs()) cell.reason.clear();
        return cell;
    }

  private:
    bool uses(compaction::EngineId engine) const {
        return std::ranges::find(limits_.engines, engine) != limits_.engines.end();
    }

    /// Why the cell cannot be run; empty if it can.
    std::string why_not(const PartialSetting& wanted) const {
        if (!wanted.algorithm || !wanted.num_items || !wanted.pattern) {
            return "no counterpart: the publication does not say what was run";
        }
        const Algorithm* algorithm = find_or_null(*wanted.algorithm);
        if (!algorithm) return "no counterpart: this build does not have it";
        if (!uses(algorithm->engine)) {
            return algorithm->name + " runs on the " + std::string(id_of(algorithm->engine)) +
                   " engine, which this run does not use";
        }
        if (*wanted.num_items > limits_.max_items) {
            return "longer than the limit of this run, " + experiments::format::count_text(limits_.max_items);
        }
        if (*wanted.num_items > algorithm->max_items) {
            return algorithm->name + " takes " + experiments::format::count_text(algorithm->max_items) +
                   " items at most";
        }
        return {};
    }

    void add(Quantity quantity, const experiments::Setting& setting, PlannedCell& cell) {
        if (is_counted(quantity)) {
            plan_.counts.push_back({quantity, setting});
            cell.counts = plan_.counts.size() - 1;
        } else if (is_of_fresh_process(quantity)) {
            cell.first_calls = find_or_add(plan_.first_calls, setting);
        } else {
            cell.settings.push_back(find_or_add(plan_.settings, setting));
        }
    }

    /// Throws compaction::Error for options that the algorithm does not have.
    static experiments::Setting to_setting(const PartialSetting& wanted) {
        experiments::Setting setting;
        setting.algorithm = &compaction::find_algorithm(*wanted.algorithm);
        for (const auto& [option, text] : wanted.options) {
            setting.options[option] = parse_option(*setting.algorithm, option, text);
        }
        validate(*setting.algorithm, setting.options);
        setting.stream.num_items = *wanted.num_items;
        setting.stream.pattern = workloads::find_pattern(*wanted.pattern).value();
        if (wanted.keep_fraction) setting.stream.keep_fraction = *wanted.keep_fraction;
        // The publications call a kernel a thousand times on the same buffers.
        setting.stream.cache = experiments::Cache::hot;
        return setting;
    }

    static std::size_t find_or_add(std::vector<experiments::Setting>& settings,
                                   const experiments::Setting& setting) {
        const auto found = std::ranges::find(settings, setting);
        if (found != settings.end()) return static_cast<std::size_t>(found - settings.begin());
        settings.push_back(setting);
        return settings.size() - 1;
    }

    const Limits& limits_;
    Plan& plan_;
};

}  // namespace

std::vector<TableRef> choose_tables(std::span<const Document> documents,
                                    std::span<const std::string> wanted) {
    std::vector<std::string> ids;
    const auto is_wanted = [&](const std::string& id) { return std::ranges::find(ids, id) != ids.end(); };
    for (const std::string& name : wanted) {
        bool known = false;
        for (const Document& document : documents) {
            const bool whole = document.id == name || equal_ignoring_case(document.label, name);
            known = known || whole;
            for (const Table& table : document.tables) {
                const bool chosen =
                    whole || table.id == name || equal_ignoring_case(document.label_of(table), name);
                if (!chosen) continue;
                known = true;
                ids.push_back(table.id);
                if (table.ratio) ids.push_back(table.ratio->table);
            }
        }
        if (!known) {
            std::string names;
            for (const Document& document : documents) {
                names += document.id + ", ";
                for (const Table& table : document.tables) names += table.id + ", ";
            }
            throw compaction::Error(compaction::ErrorCode::invalid_argument,
                                    "There is no table '" + name + "'." +
                                        experiments::format::did_you_mean(name, names) +
                                        " List all tables with `warpsieve reproduce --list`.");
        }
    }
    std::vector<TableRef> tables;
    for (const Document& document : documents) {
        for (const Table& table : document.tables) {
            if (wanted.empty() || is_wanted(table.id)) {
                tables.push_back({&document, &table});
            }
        }
    }
    return tables;
}

Plan make_plan(std::span<const TableRef> tables, const Limits& limits) {
    Plan plan;
    Planner planner(limits, plan);
    for (const TableRef& ref : tables) {
        std::vector<PlannedCell>& cells = plan.tables.emplace_back();
        for (std::size_t row = 0; row < ref.table->rows.size(); ++row) {
            for (std::size_t column = 0; column < ref.table->columns.size(); ++column) {
                cells.push_back(planner.plan(*ref.table, row, column));
            }
        }
    }
    return plan;
}

}  // namespace published
