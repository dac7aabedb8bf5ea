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
    std::string detail;  ///< id, key or range; drawn in a muted colour
    std::function<void(Ui& ui)> act;
    std::string setting_key = {};  ///< the setting whose value is typed behind the name; empty: calls `act`
};

/// The commands that match every word of `query`, best first. Ignores case. First come names that contain all
/// words, then names that do so together with the synonyms of other programs, then commands with words in
/// their details. Within each group, names that begin with the first word of the query come first, then names
/// in which another word begins with it.
std::vector<const Command*> matching_commands(const std::vector<Command>& commands, std::string_view query);

/// State of the palette between frames.
struct PaletteMemory {
    bool open = false;
    std::string query;
    std::size_t selected = 0;
    std::vector<Command> commands;  ///< filled when the palette opens
};

/// A command for every control, algorithm, view, lab, preset and shortcut.
std::vector<Command> all_commands(const Ui& ui);

void open_palette(Ui& ui);

/// Edits the query, moves the selection, runs a command or closes the palette.
void handle_palette_key(Ui& ui, const gl::KeyEvent& event);

/// Draws the palette above everything while it is open.
void draw_palette(Ui& ui);

}  // namespace warpsieve::panels
