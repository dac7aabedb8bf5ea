#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/gl/keys.hpp"

namespace warpsieve::panels {

struct Ui;

/// Something that the palette finds by name.
struct Command {
    std::string name;    ///< "theme: light"
    std::string detail;  ///< id, key or range, muted
    std::function<void(Ui& ui)> act;
    std::string key = {};  ///< key of a setting that takes a typed number; empty: none
};

/// The commands that match every word of `query`, best first. Ignores case. A name that begins with the query
/// comes before one with a word that does, and that before all others.
std::vector<const Command*> matches(const std::vector<Command>& commands, std::string_view query);

/// State of the palette between frames.
struct PaletteMemory {
    bool open = false;
    std::string query;
    std::size_t selected = 0;
    std::vector<Command> commands;  ///< while it is open
};

/// Every control, algorithm, view, lab, preset and shortcut.
std::vector<Command> all_commands(const Ui& ui);

void open_palette(Ui& ui);

/// Edits the query, moves the selection, runs a command or closes the palette.
void palette_key(Ui& ui, const gl::KeyEvent& event);

/// Draws the palette above everything while it is open.
void draw_palette(Ui& ui);

}  // namespace warpsieve::panels
