#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/trace/traced_run.hpp"
#include "compaction/access_trace.hpp"
#include "compaction/partition.hpp"
#include "compaction/working_buffer.hpp"

/// Replays what one compaction does to memory over time. A replay is made from every access of a simulated
/// GPU, or from the spans of the blocks of a GPU or of the threads of a CPU.
namespace warpsieve::trace {

/// A phase of a compaction.
struct ReplayPhase {
    std::string name;  ///< "count"
    compaction::PhaseRole role = compaction::PhaseRole::count;
    double begin = 0;
    double end = 0;
    bool is_library = false;          ///< only its begin and end are known
    std::vector<std::string> reads;   ///< names of the buffers that it loads from; empty: unknown
    std::vector<std::string> writes;  ///< names of the buffers that it stores to; empty: unknown
};

/// A launch of a compaction.
struct ReplayLaunch {
    std::string kernel;  ///< empty: unknown
    std::size_t phase = 0;
    double begin = 0;
    double end = 0;
    /// The distance in words between what each lane loads and what it stores, if all lanes have the same.
    std::uint64_t hop = 0;
};

/// A buffer between input and output.
struct ReplayBuffer {
    compaction::BufferRole role = compaction::BufferRole::counts;
    std::string name;             ///< "counts of sequences"
    std::uint64_t num_words = 0;  ///< several copies of a word count once
    bool one_per_part = false;    ///< word i belongs to part i
    /// The trace does not record the values of this buffer; they follow from recorded ones.
    bool is_derived = false;
};

/// The rows of the plot of time by address: input, output, then one for each of MemoryReplay::buffers().
inline constexpr std::uint32_t input_row = 0;
inline constexpr std::uint32_t output_row = 1;
inline constexpr std::uint32_t first_buffer_row = 2;

/// An access as a mark of the plot of time by address.
struct ReplayMark {
    double begin = 0;
    double end = 0;
    std::uint32_t row = input_row;
    float low = 0;   ///< 0 to 1: the first address over all addresses of the row
    float high = 0;  ///< 0 to 1: one past the last address
    std::uint8_t phase = 0;
    bool stores = false;
};

/// The time of what has not happened yet.
inline constexpr float never = -1e30F;

/// The largest number of cells of input and output.
inline constexpr std::uint32_t max_replay_cells = 4096;

/// A cell of the input: 2^cell_bits neighbouring slots.
struct InputCell {
    float kept = 0;           ///< share of its slots whose items are kept
    float loaded_at = never;  ///< time of the last load
    float lifted = 0;         ///< share of its kept items that are loaded for the output and not stored yet
    std::uint8_t phase = 0;   ///< of the last load
};

/// A cell of the output: 2^cell_bits neighbouring items.
struct OutputCell {
    float filled = 0;         ///< share of its items that are stored
    float source = 0;         ///< the slot of its first stored item over the number of slots
    float stored_at = never;  ///< time of the last store
};

/// A word of a buffer, or a cell of 2^word_bits neighbouring ones, which shows the largest.
struct ReplayWord {
    float value = 0;
    float stored_at = never;
    float loaded_at = never;
    std::uint8_t phase = 0;  ///< of the last store
};

/// The words of a buffer at one time.
struct ReplayWords {
    std::uint32_t word_bits = 0;
    std::vector<ReplayWord> words;  ///< at most max_replay_cells
};

/// An item on its way from its slot to the output.
struct Flight {
    std::uint64_t slot = 0;
    std::uint64_t output_index = 0;
    float begin = 0;  ///< when its slot was loaded for the last time before the store
    float end = 0;    ///< when it was stored
};

/// A load of a look-back: a part reads the word of another one.
struct LookBackLoad {
    std::uint32_t buffer = 0;       ///< index into MemoryReplay::buffers
    std::uint64_t own_word = 0;     ///< the word of the part that loads
    std::uint64_t loaded_word = 0;  ///< the word that it loads
    float time = 0;
};

/// The memory at one time.
struct MemoryState {
    double time = 0;
    std::optional<std::size_t> phase;   ///< nullopt between phases and after the last
    std::optional<std::size_t> launch;  ///< the last one that has begun
    std::vector<InputCell> input;
    std::vector<OutputCell> output;
    std::vector<ReplayWords> buffers;           ///< in the order of MemoryReplay::buffers()
    std::vector<Flight> flights;                ///< current and recent ones
    std::vector<LookBackLoad> look_back_loads;  ///< recent ones
    /// [parts] Kept items that the part has loaded in this phase; empty for too many parts.
    std::vector<float> part_loaded;
    std::uint64_t num_loaded = 0;  ///< slots loaded in this phase
    std::uint64_t num_stored = 0;  ///< items in the output
};

/// One compaction, which can be played forwards and backwards. Times are in steps or in microseconds:
/// in_steps().
class MemoryReplay {
  public:
    virtual ~MemoryReplay() = default;

    const compaction::Algorithm& algorithm() const { return *algorithm_; }
    /// The run whose spans it is made from; null if it is made from accesses.
    const std::shared_ptr<const TracedRun>& run() const { return run_; }
    /// The time in the run at which the replay begins.
    double run_begin_us() const { return run_begin_us_; }
    /// Whether times are steps of a simulated schedule. Otherwise they are microseconds.
    bool in_steps() const { return in_steps_; }
    std::uint64_t schedule_seed() const { return schedule_seed_; }
    /// The end of the compaction.
    double duration() const { return duration_; }
    /// What one press of an arrow key moves the playhead by: a step, or a hundredth of the compaction.
    double key_step() const { return in_steps_ ? 1 : duration_ / 100; }
    std::uint64_t num_items() const { return num_items_; }
    std::uint64_t num_kept() const { return num_kept_; }
    std::uint32_t cell_bits() const { return cell_bits_; }
    /// Pixels in a row of the picture whose pixels are the slots; 0: there is none.
    std::uint64_t picture_columns() const { return picture_columns_; }
    void set_picture_columns(std::uint64_t columns) { picture_columns_ = columns; }
    const std::vector<ReplayPhase>& phases() const { return phases_; }
    const std::vector<ReplayLaunch>& launches() const { return launches_; }
    const std::vector<ReplayBuffer>& buffers() const { return buffers_; }
    const std::vector<ReplayMark>& marks() const { return marks_; }
    /// The parts that the algorithm divides the input into, if they are known.
    const compaction::Partition& parts() const { return parts_; }
    /// [parts] Kept items of each part; empty if the parts are unknown.
    const std::vector<std::uint64_t>& part_kept() const { return part_kept_; }

    /// Whether the slot's item is kept.
    bool is_kept(std::uint64_t slot) const;
    /// The output index of the slot's item; nullopt if it is dropped or unknown.
    virtual std::optional<std::uint64_t> output_index(std::uint64_t slot) const = 0;
    /// The slot of an item of the output; nullopt if unknown.
    virtual std::optional<std::uint64_t> slot_of(std::uint64_t output_index) const = 0;

    /// Sets state() to that of a time, clamped to 0 ... duration().
    virtual void seek(double time) = 0;
    const MemoryState& state() const { return state_; }

  protected:
    /// How long flights and look-back loads stay in the state after they end.
    double linger() const { return 0.04 * duration_; }
    /// Sets the items, their parts, and the cells of the state.
    void set_input(std::vector<bool> kept, compaction::Partition parts);
    std::uint64_t items_in_cell(std::uint64_t cell) const;
    /// Sets phase and launch of the state.
    void update_phase_and_launch(double time);

    const compaction::Algorithm* algorithm_ = nullptr;
    std::shared_ptr<const TracedRun> run_;
    double run_begin_us_ = 0;
    bool in_steps_ = false;
    std::uint64_t schedule_seed_ = 0;
    double duration_ = 0;
    std::uint64_t num_items_ = 0;
    std::uint64_t num_kept_ = 0;
    std::uint32_t cell_bits_ = 0;
    std::uint64_t picture_columns_ = 0;
    std::vector<ReplayPhase> phases_;
    std::vector<ReplayLaunch> launches_;
    std::vector<ReplayBuffer> buffers_;
    std::vector<ReplayMark> marks_;
    compaction::Partition parts_;
    std::vector<std::uint64_t> part_kept_;
    std::vector<bool> kept_;  ///< [num_items]
    MemoryState state_;
};

/// The number of cells of 2^bits items that hold `num_items`; the last one may be partly filled.
constexpr std::uint64_t num_cells(std::uint64_t num_items, std::uint32_t bits) {
    return (num_items + (std::uint64_t{1} << bits) - 1) >> bits;
}
/// The fewest bits with which max_replay_cells cells of 2^bits items hold `num_items`.
std::uint32_t cell_bits_for(std::uint64_t num_items);

/// Makes a replay from every access on the simulated GPU. The items are 4-byte handles: 0 for an empty slot,
/// else the index of the slot plus 1. Throws Error{invalid_argument} for other items.
std::unique_ptr<MemoryReplay> replay_of(const compaction::Algorithm& algorithm,
                                        std::shared_ptr<const compaction::AccessTrace> trace,
                                        compaction::Partition parts);

/// Makes a replay from the spans of a run. `kept`: [num_items] whether each item is kept. The loads and
/// stores of a span are spread evenly over its time.
std::unique_ptr<MemoryReplay> replay_of(std::shared_ptr<const TracedRun> run, std::vector<bool> kept);

}  // namespace warpsieve::trace
