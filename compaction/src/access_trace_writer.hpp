#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "compaction/access_trace.hpp"
#include "packed_numbers.hpp"

namespace compaction {

/// Packs accesses into an AccessTrace, which describes the format. The trace's buffers must be complete when
/// the writer is constructed, and each launch must be in the trace before its first access.
class AccessWriter {
  public:
    explicit AccessWriter(AccessTrace& trace);

    /// Adds the next access, in ascending order of steps and launches.
    void add(const WarpAccess& access);

  private:
    void put_byte(std::uint64_t byte) { trace_.packed.push_back(static_cast<std::byte>(byte)); }
    void put_number(std::uint64_t number) { compaction::put_number(trace_.packed, number); }
    void put_signed(std::int64_t number) { compaction::put_signed(trace_.packed, number); }
    void put_elements(const WarpAccess& access, unsigned form);
    void put_values(const WarpAccess& access, bool values_equal);
    void put_item(const std::byte* value, std::size_t bytes);

    AccessTrace& trace_;
    std::uint64_t step_ = 0;
    std::uint32_t launch_ = 0;
    std::int64_t warp_in_launch_ = 0;
    std::vector<std::uint64_t> ends_;         ///< for each buffer, one past the last index accessed
    std::vector<std::uint64_t> last_values_;  ///< for each buffer, the value stored last
    std::uint64_t next_item_ = 0;             ///< one past the index of the input item stored last
    /// The indices of all input items with these bytes, in ascending order.
    std::unordered_map<std::string, std::vector<std::uint64_t>> indices_by_bytes_;
};

}  // namespace compaction
