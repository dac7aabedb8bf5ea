#include "compaction/verifier.hpp"

namespace compaction {

Comparison comparison_of(const Algorithm& algorithm) {
    switch (algorithm.operation) {
        case Operation::compaction:
            return algorithm.stable ? Comparison::in_order : Comparison::any_order;
        case Operation::copy:
            return Comparison::copy;
        case Operation::count:
            return Comparison::count;
        case Operation::scan:
            return Comparison::exclusive_sums;
    }
    return Comparison::in_order;
}

std::string Verdict::describe() const {
    if (correct()) return std::to_string(actual_count) + " items, as in the reference";
    std::string what;
    if (expected_count != actual_count) {
        what = "kept " + std::to_string(actual_count) + " items, the reference keeps " +
               std::to_string(expected_count);
    }
    if (first_wrong) {
        what += (what.empty() ? "" : "; ") + ("first wrong at output index " + std::to_string(*first_wrong)) +
                ": word " + std::to_string(actual_item) + " instead of " + std::to_string(expected_item);
    }
    if (other_items)
        what += std::string(what.empty() ? "" : "; ") + "the items differ from those of the reference";
    return what;
}

}  // namespace compaction
