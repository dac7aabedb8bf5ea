#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "app/gl/keys.hpp"

namespace warpsieve::panels {

struct Ui;

/// A file or folder that the picker offers.
struct PickerEntry {
    enum class Kind { recent, folder, file };

    Kind kind = Kind::file;
    std::string name;  ///< "..": the parent folder
    std::filesystem::path path;
};

/// The captures that were opened before and still exist, then the parent and the folders in `folder`, then
/// its captures, newest first. A JSON file beside its picture is left out. `problem`: why the folder could
/// not be read; else empty.
std::vector<PickerEntry> picker_entries(const std::vector<std::string>& recent,
                                        const std::filesystem::path& folder, std::string& problem);

/// State of the picker between frames.
struct PickerMemory {
    bool open = false;
    std::filesystem::path folder;
    std::string typed;  ///< text in the field of the folder
    std::vector<PickerEntry> entries;
    std::string problem;
    std::size_t selected = 0;
    std::size_t columns = 1;          ///< number of columns in the last frame
    bool scroll_to_selected = false;  ///< in the next frame
};

/// Opens the picker at the folder of the captures.
void open_picker(Ui& ui);

/// Moves the selection, opens the selected entry or closes the picker.
void handle_picker_key(Ui& ui, const gl::KeyEvent& event);

/// Draws the picker above everything while it is open.
void draw_picker(Ui& ui);

}  // namespace warpsieve::panels
