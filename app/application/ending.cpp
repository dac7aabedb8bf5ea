// The first frame's log and the end: files, figures, exit code.
#include "app/application/application.hpp"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "app/capture/capture.hpp"
#include "app/capture/report.hpp"
#include "app/cli/exit_code.hpp"
#include "app/cli/interrupt.hpp"
#include "compaction/error.hpp"

namespace warpsieve {

void Application::end_without_display() {
    failed_ = true;
    notify(Severity::error, "The display was lost, so the program ends.");
    attempt([this] { captures_.finish(false); });
    end_run();
}

void Application::take_screenshot() {
    // Drawing belongs to the frames, reading and writing does not.
    gl::Context::finish();
    const Clock::time_point start = Clock::now();
    outputs_.write_screenshot(capture::read_framebuffer(context_.framebuffer(), context_.size()),
                              capture::describe_run(view_, settings_));
    screenshot_time_ += Clock::now() - start;
}

void Application::log_first_frame() {
    std::fprintf(stderr, "warpsieve: first frame %.0f ms after start; %s engine on %s; OpenGL by %s\n",
                 seconds_between(started_, Clock::now()) * 1e3,
                 std::string(compaction::id_of(view_.machine.engine)).c_str(),
                 view_.machine.device.name.c_str(), view_.machine.gl.renderer.c_str());
    if (!task_.engine_chosen && !view_.machine.engine_reason.empty())
        std::fprintf(stderr, "warpsieve: %s\n", view_.machine.engine_reason.c_str());
}

void Application::end_run() {
    attempt([this] { end_device_work(); });
    if (frame_ > 0) {
        attempt([this] { run_.describe(view_, true); });
        outputs_.write_results(view_, settings_);
        print_frame_rate();
    }
    if (interrupted()) report_interrupt();
    // After the files: whoever reads stdout may have closed it.
    if (frame_ > 0 && task_.headless) std::fputs(capture::run_table(view_).c_str(), stdout);
    if (frame_ > 0 && task_.replayed)
        std::fputs(capture::replay_table(*task_.replayed, view_).c_str(), stdout);
}

void Application::end_device_work() {
    frames_over_ = Clock::now();
    try {
        run_.drain();
        frames_over_ = Clock::now();
        if (frame_ == 0) return;
        run_.end_frame(frame_ - 1, static_cast<float>(
                                       seconds_between(frame_start_ + screenshot_time_, frames_over_) * 1e6));
        run_.collect();
    } catch (const compaction::Error& error) {
        // The frames collected before are kept.
        report_gpu_failure(error.what());
    }
}

void Application::report_interrupt() {
    const std::string ended = std::string(interrupt_name()) + " ended the run ";
    notify(Severity::info,
           frame_ == 0 ? ended + "before the first frame; no file was written."
                       : ended + "after " + std::to_string(frame_) + (frame_ == 1 ? " frame." : " frames."));
}

void Application::print_frame_rate() const {
    if (frame_ <= warm_up_frames() || warm_up_frames() == 0) return;
    const compaction::EngineCounters counters = run_.engine().counters();
    // One synchronisation is the drain after the last frame.
    std::fprintf(
        stderr,
        "warpsieve: after warm-up %.1f frames/s, %llu allocations, %llu synchronisations in the frame "
        "loop\n",
        static_cast<double>(frame_ - warm_up_frames()) /
            seconds_between(warm_since_ + screenshot_time_, frames_over_),
        static_cast<unsigned long long>(counters.allocations - counters_after_warm_up_.allocations),
        static_cast<unsigned long long>(counters.synchronisations - counters_after_warm_up_.synchronisations -
                                        1));
}

bool Application::is_last_frame() const {
    return interrupted() || (task_.frames > 0 && frame_ + 1 == task_.frames);
}

std::uint64_t Application::warm_up_frames() const {
    return std::min<std::uint64_t>(60, task_.frames / 4);
}

int Application::exit_code() const {
    if (view_.checks.a.wrong + view_.checks.b.wrong > 0) return exit_wrong_result;
    if (failed_ || outputs_.failed()) return exit_failure;
    return interrupted() ? interrupt_exit_code() : exit_ok;
}

}  // namespace warpsieve
