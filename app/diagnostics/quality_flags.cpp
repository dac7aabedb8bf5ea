#include "app/diagnostics/quality_flags.hpp"

#include <cctype>

#include "app/format/figures.hpp"
#include "app/nvml/reading.hpp"
#include "experiments/statistics.hpp"
#include "experiments/stopping.hpp"

namespace warpsieve {
namespace {

/// Minimum number of frames behind a median of the live run.
constexpr std::size_t min_frames_of_median = 60;
/// A GPU that is busy for a smaller fraction of each frame lowers its clock.
constexpr double min_busy_share = 0.25;
/// The largest fraction of a frame that building the panels may take.
constexpr double max_interface_share = 0.5;
/// A shorter frame did not wait for the display.
constexpr double min_vsync_frame_us = 4000;

std::string percent(double share) {
    return format::percent(share).number + " %";
}

void add_check(std::vector<QualityFlag>& flags, const Snapshot& snapshot, const Settings& settings) {
    const CheckResult& check = snapshot.checks.a;
    if (check.wrong > 0) {
        flags.push_back({"wrong", Quality::bad,
                         format::grouped(check.wrong) + " of " + format::grouped(check.checked) +
                             " comparisons with the reference failed; the first: " + check.first_failure +
                             ".",
                         "Ignore the times of wrong results, choose another algorithm and report this one."});
    } else if (!settings.run.check || check.checked == 0) {
        flags.push_back({"not checked", Quality::caution,
                         settings.run.check ? "No result has been compared with the reference yet."
                                            : "The check is off, so the results may be wrong.",
                         settings.run.check ? "Wait for the first comparison." : "Switch the check on (C)."});
    }
}

/// "Power cap: the driver lowers ...; now 1.41 of 1.98 GHz, 61 °C, 698 of 700 W."
std::string throttling_text(const std::vector<nvml::ClockReason>& reasons, const nvml::Reading& reading) {
    std::string sentence;
    for (const nvml::ClockReason& reason : reasons)
        sentence +=
            (sentence.empty() ? "" : "; ") + std::string(reason.name) + ": " + std::string(reason.why);
    sentence.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence.front())));
    std::string now;
    for (const std::string& part :
         {nvml::clock_text(reading), nvml::temperature_text(reading), nvml::power_text(reading)}) {
        if (!part.empty()) now += (now.empty() ? "; now " : ", ") + part;
    }
    return sentence + now + ".";
}

/// Uses the clock reasons of the driver. If they are unknown, compares the clock with its maximum.
void add_throttling(std::vector<QualityFlag>& flags, const Snapshot& snapshot) {
    if (snapshot.machine.gpu_reading && snapshot.machine.gpu_reading->clock_reasons) {
        const auto reasons = nvml::throttling_reasons(*snapshot.machine.gpu_reading->clock_reasons);
        if (!reasons.empty()) {
            flags.push_back({"throttled", Quality::caution,
                             throttling_text(reasons, *snapshot.machine.gpu_reading),
                             std::string(reasons.front().remedy)});
        }
        return;
    }
    const double now_hz = last_clock_hz(snapshot.timings.timeline);
    const double max_hz = snapshot.machine.device.max_clock_hz;
    const bool are_known = now_hz > 0 && max_hz > 0;
    if (!are_known) return;
    const double share = now_hz / max_hz;
    if (share >= experiments::Policy{}.throttled_below) return;
    flags.push_back(
        {"throttled", Quality::caution,
         "The processors run at " + percent(share) + " of their highest clock, " +
             format::significant(now_hz * 1e-9) + " GHz.",
         "Keep the device busy for a while (iterations, I), and check whether it is hot or shared."});
}

/// Adds flags for what disturbs the compaction from outside.
void add_disturbances(std::vector<QualityFlag>& flags, const Snapshot& snapshot, const Settings& settings,
                      const experiments::Summary& total) {
    const double frame_us = snapshot.figures->frame_us.median;
    if (!(frame_us > 0)) return;
    if (snapshot.timings.interface_us > max_interface_share * frame_us) {
        flags.push_back({"interface-limited", Quality::caution,
                         "Building the panels takes " + percent(snapshot.timings.interface_us / frame_us) +
                             " of a frame.",
                         "Hide the timings (T), or make the window smaller."});
    }
    const experiments::Summary* simulate = figures_of(snapshot.figures->a.rows, simulate_row_name);
    const double busy_us = total.median * settings.run.iterations + (simulate ? simulate->median : 0);
    const double busy_share = busy_us / frame_us;
    if (snapshot.machine.engine == compaction::EngineId::cuda && busy_share < min_busy_share &&
        frame_us > min_vsync_frame_us) {
        flags.push_back({"diluted by vsync", Quality::caution,
                         "The GPU compacts and simulates for " + percent(busy_share) +
                             " of a frame and is idle or draws for the rest; an idle GPU lowers its clock.",
                         "Raise the iterations per frame (I), or measure in a lab."});
    }
}

QualityFlag steadiness_flag(const experiments::Summary& total) {
    const std::string spread = "the quartiles are " + percent(total.noise()) + " of the median apart";
    if (total.n < min_frames_of_median) {
        return {"warming up", Quality::caution,
                format::grouped(total.n) + " of the " + std::to_string(min_frames_of_median) +
                    " frames that a median needs have been timed since the last change.",
                "Wait a moment."};
    }
    if (experiments::is_noisy(total.noise())) {
        return {"noisy", Quality::caution, "Over " + format::grouped(total.n) + " frames " + spread + ".",
                "Close what else uses this device, raise the iterations, or measure in a lab."};
    }
    return {"stable", Quality::good, "Over " + format::grouped(total.n) + " frames " + spread + ".", ""};
}

}  // namespace

std::vector<QualityFlag> quality_flags_of(const Snapshot& snapshot, const Settings& settings) {
    std::vector<QualityFlag> flags;
    const experiments::Summary* total = figures_of(snapshot.figures->a.rows, total_row_name);
    if (!snapshot.runs.a.algorithm || !total) return flags;
    add_check(flags, snapshot, settings);
    if (!snapshot.runs.a.algorithm->stable) {
        flags.push_back({"unstable order", Quality::caution,
                         snapshot.runs.a.algorithm->name +
                             " does not preserve the order of the items, which is less work.",
                         "Compare it with stable algorithms only if order does not matter."});
    }
    if (snapshot.machine.engine == compaction::EngineId::simulated) {
        flags.push_back(
            {"simulated", Quality::caution,
             "The CUDA kernels run on the CPU, a fiber for each thread. The simulation shows what they "
             "compute; it does not time them.",
             "Select CUDA or CPU to see times."});
        return flags;
    }
    add_throttling(flags, snapshot);
    add_disturbances(flags, snapshot, settings, *total);
    flags.push_back(steadiness_flag(*total));
    return flags;
}

}  // namespace warpsieve
