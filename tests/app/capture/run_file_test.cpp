#include "app/capture/run_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/capture/ghost.hpp"
#include "app/capture/report.hpp"
#include "compaction/error.hpp"
#include "platform/files.hpp"

namespace warpsieve {
namespace {

namespace fs = std::filesystem;
using experiments::FrameSample;
using experiments::SavedRun;

class SavedRunTest : public testing::Test {
  protected:
    static std::vector<FrameSample> frames(std::size_t count) {
        std::vector<FrameSample> made(count);
        for (std::size_t i = 0; i < count; ++i) {
            made[i].frame = i;
            made[i].algorithm = &compaction::find_algorithm("cpu_sequence_wise");
            made[i].total_us = 10.5F + static_cast<float>(i % 5);
            made[i].phase_us = {1, 2, 3};
            made[i].num_phases = 3;
            made[i].clock_hz = i % 2 == 0 ? 1.98e9 : 0;
        }
        return made;
    }
    fs::path write(const std::string& text, const std::string& name = "run.csv") const {
        std::ofstream(folder_ / name, std::ios::binary) << text;
        return folder_ / name;
    }
    /// The error message for this file.
    static std::string refusal(const fs::path& file) {
        try {
            capture::load_saved_run(file);
        } catch (const compaction::Error& error) {
            EXPECT_EQ(error.code(), compaction::ErrorCode::invalid_argument);
            return error.what();
        }
        ADD_FAILURE() << file << " was accepted as a run";
        return {};
    }
    platform::TemporaryFolder temporary_;
    fs::path folder_ = temporary_.path();
};

TEST_F(SavedRunTest, IsLoadedAsItWasSaved) {
    const auto saved = frames(1'000);
    const std::string header = "# slots: 4096\n# source: fountain\n";
    const fs::path file = capture::save_frames({saved, {}}, header, folder_ / "new" / "folder");
    EXPECT_NE(capture::save_frames({saved, {}}, header, folder_ / "new" / "folder"), file)
        << "existing files stay";
    const SavedRun run = capture::load_saved_run(file);
    EXPECT_EQ(run.name, file.filename());
    EXPECT_EQ(run.algorithm, "cpu_sequence_wise");
    ASSERT_EQ(run.total_us.size(), saved.size());
    for (std::size_t i = 0; i < saved.size(); ++i) EXPECT_EQ(run.total_us[i], saved[i].total_us);
    EXPECT_EQ(run.us.n, saved.size());
    EXPECT_EQ(run.us.median, experiments::summarise(run.total_us).median);
}

TEST_F(SavedRunTest, OfAnEarlierVersionDoesNotCountRepeatedTotals) {
    const SavedRun run = capture::load_saved_run(
        write("frame,algorithm,loop_us,split,plain,total_us\n0,x,1,1,0,90\n1,x,1,0,1,5\n2,x,1,0,1,7\n"));
    EXPECT_EQ(run.total_us, (std::vector<float>{90, 5, 7}));
    EXPECT_EQ(run.us.n, 2U);
    EXPECT_EQ(run.us.median, 6);
}

TEST_F(SavedRunTest, MayHaveHadSeveralAlgorithms) {
    auto saved = frames(8);
    saved[3].algorithm = &compaction::find_algorithm("cpu_loop");
    const SavedRun run = capture::load_saved_run(
        write(capture::frames_csv(saved, compaction::find_algorithm("cpu_sequence_wise"))));
    EXPECT_EQ(run.algorithm, "several");
    EXPECT_EQ(run.total_us.size(), 8U);
}

TEST_F(SavedRunTest, IsASummaryWhenLoadedFromACapture) {
    const SavedRun run = capture::load_saved_run(write(R"({"algorithm": "single_pass", "timings_us": {"total":
                  {"median": 9.5, "q1": 9, "q3": 10, "min": 8.5, "n": 600}}})",
                                                       "capture.json"));
    EXPECT_EQ(run.algorithm, "single_pass");
    EXPECT_TRUE(run.total_us.empty());
    EXPECT_EQ(run.us.median, 9.5);
    EXPECT_EQ(run.us.n, 600U);
}

TEST_F(SavedRunTest, RefusesOtherFilesWithReasonAndRemedy) {
    const std::string good = capture::frames_csv(frames(20), compaction::find_algorithm("cpu_sequence_wise"));
    for (const fs::path& file : {folder_ / "missing.csv", folder_})
        EXPECT_NE(refusal(file).find("cannot be read"), std::string::npos);
    EXPECT_NE(refusal(write("")).find("no column algorithm"), std::string::npos);
    EXPECT_NE(refusal(write("a,b\n1,2\n")).find("no column algorithm"), std::string::npos);
    EXPECT_NE(refusal(write(good.substr(0, good.find('\n') + 1))).find("no frames"), std::string::npos);
    const std::string cut = good.substr(0, good.rfind(','));
    EXPECT_NE(refusal(write(cut.substr(0, cut.rfind(','))))
                  .find("line 21 has 10 of 12 columns; it may be truncated."),
              std::string::npos);
    EXPECT_NE(refusal(write("algorithm,total_us\nx,nan\n")).find("line 2 has an invalid time: \"nan\""),
              std::string::npos);
    EXPECT_NE(
        refusal(write("# warpsieve bench results, format 1\nalgorithm,n\nx,1\n")).find("warpsieve bench"),
        std::string::npos);
    EXPECT_NE(refusal(write("{\"algorithm\": ", "a.json")).find("cut off after 14 bytes"), std::string::npos);
    EXPECT_NE(refusal(write("{\"algorithm\": \"x\"}", "a.json")).find("no complete timings_us.total"),
              std::string::npos);
    EXPECT_NE(refusal(write(R"({"algorithm": "x", "timings_us": {"total":
                  {"median": 0, "q1": 0, "q3": 0, "min": 0, "n": 0}}})",
                            "a.json"))
                  .find("not measured"),
              std::string::npos);
    EXPECT_NE(refusal(write(R"({"algorithm": "x", "timings_us": {"total":
                  {"median": 9, "q1": 10, "q3": 11, "min": 8, "n": 5}}})",
                            "a.json"))
                  .find("timings_us.total: its quartiles are out of order"),
              std::string::npos);
    EXPECT_NE(refusal(write("algorithm,total_us,total_us\nx,1,2\n")).find("column total_us twice"),
              std::string::npos);
    for (const char* const frames : {"1,x,5\n1,x,5\n", "2,x,5\n1,x,5\n", "1,x,5\n-2,x,5\n"}) {
        EXPECT_NE(refusal(write(std::string("frame,algorithm,total_us\n") + frames)).find("line 3 has frame"),
                  std::string::npos);
    }
    EXPECT_NE(refusal(write("\x89PNG\r\n\x1a\n")).find("Choose a CSV"), std::string::npos);
}

/// A ghost and its messages.
class GhostTest : public SavedRunTest {
  protected:
    fs::path good(const std::string& name) const {
        return write(capture::frames_csv(frames(20), compaction::find_algorithm("cpu_sequence_wise")), name);
    }
    std::string messages() { return std::exchange(messages_, {}); }
    bool reports(const std::string& text) { return messages().find(text) != std::string::npos; }

    /// A frame of the window.
    void drop(std::span<const fs::path> dropped) {
        ghost_.open(dropped, shown_);
        ghost_.follow(shown_);
    }

    std::string messages_;
    Ghost ghost_{[this](Severity, const std::string& text) { messages_ += text; }, true};
    fs::path shown_;
};

TEST_F(GhostTest, ShowsADroppedFile) {
    const std::vector dropped{good("run.csv")};
    drop(dropped);
    EXPECT_EQ(shown_, dropped.front());
    ASSERT_NE(ghost_.run(), nullptr);
    EXPECT_EQ(ghost_.run()->name, "run.csv");
    EXPECT_TRUE(reports("run.csv is now the ghost"));
    ghost_.follow(shown_);
    EXPECT_EQ(messages(), "") << "the file is loaded already";
    good("run.csv");
    write("algorithm,total_us\nnewer,5\n", "run.csv");
    drop(dropped);
    EXPECT_EQ(ghost_.run()->algorithm, "newer") << "a file dropped again is read again";
}

TEST_F(GhostTest, KeepsTheRunWhenADroppedFileIsRefused) {
    const fs::path before = good("before.csv");
    const std::vector wrong{write("a,b\n1,2\n", "wrong.csv")};
    const std::vector two{before, good("other.csv")};
    for (const std::vector<fs::path>& dropped : {wrong, two, std::vector{folder_}}) {
        drop(dropped);
        EXPECT_EQ(shown_, fs::path());
        EXPECT_EQ(ghost_.run(), nullptr);
        EXPECT_TRUE(reports(dropped.size() > 1 ? "Drop a single file" : "is not a saved run"));
    }
    drop(std::vector{before});
    drop({});
    drop(wrong);
    EXPECT_EQ(shown_, before);
    EXPECT_EQ(ghost_.run()->name, "before.csv");
}

TEST_F(GhostTest, FollowsTheSettings) {
    Settings settings;
    settings.window.capture_folder = folder_;
    ghost_.save({frames(8), frames(8)}, {}, settings);
    EXPECT_TRUE(reports("Saved 8 frames"));
    std::ifstream saved(settings.window.ghost);
    std::string columns;
    std::getline(saved, columns);
    EXPECT_TRUE(columns.ends_with(",b_total_us,b_kept")) << columns;
    ghost_.follow(settings.window.ghost);
    ASSERT_NE(ghost_.run(), nullptr);
    const fs::path kept = settings.window.ghost;
    settings.window.ghost = "nowhere.csv";
    ghost_.follow(settings.window.ghost);
    EXPECT_TRUE(reports("nowhere.csv is not a saved run"));
    EXPECT_EQ(settings.window.ghost, kept);
    settings.window.ghost.clear();
    ghost_.follow(settings.window.ghost);
    EXPECT_EQ(ghost_.run(), nullptr);
}

TEST_F(GhostTest, IsReadWhileFramesGoOn) {
    Ghost ghost([this](Severity, const std::string& text) { messages_ += text; }, false);
    fs::path file = good("large.csv");
    std::ofstream large(file, std::ios::binary);
    large << capture::frames_csv(frames(50'000), compaction::find_algorithm("cpu_sequence_wise"));
    large.close();
    ghost.follow(file);
    EXPECT_EQ(ghost.run(), nullptr) << "the first frame does not wait";
    while (!ghost.run()) ghost.follow(file);
    EXPECT_EQ(ghost.run()->total_us.size(), 50'000U);
    EXPECT_EQ(messages(), "");
}

TEST_F(GhostTest, OtherThanRegularFilesAreRefusedAtOnce) {
    const fs::path pipe = folder_ / "pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    const fs::path sparse = write("algorithm", "sparse.csv");
    fs::resize_file(sparse, std::uintmax_t{60} << 30);
    for (const fs::path& file : {pipe, sparse, fs::path("/proc/self/mem"), fs::path("/dev/zero")}) {
        fs::path wanted = file;
        ghost_.follow(wanted);
        EXPECT_EQ(wanted, fs::path()) << "the next start does not try again";
        EXPECT_TRUE(reports(file.string() + " is not a saved run")) << file;
    }
    EXPECT_NE(refusal(write(std::string(100'000, '[').insert(0, "{\"a\":"), "deep.json")).find("64 levels"),
              std::string::npos);
}

}  // namespace
}  // namespace warpsieve
