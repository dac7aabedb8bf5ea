#include "app/labs/reproduce.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "experiments/published/reports.hpp"

namespace warpsieve::labs {
namespace {

using published::Quantity;

/// The engines that can measure here.
std::vector<compaction::EngineId> available_engines() {
    std::vector<compaction::EngineId> engines;
    for (const compaction::EngineStatus& status : compaction::engine_statuses()) {
        if (status.available && status.id != compaction::EngineId::simulated) engines.push_back(status.id);
    }
    return engines;
}

bool is_speed(Quantity quantity) {
    return quantity == Quantity::total || quantity == Quantity::phase || quantity == Quantity::bandwidth;
}

bool is_in_scope(const published::TableRef& ref, const published::TableRef& chosen, ReproduceScope scope) {
    switch (scope) {
        case ReproduceScope::table:
            // A table of ratios needs the times of its source table.
            return ref.table == chosen.table ||
                   (chosen.table->ratio && chosen.table->ratio->table == ref.table->id);
        case ReproduceScope::document:
            return ref.document == chosen.document;
        case ReproduceScope::everything:
            break;
    }
    return true;
}

}  // namespace

void ReproduceModel::load() {
    if (reproduction_) return;
    documents_ = published::built_in_documents();
    reproduction_.emplace(published::choose_tables(documents_, {}),
                          published::Limits{.engines = available_engines()});
    references_ = published::built_in_references(reproduction_->tables());
    summarise();
}

const published::Reproduction& ReproduceModel::reproduction() {
    load();
    return *reproduction_;
}

const published::Report& ReproduceModel::report() {
    load();
    return report_;
}

std::vector<const published::AnswerText*> ReproduceModel::answers(std::size_t table) {
    load();
    std::vector<const published::AnswerText*> about_table;
    for (const published::AnswerText& answer : answers_) {
        if (answer.question->asks_about(tables_[table].id)) about_table.push_back(&answer);
    }
    return about_table;
}

const std::vector<published::Plot>& ReproduceModel::plots(std::size_t table) {
    load();
    auto& plots = plots_[table];
    if (!plots) plots = published::plots_of(report_, table);
    return *plots;
}

const experiments::Setting* ReproduceModel::setting_of(std::size_t table, std::size_t row) {
    load();
    const auto& plan = reproduction_->plan();
    const std::size_t columns = reproduction_->tables()[table].table->columns.size();
    for (std::size_t column = 0; column < columns; ++column) {
        const auto& settings = plan.tables[table][row * columns + column].settings;
        if (!settings.empty()) return &plan.settings[settings.front()];
    }
    return nullptr;
}

const std::vector<TableSummary>& ReproduceModel::tables() {
    load();
    return tables_;
}

std::size_t ReproduceModel::index_of(std::string_view table) {
    load();
    const auto found = std::ranges::find(tables_, table, &TableSummary::id);
    return found == tables_.end() ? 0 : static_cast<std::size_t>(found - tables_.begin());
}

Job ReproduceModel::job(const RunConfig& run, const LabSettings& labs) {
    load();
    const ReproduceSettings& chosen = labs.reproduce;
    const std::size_t shown = index_of(chosen.table);
    const auto tables = reproduction_->tables();
    std::set<std::size_t> settings_in_scope;
    for (std::size_t t = 0; t < tables.size(); ++t) {
        if (!is_in_scope(tables[t], tables[shown], chosen.scope)) continue;
        for (const published::PlannedCell& cell : reproduction_->plan().tables[t])
            settings_in_scope.insert(cell.settings.begin(), cell.settings.end());
    }
    Job job = job_for("reproduce", run, labs);
    job.policy.phases = experiments::PhaseMethod::subtraction;
    for (const std::size_t index : settings_in_scope) {
        const experiments::Setting& setting = reproduction_->plan().settings[index];
        if (setting.algorithm->engine == run.engine) job.settings.push_back(setting);
    }
    const std::string scope_title = chosen.scope == ReproduceScope::table ? tables[shown].table->title
                                    : chosen.scope == ReproduceScope::document
                                        ? tables[shown].document->title
                                        : std::string("All published tables");
    job.title =
        scope_title + ": " + std::to_string(job.settings.size()) + " settings as they were published, hot";
    return job;
}

void ReproduceModel::add(const Report& report) {
    if (report.measurement == last_added_ || report.machine.engine.empty()) return;
    load();
    last_added_ = report.measurement;
    reproduction_->add(report.machine, *report.measurement);
    summarise();
}

std::string ReproduceModel::html() {
    load();
    return published::to_html(report_);
}

void ReproduceModel::summarise() {
    report_ = published::report_of(*reproduction_);
    report_.runs.insert(report_.runs.end(), references_.begin(), references_.end());
    const published::AnswerInputs inputs = published::answer_inputs_of(report_);
    answers_.clear();
    for (const published::Document* document : published::documents_of(report_)) {
        for (published::AnswerText& answer : published::answer_questions(inputs, *document))
            answers_.push_back(std::move(answer));
    }
    plots_.assign(report_.tables.size(), std::nullopt);
    tables_.clear();
    for (std::size_t t = 0; t < reproduction_->tables().size(); ++t) {
        const published::TableRef& ref = reproduction_->tables()[t];
        TableSummary summary{.id = ref.table->id,
                             .label = ref.document->label_of(*ref.table),
                             .title = ref.table->title,
                             .citation = citation_of(ref)};
        std::string reason;
        for (std::size_t row = 0; row < ref.table->rows.size(); ++row) {
            for (std::size_t column = 0; column < ref.table->columns.size(); ++column) {
                if (!is_speed(ref.table->quantity_of(row, column))) continue;
                ++summary.num_cells;
                if (report_.measured(/*run=*/0, t, row, column).value) ++summary.num_measured;
                const auto& cell = reproduction_->plan().tables[t][row * ref.table->columns.size() + column];
                summary.can_run = summary.can_run || cell.runs();
                if (reason.empty()) reason = cell.reason;
            }
        }
        if (ref.table->ratio) summary.can_run = true;
        if (!summary.can_run) summary.why_not = ref.table->no_counterpart.value_or(reason);
        tables_.push_back(std::move(summary));
    }
}

}  // namespace warpsieve::labs
