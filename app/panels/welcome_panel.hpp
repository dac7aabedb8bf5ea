#pragma once

#include <cstddef>

#include "app/panels/ui.hpp"

/// The welcome card: what the scene shows, with buttons for slow motion and the tour. It is shown on a first
/// start, until it is closed or another view is shown.
namespace warpsieve::panels {

bool is_welcome_open(const Memory& memory, const Snapshot& snapshot);

/// Height of the card above a view of that size, in pixels.
int welcome_height(const plots::Style& style, gl::PixelSize area);

/// The number of words on the card; a test keeps it small.
std::size_t words_of_welcome();

void draw_welcome(Ui& ui, const gl::Rectangle& panel);

}  // namespace warpsieve::panels
