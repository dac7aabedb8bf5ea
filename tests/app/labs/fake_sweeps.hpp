#pragma once

#include <cmath>
#include <memory>
#include <utility>

#include "app/labs/reproduce.hpp"
#include "app/labs/roofline.hpp"
#include "app/labs/steps.hpp"
#include "app/labs/sweep.hpp"
#include "tests/app/view_model/fake_snapshot.hpp"

/// Fake reports of the labs with plots, for the tests and the gallery of the interface.
namespace warpsieve::fake {

/// A report on a job, with times that depend on its settings only: each algorithm has an overhead and a
/// speed, and is fastest with wide vectors and 256 threads. `share` of the settings are measured.
inline std::shared_ptr<const labs::Report> plot_report(Machine& machine, labs::Job job, double share = 1) {
    auto measurement = std::make_shared<experiments::Measurement>();
    const auto last = static_cast<std::size_t>(share * static_cast<double>(job.settings.size()));
    for (std::size_t i = 0; i < last; ++i) {
        const experiments::Setting& setting = job.settings[i];
        double salt = 0;
        for (const char c : setting.algorithm->id) salt = std::fmod(salt * 31 + c, 17);
        const double n = static_cast<double>(setting.stream.num_items);
        const double width = std::max(1U, setting.options[compaction::Option::vector_width]);
        const double threads = setting.options[compaction::Option::threads_per_block];
        const double valley = threads > 0 ? 1 + 0.08 * std::abs(std::log2(threads / 256)) : 1;
        const double us = (3 + salt / 4 + n * 1.7e-6 * (1 + salt / 20)) * (0.8 + 0.2 / width) * valley *
                          (0.8 + 0.4 * setting.stream.keep_fraction);
        experiments::Result result;
        result.setting = setting;
        result.settled = share >= 1 || i + 5 < last;
        result.num_kept = static_cast<std::uint64_t>(n * setting.stream.keep_fraction);
        const double spread = n < 10'000 ? 0.12 : 0.02;
        result.us = {us, us * (1 - spread), us * (1 + spread), us * 0.9, us * 1.4, 42, 0};
        result.median_interval_us = {us * 0.99, us * 1.01, 0.957};
        const double copy_us = 2.5 + n * 1.5e-6;
        result.share_of_copy = copy_us / us * (0.5 + setting.stream.keep_fraction / 2);
        result.useful_gb_s = static_cast<double>(experiments::useful_bytes(
                                 setting.algorithm->operation, setting.stream.num_items, result.num_kept,
                                 setting.stream.item_size)) /
                             us / 1e3;
        measurement->results.push_back(result);
        experiments::CopyResult copy;
        copy.stream = setting.stream;
        copy.us = {copy_us, copy_us * 0.98, copy_us * 1.02, copy_us * 0.97, copy_us * 1.1, 40, 0};
        copy.gb_s = 8 * n / copy_us / 1e3;
        if (measurement->copies.empty() || !(measurement->copies.back().stream == copy.stream))
            measurement->copies.push_back(copy);
    }
    auto report = std::make_shared<labs::Report>();
    report->state = share < 1 ? labs::State::running : labs::State::done;
    report->machine.device = machine.snapshot.machine.device.name;
    report->machine.engine = id_of(job.engine);
    report->progress = {last, job.settings.size(), 41.0, "n = 2^22, 5 settings"};
    report->interactive.assign(measurement->results.size(), false);
    report->job = std::make_shared<const labs::Job>(std::move(job));
    report->measurement = std::move(measurement);
    machine.snapshot.labs.running = share < 1;
    machine.snapshot.labs.reports = {report};
    machine.settings.window.tab = "labs";
    machine.settings.labs.lab = report->job->lab;
    return report;
}

/// A machine with the CPU engine, and with all algorithms and steps of the library, which the labs look up.
inline void use_real_catalogue(Machine& machine) {
    make_cpu_machine(machine);
    machine.snapshot.catalogue.algorithms = compaction::catalogue();
    machine.snapshot.runs.a.algorithm = &compaction::find_algorithm("cpu_sequence_wise");
    machine.timeline.clear();
    fill_timeline(machine, *machine.snapshot.runs.a.algorithm, {96.2F, 3.1F, 208.4F}, 0, 16'670, 600);
    fill_rows(machine);
}

inline void sweep_report(Machine& machine, labs::SweepAxis axis = labs::SweepAxis::num_items,
                         double share = 1) {
    use_real_catalogue(machine);
    machine.settings.labs.sweep.axis = axis;
    plot_report(machine,
                labs::sweep_job(machine.settings.run, machine.settings.labs, machine.snapshot.stream.slots,
                                machine.snapshot.catalogue.algorithms),
                share);
}

inline void steps_report(Machine& machine) {
    use_real_catalogue(machine);
    machine.settings.labs.steps = {compaction::Operation::count, labs::SweepAxis::num_items,
                                   labs::SweepMetric::time};
    plot_report(machine,
                labs::steps_job(machine.settings.run, machine.settings.labs, machine.snapshot.stream.slots));
}

inline void roofline_report(Machine& machine) {
    use_real_catalogue(machine);
    plot_report(machine, labs::roofline_job(machine.settings.run, machine.settings.labs,
                                            std::uint64_t{1} << 24, machine.snapshot.catalogue.algorithms));
}

inline void reproduce_report(Machine& machine) {
    use_real_catalogue(machine);
    labs::ReproduceModel model;
    machine.settings.labs.reproduce = {"qian_lengths", labs::ReproduceScope::everything};
    plot_report(machine, model.job(machine.settings.run, machine.settings.labs));
}

}  // namespace warpsieve::fake
