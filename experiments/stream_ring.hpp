#pragma once

#include <cstddef>
#include <cstdint>

#include "compaction/engine.hpp"
#include "experiments/setting.hpp"

namespace experiments {

/// What one call works on.
struct Slot {
    const void* in;
    void* out;
    std::uint64_t* num_selected;
};

/// How many slots a stream gets, and what they take.
struct RingPlan {
    std::size_t slots = 1;
    std::uint64_t stride_bytes = 0;  ///< from one stream to the next, inputs and outputs alike
    std::uint64_t bytes = 0;         ///< all that StreamRing allocates

    /// Hot: one slot. Cold: as many as let inputs of three times the cache go by before an item is read
    /// again; one for a stream that is as long by itself. Where the device does not say how large its cache
    /// is, 64 MiB is assumed.
    RingPlan(const StreamSpec& stream, const compaction::DeviceInfo& device);
};

/// The buffers that the calls on one stream take in turn, inputs, outputs and counts alike, so that a call
/// finds none of them in the cache unless it is to. All outputs hold nonsense until a call writes them.
class StreamRing {
  public:
    /// Allocates and fills everything. Throws Error{out_of_memory}.
    StreamRing(compaction::Engine& engine, const StreamSpec& stream, const RingPlan& plan);

    std::uint64_t num_kept() const { return num_kept_; }
    std::size_t size() const { return plan_.slots; }

    Slot operator[](std::size_t slot) const;

    /// The slot for the next call.
    std::size_t take() {
        const std::size_t slot = next_;
        next_ = (next_ + 1) % plan_.slots;
        return slot;
    }

    /// Overwrites the outputs and counts of `count` slots from `first` on with nonsense; ordered like a
    /// compaction.
    void poison(std::size_t first, std::size_t count);

  private:
    void fill_inputs(const StreamSpec& stream);
    void fill_nonsense();
    void poison_range(std::size_t first, std::size_t count);

    compaction::Engine& engine_;
    RingPlan plan_;
    compaction::Buffer inputs_;
    compaction::Buffer outputs_;
    compaction::Buffer counts_;
    compaction::Buffer nonsense_;
    std::uint64_t num_kept_ = 0;
    std::size_t next_ = 0;
};

/// Bytes that measuring on a stream takes, less what algorithms reserve for themselves.
std::uint64_t memory_needed(const compaction::Engine& engine, const StreamSpec& stream);

}  // namespace experiments
