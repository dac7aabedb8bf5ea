#pragma once

#include <cstdint>

/// A seed fixes all choices that a GPU leaves open, so that a run on the simulated GPU can be repeated.
/// `open_engine(EngineId::simulated, seed)` opens a simulated GPU.
namespace compaction::simulated {

/// In which order lanes, warps and blocks run.
enum class Order : std::uint8_t {
    forward,  ///< from the first to the last
    reverse,  ///< from the last to the first
    random,   ///< in random order
    /// Lanes that others wait for run last. Otherwise, warps have random priorities and run as long as they
    /// can; at a few random moments, the running one falls behind all others. Source: Musuvathi and Qadeer
    /// 2007, "Iterative Context Bounding for Systematic Testing of Multithreaded Programs" (CHESS);
    /// Burckhardt et al. 2010, "A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs".
    adversarial,
};

/// When a bulk copy is performed.
enum class CopyTime : std::uint8_t {
    at_once,   ///< when it is requested
    late,      ///< when nothing else can run
    shuffled,  ///< at random times, in random order
};

/// The choices that a seed stands for.
struct Schedule {
    Order order = Order::forward;            ///< the order of lanes, warps and blocks
    CopyTime copy_time = CopyTime::at_once;  ///< when bulk copies complete
    unsigned multiprocessors = 4;            ///< multiprocessors of the simulated GPU, 1 to 8
    /// Some lanes reach mbarriers and atomic stores long after the others of their warp.
    bool slow_lanes = false;
    unsigned preemptions = 0;  ///< in each launch, in the adversarial order
    std::uint64_t seed = 0;    ///< the seed from which `schedule_of` made this schedule

    static constexpr unsigned max_multiprocessors = 8;  ///< limit of the simulated GPU
};

/// The schedule of a seed. Seeds 0 to 71 are all combinations of order, copy time and number of
/// multiprocessors, and seeds 72 to 143 are these with slow lanes. Seeds 144 to 287 are these 144 in
/// the adversarial order, with 1, 4 or 16 preemptions instead of the three orders.
constexpr Schedule schedule_of(std::uint64_t seed) {
    const bool is_adversarial = seed / 144 % 2 == 1;
    return {is_adversarial ? Order::adversarial : static_cast<Order>(seed % 3),
            static_cast<CopyTime>(seed / 3 % 3),
            static_cast<unsigned>((seed / 9 + 3) % Schedule::max_multiprocessors) + 1,
            seed / 72 % 2 == 1,
            is_adversarial ? 1U << 2 * (seed % 3) : 0,
            seed};
}

/// The smallest seed of that schedule. A higher `turn` gives a seed of the same schedule with other random
/// choices; lanes are slow if `turn` is odd. In the adversarial order, the schedule has one preemption.
constexpr std::uint64_t seed_of(Order order, CopyTime copy_time, unsigned multiprocessors,
                                std::uint64_t turn = 0) {
    const unsigned multiprocessors_code =
        (multiprocessors + 2 * Schedule::max_multiprocessors - 4) % Schedule::max_multiprocessors;
    const bool is_adversarial = order == Order::adversarial;
    const std::uint64_t choice = is_adversarial ? 0 : static_cast<std::uint64_t>(order);
    return choice + 3 * static_cast<std::uint64_t>(copy_time) + 9 * multiprocessors_code + 72 * (turn % 2) +
           144 * (2 * (turn / 2) + (is_adversarial ? 1 : 0));
}

/// The `turn` for which `seed_of` returns this seed.
constexpr std::uint64_t turn_of(std::uint64_t seed) {
    return 2 * (seed / 288) + seed / 72 % 2;
}

}  // namespace compaction::simulated
