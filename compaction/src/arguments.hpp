#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "compaction/algorithm.hpp"

namespace compaction {

/// The arguments of Compactor::enqueue, and what they have to agree with.
struct Arguments {
    const void* in;
    std::uint64_t num_items;
    const void* out;
    const std::uint64_t* num_selected;
    std::uint64_t reserved_items;
    ItemSize item_size;
    Operation operation;

    bool selects() const { return operation == Operation::compaction || operation == Operation::count; }
    bool writes() const { return operation != Operation::count; }

    bool lack_a_count() const { return selects() && !num_selected; }
    bool are_too_long() const { return num_items > reserved_items; }
    bool lack_memory() const { return num_items > 0 && (!in || (writes() && !out)); }
    bool are_misaligned() const {
        const auto address = [](const void* place) { return reinterpret_cast<std::uintptr_t>(place); };
        const std::uintptr_t items = num_items > 0 ? address(in) | (writes() ? address(out) : 0) : 0;
        const std::uintptr_t count = selects() ? address(num_selected) : 0;
        return (items & (bytes_of(item_size) - 1)) != 0 || count % alignof(std::uint64_t) != 0;
    }
    bool overlap() const {
        // std::less orders pointers into different arrays, which operator< does not promise.
        const std::less<const std::byte*> before;
        const std::size_t size_bytes = num_items * bytes_of(item_size);
        const auto* const in_bytes = static_cast<const std::byte*>(in);
        const auto* const out_bytes = static_cast<const std::byte*>(out);
        return writes() && before(in_bytes, out_bytes + size_bytes) &&
               before(out_bytes, in_bytes + size_bytes);
    }
    bool have_the_count_within() const {
        const std::less<const void*> before;
        const std::size_t size_bytes = num_items * bytes_of(item_size);
        const auto within = [&](const void* items) {
            return before(num_selected, static_cast<const std::byte*>(items) + size_bytes) &&
                   before(items, num_selected + 1);
        };
        return selects() && (within(in) || (writes() && within(out)));
    }
};

/// Throws Error{invalid_argument} that says what is wrong with them.
[[noreturn]] void refuse_arguments(const void* in, std::uint64_t num_items, const void* out,
                                   const std::uint64_t* num_selected, std::uint64_t reserved_items,
                                   ItemSize item_size, Operation operation);

/// Throws Error{invalid_argument} unless the arguments of Compactor::enqueue keep its contract for that
/// problem and size of items. In line, as a short stream takes no longer than a call or two.
inline void check_arguments(const void* in, std::uint64_t num_items, const void* out,
                            const std::uint64_t* num_selected, std::uint64_t reserved_items,
                            ItemSize item_size = ItemSize::bytes_4,
                            Operation operation = Operation::compaction) {
    const Arguments arguments{in, num_items, out, num_selected, reserved_items, item_size, operation};
    if (arguments.lack_a_count() || arguments.are_too_long() || arguments.lack_memory() ||
        arguments.are_misaligned() || arguments.overlap() || arguments.have_the_count_within()) [[unlikely]] {
        refuse_arguments(in, num_items, out, num_selected, reserved_items, item_size, operation);
    }
}

/// Throws Error{invalid_argument} where `num_items` is over Algorithm::max_items.
void check_length(const Algorithm& algorithm, std::uint64_t num_items);

}  // namespace compaction
