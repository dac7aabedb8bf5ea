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
#include <unordered_set>
#include <utility>

#include "platform/fenced_memory.hpp"

namespace compaction::simulated {
namespace {

constexpr std::size_t guard_bytes = 256;
constexpr int guard_pattern = 0xa5;
constexpr int fill_pattern = 0xcd;

struct Buffer {
    std::size_t size;
    warpsieve::platform::FencedMemory memory;  ///< the buffer between its guard bytes
};

struct Memory {
    std::mutex mutex;
    std::map<std::uintptr_t, Buffer> buffers;          ///< by address
    std::map<std::uintptr_t, std::size_t> registered;  ///< size of each piece of the program's own memory
    std::unordered_set<std::uintptr_t> heap;           ///< what kernels have allocated and not freed
};

Memory& memory() {
    static Memory all;
    return all;
}

std::byte* pointer_to(std::uintptr_t address) {
    return reinterpret_cast<std::byte*>(address);
}

/// Counts the changes of `buffers` and `registered`.
std::atomic<std::uint64_t> num_changes{0};

/// The range that holds an address in the gap between two buffers: a piece of registered memory, or the gap
/// between two such pieces.
GlobalRange range_in_gap(GlobalRange gap, std::uintptr_t address) {
    const auto& registered = memory().registered;
    const auto next = registered.upper_bound(address);
    if (next != registered.end()) gap.end = std::min(gap.end, next->first);
    if (next == registered.begin()) return gap;
    const auto [data, size] = *std::prev(next);
    if (address < data + size) return {GlobalRange::inside, data, data + size, data, size};
    gap.begin = std::max(gap.begin, data + size);
    return gap;
}

/// The bytes beside a buffer that nothing else uses: its guard bytes and the fences.
std::size_t guarded_bytes_before(const Buffer& buffer) {
    return guard_bytes + buffer.memory.fence_bytes();
}
std::size_t guarded_bytes_after(const Buffer& buffer) {
    return buffer.memory.size() - guard_bytes - buffer.size + buffer.memory.fence_bytes();
}

GlobalRange find_range(std::uintptr_t address) {
    const std::lock_guard lock(memory().mutex);
    const auto& buffers = memory().buffers;
    const auto next = buffers.upper_bound(address);
    GlobalRange gap{.end = ~std::uintptr_t{0}};
    if (next != buffers.end()) {
        const auto& [data, buffer] = *next;
        gap.end = data - guarded_bytes_before(buffer);
        if (address >= gap.end) return {GlobalRange::guard, gap.end, data, data, buffer.size};
    }
    if (next == buffers.begin()) return range_in_gap(gap, address);
    const auto& [data, buffer] = *std::prev(next);
    const std::uintptr_t end = data + buffer.size;
    if (address < end) return {GlobalRange::inside, data, end, data, buffer.size};
    gap.begin = end + guarded_bytes_after(buffer);
    if (address < gap.begin) return {GlobalRange::guard, end, gap.begin, data, buffer.size};
    return range_in_gap(gap, address);
}

/// Returns the first byte that was overwritten, or null.
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
    Buffer buffer{bytes, warpsieve::platform::FencedMemory(bytes + 2 * guard_bytes)};
    std::byte* const whole = buffer.memory.data();
    if (!whole) return nullptr;
    std::byte* const data = whole + guard_bytes;
    std::memset(whole, guard_pattern, guard_bytes);
    std::memset(data, fill_pattern, bytes);
    std::memset(data + bytes, guard_pattern, guard_bytes);
    const std::lock_guard lock(memory().mutex);
    ++num_changes;
    memory().buffers.emplace(reinterpret_cast<std::uintptr_t>(data), std::move(buffer));
    return data;
}

void* allocate_zeroed_global(std::size_t bytes) {
    void* const data = allocate_global(bytes);
    if (data) std::memset(data, 0, bytes);
    return data;
}

bool free_global(void* data) {
    const std::lock_guard lock(memory().mutex);
    ++num_changes;
    return memory().buffers.erase(reinterpret_cast<std::uintptr_t>(data)) > 0;
}

void register_host_memory(const volatile void* data, std::size_t bytes) {
    const std::lock_guard lock(memory().mutex);
    ++num_changes;
    memory().registered.insert_or_assign(reinterpret_cast<std::uintptr_t>(data), bytes);
}

void unregister_host_memory(const volatile void* data) {
    const std::lock_guard lock(memory().mutex);
    ++num_changes;
    memory().registered.erase(reinterpret_cast<std::uintptr_t>(data));
}

void* allocate_on_heap(std::size_t bytes) {
    void* const data = std::malloc(bytes);
    if (!data) return nullptr;
    const auto address = reinterpret_cast<std::uintptr_t>(data);
    const std::lock_guard lock(memory().mutex);
    ++num_changes;
    memory().registered.insert_or_assign(address, bytes);
    memory().heap.insert(address);
    return data;
}

bool release_from_heap(void* data) {
    const auto address = reinterpret_cast<std::uintptr_t>(data);
    const std::lock_guard lock(memory().mutex);
    if (memory().heap.erase(address) == 0) return false;
    ++num_changes;
    memory().registered.erase(address);
    return true;
}

const char* wrong_access(const void* address, std::size_t bytes, std::size_t alignment) {
    const auto first = reinterpret_cast<std::uintptr_t>(address);
    // Most sizes are powers of two, for which no slow division is needed.
    const std::uintptr_t remainder =
        std::has_single_bit(alignment) ? first & (alignment - 1) : first % alignment;
    if (remainder != 0) return "misaligned";
    const GlobalRange range = global_range_at(address);
    return range.what == GlobalRange::inside && first + bytes <= range.end ? nullptr : "out of bounds";
}

GlobalRange global_range_at(const void* address) {
    // A cache of the ranges that were found last, until a buffer changes.
    static thread_local std::array<GlobalRange, 8> recent;
    static thread_local std::uint64_t seen_changes = 0;
    static thread_local std::size_t num_replaced = 0;
    static thread_local GlobalRange* found = recent.data();
    if (seen_changes != num_changes) {
        recent.fill({});
        seen_changes = num_changes;
    }
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    const auto holds = [at](const GlobalRange& range) { return at >= range.begin && at < range.end; };
    if (holds(*found)) return *found;
    found = std::ranges::find_if(recent, holds);
    if (found == recent.end()) {
        found = &recent[num_replaced++ % recent.size()];
        *found = find_range(at);
    }
    return *found;
}

const void* restore_guards() {
    const std::lock_guard lock(memory().mutex);
    const void* first = nullptr;
    for (const auto& [address, buffer] : memory().buffers) {
        const void* const before = restore_guard(pointer_to(address) - guard_bytes);
        const void* const after = restore_guard(pointer_to(address + buffer.size));
        if (!first) first = before ? before : after;
    }
    return first;
}

}  // namespace compaction::simulated
