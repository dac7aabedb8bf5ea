#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "arguments.hpp"
#include "cpu/simd_kernels.hpp"
#include "registration.hpp"

namespace compaction {
namespace {

constexpr std::uint32_t max_threads = 256;
constexpr std::uint32_t max_sequences = 65'536;

/// Up to here waking a thread costs more than it saves: one sequence, on the calling thread.
constexpr std::uint64_t inline_items = 4'096;

/// 64 KiB: counted and moved, a sequence is long enough to be worth a task and short enough to balance the
/// threads.
constexpr std::uint64_t items_per_sequence = 16'384;
constexpr std::uint64_t sequences_per_thread = 4;

/// Sequences begin at whole cache lines, so that no vector and no line belongs to two of them.
constexpr std::uint64_t line_items = 64 / sizeof(Item);

constexpr std::uint64_t divide_up(std::uint64_t items, std::uint64_t parts) {
    return (items + parts - 1) / parts;
}

/// A stream cut into `count` ordered parts of equal length; the last may be shorter, or empty in a short
/// stream.
struct Sequences {
    std::uint64_t num_items;
    std::uint64_t length;

    Sequences(std::uint64_t items, std::uint64_t count)
        : num_items(items), length(divide_up(divide_up(items, count), line_items) * line_items) {}

    std::uint64_t begin(std::uint64_t sequence) const { return std::min(num_items, sequence * length); }
    std::uint64_t size(std::uint64_t sequence) const { return begin(sequence + 1) - begin(sequence); }
};

class SequenceWiseCompactor final : public Compactor {
  public:
    SequenceWiseCompactor(Engine& engine, const Options& options)
        : engine_(engine),
          options_(options),
          threads_(options[Option::threads_per_block] == automatic ? engine.device().processors
                                                                   : options[Option::threads_per_block]),
          workers_(static_cast<int>(threads_)) {
        // oneTBB starts no more threads than the machine has unless it is told to; of several such limits the
        // lowest counts, so every compactor that asks for more sets the same.
        if (threads_ > engine.device().processors) {
            oversubscription_.emplace(tbb::global_control::max_allowed_parallelism, max_threads);
        }
        reserve(0);
    }

    Options layout(std::uint64_t num_items) const override {
        Options chosen = options_;
        const bool is_small = num_items <= inline_items;
        if (chosen[Option::vector_width] == automatic) chosen[Option::vector_width] = 4;
        if (chosen[Option::threads_per_block] == automatic)
            chosen[Option::threads_per_block] = is_small ? 1 : threads_;
        if (chosen[Option::sequences] == automatic) {
            const std::uint64_t to_balance =
                std::min(sequences_per_thread * threads_, num_items / inline_items);
            const std::uint64_t count = std::max(divide_up(num_items, items_per_sequence), to_balance);
            chosen[Option::sequences] =
                is_small ? 1 : static_cast<std::uint32_t>(std::min<std::uint64_t>(count, max_sequences));
        }
        return chosen;
    }

    void reserve(std::uint64_t max_items) override {
        if (max_items <= max_items_ && offsets_.size_bytes() > 0) return;
        // The automatic number of sequences never falls as streams grow, so the longest stream needs the
        // most.
        offsets_ = engine_.allocate((layout(max_items)[Option::sequences] + 1) * sizeof(std::uint64_t));
        max_items_ = max_items;
    }

    void enqueue(const Item* in, std::uint64_t num_items, Item* out, std::uint64_t* num_selected, Keep keep,
                 PhaseRecorder* recorder) override {
        check_arguments(in, num_items, out, num_selected, max_items_);
        const Options chosen = layout(num_items);
        const std::uint64_t count = chosen[Option::sequences];
        const Sequences sequences(num_items, count);
        const unsigned vectors = chosen[Option::vector_width];
        const bool on_this_thread = chosen[Option::threads_per_block] == 1 || count == 1;
        auto* const offsets = offsets_.as<std::uint64_t>();
        {
            ScopedPhase counting{recorder};
            for_each_sequence(count, on_this_thread, [&](std::uint64_t s) {
                offsets[s] = cpu::count_kept(in + sequences.begin(s), sequences.size(s), keep, vectors);
            });
        }
        {
            ScopedPhase prefixing{recorder};
            std::uint64_t total = 0;
            for (std::uint64_t s = 0; s < count; ++s) total += std::exchange(offsets[s], total);
            offsets[count] = total;
            *num_selected = total;
        }
        {
            ScopedPhase moving{recorder};
            for_each_sequence(count, on_this_thread, [&](std::uint64_t s) {
                cpu::move_kept(in + sequences.begin(s), sequences.size(s), keep, out + offsets[s],
                               offsets[s + 1] - offsets[s], vectors);
            });
        }
    }

  private:
    template <typename Work>
    void for_each_sequence(std::uint64_t count, bool on_this_thread, const Work& work) {
        using Range = tbb::blocked_range<std::uint64_t>;
        const auto run = [&work](const Range& part) {
            for (std::uint64_t s = part.begin(); s != part.end(); ++s) work(s);
        };
        if (on_this_thread) {
            run(Range(0, count));
        } else {
            workers_.execute([&] { tbb::parallel_for(Range(0, count), run); });
        }
    }

    Engine& engine_;
    Options options_;
    std::uint32_t threads_;
    std::optional<tbb::global_control> oversubscription_;
    tbb::task_arena workers_;
    Buffer offsets_;  ///< [sequences + 1] kept items of each sequence, then where its output begins
    std::uint64_t max_items_ = 0;
};

}  // namespace

Registration register_cpu_sequence_wise() {
    Algorithm algorithm;
    algorithm.authors = "M. Billeter, O. Olsson, U. Assarsson";
    algorithm.year = 2009;
    algorithm.source =
        "Billeter, Olsson and Assarsson (2009), 'Efficient Stream Compaction on Wide SIMD Many-Core "
        "Architectures', High "
        "Performance Graphics; here with a worker thread in the place of a warp and SIMD lanes in the place "
        "of its threads";
    algorithm.summary =
        "The stream is cut into sequences that worker threads count, then move side by side, each to where "
        "the prefix "
        "says its output begins. SIMD compares and compresses a vector of items at a time, without a branch "
        "per item. "
        "Vector width is the number of SIMD vectors handled per step of the loop; threads per block is the "
        "number of "
        "worker threads.";
    algorithm.phases = {{PhaseRole::count, "count",
                         "Every thread counts the kept items of its sequences; reads the whole stream."},
                        {PhaseRole::prefix, "prefix",
                         "One thread adds up the counts, so each sequence knows where its output begins."},
                        {PhaseRole::move, "move",
                         "Every thread reads its sequences again and writes the kept items to their place."}};
    algorithm.options = {{Option::vector_width, 1, 4, LegalRange::Spacing::powers_of_two},
                         {Option::threads_per_block, 1, max_threads},
                         {Option::sequences, 1, max_sequences}};
    return {algorithm, [](Engine& engine, const Options& options) -> std::unique_ptr<Compactor> {
                return std::make_unique<SequenceWiseCompactor>(engine, options);
            }};
}

}  // namespace compaction
