#include "arguments.hpp"

#include <cstddef>
#include <functional>
#include <string>

#include "compaction/error.hpp"

namespace compaction {

void check_arguments(const void* in, std::uint64_t num_items, const void* out,
                     const std::uint64_t* num_selected, std::uint64_t reserved_items, ItemSize item_size,
                     Problem problem) {
    const auto refuse = [](const std::string& why) { throw Error(ErrorCode::invalid_argument, why); };
    const bool selects = problem == Problem::compaction || problem == Problem::count;
    if (selects && !num_selected) refuse("num_selected is null; it must point to one 64-bit count.");
    if (num_items > reserved_items) {
        refuse("The stream has " + std::to_string(num_items) + " items but " +
               std::to_string(reserved_items) +
               " were reserved. Call reserve with the longest stream first.");
    }
    if (num_items == 0) return;
    const bool writes = problem != Problem::count;
    if (!in || (writes && !out)) {
        refuse("in or out is null; both must point to num_items items of this engine's memory.");
    }
    // std::less orders pointers into different arrays, which operator< does not promise.
    const std::less<const std::byte*> before;
    const std::size_t size_bytes = num_items * bytes_of(item_size);
    const auto* const in_bytes = static_cast<const std::byte*>(in);
    const auto* const out_bytes = static_cast<const std::byte*>(out);
    if (writes && before(in_bytes, out_bytes + size_bytes) && before(out_bytes, in_bytes + size_bytes)) {
        refuse("in and out overlap; give out memory of its own.");
    }
}

void check_length(const Algorithm& algorithm, std::uint64_t num_items) {
    if (num_items <= algorithm.max_items) return;
    throw Error(ErrorCode::invalid_argument,
                algorithm.id + " takes up to " + std::to_string(algorithm.max_items) + " items, not " +
                    std::to_string(num_items) + ". Choose a shorter stream or another algorithm.");
}

}  // namespace compaction
