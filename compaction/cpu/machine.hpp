#pragma once

#include <algorithm>
#include <cstdint>

#include "compaction/engine.hpp"
#include "cpu/tuning.hpp"

/// Properties of the processor that choose how kernels read and write.
namespace compaction::cpu {

/// The second-level cache, which usually belongs to one core; a usual size if unknown.
std::uint64_t core_cache_bytes();

/// Whether software prefetches of sequential input would slow this processor down: see
/// tuning::vendors_with_hardware_prefetch_alone.
bool hardware_prefetch_suffices();

/// The current clock of this core, measured with a chain of additions that take one cycle each.
double measure_clock_hz();

/// Decides from the size of a stream and the machine's caches how to read and write it.
class Caches {
  public:
    explicit Caches(const DeviceInfo& device)
        : core_bytes_(core_cache_bytes()),
          shared_bytes_(device.cache_bytes > 0 ? device.cache_bytes : tuning::usual_shared_cache_bytes) {}

    /// The cache of one core.
    std::uint64_t core_bytes() const { return core_bytes_; }

    /// Whether an input and its output exceed the shared cache. The output should then bypass it, because it
    /// would be evicted.
    bool shared_cache_is_exceeded_by(std::uint64_t in_bytes, std::uint64_t out_bytes) const {
        return in_bytes + out_bytes > shared_bytes_;
    }

    /// Whether an input exceeds the private caches of the cores that read it.
    bool core_caches_are_exceeded_by(std::uint64_t in_bytes, std::uint32_t threads) const {
        return in_bytes > std::min(threads * core_bytes_, shared_bytes_);
    }

    /// Whether kernels should prefetch an input by software, if they write little or only through the
    /// first-level cache.
    bool need_prefetch(std::uint64_t in_bytes, std::uint32_t threads) const {
        return !hardware_prefetch_suffices_ && core_caches_are_exceeded_by(in_bytes, threads);
    }

  private:
    std::uint64_t core_bytes_;
    std::uint64_t shared_bytes_;
    bool hardware_prefetch_suffices_ = hardware_prefetch_suffices();
};

}  // namespace compaction::cpu
