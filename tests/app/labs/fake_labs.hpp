#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "app/labs/compare.hpp"
#include "app/labs/tune.hpp"
#include "tests/app/view_model/fake_snapshot.hpp"

/// Fake reports of the labs, for the tests and the gallery of the interface.
namespace warpsieve::fake {

inline experiments::Result lab_result(const experiments::Setting& setting, double us, double error,
                                      bool settled) {
    experiments::Result result;
    result.setting = setting;
    result.resolved_options = setting.options;
    result.us = {us, us * (1 - error), us * (1 + error), us * (1 - 2 * error), us * 1.3, 42, 0};
    result.median_interval_us = {us * (1 - error), us * (1 + error), 0.957};
    result.calls_per_sample = 40;
    result.num_kept = setting.stream.num_items / 2;
    result.useful_gb_s = 1.5 * 4 * static_cast<double>(setting.stream.num_items) / us * 1e-3;
    result.floor_us = 6.1;
    result.share_of_floor = 6.1 / us;
    result.settled = settled;
    return result;
}

/// The share of a call that each phase takes. A single share means one phase.
inline void split(experiments::Result& result) {
    constexpr double shares[] = {0.38, 0.14, 0.48};
    for (std::size_t i = 0; i < result.setting.algorithm->phases.size(); ++i) {
        const compaction::Phase& phase = result.setting.algorithm->phases[i];
        const double us = shares[i] * result.us.median;
        result.phases.push_back({phase.name, phase.role, {us, us, us, us, us, 21, 0}});
    }
}

inline std::shared_ptr<const labs::Report> lab_report(Machine& machine, labs::Job job,
                                                      experiments::Measurement measurement, labs::State state,
                                                      bool interactive) {
    auto report = std::make_shared<labs::Report>();
    report->state = state;
    report->machine.device = machine.snapshot.machine.device.name;
    report->progress = {state == labs::State::running ? 5U : job.settings.size(), job.settings.size(),
                        state == labs::State::running ? 14.2 : 0, "n = 2^20, 14 settings, warming up"};
    report->interactive.assign(measurement.results.size(), interactive);
    report->job = std::make_shared<const labs::Job>(std::move(job));
    report->measurement = std::make_shared<const experiments::Measurement>(std::move(measurement));
    report->started_s = machine.snapshot.display.now_s - 9;
    report->changed_s = machine.snapshot.display.now_s - 4;
    machine.snapshot.labs.running = state == labs::State::running;
    machine.snapshot.labs.reports = {report};
    machine.settings.window.tab = "labs";
    machine.settings.labs.lab = report->job->lab;
    return report;
}

/// A comparison with every kind of row: split, fused, ambiguous, far slower, wrong, skipped.
inline void compare_report(Machine& machine, labs::State state = labs::State::done,
                           bool interactive = false) {
    const bool running = state == labs::State::running;
    std::vector<compaction::Algorithm>& all = machine.catalogue;
    const compaction::Algorithm split_one = machine.algorithm("sequence_wise");
    const compaction::Algorithm fused_one = machine.algorithm("cub_select");
    const auto add = [&](const compaction::Algorithm& like, const char* id, const char* name) {
        if (std::ranges::find(all, id, &compaction::Algorithm::id) != all.end()) return;
        all.push_back(like);
        all.back().id = id;
        all.back().name = name;
        all.back().engine = machine.settings.run.engine;
        all.back().options.clear();
    };
    add(split_one, "billeter", "Billeter et al., 480 sequences");
    add(fused_one, "single_pass", "Single pass");
    add(fused_one, "thrust", "Thrust copy_if");
    add(split_one, "naive_scan", "Naive scan and scatter");
    add(fused_one, "racy", "Compaction without its fences");
    add(split_one, "hungry", "Masked two-pass with a very long name that has to be cut somewhere");
    machine.snapshot.catalogue.algorithms = all;
    machine.snapshot.runs.a.algorithm = &machine.algorithm(machine.settings.run.a.algorithm);
    labs::Job job = labs::compare_job(machine.settings.run, machine.settings.labs,
                                      machine.snapshot.stream.slots, machine.snapshot.catalogue.algorithms);
    const double medians[] = {10.2, 9.9, 30.5, 7.3, 10.0, 212};
    experiments::Measurement measurement;
    std::size_t next = 0;
    for (const experiments::Setting& setting : job.settings) {
        const std::string& id = setting.algorithm->id;
        if (id == "hungry") {
            measurement.skipped.push_back(
                {setting, "Masked two-pass needs 3.1 GiB of scratch, and 1.2 GiB is free."});
            continue;
        }
        const double us = medians[next++ % std::size(medians)];
        if (running && next > 4) continue;
        measurement.results.push_back(
            lab_result(setting, us, us == 10.0 ? 0.03 : 0.008, !running || next < 3));
        if (!running) split(measurement.results.back());
        if (id == "racy")
            measurement.results.back().first_error = "kept 524,311 items, the reference keeps 524,310";
    }
    lab_report(machine, std::move(job), std::move(measurement), state, interactive);
}

/// A map of threads and blocks with two minima. While the job runs, only its lower half is known.
inline void tune_report(Machine& machine, labs::State state = labs::State::done) {
    const compaction::Algorithm& algorithm = machine.algorithm(machine.settings.run.a.algorithm);
    labs::Job job = labs::tune_job(machine.settings.run, machine.settings.labs, machine.snapshot.stream.slots,
                                   algorithm, {}, machine.snapshot.machine.device.processors);
    const labs::TuneAxes axes = *labs::tune_axes(algorithm);
    experiments::Measurement measurement;
    std::size_t next = 0;
    for (const experiments::Setting& setting : job.settings) {
        if (state == labs::State::running && ++next > job.settings.size() / 2) break;
        const double x = std::max(1U, setting.options[axes.x]);
        const double y = axes.y ? std::max(1U, setting.options[*axes.y]) : 1;
        const auto valley = [&](double at_x, double at_y, double depth) {
            const double along = std::log2(x / at_x);
            const double across = std::log2(y / at_y);
            return -depth * std::exp(-(along * along + across * across) / 5);
        };
        const bool automatic = setting.options[axes.x] == compaction::automatic;
        const double us =
            automatic ? 9.6
                      : 21 + valley(1024, 256, 12) + valley(32, 900, 9) + 18 * std::exp(-std::log2(x) / 2);
        measurement.results.push_back(lab_result(setting, us, 0.01, state != labs::State::running));
        if (!automatic) continue;
        measurement.results.back().resolved_options = machine.snapshot.runs.a.options;
    }
    lab_report(machine, std::move(job), std::move(measurement), state, false);
}

}  // namespace warpsieve::fake
