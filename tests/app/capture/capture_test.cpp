#include "app/capture/capture.hpp"

#include <gtest/gtest.h>
#include <imgui.h>
#include <sys/resource.h>
#include <webp/demux.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/capture/loop.hpp"
#include "app/capture/open_capture.hpp"
#include "app/capture/recording.hpp"
#include "app/capture/run_outputs.hpp"
#include "app/gl/context.hpp"
#include "app/settings/settings_file.hpp"
#include "compaction/error.hpp"
#include "platform/files.hpp"
#include "platform/process.hpp"
#include "tests/platform/child.hpp"

namespace warpsieve {
namespace {

namespace fs = std::filesystem;

class CaptureTest : public testing::Test {
  protected:
    platform::TemporaryFolder temporary_;
    fs::path folder_ = temporary_.path();
};

TEST_F(CaptureTest, LeavesNothingOnAFullDisk) {
    const auto fails = [](auto write) {
        return testing_support::in_child([&] {
            platform::prepare_process();
            const rlimit limit{16, 16};
            ::setrlimit(RLIMIT_FSIZE, &limit);
            try {
                write();
            } catch (const fs::filesystem_error&) {
                return 0;
            }
            return 1;
        });
    };
    const capture::Image image{4, 4, std::vector<std::uint8_t>(48, 200)};
    EXPECT_EQ(fails([&] { capture::save_picture(image, nlohmann::json::object(), folder_, "plot"); }), 0);
    EXPECT_EQ(fails([&] { capture::save_text({"table", ".csv", std::string(99, 'x')}, folder_); }), 0);
    EXPECT_EQ(fails([&] { capture::make_recording_folder(nlohmann::json::object(), folder_); }), 0);
    EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(CaptureTest, AFileWithoutMemoryIsNamedInASentence) {
    std::string said;
    capture::RunOutputs outputs({.screenshot = folder_ / "picture.png",
                                 .loop = {},
                                 .csv = {},
                                 .json = {},
                                 .trace = {},
                                 .control_map = {}},
                                1, [&](const std::string& sentence) { said += sentence; });
    // No picture: the encoder fails as it does without memory.
    outputs.write_screenshot({}, nlohmann::json::object());
    EXPECT_TRUE(outputs.failed());
    EXPECT_NE(said.find("picture.png cannot be written: host memory ran out."), std::string::npos) << said;
}

TEST_F(CaptureTest, GetsANameOfItsOwn) {
    const fs::path first = capture::write_new(folder_, "plot", ".csv", "1");
    const fs::path second = capture::write_new(folder_, "plot", ".csv", "2");
    EXPECT_NE(first, second);
    EXPECT_TRUE(fs::exists(first));
    EXPECT_TRUE(fs::exists(second));
}

TEST_F(CaptureTest, ARecordingCountsTheFramesThatWereWritten) {
    ImGui::CreateContext();
    std::unique_ptr<gl::Context> context;
    try {
        context = gl::open_headless({64, 48});
    } catch (const compaction::Error& error) {
        ImGui::DestroyContext();
        GTEST_SKIP() << error.what();
    }
    const auto frames_written = [&](bool disk_fails) {
        const fs::path folder = folder_ / "recording";
        fs::create_directories(folder);
        capture::Recording recording(folder);
        if (disk_fails) fs::remove(folder);
        for (int frame = 0; frame < 3; ++frame) recording.add(context->framebuffer(), context->size(), frame);
        recording.finish();
        EXPECT_EQ(recording.failure().empty(), !disk_fails);
        return recording.frames_written();
    };
    EXPECT_EQ(frames_written(false), 3U);
    fs::remove_all(folder_ / "recording");
    EXPECT_EQ(frames_written(true), 0U);
    context.reset();
    ImGui::DestroyContext();
}

/// The frames of an animated WebP: the red of their first pixel, and when each ends.
struct Film {
    int width = 0;
    int height = 0;
    std::uint32_t loop_count = 1;
    std::vector<int> red;
    std::vector<int> footer_green;  ///< of the last pixel
    std::vector<int> ends_ms;
};

Film decoded(const std::string& bytes) {
    const WebPData data{reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
    WebPAnimDecoder* const decoder = WebPAnimDecoderNew(&data, nullptr);
    Film film;
    WebPAnimInfo info;
    if (!decoder || !WebPAnimDecoderGetInfo(decoder, &info)) return film;
    film.width = static_cast<int>(info.canvas_width);
    film.height = static_cast<int>(info.canvas_height);
    film.loop_count = info.loop_count;
    std::uint8_t* rgba = nullptr;
    for (int ms = 0; WebPAnimDecoderHasMoreFrames(decoder) && WebPAnimDecoderGetNext(decoder, &rgba, &ms);) {
        film.red.push_back(rgba[0]);
        film.footer_green.push_back(rgba[4 * info.canvas_width * info.canvas_height - 3]);
        film.ends_ms.push_back(ms);
    }
    WebPAnimDecoderDelete(decoder);
    return film;
}

capture::Image filled(int width, int height, std::uint8_t red, std::uint8_t green) {
    capture::Image image{width, height, {}};
    for (int i = 0; i < width * height; ++i) image.rgb.insert(image.rgb.end(), {red, green, 0});
    return image;
}

TEST(Loop, EndsWhereItBegins) {
    using capture::Loop;
    Loop loop(filled(96, 16, 0, 250));
    // The red rises through the loop, so that a jump at its end would be seen.
    const auto red = [](std::uint64_t frame) { return static_cast<int>(60 + frame); };
    for (std::uint64_t frame = 0; frame < Loop::num_frames; ++frame)
        loop.add(frame, filled(96, 48, static_cast<std::uint8_t>(red(frame)), 0), true);
    const Film film = decoded(loop.finish());
    EXPECT_EQ(film.width, 96);
    EXPECT_EQ(film.height, 64);
    EXPECT_EQ(film.loop_count, 0U) << "for ever";
    ASSERT_GE(film.red.size(), 20U);
    EXPECT_EQ(film.ends_ms.back(), 6'000);
    constexpr int tolerance = 8;
    EXPECT_NEAR(film.red.front(), red(Loop::fade_frames), tolerance);
    const auto middle = std::ranges::upper_bound(film.ends_ms, 2'500) - film.ends_ms.begin();
    EXPECT_NEAR(film.red[static_cast<std::size_t>(middle)], red(50 + Loop::fade_frames), tolerance);
    EXPECT_NEAR(film.red.back(), red(Loop::fade_frames), 2 * tolerance) << "no jump";
    for (std::size_t i = 1; i < film.red.size(); ++i)
        EXPECT_LT(std::abs(film.red[i] - film.red[i - 1]), 3 * tolerance) << i;
    for (const int green : film.footer_green) EXPECT_NEAR(green, 250, tolerance);
}

TEST(Loop, ShowsAFrameForLongerWhereTheNextIsMissing) {
    capture::Loop loop(filled(64, 8, 0, 250));
    for (std::uint64_t frame = 0; frame < capture::Loop::num_frames; frame += 10)
        loop.add(frame, filled(64, 64, static_cast<std::uint8_t>(frame), 0), true);
    const Film film = decoded(loop.finish());
    ASSERT_GE(film.red.size(), 10U);
    EXPECT_NEAR(film.ends_ms[1] - film.ends_ms[0], 500, 1);
}

TEST(Loop, ReducesWideFrames) {
    EXPECT_EQ(capture::Loop::reduction_of(1'600), 1);
    EXPECT_EQ(capture::Loop::reduction_of(3'840), 3);
    capture::Loop loop(filled(960, 8, 0, 250));
    for (const std::uint64_t frame : {20U, 30U, 40U}) loop.add(frame, filled(1'921, 33, 200, 0), true);
    const Film film = decoded(loop.finish());
    EXPECT_EQ(film.width, 960);
    EXPECT_EQ(film.height, 24);
}

TEST(Loop, SaysWhyThereIsNone) {
    const auto failure = [](auto&& act) {
        capture::Loop loop(filled(64, 8, 0, 250));
        act(loop);
        try {
            loop.finish();
        } catch (const std::runtime_error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(failure([](capture::Loop&) {}), "there are too few frames");
    EXPECT_EQ(failure([](capture::Loop& loop) {
                  loop.add(20, filled(64, 64, 1, 0), true);
                  loop.add(21, filled(64, 65, 1, 0), true);
              }),
              "the view changed its size");
    EXPECT_EQ(failure([](capture::Loop& loop) {
                  loop.cancel();
                  loop.add(20, filled(64, 64, 1, 0), true);
              }),
              "the program ended");
}

TEST_F(CaptureTest, ADroppedPictureBecomesTheStream) {
    const fs::path file = folder_ / "cat.png";
    capture::write_png(file, filled(8, 8, 255, 255));
    Settings settings;
    settings.run.picture_sha256 = "0123456789abcdef";
    std::string said;
    const auto drop = [&](const fs::path& dropped) {
        said.clear();
        return capture::open_capture(dropped, settings,
                                     [&](Severity, const std::string& text) { said += text; });
    };
    EXPECT_TRUE(drop(file));
    EXPECT_EQ(said, "The bright pixels of cat.png are the live slots. Ctrl+Z takes it back.");
    EXPECT_EQ(settings.run.source, "picture");
    EXPECT_EQ(settings.run.picture, file.string());
    EXPECT_EQ(settings.run.picture_sha256, "");
    ASSERT_TRUE(settings.run.loaded_picture);
    EXPECT_EQ(settings.run.loaded_picture->width, 8U);
    const fs::path text = folder_ / "text.png";
    platform::write_file(text, "no picture");
    EXPECT_TRUE(drop(text));
    EXPECT_NE(said.find("it is not a PNG file"), std::string::npos) << said;
    EXPECT_EQ(settings.run.picture, file.string()) << "the old one stays";
}

TEST_F(CaptureTest, ACaptureOfAPictureNeedsThatPicture) {
    const fs::path file = folder_ / "cat.png";
    capture::write_png(file, filled(8, 8, 255, 255));
    Settings settings;
    std::string said;
    const auto drop = [&](const fs::path& dropped) {
        said.clear();
        EXPECT_TRUE(capture::open_capture(dropped, settings,
                                          [&](Severity, const std::string& text) { said += text; }));
        return said;
    };
    Settings captured;
    captured.run.source = "picture";
    captured.run.picture = "/gone/cat.png";
    captured.run.picture_sha256 = picture::load(file.string())->sha256;
    const fs::path capture = folder_ / "capture.json";
    platform::write_file(capture, nlohmann::json{{"settings", settings_to_json(captured)}}.dump());
    EXPECT_NE(drop(capture).find("or drop it on the window first."), std::string::npos) << said;
    EXPECT_EQ(settings.run.source, Settings().run.source);
    drop(file);
    EXPECT_NE(drop(capture).find("Loaded the settings"), std::string::npos) << said;
    EXPECT_EQ(settings.run.picture, file.string()) << "under its other name";
    captured.run.picture = file.string();
    captured.run.picture_sha256 = std::string(64, '0');
    platform::write_file(capture, nlohmann::json{{"settings", settings_to_json(captured)}}.dump());
    EXPECT_NE(drop(capture).find("is not the one of this run"), std::string::npos) << said;
}

}  // namespace
}  // namespace warpsieve
