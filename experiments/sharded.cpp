#include "experiments/sharded.hpp"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <sstream>
#include <utility>

#include "experiments/csv.hpp"
#include "experiments/export.hpp"
#include "experiments/format/counts.hpp"
#include "experiments/format/numbers.hpp"
#include "experiments/grid.hpp"

namespace experiments {
namespace {

/// The bound assumes that a link carries items at this share of the speed of a copy.
constexpr double link_share = 0.9;

using Rows = std::vector<ShardedRow>;

/// The median of the row with this setting; 0 if there is none.
double measured_us(const Rows& rows, const ShardedSetting& setting) {
    const auto row = std::ranges::find(rows, setting, &ShardedRow::setting);
    return row == rows.end() || !row->fault.empty() ? 0 : row->us.median;
}

/// The setting of another call that is compared with this one. What the call does not depend on has the value
/// of its only row.
ShardedSetting with_call(ShardedSetting setting, ShardedCall call) {
    setting.call = call;
    if (call == ShardedCall::exchange || call == ShardedCall::link_copy) {
        setting.keep_fraction = 0;
        setting.skewed = false;
        setting.network = false;
    }
    if (call == ShardedCall::select_alone) setting.network = false;
    return setting;
}

/// The sum, or 0 if a part is missing.
double sum_of(std::initializer_list<double> parts) {
    double sum = 0;
    for (const double part : parts) {
        if (part <= 0) return 0;
        sum += part;
    }
    return sum;
}

/// The time of the busiest link, by the measured copy over a link.
double link_us(const ShardedRow& row, const Rows& rows) {
    const double copy_us = measured_us(rows, with_call(row.setting, ShardedCall::link_copy));
    const auto copied = static_cast<double>(row.setting.items_per_gpu * sharded_item_bytes);
    return static_cast<double>(row.busiest_link_bytes) / copied * copy_us / link_share;
}

void add_group(std::vector<ShardedSetting>& settings, ShardedSetting group,
               std::initializer_list<ShardedCall> calls) {
    for (const ShardedCall call : calls) {
        group.call = call;
        settings.push_back(group);
    }
}

/// The rows of one number of GPUs, one length and one way to scale.
void add_rows(std::vector<ShardedSetting>& settings, ShardedSetting setting,
              const std::vector<double>& keep_fractions) {
    using enum ShardedCall;
    const bool several = setting.gpus > 1;
    setting.keep_fraction = 0;
    if (several) add_group(settings, setting, {link_copy, exchange, exchange_in_graph});
    for (const double keep_fraction : keep_fractions) {
        setting.keep_fraction = keep_fraction;
        setting.skewed = setting.network = false;
        if (!several) {
            add_group(settings, setting, {select_alone});
            continue;
        }
        add_group(settings, setting, {select_alone, sharded, balanced_in_state, balanced, gathered});
        if (setting.scaling == Scaling::strong) continue;
        setting.skewed = true;
        add_group(settings, setting, {select_alone, balanced_in_state, balanced, gathered});
        setting.skewed = false;
        setting.network = true;
        add_group(settings, setting, {whole_shards_first, sharded, balanced, gathered});
    }
}

std::string ratio_text(double us, double bound_us) {
    return bound_us > 0 ? format::fixed(us / bound_us, 3) : "";
}

}  // namespace

std::string_view name_of(ShardedCall call) {
    switch (call) {
        case ShardedCall::select_alone:
            return "select alone";
        case ShardedCall::exchange:
            return "exchange of counts";
        case ShardedCall::exchange_in_graph:
            return "exchange of counts in a graph";
        case ShardedCall::link_copy:
            return "copy over a link";
        case ShardedCall::sharded:
            return "sharded";
        case ShardedCall::balanced:
            return "balanced";
        case ShardedCall::balanced_in_state:
            return "balanced in the state";
        case ShardedCall::gathered:
            return "gathered";
        case ShardedCall::whole_shards_first:
            return "whole shards first";
    }
    return {};
}

std::string_view name_of(Scaling scaling) {
    return scaling == Scaling::weak ? "weak" : "strong";
}

std::vector<ShardedSetting> expand(const ShardedGrid& grid) {
    constexpr std::size_t max_combinations = 100'000;
    checked_product({grid.gpus.size(), grid.num_items.size(), grid.keep_fractions.size()}, max_combinations);
    std::vector<ShardedSetting> settings;
    const bool scales = grid.gpus.size() > 1;
    for (const std::uint64_t num_items : grid.num_items) {
        for (const Scaling scaling : {Scaling::weak, Scaling::strong}) {
            if (scaling == Scaling::strong && !scales) continue;
            for (const unsigned gpus : grid.gpus) {
                ShardedSetting setting;
                setting.gpus = gpus;
                setting.scaling = scaling;
                setting.items_per_gpu = scaling == Scaling::weak ? num_items : num_items / gpus;
                add_rows(settings, setting, grid.keep_fractions);
            }
        }
    }
    return settings;
}

ShardedBound bound_of(const ShardedRow& row, const Rows& rows) {
    const ShardedSetting& setting = row.setting;
    const double alone = measured_us(rows, with_call(setting, ShardedCall::select_alone));
    const double exchange = measured_us(rows, with_call(setting, ShardedCall::exchange));
    switch (setting.call) {
        case ShardedCall::exchange:
        case ShardedCall::exchange_in_graph:
        case ShardedCall::link_copy:
        case ShardedCall::whole_shards_first:
            return {};
        case ShardedCall::select_alone: {
            if (setting.gpus == 1 || setting.skewed) return {};
            ShardedSetting on_one_gpu = setting;
            on_one_gpu.gpus = 1;
            if (setting.scaling == Scaling::weak) return {"on one GPU", measured_us(rows, on_one_gpu)};
            // The length may not be a multiple of the number of GPUs.
            const auto is_undivided = [&](ShardedSetting each) {
                each.items_per_gpu /= setting.gpus;
                return each == on_one_gpu;
            };
            const auto undivided = std::ranges::find_if(rows, is_undivided, &ShardedRow::setting);
            if (undivided == rows.end()) return {};
            return {"on one GPU, divided by the GPUs", measured_us(rows, undivided->setting) / setting.gpus};
        }
        case ShardedCall::sharded:
        case ShardedCall::balanced:
        case ShardedCall::balanced_in_state:
        case ShardedCall::gathered:
            break;
    }
    if (setting.network) {
        return {"whole shards first", measured_us(rows, with_call(setting, ShardedCall::whole_shards_first))};
    }
    if (row.busiest_link_bytes == 0) return {"select alone + exchange", sum_of({alone, exchange})};
    return {"select alone + exchange + link at 0.9 of a copy", sum_of({alone, exchange, link_us(row, rows)})};
}

Table sharded_table(const Rows& rows) {
    Table table;
    table.columns = {{"GPUs", /*is_figure=*/true},
                     {"scaling"},
                     {"items each"},
                     {"kept"},
                     {"what"},
                     {"median µs", /*is_figure=*/true},
                     {"25 %", /*is_figure=*/true},
                     {"75 %", /*is_figure=*/true},
                     {"compared with"},
                     {"µs", /*is_figure=*/true},
                     {"times", /*is_figure=*/true}};
    for (const ShardedRow& row : rows) {
        const ShardedSetting& setting = row.setting;
        std::string kept = setting.keep_fraction > 0 ? format::shortest(setting.keep_fraction) : "-";
        if (setting.skewed) kept += ", all on one";
        Table::Row line{{std::to_string(setting.gpus), std::string(name_of(setting.scaling)),
                         format::count_text(setting.items_per_gpu), kept,
                         std::string(name_of(setting.call)) + (setting.network ? ", network" : "")},
                        row.fault};
        if (row.fault.empty()) {
            const ShardedBound bound = bound_of(row, rows);
            const auto figure = [](double us) { return us > 0 ? format::significant(us, 4) : ""; };
            for (const double us : {row.us.median, row.us.q1, row.us.q3}) line.cells.push_back(figure(us));
            line.cells.push_back(bound.us > 0 ? bound.what : "");
            line.cells.push_back(figure(bound.us));
            line.cells.push_back(ratio_text(row.us.median, bound.us));
        }
        table.rows.push_back(std::move(line));
    }
    return table;
}

std::string sharded_csv(const Machine& machine, const Rows& rows) {
    std::ostringstream csv;
    csv << "# warpsieve bench --gpus results, format 1\n"
        << machine_comments(machine)
        << "gpus,scaling,n,density,spread,path,call,median_us,q1_us,q3_us,samples,"
           "busiest_link_bytes,bound,bound_us,times_bound,fault\n";
    for (const ShardedRow& row : rows) {
        const ShardedSetting& setting = row.setting;
        csv << setting.gpus << ',' << name_of(setting.scaling) << ',' << setting.items_per_gpu << ','
            << format::shortest(setting.keep_fraction) << ',' << (setting.skewed ? "all on one" : "uniform")
            << ',' << (setting.network ? "network" : "peer memory") << ',' << name_of(setting.call) << ',';
        if (row.fault.empty()) {
            const ShardedBound bound = bound_of(row, rows);
            csv << format::fixed(row.us.median, 3) << ',' << format::fixed(row.us.q1, 3) << ','
                << format::fixed(row.us.q3, 3) << ',' << row.us.n << ',' << row.busiest_link_bytes << ','
                << (bound.us > 0 ? csv_cell(bound.what) : "") << ','
                << (bound.us > 0 ? format::fixed(bound.us, 3) : "") << ','
                << ratio_text(row.us.median, bound.us) << ",\n";
        } else {
            csv << ",,,,,,,," << csv_cell(row.fault) << '\n';
        }
    }
    csv << csv_end_prefix << rows.size() << '\n';
    return csv.str();
}

}  // namespace experiments
