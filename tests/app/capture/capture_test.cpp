#include "app/capture/capture.hpp"

#include <gtest/gtest.h>
#include <imgui.h>
#include <sys/resource.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/capture/recording.hpp"
#include "app/capture/run_outputs.hpp"
#include "app/gl/context.hpp"
#include "compaction/error.hpp"
#include "platform/process.hpp"
#include "tests/platform/child.hpp"
#include "tests/support/temporary_folder.hpp"

namespace warpsieve {
namespace {

namespace fs = std::filesystem;

class CaptureTest : public testing::Test {
  protected:
    testing_support::TemporaryFolder temporary_;
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
    EXPECT_EQ(fails([&] { capture::save(image, nlohmann::json::object(), folder_, "plot"); }), 0);
    EXPECT_EQ(fails([&] { capture::save_text({"table", ".csv", std::string(99, 'x')}, folder_); }), 0);
    EXPECT_EQ(fails([&] { capture::make_recording_folder(nlohmann::json::object(), folder_); }), 0);
    EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(CaptureTest, AFileWithoutMemoryIsNamedInASentence) {
    std::string said;
    capture::RunOutputs outputs(
        {.screenshot = folder_ / "picture.png", .csv = {}, .json = {}, .trace = {}, .control_map = {}}, 1,
        [&](const std::string& sentence) { said += sentence; });
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
        return recording.frames();
    };
    EXPECT_EQ(frames_written(false), 3U);
    fs::remove_all(folder_ / "recording");
    EXPECT_EQ(frames_written(true), 0U);
    context.reset();
    ImGui::DestroyContext();
}

}  // namespace
}  // namespace warpsieve
