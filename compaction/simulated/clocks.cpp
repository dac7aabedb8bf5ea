#include "simulated/clocks.hpp"

#include <algorithm>

namespace compaction::simulated {

BlockPart joined(const BlockPart& a, const BlockPart& b) {
    if (a == b || !b) return a;
    if (!a) return b;
    const auto is_less = [](const Epochs& x, const Epochs& y) {
        return std::equal(x.begin(), x.end(), y.begin(), [](Epoch i, Epoch j) { return i <= j; });
    };
    if (is_less(*b, *a)) return a;
    if (is_less(*a, *b)) return b;
    Epochs both = *a;
    std::transform(both.begin(), both.end(), b->begin(), both.begin(),
                   [](Epoch i, Epoch j) { return std::max(i, j); });
    return std::make_shared<const Epochs>(std::move(both));
}

BlockParts joined(const BlockParts& a, const BlockParts& b) {
    if (a == b || !b) return a;
    if (!a) return b;
    std::map<unsigned, BlockPart> both = *a;
    for (const auto& [block, part] : *b) {
        BlockPart& mine = both[block];
        mine = joined(mine, part);
    }
    return std::make_shared<const std::map<unsigned, BlockPart>>(std::move(both));
}

void BarrierClock::arrive(const Clock& clock, unsigned actor, Epoch epoch, std::size_t num_actors) {
    epochs_.resize(num_actors);
    if (clock.own && clock.own != last_) {
        std::transform(epochs_.begin(), epochs_.end(), clock.own->begin(), epochs_.begin(),
                       [](Epoch i, Epoch j) { return std::max(i, j); });
        last_ = clock.own;
    }
    epochs_[actor] = std::max(epochs_[actor], epoch);
    others_ = joined(others_, clock.others);
    fenced_ = joined(fenced_, clock.fenced);
}

}  // namespace compaction::simulated
