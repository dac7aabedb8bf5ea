#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compaction/algorithm.hpp"
#include "compaction/item.hpp"
#include "compaction/options.hpp"
#include "compaction/predicate.hpp"
#include "compaction/working_buffer.hpp"

/// Loads, stores and atomics of global memory in one compaction on the simulated GPU.
namespace compaction {

/// What a warp access does.
enum class AccessKind : std::uint8_t {
    load,        ///< a scalar or vector load of each lane
    store,       ///< a scalar or vector store of each lane
    atomic,      ///< a read-modify-write of each lane
    bulk_load,   ///< a bulk copy from global to shared memory
    bulk_store,  ///< a bulk copy from shared to global memory, or a memset or memcpy of the runtime
};

/// The name of the kind: "load", "store", "atomic", "bulk load" or "bulk store".
std::string_view name_of(AccessKind kind);

/// Whether the kind changes memory, so that its accesses have values.
constexpr bool stores(AccessKind kind) {
    return kind == AccessKind::store || kind == AccessKind::atomic || kind == AccessKind::bulk_store;
}

/// A buffer of a trace.
struct TracedBuffer {
    BufferRole role = BufferRole::counts;  ///< what it holds
    std::string name;                      ///< unique in the trace
    std::uint64_t num_elements = 0;        ///< items or words
    std::size_t element_bytes = 4;         ///< 1 to 16
    WordFormat format{};                   ///< how to read an element of up to 8 bytes
    /// [num_elements * element_bytes] The contents before the first launch. Those of the output are zero.
    std::vector<std::byte> initial{};

    /// Compares all members.
    bool operator==(const TracedBuffer&) const = default;
};

/// What ran in a launch of a trace.
enum class LaunchKind : std::uint8_t {
    kernel,   ///< a kernel, with all its accesses
    memory,   ///< a memset or memcpy of the runtime
    library,  ///< a library call. Only what it reads and writes as a whole is known.
};

/// A launch of a trace.
struct TracedLaunch {
    LaunchKind kind = LaunchKind::kernel;  ///< what ran
    std::string kernel;                    ///< "scan_in_one_block", "memset"
    std::optional<std::uint8_t> phase{};   ///< index into Algorithm::phases; nullopt outside of all phases
    std::uint32_t blocks = 1;              ///< in the grid
    std::uint32_t threads = 1;             ///< in each block
    std::vector<std::uint8_t> multiprocessors{};  ///< [blocks] The multiprocessor of each block.
    std::uint64_t begin_step = 0;                 ///< the step of its first access
    std::uint64_t end_step = 0;                   ///< the step after its last access

    /// Compares all members.
    bool operator==(const TracedLaunch&) const = default;
};

/// One access of a warp. Lanes that run the same instruction together make one.
struct WarpAccess {
    std::uint64_t step = 0;               ///< the time, in steps of AccessTrace
    AccessKind kind = AccessKind::load;   ///< what it does
    std::uint32_t buffer = 0;             ///< index into AccessTrace::buffers
    std::uint32_t launch = 0;             ///< index into AccessTrace::launches
    std::uint32_t block = 0;              ///< index in the launch
    std::uint32_t warp = 0;               ///< index in the block
    std::uint32_t multiprocessor = 0;     ///< that runs the block
    std::uint32_t lane_mask = 0;          ///< the lanes that access memory; one lane for a bulk copy
    std::uint32_t elements_per_lane = 1;  ///< neighbouring elements that each of these lanes accesses
    /// [lanes * elements_per_lane] Indices in the buffer, in the order of lanes.
    std::vector<std::uint64_t> elements;
    /// [elements * element_bytes] What the elements hold afterwards; empty for loads.
    std::vector<std::byte> values;

    /// The first 8 bytes of the value that element `i` of `elements` holds afterwards.
    std::uint64_t value(std::size_t i) const;
};

/// Every access of global memory in one compaction, in the order of steps.
///
/// A step is not a time. Steps follow a rule: in each step, each multiprocessor issues one access of a warp,
/// and its warps take turns. An access that needs a loaded value comes at least 6 steps after the load. A
/// barrier waits for the last warp. An access has a later step than the store or atomic whose value it reads
/// or replaces. Failed polls are left out. Launches run one after the other. Label steps "simulated schedule,
/// seed S", and do not compute a ratio of two algorithms from them.
///
/// `packed` holds the accesses one after the other, read by AccessReader:
/// - a byte: bits 0 to 2 the kind (5: a bulk store of equal values; 7: the next launch begins, and nothing
///   else follows), bit 3 whether the step changes, bits 4 and 5 the form of the lane mask, bits 6 and 7 the
///   form of the indices;
/// - a byte: bits 0 to 3 the buffer, bits 4 to 7 the elements of each lane; if the buffer is 15 or the
///   elements are 0, the number itself follows;
/// - the difference of the step, if it changes; the signed difference of the warp's number in the launch;
/// - the lane mask: nothing if all lanes, a byte n if lanes 0 to n - 1 or lane n alone, else the 4 bytes;
/// - the first index, as signed difference from the end of the previous access of the buffer; then nothing if
///   each lane follows the previous one, the signed distance of lanes, or a signed difference for each lane;
/// - the values of stores to buffers of items (items, output): if an input item has the same bytes, 1 plus
///   the encoded signed difference of its index from the index after the input item that was stored last;
///   else 0 and the bytes;
/// - the values of stores to other buffers: the signed difference from the value that was stored last, or the
///   bytes if an element exceeds 8 bytes.
/// Numbers have 7 bits in each byte, lowest first; bit 7 says that another byte follows. The sign of a signed
/// number is its lowest bit.
struct AccessTrace {
    std::string algorithm;                   ///< Algorithm::id
    std::uint64_t seed = 0;                  ///< of the simulated schedule
    ItemSize item_size = ItemSize::bytes_4;  ///< of the items
    std::uint64_t num_items = 0;             ///< in the input
    std::vector<TracedBuffer> buffers;       ///< the first one is the input
    std::vector<TracedLaunch> launches;      ///< in the order they ran
    std::vector<std::byte> packed;           ///< the accesses
    std::uint64_t num_accesses = 0;          ///< warp accesses in `packed`
    std::uint64_t num_stored_values = 0;     ///< elements that they store
    std::uint64_t num_steps = 0;             ///< the step after the last access

    /// The index of the first buffer with that role; nullopt if there is none.
    std::optional<std::uint32_t> buffer_of(BufferRole role) const;
};

/// Reads the accesses of a trace one by one. The trace must outlive it. A copy continues from the same
/// access, so copies serve as keyframes.
class AccessReader {
  public:
    /// Begins before the first access.
    explicit AccessReader(const AccessTrace& trace);

    /// Reads the next access. Returns whether there is one. Throws Error{invalid_argument} where the trace,
    /// of a file for example, is damaged. The caller has checked that each buffer has as many initial bytes
    /// as its size says.
    bool next();

    /// The access that `next` read.
    const WarpAccess& access() const { return access_; }

  private:
    std::uint64_t read_byte();
    std::uint64_t read_number();
    std::int64_t read_signed();
    std::uint32_t read_mask(unsigned form);
    void read_elements(unsigned form, std::uint64_t num_lanes);
    void read_values(bool values_equal);

    const AccessTrace* trace_;
    std::size_t position_ = 0;
    std::int64_t warp_in_launch_ = 0;
    std::vector<std::uint64_t> ends_;         ///< the end of the previous access of each buffer
    std::vector<std::uint64_t> last_values_;  ///< the last value stored in each buffer
    std::uint64_t next_item_ = 0;             ///< one past the index of the input item that was stored last
    WarpAccess access_;
};

/// What a traced compaction made.
struct TracedCompaction {
    AccessTrace trace;               ///< its accesses
    std::vector<std::byte> output;   ///< [num_selected] items, as a run without a trace leaves them
    std::uint64_t num_selected = 0;  ///< how many items are kept
};

namespace simulated {

/// Why this build cannot trace an algorithm of the CUDA or the simulated engine, in one sentence; "" if it
/// can.
std::string no_trace_reason(const Algorithm& algorithm);

/// Runs an algorithm of the CUDA or the simulated engine on the simulated GPU and records its accesses.
///
/// items: [num_items] of that size, in host memory. `seed`: the schedule. Allocates, and blocks for about a
/// second at 2^16 items. Throws Error{unavailable} with the reason if there is no trace; as make_compactor
/// for wrong options; Error{device_failure} if a kernel accesses a buffer that
/// Compactor::working_buffers does not name.
TracedCompaction trace_compaction(const Algorithm& algorithm, const Options& options, ItemSize item_size,
                                  std::span<const std::byte> items, Predicate keep, std::uint64_t seed);

}  // namespace simulated
}  // namespace compaction
