#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "simulated/gpu.hpp"
#include "simulated/observer.hpp"
#include "simulated/source_location.hpp"

/// The cost of a kernel's accesses on a GPU, as far as it depends on their addresses. Sources: NVIDIA 2025,
/// "CUDA C++ Best Practices Guide", section "Coalesced Access to Global Memory", and "Nsight Compute
/// Documentation", sections "Memory" and "Metrics Decoder".
namespace compaction::simulated {

struct Block;
struct Grid;
struct Warp;

/// The requests of one instruction. A request is what the lanes of a warp access together.
struct AccessCounters {
    Space space = Space::global;
    Access access = Access::read;
    unsigned bytes = 0;          ///< per lane
    std::uint64_t requests = 0;  ///< requests of all warps
    std::uint64_t lanes = 0;     ///< lanes that took part, summed over all requests; at most 32 each
    /// Global memory: sectors of 32 bytes. Shared memory: passes of the banks; bank conflicts add some.
    std::uint64_t units = 0;
    std::uint64_t min_units = 0;  ///< the minimum for these numbers of lanes and bytes
};

/// The counters of one kernel, summed over its launches.
struct KernelCounters {
    std::uint64_t launches = 0;
    std::map<SourceLocation, AccessCounters> locations;
    std::uint64_t shared_bytes = 0;      ///< dynamic shared memory of a block, the maximum of all launches
    std::uint64_t bytes_copied_in = 0;   ///< by bulk copies, to shared memory
    std::uint64_t bytes_copied_out = 0;  ///< by bulk copies, to global memory
    /// Warps that a multiprocessor can hold, of 64: limited by threads, blocks and shared memory, but not by
    /// registers.
    unsigned possible_warps = 0;
    std::uint64_t warp_samples = 0;  ///< resident warps, summed over samples of busy multiprocessors
    std::uint64_t samples = 0;

    /// The mean number of resident warps of a busy multiprocessor.
    double resident_warps() const;
    /// The sum over all locations in that space.
    AccessCounters total(Space space, Access access) const;
};

/// Counts the accesses of the launches of this thread from its constructor to its destructor. A thread can
/// have one object at a time. Plain loads and stores are counted only in code that was compiled with the
/// options of the target `compaction_simulated_checks`.
///
/// The lanes of a warp meet at collective operations of all of them and at barriers of the block. The n-th
/// accesses of the lanes by one instruction since they last met form one request.
class Counters {
  public:
    Counters();
    ~Counters();
    Counters(const Counters&) = delete;
    Counters& operator=(const Counters&) = delete;

    const std::map<std::string, KernelCounters>& kernels() const { return kernels_; }
    /// Removes all counters.
    void clear() { kernels_.clear(); }

    /// Writes a heading and a line for each instruction of each kernel that accesses memory.
    void write_csv(std::ostream& to) const;

    // --- Called by the engine ---

    void begin_launch(const std::string& kernel, const LaunchShape& shape);
    void end_launch();
    void access(Grid& grid, const void* address, std::size_t bytes, Access access,
                const SourceLocation& location);
    void copy(std::size_t bytes, bool to_shared);
    /// Called when the lanes of the warp meet: completes their requests.
    void meet(const Warp& warp);
    /// Counts the resident warps of each multiprocessor.
    void sample(const Grid& grid);

  private:
    struct Request {
        unsigned lane_mask = 0;
        /// Of each lane: the address in global memory, or the offset in the shared memory of the block.
        std::array<std::uint64_t, lanes_per_warp> addresses{};
    };
    struct WarpRequests {
        std::map<std::pair<SourceLocation, unsigned>, Request> open;  ///< by instruction and number
        /// Accesses of each lane by each instruction since the lanes last met.
        std::map<SourceLocation, std::array<unsigned, lanes_per_warp>> num_accesses;
    };

    void close(const SourceLocation& location, const Request& request);

    std::map<std::string, KernelCounters> kernels_;
    KernelCounters* kernel_ = nullptr;  ///< the kernel of the running launch
    std::map<const Warp*, WarpRequests> warps_;
};

/// The counters of the launches of this thread; null if there are none.
Counters* current_counters();

}  // namespace compaction::simulated
