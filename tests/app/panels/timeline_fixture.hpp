#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "tests/app/panels/interface_fixture.hpp"

namespace warpsieve {

/// The timeline view without a window. Its frames are under settings 0 until `run` adds others.
class TimelineViewTest : public InterfaceTest {
  protected:
    TimelineViewTest() {
        machine_.settings.window.tab = "timeline";
        frame();
        frame();
    }
    /// More frames of the current algorithm, under settings of their own.
    void run(std::uint64_t frames) {
        const std::size_t before = machine_.timeline.size();
        experiments::Timeline made(machine_.timeline.capacity());
        std::swap(made, machine_.timeline);
        fake::fill_timeline(machine_, *machine_.snapshot.runs.a.algorithm, {4.31F, 1.96F, 5.72F}, 19.4F, 2411,
                            frames);
        std::swap(made, machine_.timeline);
        ++config_epoch_;
        for (std::size_t i = 0; i < made.size(); ++i) {
            experiments::FrameSample sample = made[i];
            sample.config_epoch = config_epoch_;
            machine_.timeline.push(sample);
        }
        EXPECT_GE(machine_.timeline.size(), before);
        frame();
    }
    /// The settings of the newest visible frame.
    std::uint32_t epoch_shown() {
        frame();
        frame();
        const std::string label = "history under settings ";
        const auto map = nlohmann::json::parse(interface_->control_map());
        for (const auto& [key, rectangle] : map.items())
            if (key.starts_with(label))
                return static_cast<std::uint32_t>(std::stoul(key.substr(label.size())));
        ADD_FAILURE() << "no history";
        return 0;
    }
    std::uint32_t config_epoch_ = 0;
};

}  // namespace warpsieve
