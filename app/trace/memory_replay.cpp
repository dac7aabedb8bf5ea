#include "app/trace/memory_replay.hpp"

#include <algorithm>

namespace warpsieve::trace {

bool MemoryReplay::is_kept(std::uint64_t slot) const {
    return slot < kept_.size() && kept_[slot];
}

void MemoryReplay::set_input(std::vector<bool> kept, compaction::Partition parts) {
    kept_ = std::move(kept);
    num_items_ = kept_.size();
    num_kept_ = static_cast<std::uint64_t>(std::ranges::count(kept_, true));
    cell_bits_ = cell_bits_for(num_items_);
    parts_ = std::move(parts);
    if (parts_.known()) {
        part_kept_.assign(parts_.num_parts, 0);
        for (std::uint64_t part = 0; part < parts_.num_parts; ++part) {
            const auto begin = kept_.begin() + static_cast<std::ptrdiff_t>(parts_.begin(part));
            const auto end = kept_.begin() + static_cast<std::ptrdiff_t>(parts_.end(part));
            part_kept_[part] = static_cast<std::uint64_t>(std::count(begin, end, true));
        }
    }
    const std::uint64_t cells = num_cells(num_items_, cell_bits_);
    state_.input.assign(cells, {});
    state_.output.assign(cells, {});
    for (std::uint64_t slot = 0; slot < num_items_; ++slot)
        state_.input[slot >> cell_bits_].kept += kept_[slot] ? 1.0F : 0.0F;
    for (std::uint64_t cell = 0; cell < cells; ++cell)
        state_.input[cell].kept /= static_cast<float>(items_in_cell(cell));
}

std::uint64_t MemoryReplay::items_in_cell(std::uint64_t cell) const {
    const std::uint64_t begin = cell << cell_bits_;
    return std::min(num_items_ - begin, std::uint64_t{1} << cell_bits_);
}

void MemoryReplay::update_phase_and_launch(double time) {
    const auto phase = std::ranges::find_if(
        phases_, [time](const ReplayPhase& each) { return each.begin <= time && time < each.end; });
    state_.phase.reset();
    if (phase != phases_.end()) state_.phase = static_cast<std::size_t>(phase - phases_.begin());
    state_.launch.reset();
    for (std::size_t i = 0; i < launches_.size() && launches_[i].begin <= time; ++i) state_.launch = i;
}

std::uint32_t cell_bits_for(std::uint64_t num_items) {
    std::uint32_t bits = 0;
    while (num_cells(num_items, bits) > max_replay_cells) ++bits;
    return bits;
}

}  // namespace warpsieve::trace
