#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "app/scene/particles.hpp"
#include "compaction/algorithm.hpp"
#include "compaction/partition.hpp"

/// Samples of the running stream for the slot map: the sparse buffer and what was made of it, both of one
/// frame, reduced to the cells of a picture.
namespace warpsieve::scene {

/// What may be wrong with a place of the output, as bits: its item comes from a slot that is not behind that
/// of the place before; what lies there is the handle of no slot.
inline constexpr std::uint8_t out_of_order = 1;
inline constexpr std::uint8_t no_slot = 2;

/// Neighbouring slots, or places of the output, as one cell of a picture.
struct SlotCell {
    std::uint32_t first = 0;  ///< handle of its first item; 0 where it has none
    std::uint16_t items = 0;  ///< how many of its slots are live, or of its places filled
    std::uint8_t age = 0;     ///< of the first item: 0 is born, 255 dead
    std::uint8_t faults = 0;  ///< of any of its places; 0 for slots

    bool operator==(const SlotCell&) const = default;
};

/// Which slots are looked at, in rows of cells: those from `first_slot` on that fit.
struct SlotWindow {
    std::uint64_t first_slot = 0;
    std::uint32_t columns = 0;
    std::uint32_t rows = 0;
    std::uint32_t slots_per_cell = 1;  ///< a power of two, up to most_slots_per_cell

    std::uint32_t cells() const { return columns * rows; }
    std::uint64_t row_slots() const { return std::uint64_t{columns} * slots_per_cell; }
    bool operator==(const SlotWindow&) const = default;
};

inline constexpr std::uint32_t most_cells = std::uint32_t{1} << 17;
inline constexpr std::uint32_t most_slots_per_cell = std::uint32_t{1} << 15;
inline constexpr std::size_t most_marks = 1024;

struct SampleRequest {
    SlotWindow window;
    compaction::Partition partition;   ///< by which the marks were chosen
    std::vector<std::uint64_t> marks;  ///< positions in the stream, up to its length, whose rank is wanted
    std::uint32_t wanted = 0;          ///< handle of an item that is to be looked for in the output; 0: none

    bool operator==(const SampleRequest&) const = default;
};

/// What a frame's stream and its output look like. All of it is of that one frame.
struct SlotSample {
    static constexpr std::uint64_t nowhere = ~std::uint64_t{0};

    SampleRequest request;
    std::uint64_t serial = 0;  ///< another one for each sample
    std::uint64_t frame = 0;
    const compaction::Algorithm* algorithm = nullptr;
    std::uint64_t slots = 0;
    std::uint64_t live = 0;               ///< slots that hold an item
    std::uint64_t kept = 0;               ///< items that the algorithm says it kept
    std::uint64_t first_rank = 0;         ///< live slots before the window
    std::uint64_t first_place = 0;        ///< of the output's cells: first_rank, down to the start of a row
    std::uint64_t found_place = nowhere;  ///< where the wanted item lies in the output
    std::vector<std::uint64_t> ranks;     ///< of each mark: how many slots before it are live
    std::span<const SlotCell> in;         ///< [window.cells()]
    std::span<const SlotCell> out;        ///< [window.cells()]
};

/// An age from 0 to 1 in a byte.
COMPACTION_HOST_DEVICE inline std::uint8_t quantised_age(float age) {
    return static_cast<std::uint8_t>(age <= 0.0F ? 0.0F : age >= 1.0F ? 255.0F : age * 255.0F + 0.5F);
}

/// Where the output's cells begin, given how many items come before the window.
COMPACTION_HOST_DEVICE constexpr std::uint64_t first_place_of(std::uint64_t first_rank,
                                                              std::uint64_t row_slots) {
    return first_rank / row_slots * row_slots;
}

/// Of what frame a sample is taken.
struct SampleOrigin {
    std::uint64_t frame = 0;
    const compaction::Algorithm* algorithm = nullptr;
    std::uint64_t slots = 0;
};

/// Takes samples of streams up to a length it was made for. All its memory is allocated when it is made.
class SlotSampler {
  public:
    virtual ~SlotSampler() = default;

    /// Samples the stream of the current frame, once it has been compacted. Never waits; says no while an
    /// earlier sample is still under way. The request must be legal: cells and marks up to the most there
    /// may be, positions within the stream.
    virtual bool enqueue(const SampleRequest& request, const StreamView& stream,
                         const SampleOrigin& origin) = 0;

    /// The newest sample that has arrived; null before the first. It holds until the next call.
    virtual const SlotSample* poll() = 0;
};

/// For streams in host memory, by host threads: a sample is there when enqueue returns.
std::unique_ptr<SlotSampler> make_host_sampler(std::uint64_t max_slots);

}  // namespace warpsieve::scene
