// The window in which a capture is picked.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "app/panels/capture_picker.hpp"
#include "platform/files.hpp"
#include "tests/app/panels/interface_fixture.hpp"

namespace warpsieve {
namespace {

namespace fs = std::filesystem;
using panels::PickerEntry;

class PickerTest : public InterfaceTest {
  protected:
    PickerTest() {
        fs::create_directory(folder_.path() / "older");
        int age = 0;
        for (const char* name :
             {"new.png", "new.json", "middle.json", "old.png", ".hidden.png", "notes.txt"}) {
            const fs::path file = folder_.path() / name;
            std::ofstream(file) << "{}";
            fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(++age));
        }
        machine_.settings.window.capture_folder = folder_.path();
    }
    std::string path_of(const char* name) const { return (folder_.path() / name).string(); }

    platform::TemporaryFolder folder_;
};

TEST_F(PickerTest, OffersRecentCapturesFoldersAndNewFilesFirst) {
    std::string problem;
    std::vector<std::string> names;
    for (const PickerEntry& entry :
         panels::picker_entries({path_of("old.png"), "/gone/away.png"}, folder_.path(), problem))
        names.push_back(entry.name);
    EXPECT_EQ(names,
              (std::vector<std::string>{"old.png", "..", "older", "new.png", "middle.json", "old.png"}));
    EXPECT_EQ(problem, "");
    panels::picker_entries({}, folder_.path() / "no such folder", problem);
    EXPECT_NE(problem, "");
}

TEST_F(PickerTest, OpensAFileByMouseAndByKeys) {
    machine_.settings.window.recent = {path_of("old.png")};
    frame();
    press(GLFW_KEY_O, true);
    EXPECT_EQ(click(point_of("file: middle.json")).open, path_of("middle.json"));
    frame();
    EXPECT_FALSE(has_control("picker"));
    press(GLFW_KEY_O, true);
    EXPECT_EQ(press(GLFW_KEY_ENTER).open, path_of("old.png"));
    press(GLFW_KEY_O, true);
    click(point_of("file: older"));
    frame();
    EXPECT_FALSE(has_control("file: new.png"));
    press(GLFW_KEY_BACKSPACE);
    frame();
    EXPECT_TRUE(has_control("file: new.png"));
    press(GLFW_KEY_ESCAPE);
    EXPECT_FALSE(has_control("picker"));
}

TEST_F(PickerTest, OpensWherePicturesAreSavedWithoutASetting) {
    const fs::path before = fs::current_path();
    fs::create_directory(folder_.path() / "captures");
    std::ofstream(folder_.path() / "captures" / "saved.png") << "{}";
    fs::current_path(folder_.path());
    machine_.settings.window.capture_folder.clear();
    frame();
    press(GLFW_KEY_O, true);
    frame();
    EXPECT_TRUE(has_control("file: saved.png"));
    fs::current_path(before);
}

TEST_F(PickerTest, AsksForTheThumbnailsInSight) {
    frame();
    press(GLFW_KEY_O, true);
    EXPECT_EQ(frame().thumbnails, (std::vector<std::string>{path_of("new.png"), path_of("old.png")}));
    machine_.snapshot.thumbnails.pictures[path_of("new.png")] = {0, 0, 0.1F, 0.1F, 160, 90};
    EXPECT_EQ(frame().thumbnails, std::vector<std::string>{path_of("old.png")});
}

}  // namespace
}  // namespace warpsieve
