#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/gl/keys.hpp"

namespace warpsieve::panels {

struct Ui;

/// An entry of the palette.
struct Command {
    std::string name;    ///< "theme: light"
    std::string detail;  ///< id, key or range, muted
    std::function<void(Ui& ui)> act;
    std::string setting_key = {};  ///< the setting that takes a typed number; empty: none
};

/// The commands that match every word of `query`, best first. Ignores case. Names that begin with
/// the query come first, then names with a word that begins with it, then other names with it, then the
/// commands that other programs call so, then those with the words in their details.
std::vector<const Command*> matches(const std::vector<Command>& commands, std::string_view query);

/// State of the palette between frames.
struct PaletteMemory {
    bool open = false;
    std::string query;
    std::size_t selected = 0;
    std::vector<Command> commands;  ///< filled when the palette opens
};

/// Every control, algorithm, view, lab, preset and shortcut.
std::vector<Command> all_commands(const Ui& ui);

void open_palette(Ui& ui);

/// Edits the query, moves the selection, runs a command or closes the palette.
void palette_key(Ui& ui, const gl::KeyEvent& event);

/// Draws the palette above everything while it is open.
void draw_palette(Ui& ui);

}  // namespace warpsieve::panels
