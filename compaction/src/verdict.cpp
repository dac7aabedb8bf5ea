#include "compaction/verifier.hpp"

namespace compaction {

std::string Verdict::describe() const {
    if (correct()) return std::to_string(actual_count) + " items, all in place";
    std::string what;
    if (expected_count != actual_count) {
        what = "kept " + std::to_string(actual_count) + " items, the reference keeps " +
               std::to_string(expected_count);
    }
    if (first_wrong) {
        what += (what.empty() ? "" : "; ") + ("first wrong at output index " + std::to_string(*first_wrong)) +
                ": " + std::to_string(actual_item) + " instead of " + std::to_string(expected_item);
    }
    return what;
}

}  // namespace compaction
