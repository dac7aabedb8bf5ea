#include "arguments.hpp"

#include <string>

#include "compaction/error.hpp"

namespace compaction {

void refuse_arguments(const void* in, std::uint64_t num_items, const void* out,
                      const std::uint64_t* num_selected, std::uint64_t reserved_items, ItemSize item_size,
                      Operation operation) {
    const Arguments arguments{in, num_items, out, num_selected, reserved_items, item_size, operation};
    const auto refuse = [](const std::string& why) { throw Error(ErrorCode::invalid_argument, why); };
    if (arguments.lack_a_count()) refuse("num_selected is null; it must point to one 64-bit count.");
    if (arguments.are_too_long()) {
        refuse("The stream has " + std::to_string(num_items) + " items but " +
               std::to_string(reserved_items) +
               " were reserved. Call reserve with the longest stream first.");
    }
    if (arguments.lack_memory()) {
        refuse("in or out is null; both must point to num_items items of this engine's memory.");
    }
    if (arguments.are_misaligned()) {
        refuse("in, out or num_selected is misaligned: items must be aligned to their " +
               std::to_string(bytes_of(item_size)) + " bytes, and the count to its 8.");
    }
    if (arguments.overlap()) refuse("in and out overlap; give out memory of its own.");
    throw Error(ErrorCode::invalid_argument,
                "num_selected lies within in or out; give it memory of its own.");
}

void check_length(const Algorithm& algorithm, std::uint64_t num_items) {
    if (num_items <= algorithm.max_items) return;
    throw Error(ErrorCode::invalid_argument,
                algorithm.id + " takes up to " + std::to_string(algorithm.max_items) + " items, not " +
                    std::to_string(num_items) + ". Choose a shorter stream or another algorithm.");
}

}  // namespace compaction
