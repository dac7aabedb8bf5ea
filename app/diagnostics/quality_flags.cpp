#include "app/diagnostics/quality_flags.hpp"

#include <cctype>

#include "app/format/figures.hpp"
#include "app/nvml/clock_reasons.hpp"
#include "app/nvml/words.hpp"
#include "experiments/stopping.hpp"

namespace warpsieve {
namespace {

/// Frames until a median of the live run is believed.
constexpr std::size_t enough_frames = 60;
/// Interquartile range over median from which three digits of a median are too many.
constexpr double noisy_from = 0.05;
/// A GPU that works less of a frame than this lowers its clock.
constexpr double busy_enough = 0.25;
/// Frames shorter than this are not held up by a display.
constexpr double shortest_vsync_us = 4000;

std::string percent(double share) {
    return plots::percent(share).number + " %";
}

void add_check(std::vector<Badge>& badges, const View& view, const Settings& settings) {
    const CheckView& check = view.checks.a;
    if (check.wrong > 0) {
        badges.push_back(
            {"wrong", Quality::bad,
             plots::grouped(check.wrong) + " of " + plots::grouped(check.checked) +
                 " comparisons with the reference failed; the first: " + check.first_failure + ".",
             "Times of wrong results mean nothing: choose another algorithm, and report this one."});
    } else if (!settings.run.check || check.checked == 0) {
        badges.push_back(
            {"not checked", Quality::caution,
             settings.run.check ? "No result has been compared with the reference yet."
                                : "The check is off, so nobody has looked whether the results are right.",
             settings.run.check ? "Wait for the first comparison." : "Switch the check on (C)."});
    }
}

/// "Power cap: the driver lowers ...; now 1.41 of 1.98 GHz, 61 °C, 698 of 700 W."
std::string reason_of(const std::vector<nvml::ClockReason>& reasons, const nvml::Reading& reading) {
    std::string sentence;
    for (const nvml::ClockReason& reason : reasons)
        sentence +=
            (sentence.empty() ? "" : "; ") + std::string(reason.name) + ": " + std::string(reason.why);
    sentence.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence.front())));
    std::string now;
    for (const std::string& part :
         {nvml::clock_words(reading), nvml::temperature_words(reading), nvml::power_words(reading)}) {
        if (!part.empty()) now += (now.empty() ? "; now " : ", ") + part;
    }
    return sentence + now + ".";
}

/// The driver knows what holds the clock down; where it does not say, a low clock has to tell.
void add_throttling(std::vector<Badge>& badges, const View& view) {
    if (view.machine.gpu_reading && view.machine.gpu_reading->clock_reasons) {
        const auto reasons = nvml::throttling(*view.machine.gpu_reading->clock_reasons);
        if (!reasons.empty()) {
            badges.push_back({"throttled", Quality::caution, reason_of(reasons, *view.machine.gpu_reading),
                              std::string(reasons.front().remedy)});
        }
        return;
    }
    const double now_hz = last_clock_hz(view.timings.timeline);
    const double share = view.machine.device.max_clock_hz > 0 ? now_hz / view.machine.device.max_clock_hz : 0;
    if (!(now_hz > 0) || share >= experiments::Policy{}.throttled_below || share <= 0) return;
    badges.push_back(
        {"throttled", Quality::caution,
         "The processors run at " + percent(share) + " of their highest clock, " +
             plots::significant(now_hz * 1e-9) + " GHz.",
         "Give the device work for a while (iterations, I), and look whether it is hot or shared."});
}

/// Whether something disturbs the figures beyond their own noise.
void add_disturbances(std::vector<Badge>& badges, const View& view, const Settings& settings,
                      const experiments::Summary& total) {
    const double frame_us = view.timings.frame_us.median;
    if (!(frame_us > 0)) return;
    if (view.timings.interface_us > 0.5 * frame_us) {
        badges.push_back(
            {"interface-limited", Quality::caution,
             "Building the panels takes " + percent(view.timings.interface_us / frame_us) + " of a frame.",
             "Hide the timings (T), or make the window smaller."});
    }
    const experiments::Summary* simulate = figures_of(view.runs.a.rows, "simulate");
    const double busy_us = total.median * settings.run.iterations + (simulate ? simulate->median : 0);
    const double busy = busy_us / frame_us;
    if (view.machine.engine == compaction::EngineId::cuda && busy < busy_enough &&
        frame_us > shortest_vsync_us) {
        badges.push_back(
            {"diluted by vsync", Quality::caution,
             "The GPU compacts and simulates for " + percent(busy) +
                 " of a frame and waits for the display, or for what else the frame does, in between; a GPU "
                 "that waits lowers its clock.",
             "Raise the iterations per frame (I), or measure in a lab."});
    }
}

Badge steadiness(const experiments::Summary& total) {
    const std::string spread = "the quartiles are " + percent(total.noise()) + " of the median apart";
    if (total.n < enough_frames) {
        return {"warming up", Quality::caution,
                plots::grouped(total.n) + " of the " + std::to_string(enough_frames) +
                    " frames that a median needs here have been timed since the last change.",
                "Wait a moment."};
    }
    if (total.noise() > noisy_from) {
        return {"unstable", Quality::caution, "Over " + plots::grouped(total.n) + " frames " + spread + ".",
                "Close what else uses this device, raise the iterations, or measure in a lab."};
    }
    return {"stable", Quality::good, "Over " + plots::grouped(total.n) + " frames " + spread + ".", ""};
}

}  // namespace

std::vector<Badge> badges_of(const View& view, const Settings& settings) {
    std::vector<Badge> badges;
    const experiments::Summary* total = figures_of(view.runs.a.rows, total_row_name);
    if (!view.runs.a.algorithm || !total) return badges;
    add_check(badges, view, settings);
    if (!view.runs.a.algorithm->stable) {
        badges.push_back({"unstable order", Quality::caution,
                          view.runs.a.algorithm->name +
                              " keeps the right items in no particular order, which is less work "
                              "than the others do.",
                          "Compare it with others only where order does not matter."});
    }
    add_throttling(badges, view);
    add_disturbances(badges, view, settings, *total);
    badges.push_back(steadiness(*total));
    return badges;
}

}  // namespace warpsieve
