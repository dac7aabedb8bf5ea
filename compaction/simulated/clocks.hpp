#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

/// Vector clocks of lanes, for the happens-before relation. The clock of a lane holds, for every actor of the
/// grid, the last epoch of that actor that happened before the lane's next operation. Lanes that met at a
/// barrier share most of their clocks. Source: Flanagan and Freund 2009, "FastTrack: Efficient and Precise
/// Dynamic Race Detection"; Eizenberg et al. 2017, "BARRACUDA: Binary-level Analysis of Runtime RAces in CUDA
/// programs".
namespace compaction::simulated {

/// A stretch of an actor's operations that ends with a release. An actor's epochs are numbered from 1.
using Epoch = std::uint32_t;
/// The epoch of each actor of a block: its lanes, then its copies.
using Epochs = std::vector<Epoch>;
/// The part of a clock for one block. Null: all epochs are 0.
using BlockPart = std::shared_ptr<const Epochs>;
/// The parts of a clock by block. Null: none.
using BlockParts = std::shared_ptr<const std::map<unsigned, BlockPart>>;

inline BlockPart joined(const BlockPart& a, const BlockPart& b) {
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

inline BlockParts joined(const BlockParts& a, const BlockParts& b) {
    if (a == b || !b) return a;
    if (!a) return b;
    std::map<unsigned, BlockPart> both = *a;
    for (const auto& [block, part] : *b) {
        BlockPart& joined_part = both[block];
        joined_part = joined(joined_part, part);
    }
    return std::make_shared<const std::map<unsigned, BlockPart>>(std::move(both));
}

struct Clock {
    BlockPart own;      ///< the part of the actor's own block
    BlockParts others;  ///< the parts of other blocks
    BlockPart fenced;   ///< `own` as of the last proxy fence, which is what bulk copies see

    void join(const Clock& other) {
        own = joined(own, other.own);
        fenced = joined(fenced, other.fenced);
        others = joined(others, other.others);
    }
};

/// The clock of an mbarrier. Each arrival joins the clock of the arriving actor to it.
class BarrierClock {
  public:
    /// `actor`: the actor that arrives; `epoch`: its current epoch.
    void arrive(const Clock& clock, unsigned actor, Epoch epoch, std::size_t num_actors) {
        epochs_.resize(num_actors);
        if (clock.own && clock.own != last_joined_) {
            std::transform(epochs_.begin(), epochs_.end(), clock.own->begin(), epochs_.begin(),
                           [](Epoch i, Epoch j) { return std::max(i, j); });
            last_joined_ = clock.own;
        }
        epochs_[actor] = std::max(epochs_[actor], epoch);
        others_ = joined(others_, clock.others);
        fenced_ = joined(fenced_, clock.fenced);
    }
    void complete() { last_phase_ = {std::make_shared<const Epochs>(epochs_), others_, fenced_}; }
    /// The clock of everything that happened before the last completed phase ended.
    const Clock& last_phase() const { return last_phase_; }

  private:
    Epochs epochs_;
    BlockPart last_joined_;
    BlockParts others_;
    BlockPart fenced_;
    Clock last_phase_;
};

}  // namespace compaction::simulated
