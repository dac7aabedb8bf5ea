// Single-pass stream compaction: reads the input once, in tiles. Each block adds up the counts of earlier
// tiles to find where the output of its tiles starts. CUDA programs call the same kernels through
// compaction/cuda/select.cuh.
//
// Source: Merrill and Garland 2016, "Single-pass Parallel Prefix Scan with Decoupled Look-back", for
// publishing and looking back; docs/explanation/single_pass.md for what is new here.

#include "compaction/cuda/check.hpp"
#include "compaction/cuda/detail/stamped.cuh"
#include "compaction/cuda/select.cuh"
#include "cuda/engine.hpp"
#include "cuda/primitives/dispatch.cuh"
#include "cuda/support/stamps.hpp"
#include "registration.hpp"

namespace compaction::cuda {
namespace {

template <typename ItemT>
class SinglePass final : public Compactor {
  public:
    SinglePass(Engine& engine, const Options& requested)
        : engine_(static_cast<CudaEngine&>(engine)), options_(requested) {
        check(state_.template reserve<ItemT>(0, engine_.stream()), "SelectState::reserve");
        // A call begins when the previous one has ended, as with the other algorithms. The phases and the
        // gaps between calls then add up to the total time.
        state_.let_launches_overlap(false);
    }

    Options resolved_options(std::uint64_t num_items) const override {
        Options resolved = options_;
        resolved[Option::blocks] = plan(num_items).blocks;
        return resolved;
    }

    Partition partition(std::uint64_t num_items) const override {
        return partition_of(plan(num_items).tiling, num_items);
    }

    std::vector<WorkingBuffer> working_buffers() const override {
        const detail::StateMemory memory = state_.memory();
        const detail::SingleWaveState& wave = memory.tile_state->single_wave;
        const detail::PipelineState& pipeline = memory.tile_state->pipeline;
        const WordFormat status{.num_bits = detail::count_bits, .copies = detail::tile_state_copies};
        std::vector<WorkingBuffer> buffers{{BufferRole::counter, "launch number", &wave.launches,
                                            sizeof wave.launches, sizeof wave.launches},
                                           {BufferRole::status, "counts of tiles", wave.words,
                                            sizeof wave.words, sizeof(detail::StatusWord), status},
                                           {BufferRole::counter, "rounds, fallbacks and arrivals", &pipeline,
                                            offsetof(detail::PipelineState, words), sizeof(detail::Tag)},
                                           {BufferRole::status, "counts of chunks", pipeline.words,
                                            sizeof pipeline.words, sizeof(detail::StatusWord), status}};
        if (memory.num_ticket_words > 0) {
            // The highest bit is the flag of a published count.
            const WordFormat count_below_flag{.num_bits = 31};
            constexpr std::size_t word_bytes = 4;
            buffers.push_back(
                {BufferRole::counter, "next ticket", memory.ticket_words, word_bytes, word_bytes});
            buffers.push_back({BufferRole::status, "counts of ticketed tiles", memory.ticket_words + 1,
                               (memory.num_ticket_words - 1) * word_bytes, word_bytes, count_below_flag});
        }
        return buffers;
    }

    void do_reserve(std::uint64_t max_items) override {
        check(state_.template reserve<ItemT>(max_items, engine_.stream()), "SelectState::reserve");
    }

    void do_enqueue(const void* in, std::uint64_t num_items, void* out, std::uint64_t* num_selected,
                    Predicate keep, PhaseRecorder* recorder) override {
        const TimedPhase phase{recorder};
        const Stamps stamps = with_parts(phase.stamps(), [&] {
            return describe_blocks(static_cast<const ItemT*>(in), num_items, phase.stamps());
        });
        check(detail::select_with_state(state_, static_cast<const ItemT*>(in), static_cast<ItemT*>(out),
                                        num_selected, num_items, Selector{{keep}, stamps},
                                        options_[Option::blocks], engine_.stream()),
              "select_if");
    }

  private:
    using Selector = detail::Stamped<detail::ByPredicate<Predicate>>;

    struct Plan {
        unsigned blocks = 0;
        detail::Tiling tiling;
    };

    Plan plan(std::uint64_t num_items) const {
        Plan plan;
        check(state_.template blocks<ItemT, Predicate, std::uint64_t>(num_items, options_[Option::blocks],
                                                                      plan.blocks, plan.tiling),
              "SelectState::blocks");
        return plan;
    }

    /// Which tiles the blocks of a traced launch process. If they take them by ticket, also adds to the trace
    /// the reset that precedes the launch.
    BlockParts describe_blocks(const ItemT* in, std::uint64_t num_items, const Stamps& stamps) const {
        using Selection = detail::Selection<ItemT, Selector, std::uint64_t>;
        const auto input = detail::make_aligned_span<ItemT>(in, num_items);
        detail::DeviceProperties device;
        check(detail::query_current_device(device), "query_current_device");
        detail::Plan plan;
        check(Selection::choose(device, input.end, options_[Option::blocks], plan), "Selection::choose");
        const bool by_ticket = plan.path == detail::Path::ticketed;
        if (by_ticket) add_reset(stamps);
        const detail::Tiling tiling = detail::tiling_of<ItemT>(plan, input.end);
        return {.partition = partition_of(tiling, input.end),
                .lead = input.begin,
                .by_ticket = by_ticket,
                .counts_selected = true,
                .waits = tiling.num_tiles > 1};
    }

    static Partition partition_of(const detail::Tiling& tiling, std::uint64_t num_items) {
        return {.kind = PartKind::tile,
                .num_items = num_items,
                .num_parts = tiling.num_tiles,
                .items_each = tiling.last_items,
                .num_longer = tiling.num_whole,
                .longer_by = tiling.whole_items - tiling.last_items,
                .unknown_because = {}};
    }

    CudaEngine& engine_;
    Options options_;  ///< with `blocks` left automatic, unless it was requested
    SelectState state_;
};

}  // namespace
}  // namespace compaction::cuda

namespace compaction {

Registration register_single_pass() {
    Registration registration;
    registration.algorithm.authors = "Warpsieve; after Merrill and Garland";
    registration.algorithm.year = 2026;
    registration.algorithm.source =
        "Warpsieve; look-back after Merrill, Garland 2016, Single-pass Parallel Prefix Scan with Decoupled "
        "Look-back";
    registration.algorithm.summary =
        "Reads the input once. Short streams: one tile per block, all resident at once. Long streams: one "
        "block per multiprocessor, whose warps count ahead, look back and write at the same time, fed by "
        "bulk copies. With a set number of blocks, and on older GPUs, blocks take tiles by ticket.";
    registration.algorithm.phases = {
        {PhaseRole::fused, "fused",
         "Count, prefix and move in one sweep; they overlap, so there is nothing to split.",
         traffic::reads_all_writes_selected}};
    registration.algorithm.options = {cuda::every_grid_size()};
    registration.make = make_for_item_size<cuda::SinglePass>;
    return registration;
}

}  // namespace compaction
