#pragma once

#include <imgui.h>

#include <string>
#include <string_view>
#include <vector>

#include "app/gl/keys.hpp"

namespace warpsieve::panels {

struct Ui;

/// Applies a typed character or Backspace to `query`. Returns whether the event was one of these.
bool edit_query(std::string& query, const gl::KeyEvent& event);

/// Draws `query` with a cursor behind it, or `hint` while it is empty. Elides the hint to `width` pixels.
void draw_query(const Ui& ui, ImVec2 at, float width, std::string_view query, std::string_view hint);

/// Whether `text` contains every word of `query`. Ignores case.
bool has_every_word(std::string_view text, std::string_view query);

/// The words of `text` in lower case.
std::vector<std::string> lower_words(std::string_view text);
std::string lower(std::string_view text);

}  // namespace warpsieve::panels
