#include "compaction/compactor.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <string>

#include "compaction/error.hpp"
#include "phases.hpp"

namespace compaction {
namespace {

/// The arguments of Compactor::enqueue and the contract they must keep.
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
    std::size_t size_bytes() const { return num_items * bytes_of(item_size); }

    bool lack_a_count() const { return selects() && !num_selected; }
    bool are_too_long() const { return num_items > reserved_items; }
    bool lack_memory() const { return num_items > 0 && (!in || (writes() && !out)); }
    bool are_misaligned() const {
        const auto address = [](const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); };
        const std::uintptr_t items = num_items > 0 ? address(in) | (writes() ? address(out) : 0) : 0;
        const std::uintptr_t count = selects() ? address(num_selected) : 0;
        return (items & (bytes_of(item_size) - 1)) != 0 || count % alignof(std::uint64_t) != 0;
    }
    bool overlap() const {
        // std::less orders pointers into different arrays; operator< does not.
        const std::less<const std::byte*> before;
        const auto* const in_bytes = static_cast<const std::byte*>(in);
        const auto* const out_bytes = static_cast<const std::byte*>(out);
        return writes() && before(in_bytes, out_bytes + size_bytes()) &&
               before(out_bytes, in_bytes + size_bytes());
    }
    bool have_the_count_within() const {
        const std::less<const void*> before;
        const auto within = [&](const void* items) {
            return before(num_selected, static_cast<const std::byte*>(items) + size_bytes()) &&
                   before(items, num_selected + 1);
        };
        return selects() && (within(in) || (writes() && within(out)));
    }
    bool are_valid() const {
        return !lack_a_count() && !are_too_long() && !lack_memory() && !are_misaligned() && !overlap() &&
               !have_the_count_within();
    }
};

/// Throws Error{invalid_argument}, which names the broken rule.
[[noreturn]] void refuse(const Arguments& arguments) {
    const auto refuse_because = [](const std::string& why) { throw Error(ErrorCode::invalid_argument, why); };
    if (arguments.lack_a_count()) refuse_because("num_selected is null; it must point to one 64-bit count.");
    if (arguments.are_too_long()) {
        refuse_because("The stream has " + std::to_string(arguments.num_items) + " items but " +
                       std::to_string(arguments.reserved_items) +
                       " were reserved. Call reserve with the longest stream first.");
    }
    if (arguments.lack_memory()) {
        refuse_because("in or out is null; both must point to num_items items of this engine's memory.");
    }
    if (arguments.are_misaligned()) {
        refuse_because("in, out or num_selected is misaligned: items must be aligned to " +
                       std::to_string(bytes_of(arguments.item_size)) + " bytes, and the count to 8.");
    }
    if (arguments.overlap()) refuse_because("in and out overlap; give them separate memory.");
    throw Error(ErrorCode::invalid_argument, "num_selected lies within in or out; give it separate memory.");
}

}  // namespace

Partition Compactor::partition(std::uint64_t num_items) const {
    return unknown_partition(num_items, "The algorithm does not describe its partition.");
}

void Compactor::reserve(std::uint64_t max_items) {
    if (algorithm_ && max_items > algorithm_->max_items) {
        throw Error(ErrorCode::invalid_argument, algorithm_->id + " takes up to " +
                                                     std::to_string(algorithm_->max_items) + " items, not " +
                                                     std::to_string(max_items) +
                                                     ". Choose a shorter stream or another algorithm.");
    }
    if (has_reserved_ && max_items <= reserved_items_) return;
    has_reserved_ = false;
    reserved_items_ = 0;  // the old memory is freed before the allocation, which may fail
    try {
        do_reserve(max_items);
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::out_of_memory,
                    "The system refused the working memory for " + std::to_string(max_items) +
                        " items. Choose a shorter stream, close other programs or raise the memory limit.");
    }
    reserved_items_ = max_items;
    has_reserved_ = true;
}

// Both calls are tail calls, and the usual check has a constant operation, because saving even one register
// here slows short streams. Timed runs take the longer path.
void Compactor::enqueue(const void* in, std::uint64_t num_items, void* out, std::uint64_t* num_selected,
                        Predicate keep, PhaseRecorder* recorder) {
    const Arguments of_compaction{
        in, num_items, out, num_selected, reserved_items_, item_size_, Operation::compaction};
    if (operation_ == Operation::compaction && !recorder && of_compaction.are_valid()) [[likely]] {
        do_enqueue(in, num_items, out, num_selected, keep, recorder);
    } else {
        check_and_enqueue(in, num_items, out, num_selected, keep, recorder);
    }
}

void Compactor::check_and_enqueue(const void* in, std::uint64_t num_items, void* out,
                                  std::uint64_t* num_selected, Predicate keep, PhaseRecorder* recorder) {
    const Arguments arguments{in, num_items, out, num_selected, reserved_items_, item_size_, operation_};
    if (!arguments.are_valid()) refuse(arguments);
    if (recorder) use_phase_names_of(algorithm_);
    do_enqueue(in, num_items, out, num_selected, keep, recorder);
}

}  // namespace compaction
