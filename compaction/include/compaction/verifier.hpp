#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "compaction/algorithm.hpp"
#include "compaction/predicate.hpp"

namespace compaction {

/// How a result is compared with the reference.
enum class Comparison : std::uint8_t {
    in_order,        ///< the kept items, in the order of the input
    any_order,       ///< the kept items in any order (compares sums of hashes)
    copy,            ///< every item, at its position
    count,           ///< only the number of kept items
    exclusive_sums,  ///< at each position the sum of the items before it, modulo 2^32
};

/// The comparison that the results of an algorithm or step must pass.
Comparison comparison_of(const Algorithm& algorithm);

/// The outcome of comparing one result with the reference.
struct Verdict {
    std::uint64_t run = 0;                     ///< the number given to Verifier::enqueue
    std::uint64_t expected_count = 0;          ///< items in the reference
    std::uint64_t actual_count = 0;            ///< items in the result
    std::optional<std::uint64_t> first_wrong;  ///< index into the output; nullopt if compared items agree
    Item expected_item = 0;                    ///< at `first_wrong`: the first word that differs
    Item actual_item = 0;                      ///< at `first_wrong`: the same word of the result
    bool other_items = false;                  ///< with Comparison::any_order: whether the items differ

    /// Whether the result equals the reference.
    bool correct() const { return expected_count == actual_count && !first_wrong && !other_items; }

    /// One line: "524288 items, as in the reference", or the error and where it first occurs.
    std::string describe() const;
};

/// Compares a result with the reference (count, order, content) without waiting. `enqueue` orders the
/// comparison behind the work already enqueued; `poll` returns the verdict when it is ready.
///
/// It shares no code with the algorithms: it ranks every kept item of the input again, by the simplest means,
/// and checks that the output holds that item at that rank. Passes over the data: input twice, output once.
class Verifier {
  public:
    virtual ~Verifier() = default;

    /// Makes every allocation needed for streams of up to `max_items`. Does nothing if they fit already.
    /// Throws Error{out_of_memory}; then reserve again before the next call.
    virtual void reserve(std::uint64_t max_items) = 0;

    /// Enqueues a comparison. in: [num_items], out: [num_items], num_selected: [1], engine memory, as the
    /// algorithm left them; pointers that its operation ignores may be null. Returns false and does nothing
    /// while the verdict of an earlier call is unread. Throws Error{invalid_argument} for more items than
    /// reserved.
    virtual bool enqueue(std::uint64_t run, const void* in, std::uint64_t num_items, const void* out,
                         const std::uint64_t* num_selected, Predicate keep) = 0;

    /// Returns the verdict of the last `enqueue` once, when it is ready. Never waits.
    virtual std::optional<Verdict> poll() = 0;
};

}  // namespace compaction
