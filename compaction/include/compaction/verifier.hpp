#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "compaction/algorithm.hpp"
#include "compaction/predicate.hpp"

namespace compaction {

/// By what a result is judged.
enum class Comparison : std::uint8_t {
    in_order,        ///< the kept items, in the order of the input
    as_a_bag,        ///< the kept items in any order: each as often as in the input (told by sums of hashes)
    copy,            ///< every item, at its place
    count,           ///< the number of kept items alone
    exclusive_sums,  ///< at each place the sum of the items before it, modulo 2^32
};

/// The comparison that what an algorithm or step produces must stand.
Comparison comparison_of(const Algorithm& algorithm);

/// What comparing one result with the reference said.
struct Verdict {
    std::uint64_t run = 0;
    std::uint64_t expected_count = 0;
    std::uint64_t actual_count = 0;
    std::optional<std::uint64_t>
        first_wrong;           ///< index into the output; empty where all compared items agree
    Item expected_item = 0;    ///< at `first_wrong`: the first word in which they differ
    Item actual_item = 0;      ///< at `first_wrong`
    bool other_items = false;  ///< compared as a bag: these are not the items that were to be kept

    bool correct() const { return expected_count == actual_count && !first_wrong && !other_items; }

    /// "524,288 items, all in place" or what is wrong and where first.
    std::string describe() const;
};

/// Compares a result with the reference (count, order, content) without stalling: `enqueue` orders the
/// comparison behind the work already enqueued, `poll` hands over the verdict when there is one.
///
/// It shares no code with the algorithms it judges: it ranks every kept item of the input anew, by the
/// plainest means, and looks whether the output holds that item at that rank. Passes over the data: input
/// twice, output once.
class Verifier {
  public:
    virtual ~Verifier() = default;

    /// Does every allocation for streams of up to `max_items`.
    virtual void reserve(std::uint64_t max_items) = 0;

    /// in: [num_items], out: [num_items], num_selected: [1], engine memory, as the step judged left them;
    /// what it leaves alone may be null. Returns false, and does nothing, while the verdict of an earlier
    /// call is still awaited.
    virtual bool enqueue(std::uint64_t run, const void* in, std::uint64_t num_items, const void* out,
                         const std::uint64_t* num_selected, Predicate keep) = 0;

    /// The verdict of the last `enqueue`, once, when it has finished; never waits.
    virtual std::optional<Verdict> poll() = 0;
};

}  // namespace compaction
