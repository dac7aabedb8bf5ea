#pragma once

#include <algorithm>
#include <cstdint>

#include "compaction/engine.hpp"
#include "cpu/machine.hpp"

namespace compaction::cpu {

/// What the lengths of streams mean for the caches of a machine.
class Caches {
  public:
    explicit Caches(const DeviceInfo& device)
        : core_bytes_(core_cache_bytes()),
          shared_bytes_(device.cache_bytes > 0 ? device.cache_bytes : usual_shared_bytes) {}

    /// The cache that a core has for itself.
    std::uint64_t core_bytes() const { return core_bytes_; }

    /// Whether an output is written past the cache: where it would not fit in there beside the input it is
    /// made from, and so would not stay.
    bool are_exceeded_by(std::uint64_t in_bytes, std::uint64_t out_bytes) const {
        return in_bytes + out_bytes > shared_bytes_;
    }

    /// Whether an input lies farther than what the cores that read it have for themselves.
    bool are_far_from(std::uint64_t in_bytes, std::uint32_t threads) const {
        return in_bytes > std::min(threads * core_bytes_, shared_bytes_);
    }

    /// Whether such an input is asked for ahead by those who write no more than the first level holds before
    /// it leaves past the cache, or nothing: where the processor does not do that well enough by itself.
    bool ask_ahead(std::uint64_t in_bytes, std::uint32_t threads) const {
        return !processor_reads_ahead_ && are_far_from(in_bytes, threads);
    }

  private:
    static constexpr std::uint64_t usual_shared_bytes = 32 << 20;

    std::uint64_t core_bytes_;
    std::uint64_t shared_bytes_;
    bool processor_reads_ahead_ = processor_reads_ahead();
};

}  // namespace compaction::cpu
