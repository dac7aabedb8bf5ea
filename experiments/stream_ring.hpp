#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "compaction/engine.hpp"
#include "experiments/setting.hpp"

namespace experiments {

/// The buffers of one call, in device memory.
struct CallBuffers {
    const void* in;
    void* out;
    std::uint64_t* num_selected;
};

/// The number of buffers for an input stream, and their size.
struct RingPlan {
    std::size_t num_buffers = 1;
    std::uint64_t stride_bytes = 0;  ///< distance between two buffers, for inputs and outputs
    std::uint64_t bytes = 0;         ///< total that StreamRing allocates

    /// Hot: one set of buffers. Cold: enough of them to read three times the size of the cache before an item
    /// is read again; one if the stream itself is that long. Assumes a cache of 64 MiB if the device does not
    /// report its size.
    RingPlan(const StreamSpec& stream, const compaction::DeviceInfo& device);
};

/// Buffers for calls on one input stream: inputs, outputs and counts. Calls use the buffers in turn, so that
/// in a cold measurement none is in the cache. Outputs are poisoned until a call writes them.
class StreamRing {
  public:
    /// Allocates and fills everything. Throws Error{out_of_memory}. Once `cancel` is set, nothing more is
    /// filled or poisoned; nullptr: never.
    StreamRing(compaction::Engine& engine, const StreamSpec& stream, const RingPlan& plan,
               const std::atomic<bool>* cancel = nullptr);

    std::uint64_t num_kept() const { return num_kept_; }
    std::size_t size() const { return plan_.num_buffers; }

    CallBuffers operator[](std::size_t index) const;

    /// Takes the buffers for the next call and returns their index.
    std::size_t take() {
        const std::size_t index = next_;
        next_ = (next_ + 1) % plan_.num_buffers;
        return index;
    }

    /// Overwrites the outputs and counts of `count` calls from `first` on with a poison value. Asynchronous,
    /// in the order of the engine's work.
    void poison(std::size_t first, std::size_t count);

  private:
    bool cancelled() const { return cancel_ && cancel_->load(); }

    void fill_inputs(const StreamSpec& stream);
    void fill_poison();
    void repeat(const compaction::Buffer& buffer, std::uint64_t period_bytes);
    void poison_range(std::size_t first, std::size_t count);

    compaction::Engine& engine_;
    RingPlan plan_;
    const std::atomic<bool>* cancel_;
    compaction::Buffer inputs_;
    compaction::Buffer outputs_;
    compaction::Buffer counts_;
    compaction::Buffer poison_;
    std::uint64_t num_kept_ = 0;
    std::size_t next_ = 0;  ///< index of the buffers for the next call
};

/// Bytes needed to measure on a stream, without the memory that algorithms reserve.
std::uint64_t memory_needed(const compaction::Engine& engine, const StreamSpec& stream);

}  // namespace experiments
