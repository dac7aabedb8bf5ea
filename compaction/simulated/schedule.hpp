#pragma once

#include <cstdint>
#include <string>

/// The choices that a GPU leaves open, fixed by one number, so that a run can be repeated.
namespace compaction::simulated {

/// In which order lanes, warps and blocks run.
enum class Order : std::uint8_t { forward, reverse, random };

/// When a bulk copy takes place.
enum class CopyTime : std::uint8_t {
    at_once,   ///< when it is requested
    late,      ///< when nothing else can run
    shuffled,  ///< at random times, in random order
};

struct Schedule {
    Order order = Order::forward;
    CopyTime copy_time = CopyTime::at_once;
    unsigned multiprocessors = 4;  ///< of the virtual card, 1 to 8
    bool slow_lanes = false;       ///< some lanes reach an mbarrier long after the others of their warp
    std::uint64_t seed = 0;        ///< what `schedule_of` made this schedule from

    static constexpr unsigned max_multiprocessors = 8;
};

/// The schedule of a seed. Seeds 0 to 71 are all combinations of order, copy time and card, and seeds 72 to
/// 143 are these with slow lanes.
constexpr Schedule schedule_of(std::uint64_t seed) {
    return {static_cast<Order>(seed % 3), static_cast<CopyTime>(seed / 3 % 3),
            static_cast<unsigned>((seed / 9 + 3) % Schedule::max_multiprocessors) + 1, seed / 72 % 2 == 1,
            seed};
}

/// The smallest seed of that schedule, plus `turn` times 72: other random choices, with slow lanes where
/// `turn` is odd, otherwise equal.
constexpr std::uint64_t seed_of(Order order, CopyTime copy_time, unsigned multiprocessors,
                                std::uint64_t turn = 0) {
    const unsigned card =
        (multiprocessors + 2 * Schedule::max_multiprocessors - 4) % Schedule::max_multiprocessors;
    return static_cast<std::uint64_t>(order) + 3 * static_cast<std::uint64_t>(copy_time) + 9 * card +
           72 * turn;
}

/// Random numbers that depend on the seed alone.
/// Source: Steele, Lea and Flood 2014, "Fast Splittable Pseudorandom Number Generators" (SplitMix64).
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
        z = (z ^ z >> 27) * 0x94d049bb133111ebU;
        return z ^ z >> 31;
    }
    /// A number below `limit`, which is at least 1.
    unsigned below(unsigned limit) { return static_cast<unsigned>((next() >> 32) * limit >> 32); }

  private:
    std::uint64_t state_;
};

}  // namespace compaction::simulated
