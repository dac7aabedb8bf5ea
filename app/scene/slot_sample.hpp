#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "app/scene/particles.hpp"
#include "compaction/algorithm.hpp"

/// Samples for the slot map: the sparse buffer and the output of one frame, reduced to the cells of a
/// picture.
namespace warpsieve::scene {

/// Faults of an item of the output, as bits. `out_of_order`: its slot does not come after the slot of the
/// previous item. `no_slot`: its handle belongs to no slot.
inline constexpr std::uint8_t out_of_order = 1;
inline constexpr std::uint8_t no_slot = 2;

/// One cell of the picture: adjacent slots, or adjacent items of the output.
struct SlotCell {
    std::uint32_t first_handle = 0;  ///< handle of its first item; 0 if it has none
    std::uint16_t items = 0;         ///< number of live slots, or of items
    std::uint8_t age = 0;            ///< age of the first item: 0 is born, 255 dead
    std::uint8_t faults = 0;         ///< union over its items; 0 for slots

    bool operator==(const SlotCell&) const = default;
};

/// The sampled slots, in rows of cells, starting at `first_slot`.
struct SlotWindow {
    std::uint64_t first_slot = 0;
    std::uint32_t columns = 0;
    std::uint32_t rows = 0;
    std::uint32_t slots_per_cell = 1;  ///< a power of two, up to max_slots_per_cell

    std::uint32_t cells() const { return columns * rows; }
    std::uint64_t row_slots() const { return std::uint64_t{columns} * slots_per_cell; }
    bool operator==(const SlotWindow&) const = default;
};

inline constexpr std::uint32_t max_cells = std::uint32_t{1} << 20;
inline constexpr std::uint32_t max_slots_per_cell = std::uint32_t{1} << 15;

struct SampleRequest {
    SlotWindow window;
    std::uint32_t wanted_handle = 0;  ///< handle of an item to find in the output; 0: none

    bool operator==(const SampleRequest&) const = default;
};

/// The sampled slots and output of one frame.
struct SlotSample {
    static constexpr std::uint64_t nowhere = ~std::uint64_t{0};

    SampleRequest request;
    std::uint64_t serial = 0;  ///< differs for each sample
    std::uint64_t frame = 0;
    const compaction::Algorithm* algorithm = nullptr;
    std::uint64_t slots = 0;
    std::uint64_t live = 0;                ///< number of live slots
    std::uint64_t kept = 0;                ///< the algorithm's count
    std::uint64_t first_rank = 0;          ///< live slots before the window
    std::uint64_t first_output_index = 0;  ///< start of the output's cells: first_rank, rounded down to a row
    std::uint64_t found_output_index = nowhere;  ///< index of the wanted item in the output
    std::vector<SlotCell> in;                    ///< [window.cells()]
    std::vector<SlotCell> out;                   ///< [window.cells()]

    /// Allocates for the largest request.
    void reserve() {
        in.reserve(max_cells);
        out.reserve(max_cells);
    }
};

/// Quantises an age from 0 to 1.
COMPACTION_HOST_DEVICE inline std::uint8_t quantised_age(float age) {
    return static_cast<std::uint8_t>(age <= 0.0F ? 0.0F : age >= 1.0F ? 255.0F : age * 255.0F + 0.5F);
}

/// The start of the output's cells, given the number of items before the window.
COMPACTION_HOST_DEVICE constexpr std::uint64_t round_down_to_row(std::uint64_t first_rank,
                                                                 std::uint64_t row_slots) {
    return first_rank / row_slots * row_slots;
}

/// The frame, algorithm and length that a sample describes.
struct SampledFrame {
    std::uint64_t frame = 0;
    const compaction::Algorithm* algorithm = nullptr;
    std::uint64_t slots = 0;
};

/// Samples streams up to a maximum length. All memory is allocated on construction.
class SlotSampler {
  public:
    virtual ~SlotSampler() = default;

    /// Samples the current frame. Call after its compaction. Never waits; returns false while an earlier
    /// sample is in flight. The window has at most max_cells cells and begins within the stream.
    virtual bool enqueue(const SampleRequest& request, const FrameBuffers& buffers,
                         const SampledFrame& sampled) = 0;

    /// The newest sample that has arrived; null before the first. It is always the same object: later samples
    /// are written into it (see `serial`), so do not keep it as a snapshot. It stays valid after the sampler
    /// is gone.
    virtual std::shared_ptr<const SlotSample> poll() = 0;
};

/// Samples host memory with host threads. The sample is complete when enqueue returns.
std::unique_ptr<SlotSampler> make_host_sampler(std::uint64_t max_slots);

}  // namespace warpsieve::scene
