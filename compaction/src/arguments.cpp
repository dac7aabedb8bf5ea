#include "arguments.hpp"

#include <functional>
#include <string>

#include "compaction/error.hpp"

namespace compaction {

void check_arguments(const Item* in, std::uint64_t num_items, const Item* out,
                     const std::uint64_t* num_selected, std::uint64_t max_items) {
    const auto refuse = [](const std::string& why) { throw Error(ErrorCode::invalid_argument, why); };
    if (!num_selected) refuse("num_selected is null; it must point to one 64-bit count.");
    if (num_items > max_items) {
        refuse("The stream has " + std::to_string(num_items) + " items but " + std::to_string(max_items) +
               " were reserved. Call reserve with the longest stream first.");
    }
    if (num_items == 0) return;
    if (!in || !out) refuse("in or out is null; both must point to num_items items of this engine's memory.");
    // std::less orders pointers into different arrays, which operator< does not promise.
    const std::less<const Item*> before;
    if (before(in, out + num_items) && before(out, in + num_items)) {
        refuse("in and out overlap; give out memory of its own.");
    }
}

}  // namespace compaction
