#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/kernel_view/memory_map.hpp"
#include "app/panels/ui.hpp"

namespace warpsieve::panels {

/// The hue of a warp of a block, as a fill for text in Palette::text. Its number stands beside it.
ImU32 colour_of_warp(const Ui& ui, std::uint32_t warp);

/// Shared memory, buffers, barriers and status words of a launch, and what the step does with them.
class KernelMemory {
  public:
    /// Forgets the trace.
    void clear() { *this = {}; }
    /// Takes the memory after a step. `warp`: the warp shown, whose block's shared memory is shown.
    void update(kernel_view::Replay& replay, kernel_view::Order order, std::size_t step, std::uint32_t warp);
    /// Draws the memory. `followed`: words with this value have a frame. Returns the event that wrote the
    /// word that is clicked.
    std::optional<std::uint32_t> draw(Ui& ui, const kernel_view::Events& events,
                                      std::optional<std::uint64_t> followed, const Rect& box);

  private:
    class Chips;
    struct Grid {
        kernel_view::MemoryArea area;
        std::vector<kernel_view::MapWord> words;  ///< [area.num_words]
    };

    static std::string title_of(const Grid& grid);
    float draw_barriers(Ui& ui, ImVec2 low, float right);
    float draw_status_words(Ui& ui, const kernel_view::Events& events, ImVec2 low, float right);
    float draw_grid(Ui& ui, const kernel_view::Events& events, const Grid& grid, ImVec2 low,
                    const Rect& visible);
    void draw_line(Ui& ui, const kernel_view::Events& events, const Grid& grid,
                   std::span<const kernel_view::MapWord> words, const Rect& line, const Rect& visible);
    void draw_words(const Ui& ui, const kernel_view::MemoryArea& area,
                    std::span<const kernel_view::MapWord> words, const Rect& row) const;
    /// Scrolls to `y` if the step accesses something there that is not visible.
    void note_touched(float y, float height);
    void offer_word(Ui& ui, const kernel_view::Events& events, const Grid& grid, std::uint32_t word,
                    const Rect& cell);

    std::uint32_t launch_ = kernel_view::none;
    std::uint32_t block_ = 0;
    std::uint32_t warps_per_block_ = 1;
    std::vector<Grid> grids_;
    std::vector<kernel_view::BarrierState> barriers_;
    std::vector<kernel_view::StatusWord> status_;
    std::optional<std::uint64_t> followed_;  ///< in this frame
    bool is_new_ = false;                    ///< the step has changed since it was drawn
    std::optional<float> touched_y_;         ///< of the first word that the step accesses, in this frame
    std::optional<std::uint32_t> clicked_;   ///< in this frame
};

}  // namespace warpsieve::panels
