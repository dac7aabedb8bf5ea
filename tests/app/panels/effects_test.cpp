// No control without effect within one frame: every control of every view changes the settings, asks the
// application for something, or changes the picture.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/app/panels/interface_fixture.hpp"
#include "tests/app/panels/shown_views.hpp"
#include "tests/app/scene/sampled_stream.hpp"

namespace warpsieve {
namespace {

/// What a frame asks the application for, as text.
std::string wishes_of(const Requests& requests) {
    std::ostringstream text;
    text << requests.capture << requests.capture_plot << requests.toggle_recording << requests.film_loop
         << requests.dismiss_change << requests.reset_scene << requests.clear_timings << requests.single_step
         << requests.keep_as_ghost.front().size() << requests.quit << requests.cancel_lab
         << requests.leave_tour << requests.place_camera << requests.camera.any()
         << requests.dismiss_message.has_value() << requests.start_lab.has_value()
         << requests.trace.has_value() << requests.tour_step.has_value() << requests.pick.has_value()
         << requests.save_file.has_value() << requests.notice << requests.open;
    return text.str();
}

/// Everything that the last frame drew.
std::size_t picture() {
    std::size_t hash = 0;
    const auto add = [&hash](const void* data, std::size_t bytes) {
        const std::string_view text(static_cast<const char*>(data), bytes);
        hash = hash * 1'099'511'628'211U + std::hash<std::string_view>{}(text);
    };
    const ImDrawData& drawn = *ImGui::GetDrawData();
    for (int i = 0; i < drawn.CmdListsCount; ++i) {
        const ImDrawList& list = *drawn.CmdLists[i];
        add(list.VtxBuffer.Data, static_cast<std::size_t>(list.VtxBuffer.size_in_bytes()));
        add(list.IdxBuffer.Data, static_cast<std::size_t>(list.IdxBuffer.size_in_bytes()));
        for (const ImDrawCmd& command : list.CmdBuffer) add(&command.ClipRect, sizeof command.ClipRect);
    }
    return hash;
}

/// Controls that only show something, by the beginning of their names.
struct Passive {
    std::string_view start;
    const char* reason;
};
constexpr std::array passive{
    Passive{"plot: ", "the plot that a picture shows; the mouse above chooses it"},
    Passive{"frame strip", "bars and figures, explained by tooltips"},
    Passive{"ratio", "a figure"},
    Passive{"caption ", "the names of A and B"},
    Passive{"lens race", "two bars"},
    Passive{"badge: ", "a sign, explained by its tooltip"},
    Passive{"gpu now", "figures"},
    Passive{"histogram", "bars that the mouse reads off"},
    Passive{"inside: ", "figures"},
    Passive{"lab: hint", "a sentence"},
    Passive{"lab example", "the word that says so"},
    Passive{"lab card", "around the words"},
    Passive{"welcome", "around its buttons"},
    Passive{"change card, figures", "figures"},
    Passive{"lane: ", "a bar; its items are pointed at where the running stream is sampled"},
    Passive{"race: scale", "a sentence"},
    Passive{"race: photo finish", "a sentence"},
    Passive{"memory: ", "a plot that the mouse reads off"},
    Passive{"difference: count", "a sentence"},
    Passive{"notice", "a sentence"},
    Passive{"kernel: schedule", "a sentence"},
    Passive{"kernel: sentence", "a sentence"},
    Passive{"kernel: planted", "a sentence"},
    Passive{"kernel: finding", "sentences"},
};
/// Controls that do nothing at the moment and say why.
constexpr std::array waiting{
    Passive{"variant", "greyed out: the algorithm has one"},
    Passive{"undo", "greyed out until there is a change"},
    Passive{"redo", "greyed out until something was undone"},
    Passive{"kernel ", "without a trace there are no steps; interface_kernel_test presses it with one"},
    Passive{"compare base: hungry", "greyed out: an algorithm without a time is no base"},
    Passive{"compare base: racy", "greyed out: an algorithm with a wrong result is no base"},
};

/// Controls of a lab without results.
constexpr std::array covered{
    Passive{"base", "below the card that starts the lab: an example"},
    Passive{"compare", "below the card that starts the lab: an example"},
};
/// The largest number of controls to try whose names begin alike, such as the cells of a map.
constexpr int max_of_a_kind = 24;

bool is_exempt(const std::string& label, bool has_example) {
    const auto starts = [&](const Passive& each) { return label.starts_with(each.start); };
    return std::ranges::any_of(passive, starts) || std::ranges::any_of(waiting, starts) ||
           (has_example && std::ranges::any_of(covered, starts));
}

class Effects : public InterfaceTest, public testing::WithParamInterface<states::Shown> {
  protected:
    /// The view in its initial state, without traces of earlier frames.
    void start(void (*arrange)(fake::Machine& machine), int key) {
        stream_.reset();
        interface_.reset();
        ImGui::DestroyContext();
        ImGui::CreateContext();
        ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
        interface_.emplace(1.0F, Theme::dark);
        fake::Machine machine;
        machine_ = std::move(machine);
        arrange(machine_);
        defaults_ = machine_.settings;
        machine_.snapshot.defaults = &defaults_;
        if (states::needs_samples(machine_)) stream_.emplace(machine_);
        window_ = {1600, 1400};  // all controls without scrolling
        ImGui::GetIO().MousePos = away;
        step(3);
        // A race is under way.
        machine_.snapshot.display.now_s += 2;
        if (key != 0) press(key, key == states::palette_key);
        step(2);
    }
    void start() { start(GetParam().arrange, GetParam().key); }
    /// Frames at the same time, so that nothing moves by itself.
    Requests step(int frames = 1) {
        Requests requests;
        for (int i = 0; i < frames; ++i) {
            machine_.snapshot.display.now_s -= 1.0 / 60;
            requests = frame();
            if (stream_ && requests.slot_map) stream_->take(machine_, *requests.slot_map);
        }
        return requests;
    }
    std::map<std::string, std::array<float, 4>> controls() const {
        return nlohmann::json::parse(interface_->control_map());
    }

    /// Acts at a position; returns whether the frame in which the action ends, or the next one, shows it.
    bool has_effect(ImVec2 at, const std::function<std::string()>& act) {
        const Settings before = machine_.settings;
        const std::size_t shown = picture();
        ImGui::GetIO().MousePos = at;
        const std::string idle = wishes_of(step(2));
        const std::string wishes = act();
        if (wishes != idle || !(machine_.settings == before)) return true;
        ImGui::GetIO().MousePos = away;
        step();
        return picture() != shown;
    }
    std::string click(ImGuiMouseButton button, ImVec2 way = {0, 0}) {
        ImGuiIO& io = ImGui::GetIO();
        io.MouseDown[button] = true;
        const std::string pressed = wishes_of(step());
        if (way.x != 0 || way.y != 0) {
            io.MousePos = {io.MousePos.x + way.x, io.MousePos.y + way.y};
            step();
        }
        io.MouseDown[button] = false;
        const std::string released = wishes_of(step());
        return pressed == released ? released : pressed + released;
    }
    std::string turn_wheel() {
        ImGui::GetIO().MouseWheel = 1;
        const std::string turned = wishes_of(step());
        ImGui::GetIO().MouseWheel = 0;
        return turned;
    }
    /// What people do with a control, from the most usual on.
    bool answers(const std::string& label) {
        for (const float share : {0.5F, 0.12F, 0.88F}) {
            if (has_effect(point_of(label, share), [this] { return click(ImGuiMouseButton_Left); }))
                return true;
        }
        const ImVec2 middle = point_of(label);
        for (const ImVec2 way : {ImVec2{40, 0}, ImVec2{0, -40}}) {
            if (has_effect(middle, [&] { return click(ImGuiMouseButton_Left, way); })) return true;
        }
        if (has_effect(middle, [this] { return turn_wheel(); })) return true;
        if (has_effect(middle, [this] { return click(ImGuiMouseButton_Right); })) return true;
        return has_effect(middle, [this] {
            const std::string once = click(ImGuiMouseButton_Left);
            return std::max(once, click(ImGuiMouseButton_Left));
        });
    }
    /// Whether the control is the current choice, or fits a plot that fits already: it has an effect after
    /// another choice, or after a zoom.
    bool answers_after_another(const std::string& label) {
        start();
        const auto all = controls();
        for (const char* plot : {"inside", "history"}) {
            if (!all.contains(plot)) continue;
            ImGui::GetIO().MousePos = point_of(plot);
            step(2);
            turn_wheel();
            ImGui::GetIO().MousePos = away;
            step(2);
            if (answers(label)) return true;
        }
        const std::string group = label.substr(0, label.find(": "));
        for (const auto& [other, at] : all) {
            const bool same_line = std::abs(at[1] - all.at(label)[1]) < 3 && at[3] == all.at(label)[3];
            const bool same_group = group != label && other.starts_with(group + ": ");
            if (other == label || !(same_line || same_group)) continue;
            start();
            ImGui::GetIO().MousePos = point_of(other);
            step(2);
            click(ImGuiMouseButton_Left);
            ImGui::GetIO().MousePos = away;
            step(2);
            if (has_control(label) &&
                has_effect(point_of(label), [this] { return click(ImGuiMouseButton_Left); }))
                return true;
        }
        return false;
    }

    const ImVec2 away{-1, -1};
    std::optional<fake::SampledStream> stream_;
    Settings defaults_;
};

TEST_P(Effects, EveryControlHasOneWithinAFrame) {
    // The controls around the view are the same in all views: the first view has them all.
    std::map<std::string, std::array<float, 4>> around;
    if (std::string_view(GetParam().name) != states::shown_views.front().name) {
        start(states::shown_views.front().arrange, 0);
        around = controls();
    }
    start();
    const bool has_example = has_control("lab example");
    std::size_t tried = 0;
    std::map<std::string, int> of_a_kind;
    bool fresh = true;
    for (const auto& [label, at] : controls()) {
        if (around.contains(label) || is_exempt(label, has_example)) continue;
        if (++of_a_kind[label.substr(0, label.find_first_of(":0123456789"))] > max_of_a_kind) continue;
        ++tried;
        if (!fresh) start();
        ASSERT_TRUE(has_control(label)) << label << " is not there again";
        fresh = false;
        EXPECT_TRUE(answers(label) || answers_after_another(label)) << label << " does nothing";
    }
    EXPECT_GT(tried, 0U);
}

/// One of each kind; the others differ in what they show.
std::vector<states::Shown> kinds_of_views() {
    const std::set<std::string_view> left_out{"two_stage_cpu", "starting",     "timeline_full",
                                              "timeline_hot",  "inside_roles", "lens_troubled",
                                              "slot_map_long", "presentation", "help"};
    std::vector<states::Shown> kinds;
    for (const states::Shown& view : states::shown_views) {
        if (!left_out.contains(view.name)) kinds.push_back(view);
    }
    return kinds;
}

INSTANTIATE_TEST_SUITE_P(Views, Effects, testing::ValuesIn(kinds_of_views()),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace warpsieve
