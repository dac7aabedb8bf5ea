#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/kernel_view/replay.hpp"
#include "app/kernel_view/warp_view.hpp"
#include "app/panels/ui.hpp"

namespace warpsieve::panels {

/// The colour of a mark in the timeline, and of what belongs to it elsewhere.
ImU32 colour_of_mark(const plots::Palette& palette, kernel_view::Mark mark);

/// The steps of a launch, a row for each warp or for several.
class KernelTimeline {
  public:
    struct Result {
        float bottom = 0;                     ///< of what is drawn
        std::optional<std::size_t> step{};    ///< clicked or dragged to
        std::optional<std::uint32_t> warp{};  ///< whose name is clicked; an index in the launch
    };
    /// Draws the timeline of the launch of the step, in which `warp` is shown.
    Result draw(Ui& ui, kernel_view::Replay& replay, kernel_view::Order order, std::size_t step,
                std::uint32_t warp, const Rect& box);
    /// Forgets the trace.
    void clear() { *this = {}; }

  private:
    void draw_marks(const Ui& ui, const Rect& box) const;
    std::optional<std::uint32_t> draw_names(Ui& ui, const kernel_view::Events& events,
                                            const kernel_view::State& state, std::uint32_t shown_warp,
                                            bool has_states, const Rect& box) const;

    // The cells are computed again when one of these changes.
    std::uint32_t launch_ = kernel_view::none;
    kernel_view::Order order_ = kernel_view::Order::warps;
    std::size_t rows_ = 0;
    std::size_t columns_ = 0;
    kernel_view::StepRange range_;          ///< steps of the launch
    std::vector<kernel_view::Mark> cells_;  ///< [rows_ * columns_]
};

}  // namespace warpsieve::panels
