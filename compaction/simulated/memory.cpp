#include "simulated/memory.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>

namespace compaction::simulated {
namespace {

constexpr std::size_t guard_bytes = 256;
constexpr int guard_pattern = 0xa5;
constexpr int fill_pattern = 0xcd;

struct Memory {
    std::mutex mutex;
    std::map<std::uintptr_t, std::size_t> sizes;  ///< size of each buffer, by its address
};

Memory& memory() {
    static Memory all;
    return all;
}

std::byte* at(std::uintptr_t address) {
    return reinterpret_cast<std::byte*>(address);
}

/// Counts the changes of `sizes`.
std::atomic<std::uint64_t> num_changes{0};

GlobalRange find_range(std::uintptr_t address) {
    const std::lock_guard lock(memory().mutex);
    const auto& sizes = memory().sizes;
    const auto next = sizes.upper_bound(address);
    GlobalRange gap{.end = next == sizes.end() ? ~std::uintptr_t{0} : next->first - guard_bytes};
    if (next != sizes.end() && address >= gap.end)
        return {GlobalRange::guard, gap.end, next->first, next->first, next->second};
    if (next == sizes.begin()) return gap;
    const auto [data, size] = *std::prev(next);
    if (address < data + size) return {GlobalRange::inside, data, data + size, data, size};
    gap.begin = (size + guard_bytes - 1) / guard_bytes * guard_bytes + data + guard_bytes;
    if (address < gap.begin) return {GlobalRange::guard, data + size, gap.begin, data, size};
    return gap;
}

const void* restore_guard(std::byte* guard) {
    const void* found = nullptr;
    for (std::size_t i = 0; i < guard_bytes; ++i) {
        if (guard[i] == std::byte{guard_pattern}) continue;
        if (!found) found = guard + i;
        guard[i] = std::byte{guard_pattern};
    }
    return found;
}

}  // namespace

void* allocate_global(std::size_t bytes) {
    const std::size_t rounded = (bytes + guard_bytes - 1) / guard_bytes * guard_bytes;
    auto* const whole = static_cast<std::byte*>(std::aligned_alloc(guard_bytes, rounded + 2 * guard_bytes));
    if (!whole) return nullptr;
    std::memset(whole, guard_pattern, rounded + 2 * guard_bytes);
    std::byte* const data = whole + guard_bytes;
    std::memset(data, fill_pattern, bytes);
    const std::lock_guard lock(memory().mutex);
    ++num_changes;
    memory().sizes.emplace(reinterpret_cast<std::uintptr_t>(data), bytes);
    return data;
}

void* allocate_zeroed_global(std::size_t bytes) {
    void* const data = allocate_global(bytes);
    if (data) std::memset(data, 0, bytes);
    return data;
}

void free_global(void* data) {
    const std::lock_guard lock(memory().mutex);
    ++num_changes;
    if (memory().sizes.erase(reinterpret_cast<std::uintptr_t>(data)) > 0)
        std::free(static_cast<std::byte*>(data) - guard_bytes);
}

const char* wrong_access(const void* address, std::size_t bytes, std::size_t alignment) {
    const auto first = reinterpret_cast<std::uintptr_t>(address);
    // Most sizes are powers of two, for which no slow division is needed.
    const std::uintptr_t past = std::has_single_bit(alignment) ? first & (alignment - 1) : first % alignment;
    if (past != 0) return "misaligned";
    const GlobalRange range = global_range_at(address);
    return range.what == GlobalRange::inside && first + bytes <= range.end ? nullptr : "out of bounds";
}

GlobalRange global_range_at(const void* address) {
    static thread_local std::array<GlobalRange, 8> last;
    static thread_local std::uint64_t changes = 0;
    static thread_local std::size_t next = 0;
    static thread_local GlobalRange* found = last.data();
    if (changes != num_changes) {
        last.fill({});
        changes = num_changes;
    }
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    const auto holds = [at](const GlobalRange& range) { return at >= range.begin && at < range.end; };
    if (holds(*found)) return *found;
    found = std::ranges::find_if(last, holds);
    if (found == last.end()) *(found = &last[next++ % last.size()]) = find_range(at);
    return *found;
}

const void* overwritten_guard() {
    const std::lock_guard lock(memory().mutex);
    const void* first = nullptr;
    for (const auto& [address, bytes] : memory().sizes) {
        const void* const before = restore_guard(at(address) - guard_bytes);
        const void* const after = restore_guard(at(address + bytes));
        if (!first) first = before ? before : after;
    }
    return first;
}

}  // namespace compaction::simulated
