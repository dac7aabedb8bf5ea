// The kernel view: it shows the state of the replay, steps both ways, scrubs and stops at breakpoints.
#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "app/format/figures.hpp"
#include "app/kernel_view/item_path.hpp"
#include "app/kernel_view/lessons.hpp"
#include "app/kernel_view/plants.hpp"
#include "app/kernel_view/warp_view.hpp"
#include "app/panels/choices.hpp"
#include "app/plots/style.hpp"
#include "app/scene/particles.hpp"
#include "app/scene/sources.hpp"
#include "compaction/engine.hpp"
#include "tests/app/panels/drawn_text.hpp"
#include "tests/app/panels/interface_fixture.hpp"
#include "workloads/streams.hpp"

namespace warpsieve {
namespace {

using kernel_view::Order;

class KernelTabTest : public InterfaceTest {
  protected:
    bool wait_for_control(const std::string& control) {
        for (int i = 0; i < 10'000 && !has_control(control); ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
            frame();
        }
        return has_control(control);
    }
};

class KernelViewTest : public KernelTabTest {
  protected:
    KernelViewTest() {
        window_ = {1920, 1080};
        machine_.settings.window.tab = kernel_tab;
        machine_.settings.window.kernel_items = 256;
    }
    void SetUp() override {
        const compaction::Algorithm& algorithm = *machine_.snapshot.runs.a.algorithm;
        if (!compaction::simulated::no_trace_reason(algorithm).empty())
            GTEST_SKIP() << "this build has no simulated GPU";
        const RunConfig& run = machine_.settings.run;
        const std::vector<compaction::Item> items =
            workloads::make_stream(workloads::Pattern::random, 256, run.live_fraction, run.seed);
        replay_ = std::make_unique<kernel_view::Replay>(
            compaction::simulated::trace_lanes(algorithm, run.a.options, compaction::ItemSize::bytes_4,
                                               std::as_bytes(std::span(items)), compaction::keep_non_zero(),
                                               0)
                .trace);
        frame();
        ASSERT_TRUE(wait_for_control("kernel: source")) << drawn::all_text();
    }

    void choose_fault(const std::string& name) {
        click(point_of("kernel fault"));
        frame();
        click(point_of("kernel fault: " + name));
        frame();
    }
    /// The run of the kernel view with the fault.
    kernel_view::PlantedRun run_with(const kernel_view::Plant& plant) const {
        const RunConfig& run = machine_.settings.run;
        const std::vector<compaction::Item> items = workloads::make_stream(
            workloads::Pattern::random, kernel_view::planted_items, run.live_fraction, run.seed);
        return run_plant(plant, *simulated_algorithm(plant), {}, compaction::ItemSize::bytes_4,
                         std::as_bytes(std::span(items)), compaction::keep_non_zero(), plant.schedule_seed);
    }

    std::uint32_t& step() { return machine_.settings.window.kernel_step; }
    const kernel_view::Steps& steps(Order order = Order::warps) const { return replay_->steps(order); }
    std::string text_of(const std::string& control) const {
        const auto [low, high] = corners(control);
        return drawn::text_within(low, high);
    }
    std::string sentence() const { return text_of("kernel: sentence"); }
    static std::string without_spaces(std::string text) {
        std::erase(text, ' ');
        return text;
    }
    /// The numbers of a row of 32 as they are drawn. Where one has more than five digits, all are in
    /// hexadecimal, in two lines.
    static std::string numbers_of(const kernel_view::Value& row) {
        constexpr std::uint64_t max_number = 99'999;
        const auto is_stored = [](std::uint64_t number) { return number != kernel_view::not_stored_word; };
        bool is_hexadecimal = false;
        for (std::uint32_t i = 0; i < 32; ++i) {
            if ((row.known >> i & 1) == 0 || !is_stored(row.of_lane[i])) continue;
            if (row.of_lane[i] > ~0U) return decimal_numbers_of(row);
            is_hexadecimal = is_hexadecimal || row.of_lane[i] > max_number;
        }
        if (!is_hexadecimal) return decimal_numbers_of(row);
        std::string numbers;
        for (std::uint32_t i = 0; i < 32; ++i) {
            if ((row.known >> i & 1) == 0) continue;
            std::array<char, 9> digits{};
            std::snprintf(digits.data(), digits.size(), "%08x", static_cast<unsigned>(row.of_lane[i]));
            numbers += is_stored(row.of_lane[i]) ? digits.data() : "?";
        }
        return numbers;
    }
    static std::string decimal_numbers_of(const kernel_view::Value& row) {
        std::string numbers;
        for (std::uint32_t i = 0; i < 32; ++i)
            if ((row.known >> i & 1) != 0)
                numbers +=
                    row.of_lane[i] == kernel_view::not_stored_word ? "?" : std::to_string(row.of_lane[i]);
        return numbers;
    }
    /// Rectangles of one colour within a box.
    static std::size_t rectangles(ImU32 colour, ImVec2 low, ImVec2 high) {
        const ImVec2 white = ImGui::GetIO().Fonts->TexUvWhitePixel;
        std::size_t corners = 0;
        const ImDrawData& drawn = *ImGui::GetDrawData();
        for (int i = 0; i < drawn.CmdListsCount; ++i)
            for (const ImDrawVert& vertex : drawn.CmdLists[i]->VtxBuffer)
                corners += vertex.col == colour && vertex.uv.x == white.x && vertex.uv.y == white.y &&
                           vertex.pos.x >= low.x && vertex.pos.x <= high.x && vertex.pos.y > low.y &&
                           vertex.pos.y < high.y;
        return corners / 4;
    }
    /// The shuffle that the step completes.
    std::optional<kernel_view::Shuffle> shuffle_at(std::size_t at) const {
        const kernel_view::Events& events = replay_->events();
        return kernel_view::shuffle_of(events, steps()[at], events.warp_of(events.events[steps()[at][0]]));
    }
    /// The line of the source at which the step runs; 0 if none.
    std::uint32_t line_of(std::size_t at) const {
        const kernel_view::Events& events = replay_->events();
        const auto& lines = events.site_lines[events.events[steps()[at][0]].site];
        return lines.empty() ? 0 : events.lines[lines.front()].number;
    }

    std::unique_ptr<kernel_view::Replay> replay_;
};

TEST_F(KernelViewTest, SaysWhatEachStepDoesAndThatItIsNoTime) {
    for (const Order order : kernel_view::all_orders) {
        machine_.settings.window.kernel_order =
            order == Order::warps ? KernelOrder::warps : KernelOrder::lanes;
        for (std::size_t at = 0; at < steps(order).size(); at += 1 + steps(order).size() / 40) {
            step() = static_cast<std::uint32_t>(at);
            frame();
            frame();
            EXPECT_EQ(sentence(), without_spaces(replay_->sentence(order, at).text())) << at;
            EXPECT_NE(drawn::all_text().find("simulatedschedule,seed0:onepossibleorder,notimes"),
                      std::string::npos);
        }
    }
}

TEST_F(KernelViewTest, DotsAreThoseOfTheReplay) {
    const kernel_view::Events& events = replay_->events();
    const plots::Palette& palette = plots::palette_of(plots::PaletteId::dark);
    std::size_t standing = 0;
    for (std::size_t at = 0; at < steps().size(); at += 1 + steps().size() / 80) {
        step() = static_cast<std::uint32_t>(at);
        frame();
        frame();
        const kernel_view::State& state = replay_->at(Order::warps, at);
        const kernel_view::Event& first = events.events[steps()[at][0]];
        const std::uint32_t warp = events.warp_of(first);
        const auto map = nlohmann::json::parse(interface_->control_map());
        for (std::size_t line = 0; line < events.lines.size(); ++line) {
            const std::string control = "kernel: line " + std::to_string(events.lines[line].number);
            const auto same =
                std::ranges::count(events.lines, events.lines[line].number, &kernel_view::Line::number);
            if (!map.contains(control) || same > 1 || line_of(at) == events.lines[line].number) continue;
            std::uint32_t here = 0;
            const std::uint32_t threads = events.trace.launches[state.launch].threads;
            for (std::uint32_t lane = 0; lane < 32 && warp * 32 + lane < state.sites.size(); ++lane) {
                const std::uint32_t thread =
                    warp / ((threads + 31) / 32) * threads + warp % ((threads + 31) / 32) * 32 + lane;
                const std::uint32_t site = state.sites[thread];
                if (site != kernel_view::none && std::ranges::count(events.site_lines[site], line) > 0)
                    here |= 1U << lane;
            }
            const std::uint32_t was = state.seen[warp * events.lines.size() + line] & ~here;
            const auto [low, high] = corners(control);
            EXPECT_EQ(rectangles(palette.accent, low, high), std::popcount(here)) << at << ' ' << control;
            EXPECT_EQ(rectangles(palette.muted, low, high), std::popcount(was)) << at << ' ' << control;
            standing += here != 0;
        }
    }
    EXPECT_GT(standing, 0U);
}

TEST_F(KernelViewTest, ValuesAreThoseOfTheReplay) {
    const kernel_view::Events& events = replay_->events();
    std::size_t seen = 0;
    for (std::size_t at = 0; at < steps().size(); at += 1 + steps().size() / 40) {
        step() = static_cast<std::uint32_t>(at);
        frame();
        frame();
        const kernel_view::State& state = replay_->at(Order::warps, at);
        const std::uint32_t warp = events.warp_of(events.events[steps()[at][0]]);
        for (std::size_t name = 0; name < events.names.size(); ++name) {
            const kernel_view::Value& value = state.values[warp * events.names.size() + name];
            const std::string control = "kernel: value " + events.names[name];
            if (!has_control(control)) continue;
            EXPECT_NE(value.known, 0U) << control;
            const auto [low, high] = corners(control);
            EXPECT_EQ(drawn::text_within({low.x + 150, low.y}, high), numbers_of(value))
                << at << ' ' << control;
            ++seen;
        }
    }
    EXPECT_GT(seen, 20U);
}

TEST_F(KernelViewTest, NamesTheLanesOfValuesInSeveralLines) {
    std::size_t seen = 0;
    for (const int width : {1920, 1024}) {
        window_ = {width, 768};
        for (std::size_t at = 0; at < steps().size(); at += 1 + steps().size() / 40) {
            step() = static_cast<std::uint32_t>(at);
            frame();
            frame();
            const bool is_wide = width == 1920;
            EXPECT_EQ(drawn::all_text().find("89101112131415") != std::string::npos, is_wide) << at;
            for (const std::string& name : replay_->events().names) {
                const std::string control = "kernel: value " + name;
                if (is_wide || !has_control(control)) continue;
                const auto [low, high] = corners(control);
                const std::string names = drawn::text_within(low, {low.x + 150, high.y});
                if (high.y - low.y < 30) {
                    EXPECT_EQ(names.find("lane"), std::string::npos) << names;
                } else {
                    EXPECT_NE(names.find("lane16"), std::string::npos) << names;
                    ++seen;
                }
            }
        }
    }
    EXPECT_GT(seen, 3U);
}

TEST_F(KernelViewTest, MemoryIsThatOfTheReplay) {
    std::size_t seen = 0;
    for (std::size_t at = 0; at < steps().size(); at += 1 + steps().size() / 100) {
        step() = static_cast<std::uint32_t>(at);
        frame();
        frame();
        const std::vector<kernel_view::MemoryRow> rows =
            kernel_view::accessed_rows(replay_->events(), replay_->at(Order::warps, at), steps()[at]);
        for (const kernel_view::MemoryRow& row : rows) {
            const std::string control = "kernel: memory " + row.name;
            if (!has_control(control)) continue;
            const std::string numbers = numbers_of(row.words);
            const auto [low, high] = corners(control);
            EXPECT_EQ(drawn::text_within({low.x + 150, low.y}, high), numbers) << at << ' ' << control;
            const auto accessed = static_cast<std::size_t>(std::popcount(row.accessed));
            EXPECT_EQ(rectangles(plots::palette_of(plots::PaletteId::dark).warning, low, high), accessed)
                << at;
            ++seen;
        }
    }
    EXPECT_GT(seen, 5U);
}

TEST_F(KernelViewTest, DrawsAnArrowForEachLaneThatGetsTheValueOfAnother) {
    ASSERT_FALSE(shuffle_at(0));
    std::optional<kernel_view::Shuffle> shuffle;
    for (std::size_t at = 0; !shuffle && at < steps().size(); ++at) {
        step() = static_cast<std::uint32_t>(at);
        shuffle = shuffle_at(at);
    }
    ASSERT_TRUE(shuffle);
    frame();
    frame();
    const auto [low, high] = corners("kernel: shuffle " + shuffle->name);
    const std::string numbers = drawn::text_within(low, high);
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        if ((shuffle->results.known >> lane & 1) != 0) {
            EXPECT_NE(numbers.find(std::to_string(shuffle->results.of_lane[lane])), std::string::npos);
        }
    EXPECT_FALSE(has_control("kernel: value " + shuffle->name));
    const float above = corners("kernel: shuffle passes").second.y;
    const ImU32 colour = plots::style_of(compaction::PhaseRole::fused).colour;
    EXPECT_GT(rectangles(colour, {low.x, above}, {high.x, low.y}), 0U);
    step() = 0;
    frame();
    frame();
    EXPECT_FALSE(has_control("kernel: shuffle passes"));
}

TEST_F(KernelViewTest, FollowsAnItemFromTheInputToTheOutput) {
    const kernel_view::Events& events = replay_->events();
    std::uint32_t kept = 0;
    while (kernel_view::path_of_item(events, kept).value == 0) ++kept;
    const kernel_view::ItemPath path = kernel_view::path_of_item(events, kept);
    step() = static_cast<std::uint32_t>(kernel_view::step_with(steps(), path.events.front()));
    frame();
    frame();
    // The first lane of the step may load another item.
    press(GLFW_KEY_F);
    EXPECT_NE(machine_.settings.window.kernel_item, 0U);
    machine_.settings.window.kernel_item = kept + 1;
    std::set<std::size_t> steps_of_item;
    for (const std::uint32_t event : path.events)
        steps_of_item.insert(kernel_view::step_with(steps(), event));
    std::size_t number = 0;
    for (const std::size_t at : steps_of_item) {
        ++number;
        frame();
        EXPECT_EQ(step(), at);
        const auto [low, high] = corners("kernel: item");
        EXPECT_EQ(drawn::text_within(low, high), "input[" + std::to_string(kept) + "]endsatoutput[0];" +
                                                     std::to_string(steps_of_item.size()) +
                                                     "stepsloadorstoreit,thisisnumber" +
                                                     std::to_string(number) + ";framedwhereitis");
        press(GLFW_KEY_RIGHT, true);
    }
    EXPECT_EQ(step(), *steps_of_item.rbegin()) << "the item moves no further";
    for (auto at = std::next(steps_of_item.rbegin()); at != steps_of_item.rend(); ++at) {
        press(GLFW_KEY_LEFT, true);
        EXPECT_EQ(step(), *at);
    }
    press(GLFW_KEY_LEFT, true);
    EXPECT_EQ(step(), *steps_of_item.begin());
    click(point_of("kernel item on"));
    EXPECT_EQ(step(), *std::next(steps_of_item.begin()));
    click(point_of("kernel item back"));
    EXPECT_EQ(step(), *steps_of_item.begin());
    press(GLFW_KEY_F);
    frame();
    EXPECT_EQ(machine_.settings.window.kernel_item, 0U);
    EXPECT_FALSE(has_control("kernel: item"));
}

TEST_F(KernelViewTest, GoesFromALoadToTheStoreThatItReads) {
    const kernel_view::Events& events = replay_->events();
    std::size_t checked = 0;
    for (std::size_t at = 0; at < steps().size() && checked < 5; ++at) {
        const std::vector<std::uint32_t> stores =
            kernel_view::observed_stores(events, replay_->at(Order::warps, at), steps()[at]);
        if (stores.empty()) continue;
        std::size_t last = 0;
        for (const std::uint32_t store : stores)
            last = std::max(last, kernel_view::step_with(steps(), store));
        step() = static_cast<std::uint32_t>(at);
        frame();
        frame();
        EXPECT_NE(drawn::all_text().find("whatitreadswaswrittenlastinstep" + std::to_string(last + 1)),
                  std::string::npos)
            << at;
        press(GLFW_KEY_W);
        EXPECT_EQ(step(), last) << at;
        step() = static_cast<std::uint32_t>(at);
        frame();
        frame();
        click(point_of("kernel write"));
        EXPECT_EQ(step(), last) << at;
        ++checked;
    }
    EXPECT_EQ(checked, 5U);
}

TEST_F(KernelViewTest, WatchedValuesStayAtTheTop) {
    const auto top_value = [&] {
        frame();
        std::string name;
        float top = 1e9F;
        const auto map = nlohmann::json::parse(interface_->control_map());
        for (const auto& [control, _] : map.items()) {
            if (!control.starts_with("kernel: value ") || corners(control).first.y >= top) continue;
            top = corners(control).first.y;
            name = control;
        }
        return name;
    };
    std::size_t start = steps().size() / 3;
    while (shuffle_at(start)) ++start;
    step() = static_cast<std::uint32_t>(start);
    const std::string watched = top_value();
    ASSERT_FALSE(watched.empty());
    press(GLFW_KEY_U);
    std::size_t at_the_top = 0, elsewhere = 0;
    const auto look_at_all_steps = [&](auto count) {
        for (std::size_t at = 0; at < steps().size(); at += 7) {
            step() = static_cast<std::uint32_t>(at);
            const std::string top = top_value();
            if (has_control(watched)) count(top == watched);
        }
    };
    look_at_all_steps([&](bool is_top) {
        EXPECT_TRUE(is_top) << step();
        ++at_the_top;
    });
    step() = static_cast<std::uint32_t>(start);
    frame();
    frame();
    click(point_of(watched));
    look_at_all_steps([&](bool is_top) { elsewhere += !is_top; });
    EXPECT_GT(at_the_top, 5U);
    EXPECT_GT(elsewhere, 0U) << "a click ends the watch";
}

TEST_F(KernelViewTest, GoesToTheLaunches) {
    const std::size_t launches = replay_->events().trace.launches.size();
    ASSERT_GT(launches, 1U);
    const auto begin_of = [&](std::size_t launch) {
        return kernel_view::steps_of_launch(replay_->events(), steps(), static_cast<std::uint32_t>(launch))
            .begin;
    };
    press(GLFW_KEY_DOWN, true);
    EXPECT_EQ(step(), begin_of(1));
    step() += 5;
    frame();
    press(GLFW_KEY_UP, true);
    EXPECT_EQ(step(), begin_of(1));
    press(GLFW_KEY_UP, true);
    EXPECT_EQ(step(), begin_of(0));
    press(GLFW_KEY_UP, true);
    EXPECT_EQ(step(), begin_of(0));
    for (std::size_t launch = 1; launch < launches + 2; ++launch) press(GLFW_KEY_DOWN, true);
    EXPECT_EQ(step(), begin_of(launches - 1));
}

TEST_F(KernelViewTest, TracesAsManyItemsAsChosen) {
    click(point_of("kernel items"));
    frame();
    click(point_of("kernel items: 32 items"));
    EXPECT_EQ(machine_.settings.window.kernel_items, 32U);
    const std::string subject = ",32items";
    for (int i = 0; i < 1'000 && drawn::all_text().find(subject) == std::string::npos; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        frame();
    }
    EXPECT_NE(drawn::all_text().find(subject), std::string::npos);
}

TEST_F(KernelViewTest, StepsBothWaysByKeyAndButton) {
    press(GLFW_KEY_RIGHT);
    press(GLFW_KEY_RIGHT);
    EXPECT_EQ(step(), 2U);
    press(GLFW_KEY_LEFT);
    EXPECT_EQ(step(), 1U);
    click(point_of("kernel step"));
    EXPECT_EQ(step(), 2U);
    click(point_of("kernel back"));
    EXPECT_EQ(step(), 1U);
    step() = 0;
    press(GLFW_KEY_LEFT);
    EXPECT_EQ(step(), 0U);
    step() = 4'000'000;
    frame();
    EXPECT_EQ(step(), steps().size() - 1) << "a step of another trace";
    press(GLFW_KEY_RIGHT);
    EXPECT_EQ(step(), steps().size() - 1);
}

TEST_F(KernelViewTest, GoesToBarriersAndLaunches) {
    const kernel_view::Events& events = replay_->events();
    press(GLFW_KEY_RIGHT, false, true);
    const std::uint32_t reached = step();
    EXPECT_GT(reached, 1U);
    const auto ends_part = [&](std::uint32_t index) {
        const auto kind = events.site_of(events.events[index]).kind;
        return kind == compaction::LaneStepKind::barrier_release || kind == compaction::LaneStepKind::launch;
    };
    EXPECT_TRUE(std::ranges::any_of(steps()[reached], ends_part));
    press(GLFW_KEY_RIGHT, false, true);
    EXPECT_GT(step(), reached);
    press(GLFW_KEY_LEFT, false, true);
    EXPECT_EQ(step(), reached);
}

TEST_F(KernelViewTest, TheOtherOrderContinuesWithTheSameEvent) {
    step() = static_cast<std::uint32_t>(steps().size() / 2);
    const std::uint32_t event = steps()[step()][0];
    press(GLFW_KEY_O);
    EXPECT_EQ(machine_.settings.window.kernel_order, KernelOrder::lanes);
    EXPECT_EQ(steps(Order::lanes)[step()][0], event);
    click(point_of("warp by warp"));
    EXPECT_EQ(machine_.settings.window.kernel_order, KernelOrder::warps);
    EXPECT_EQ(step(), steps().size() / 2);
}

TEST_F(KernelViewTest, ScrubsWithinTheLaunch) {
    const auto range = kernel_view::steps_of_launch(replay_->events(), steps(), 0);
    frame();
    click(point_of("kernel: timeline", 0.5F));
    EXPECT_NEAR(step(), static_cast<double>(range.begin) + static_cast<double>(range.size()) / 2, 2);
    click(point_of("kernel: timeline", 0.001F));
    EXPECT_LE(step(), range.begin + 1);
}

TEST_F(KernelViewTest, RunsAndPlaysToABreakpoint) {
    const std::size_t at = steps().size() / 4;
    step() = static_cast<std::uint32_t>(at);
    frame();
    frame();
    const std::uint32_t line = line_of(at);
    ASSERT_NE(line, 0U);
    click(point_of("kernel: line " + std::to_string(line)));
    EXPECT_TRUE(machine_.settings.window.kernel_breakpoints.ends_with(":" + std::to_string(line)));
    step() = 0;
    press(GLFW_KEY_N);
    EXPECT_EQ(line_of(step()), line);
    const std::uint32_t first = step();
    for (std::uint32_t before = 0; before < first; ++before) EXPECT_NE(line_of(before), line) << before;
    step() = first - 3;
    press(GLFW_KEY_SPACE);
    for (int i = 0; i < 120; ++i) frame();
    EXPECT_EQ(step(), first) << "it plays up to the breakpoint";
    press(GLFW_KEY_P);
    EXPECT_EQ(machine_.settings.window.kernel_breakpoints, "");
    press(GLFW_KEY_SPACE);
    for (int i = 0; i < 60; ++i) frame();
    EXPECT_GT(step(), first);
    press(GLFW_KEY_SPACE);
    const std::uint32_t paused = step();
    for (int i = 0; i < 60; ++i) frame();
    EXPECT_EQ(step(), paused);
}

TEST_F(KernelViewTest, TakesBreakpointsAndWatchedValuesFromTheSettings) {
    const kernel_view::Events& events = replay_->events();
    const std::string name = events.names.back();
    machine_.settings.window.kernel_watched = "no such value;" + name;
    const std::size_t at = steps().size() / 2;
    ASSERT_NE(line_of(at), 0U);
    const std::uint32_t site = events.events[steps()[at][0]].site;
    machine_.settings.window.kernel_breakpoints =
        "nowhere.cu:1;" + kernel_view::place_text(events, events.site_lines[site].front());
    frame();
    step() = 0;
    press(GLFW_KEY_N);
    EXPECT_EQ(line_of(step()), line_of(at));
    step() = static_cast<std::uint32_t>(steps().size() - 1);
    press(GLFW_KEY_U);
    const std::string& watched = machine_.settings.window.kernel_watched;
    EXPECT_NE(watched.find(name), std::string::npos) << watched;
    EXPECT_GT(watched.size(), name.size() + std::string("no such value;").size()) << "U adds another one";
}

TEST_F(KernelViewTest, ShowsAnyWarpAndFollowsTheStepAgain) {
    step() = static_cast<std::uint32_t>(steps().size() / 8);
    frame();
    frame();
    const kernel_view::Events& events = replay_->events();
    const kernel_view::Event& first = events.events[steps()[step()][0]];
    const std::uint32_t warps = events.warps_per_block(first.launch);
    const auto shows = [&](std::uint32_t warp) {
        frame();
        return drawn::all_text().find("block" + std::to_string(warp / warps) + ",warp" +
                                      std::to_string(warp % warps)) != std::string::npos;
    };
    const std::uint32_t warp = events.warp_of(first);
    EXPECT_TRUE(shows(warp));
    press(GLFW_KEY_DOWN);
    EXPECT_TRUE(shows(warp + 1));
    EXPECT_EQ(machine_.settings.window.kernel_warp, warp + 2);
    press(GLFW_KEY_UP);
    EXPECT_TRUE(shows(warp));
    press(GLFW_KEY_ESCAPE);
    EXPECT_EQ(machine_.settings.window.kernel_warp, 0U);
}

TEST_F(KernelViewTest, AClickOnAWarpInTheTimelineShowsIt) {
    step() = static_cast<std::uint32_t>(steps().size() / 8);
    frame();
    frame();
    const kernel_view::Event& first = replay_->events().events[steps()[step()][0]];
    const std::uint32_t before = step();
    const std::uint32_t warps = replay_->events().num_warps(first.launch);
    for (const std::uint32_t warp : {warps - 1, 0U}) {
        const auto [low, high] = corners("kernel: warps");
        const float row = (high.y - low.y) / static_cast<float>(warps);
        click({(low.x + high.x) / 2, low.y + (static_cast<float>(warp) + 0.5F) * row});
        // A row may stand for several warps; the first one is shown.
        EXPECT_LE(machine_.settings.window.kernel_warp, 1 + warp);
        EXPECT_GT(machine_.settings.window.kernel_warp, warp - std::min(warp, 4U));
        EXPECT_EQ(step(), before);
    }
    frame();
    EXPECT_NE(text_of("kernel: warps").find("0"), std::string::npos);
    click(point_of("kernel: timeline", 0.5F));
    EXPECT_EQ(machine_.settings.window.kernel_warp, 0U) << "the timeline goes to a step and shows its warp";
}

TEST_F(KernelViewTest, TheMemorySaysWhoWroteEachWord) {
    const auto output_is_written = [&](std::size_t at) {
        const kernel_view::State& state = replay_->at(Order::warps, at);
        return std::ranges::any_of(state.global.back().stored_by,
                                   [](std::uint32_t event) { return event != kernel_view::none; });
    };
    ASSERT_EQ(replay_->events().trace.buffers.back().name, "output");
    ASSERT_TRUE(output_is_written(steps().size() - 1));
    step() = static_cast<std::uint32_t>(steps().size() - 1);
    frame();
    frame();
    ASSERT_TRUE(has_control("kernel: memory"));
    std::size_t kept = 0;
    for (const std::uint32_t event : replay_->at(Order::warps, steps().size() - 1).global.back().stored_by)
        kept += event != kernel_view::none;
    EXPECT_NE(
        text_of("kernel: output").find("output," + std::to_string(kept) + "of256wordswrittenbythislaunch"),
        std::string::npos)
        << text_of("kernel: output");
    // A click on a word goes to the step that wrote it.
    const auto [low, high] = corners("kernel: output");
    const float row = high.y - low.y;
    click({low.x + (high.x - low.x) * 0.2F, high.y + row * 0.7F});
    ASSERT_LT(step(), steps().size() - 1);
    EXPECT_NE(sentence().find("ofoutput"), std::string::npos) << sentence();
    EXPECT_NE(sentence().find("writes"), std::string::npos) << sentence();
}

TEST_F(KernelViewTest, TheMemoryIsThatOfANewTrace) {
    step() = 3;
    frame();
    frame();
    const std::string before = text_of("kernel: input");
    EXPECT_NE(before.find("of256words"), std::string::npos) << before;
    for (const std::uint32_t items : {2'048U, 32U}) {
        machine_.settings.window.kernel_items = items;
        frame();
        ASSERT_TRUE(wait_for_control("kernel: memory"));
        for (int i = 0; i < 3; ++i) frame();
        EXPECT_NE(text_of("kernel: input").find("of" + format::grouped(items) + "words"), std::string::npos)
            << text_of("kernel: input");
    }
}

TEST_F(KernelViewTest, ShowsMemoryOrSourceWhereBothDoNotFit) {
    window_ = {1024, 640};
    frame();
    frame();
    EXPECT_TRUE(has_control("kernel: source"));
    EXPECT_FALSE(has_control("kernel: memory"));
    press(GLFW_KEY_M);
    frame();
    EXPECT_FALSE(has_control("kernel: source"));
    EXPECT_TRUE(has_control("kernel: memory"));
    press(GLFW_KEY_M);
    EXPECT_FALSE(machine_.settings.window.kernel_memory);
}

TEST_F(KernelViewTest, ShowsTheSourceAtTwiceTheScale) {
    window_ = {1280, 720};
    machine_.settings.window.scale = machine_.snapshot.display.scale = 2;
    press(GLFW_KEY_T, /*ctrl=*/false, /*shift=*/true);
    EXPECT_FALSE(machine_.settings.window.show_controls);
    step() = static_cast<std::uint32_t>(steps().size() / 2);
    for (int i = 0; i < 4; ++i) frame();
    EXPECT_FALSE(has_control("slots"));
    ASSERT_TRUE(has_control("kernel: source"));
    EXPECT_TRUE(has_control("kernel: line " + std::to_string(line_of(step())))) << drawn::all_text();
    EXPECT_TRUE(has_control("kernel: timeline"));
    click(point_of("show controls"));
    EXPECT_TRUE(machine_.settings.window.show_controls);
}

TEST_F(KernelViewTest, KeysChooseALineAndAValue) {
    step() = static_cast<std::uint32_t>(steps().size() / 2);
    frame();
    frame();
    const auto go_to = [&](const std::string& label) {
        for (int i = 0; i < 300 && interface_->focused_control() != label; ++i) press(GLFW_KEY_TAB);
        return interface_->focused_control() == label;
    };
    ASSERT_TRUE(go_to("kernel: source"));
    press(GLFW_KEY_ENTER);
    const std::string at_step = machine_.settings.window.kernel_breakpoints;
    EXPECT_TRUE(at_step.ends_with(":" + std::to_string(line_of(step())))) << at_step;
    press(GLFW_KEY_ENTER);
    EXPECT_EQ(machine_.settings.window.kernel_breakpoints, "");
    press(GLFW_KEY_RIGHT);
    press(GLFW_KEY_ENTER);
    const std::string& below = machine_.settings.window.kernel_breakpoints;
    EXPECT_NE(below, "");
    EXPECT_NE(below, at_step);
    // A value of the warp.
    step() = static_cast<std::uint32_t>(steps().size() - 1);
    frame();
    frame();
    const kernel_view::State& state = replay_->at(Order::warps, step());
    const kernel_view::Events& events = replay_->events();
    const std::uint32_t warp = events.warp_of(events.events[steps()[step()][0]]);
    std::string label;
    for (std::uint32_t name = 0; name < events.names.size() && label.empty(); ++name)
        if (state.values[warp * events.names.size() + name].known != 0 &&
            has_control("kernel: value " + events.names[name]))
            label = "kernel: value " + events.names[name];
    ASSERT_TRUE(go_to(label)) << label;
    press(GLFW_KEY_ENTER);
    EXPECT_EQ("kernel: value " + machine_.settings.window.kernel_watched, label);
}

TEST_F(KernelViewTest, GoesToTheStepAndTheItemThatAreTyped) {
    const auto enter = [&](const std::string& field, const char* digits) {
        click(point_of(field));
        frame();
        type(digits);
        press(GLFW_KEY_ENTER);
        frame();
    };
    enter("kernel step number", "42");
    EXPECT_EQ(step(), 41U);
    press(GLFW_KEY_ESCAPE);
    press(GLFW_KEY_F);
    frame();
    enter("kernel item", "17");
    EXPECT_EQ(machine_.settings.window.kernel_item, 18U);
}

TEST_F(KernelViewTest, TheNextSeedRunsAnotherSchedule) {
    press(GLFW_KEY_S);
    EXPECT_EQ(machine_.settings.window.kernel_seed, 1U);
    frame();
    EXPECT_NE(drawn::all_text().find("simulatedschedule,seed1:"), std::string::npos);
}

TEST_F(KernelViewTest, PlantsAFaultAndOpensWhereItShows) {
    const kernel_view::Plant& plant = *kernel_view::find_plant("stage-barrier");
    choose_fault("sequence_wise " + std::string(plant.name));
    EXPECT_EQ(machine_.settings.window.kernel_plant, plant.id);
    const kernel_view::PlantedRun run = run_with(plant);
    ASSERT_TRUE(run.finding.is_wrong) << run.finding.text;
    const auto step_of = [&](std::uint32_t event) {
        return kernel_view::step_with(run.replay.steps(Order::lanes), event);
    };
    ASSERT_TRUE(wait_for_control("kernel: finding")) << drawn::all_text();
    EXPECT_EQ(step(), step_of(run.finding.wrong_word));
    EXPECT_EQ(text_of("kernel: finding"), without_spaces(run.finding.text));
    EXPECT_EQ(text_of("kernel: planted"),
              without_spaces("planted fault " + machine_.snapshot.runs.a.algorithm->id + " " +
                             std::string(plant.name) +
                             " (staged_writer.cuh:" + std::to_string(kernel_view::line_of(plant)) + ")"));
    for (const auto& [link, event] :
         {std::pair("the first access", run.finding.early), std::pair("the second access", run.finding.late),
          std::pair("the first wrong word", run.finding.wrong_word)}) {
        press(GLFW_KEY_J);
        EXPECT_EQ(step(), step_of(event)) << link;
        press(GLFW_KEY_LEFT);
        click(point_of(link));
        EXPECT_EQ(step(), step_of(event)) << link;
    }
    click(point_of("the line left out"));
    frame();
    // The end of the line may not fit.
    std::string left_out = text_of("kernel: line left out");
    left_out = left_out.substr(0, left_out.find("\u2026"));
    EXPECT_GT(left_out.size(), std::string("leftout").size() + 20);
    EXPECT_TRUE(without_spaces("left out " + std::string(plant.line)).starts_with(left_out)) << left_out;
    press(GLFW_KEY_S);
    EXPECT_EQ(machine_.settings.window.kernel_seed, plant.schedule_seed + 1);
    choose_fault("none");
    EXPECT_EQ(machine_.settings.window.kernel_plant, "none");
    ASSERT_TRUE(wait_for_control("kernel: source"));
    EXPECT_FALSE(has_control("kernel: planted"));
    EXPECT_FALSE(has_control("kernel: finding"));
    EXPECT_FALSE(has_control("kernel: line left out"));
}

TEST_F(KernelViewTest, ShowsEveryFaultWithItsOwnSeed) {
    for (const kernel_view::Plant& plant : kernel_view::plants()) {
        SCOPED_TRACE(plant.id);
        panels::choose_plant(machine_.settings, std::string(plant.id));
        frame();
        ASSERT_TRUE(wait_for_control("kernel: finding")) << drawn::all_text();
        const std::string text = text_of("kernel: finding");
        EXPECT_TRUE(text.starts_with(without_spaces(std::string(plant.consequence)))) << text;
        EXPECT_EQ(text.find("Nothinggoeswrong"), std::string::npos) << text;
        EXPECT_NE(text_of("kernel: planted").find(":" + std::to_string(kernel_view::line_of(plant)) + ")"),
                  std::string::npos);
    }
}

/// The step at which the page of the lesson opens.
std::size_t opening_of(const kernel_view::Lesson& lesson) {
    const std::vector<compaction::Item> words =
        workloads::widen(workloads::make_stream(workloads::Pattern::random, lesson.num_items, 0.5,
                                                kernel_view::lesson_items_seed),
                         lesson.item_size, kernel_view::lesson_items_seed);
    const kernel_view::Replay replay(
        compaction::simulated::trace_lanes(compaction::find_algorithm(lesson.algorithm), {}, lesson.item_size,
                                           std::as_bytes(std::span(words)), compaction::keep_non_zero(),
                                           lesson.schedule_seed)
            .trace);
    return first_at_text(replay.events(), replay.steps(Order::warps), lesson.line);
}

TEST_F(KernelViewTest, OpensEveryLessonAtItsLine) {
    for (const kernel_view::Lesson& lesson : kernel_view::lessons()) {
        SCOPED_TRACE(lesson.id);
        click(point_of("kernel lesson"));
        frame();
        click(point_of("kernel lesson: " + std::string(lesson.name)));
        frame();
        EXPECT_EQ(machine_.settings.window.kernel_lesson, lesson.id);
        ASSERT_TRUE(wait_for_control("kernel: source")) << drawn::all_text();
        frame();
        EXPECT_EQ(text_of("kernel: lesson"), without_spaces("lesson " + std::string(lesson.name) + ": " +
                                                            std::string(lesson.algorithm)));
        EXPECT_TRUE(text_of("kernel: question").starts_with(without_spaces(std::string(lesson.question))));
        EXPECT_GT(step(), 0U);
        EXPECT_EQ(step(), opening_of(lesson));
    }
    panels::choose_plant(machine_.settings, "scan-barrier");
    EXPECT_EQ(machine_.settings.window.kernel_lesson, "none");
}

TEST_F(KernelViewTest, TracesSlotsOfTheSceneAndFollowsOne) {
    constexpr std::uint64_t num_slots = 10'000, first = 8'192;
    const RunConfig& run = machine_.settings.run;
    scene::Clock clock;
    clock.advance(7, run.live_fraction);
    const scene::Moment moment = clock.moment(run.live_fraction, run.seed);
    const auto engine = compaction::open_engine(compaction::EngineId::cpu);
    const auto particles = scene::make_host_particles(*engine, num_slots);
    particles->simulate({.source = scene::sources().front(), .slots = num_slots, .moment = moment});
    const compaction::Item* const handles = particles->buffers(Side::a).in;
    std::uint64_t slot = first + 37;
    while (handles[slot] == 0) ++slot;
    machine_.settings.run.source = scene::sources().front()->id;
    machine_.snapshot.stream.slots = num_slots;
    machine_.snapshot.stream.phase = moment.phase;
    panels::follow_in_kernels(machine_.settings, machine_.snapshot.stream, slot);
    frame();
    ASSERT_TRUE(wait_for_control("kernel: item"));
    EXPECT_NE(drawn::all_text().find("slots8,192to8,447ofthescenenow"), std::string::npos);
    const auto rank = std::count_if(handles + first, handles + slot, [](auto handle) { return handle != 0; });
    const std::string item = text_of("kernel: item");
    EXPECT_TRUE(item.starts_with(
        without_spaces("slot " + format::grouped(slot) + " ends at output[" + std::to_string(rank) + "];")))
        << item;
    EXPECT_TRUE(item.ends_with("thisisnumber1;framedwhereitis")) << item;
    // Another time of the scene changes nothing until the slots are traced anew.
    machine_.snapshot.stream.phase = 0;
    frame();
    EXPECT_NE(drawn::all_text().find("slots8,192to8,447ofthesceneatanothertime"), std::string::npos);
    EXPECT_EQ(text_of("kernel: item"), item);
    click(point_of("of the scene"));
    EXPECT_EQ(machine_.settings.window.kernel_slot, 0U);
    frame();
    ASSERT_TRUE(wait_for_control("kernel: item"));
    EXPECT_TRUE(text_of("kernel: item").starts_with("input[" + std::to_string(slot - first)));
}

TEST_F(KernelViewTest, KeepsTheStepAndTheSeedThatAReplayBringsWithAFault) {
    machine_.settings.window.kernel_plant = "stage-barrier";
    machine_.settings.window.kernel_seed = 5;
    step() = 7;
    frame();
    ASSERT_TRUE(wait_for_control("kernel: finding")) << drawn::all_text();
    EXPECT_EQ(step(), 7U);
    EXPECT_EQ(machine_.settings.window.kernel_seed, 5U);
}

TEST_F(KernelViewTest, NamesTheCounterpartOfAnAlgorithmWithoutSteps) {
    const auto says = [&](const char* sentence) {
        frame();
        for (int i = 0; i < 10'000 && !has_control("kernel: source"); ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
            frame();
        }
        return has_control("kernel: source") &&
               drawn::all_text().find(without_spaces(sentence)) != std::string::npos;
    };
    machine_.snapshot.runs.a.algorithm = &machine_.algorithm("cub_select");
    EXPECT_TRUE(
        says("These are the steps of Single pass: the kernels of CUB DeviceSelect::If cannot be traced."))
        << drawn::all_text();
    machine_.snapshot.runs.a.algorithm = &machine_.algorithm("cpu_sequence_wise");
    EXPECT_TRUE(
        says("These are the steps of Sequence-wise, vectorised: Sequence-wise, SIMD runs on the CPU and "
             "has no lanes."))
        << drawn::all_text();
}

TEST_F(KernelTabTest, ABuildWithoutTheSimulatedGpuShowsARecording) {
    if (compaction::status_of(compaction::EngineId::simulated).available)
        GTEST_SKIP() << "this build has a simulated GPU";
    window_ = {1920, 1080};
    machine_.settings.window.tab = kernel_tab;
    frame();
    ASSERT_TRUE(wait_for_control("kernel: source")) << drawn::all_text();
    EXPECT_NE(drawn::all_text().find("recordedsimulatedschedule"), std::string::npos) << drawn::all_text();
    EXPECT_FALSE(has_control("next seed"));
    for (const kernel_view::Lesson& lesson : kernel_view::lessons()) {
        SCOPED_TRACE(lesson.id);
        ASSERT_TRUE(kernel_view::can_show(lesson));
        panels::choose_lesson(machine_.settings, std::string(lesson.id));
        frame();
        ASSERT_TRUE(wait_for_control("kernel: source")) << drawn::all_text();
        for (int i = 0; i < 3; ++i) frame();
        EXPECT_TRUE(has_control("kernel: question"));
        EXPECT_GT(machine_.settings.window.kernel_step, 0U);
    }
}

}  // namespace
}  // namespace warpsieve
