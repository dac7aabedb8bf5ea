#include "app/cli/progress_bar.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>

#include "experiments/format/terminal.hpp"
#include "experiments/format/text.hpp"
#include "platform/process.hpp"

namespace warpsieve {
namespace {

constexpr std::size_t bar_width = 24;
constexpr std::size_t line_width = 79;
constexpr double seconds_between_updates = 0.2;

double now_s() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// "[######......] 12 of 30, about 40 s left: 2^20 items, ...".
std::string progress_line(const experiments::Progress& progress) {
    const std::size_t total = std::max<std::size_t>(1, progress.settings_total);
    const std::size_t done = std::min(progress.settings_done, total);
    const std::size_t filled = bar_width * done / total;
    std::string line = "[" + std::string(filled, '#') + std::string(bar_width - filled, '.') + "] " +
                       std::to_string(done) + " of " + std::to_string(total) + ", about " +
                       experiments::format::rough_duration(progress.seconds_left) +
                       " left: " + progress.activity;
    return line.substr(0, line_width);
}

}  // namespace

ProgressBar::ProgressBar(bool enabled) : on_terminal_(enabled && platform::is_terminal(stderr)) {}

void ProgressBar::show(const experiments::Progress& progress) {
    if (!on_terminal_) return;
    const double now = now_s();
    if (shown_ && now - last_shown_s_ < seconds_between_updates) return;
    experiments::format::replace_error_line(progress_line(progress));
    last_shown_s_ = now;
    shown_ = true;
}

void ProgressBar::clear() {
    if (!shown_) return;
    experiments::format::replace_error_line("");
    shown_ = false;
}

}  // namespace warpsieve
