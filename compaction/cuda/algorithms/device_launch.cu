// Compaction without metadata, by launches from the device: a kernel of one block appends a tile to the
// output and launches itself for the next tile. The host launches once.
//
// Source: "Parallel Stream Compaction", part 5, which says that dynamic parallelism would allow for a
// compaction without metadata, and gives no code.
#include <algorithm>
#include <cstdint>

#include "compaction/cuda/check.hpp"
#include "compaction/cuda/warp.cuh"
#include "compaction/error.hpp"
#include "cuda/engine.hpp"
#include "cuda/primitives/dispatch.cuh"
#include "cuda/relocatable/append_tile.hpp"
#include "cuda/relocatable/launch_append_tile.hpp"
#include "cuda/support/stamps.hpp"
#include "registration.hpp"

namespace compaction::cuda {
namespace {

/// Items per thread for each value of Option::variant; no variant is 0 once the defaults are set.
constexpr unsigned items_of_variant[] = {0, 16, 64, 256};
constexpr std::uint32_t items_256 = 3;

template <typename ItemT>
class DeviceLaunch final : public Compactor {
  public:
    DeviceLaunch(Engine& engine, const Options& requested)
        : engine_(static_cast<CudaEngine&>(engine)),
          options_(with_default(with_default(requested, Option::threads_per_block, max_threads_per_block),
                                Option::variant, items_256)) {}

    Options resolved_options(std::uint64_t) const override { return options_; }

    Partition partition(std::uint64_t num_items) const override {
        return equal_parts(PartKind::tile, num_items, tile_items());
    }

    void do_enqueue(const void* in, std::uint64_t num_items, void* out, std::uint64_t* num_selected,
                    Predicate keep, PhaseRecorder* recorder) override {
        refuse_capture();
        const TimedPhase phase{recorder};
        const unsigned threads = options_[Option::threads_per_block];
        const auto rows = make_row_view<ItemT, 1>(static_cast<const ItemT*>(in), num_items);
        const std::uint64_t tile_rows = tile_items() / warp_size;
        const auto num_tiles =
            static_cast<unsigned>(std::max<std::uint64_t>(1, (rows.num_rows() + tile_rows - 1) / tile_rows));
        const unsigned batches_per_warp = items_per_thread() / batch_items_per_lane<ItemT>;
        const auto parts = [&] {
            return BlockParts{.partition = partition(num_items), .counts_selected = true};
        };
        const Stamps stamps = with_parts(phase.stamps(), parts).on_grid(/*blocks=*/1, threads, num_tiles);
        const TileToAppend<ItemT> first{
            rows, /*first_row=*/0, batches_per_warp, static_cast<ItemT*>(out), num_selected, keep, stamps};
        check(kernel_.launch(first, threads, engine_.stream()), "append_tile");
    }

  private:
    void refuse_capture() const {
        if (!relocatable::is_being_captured(engine_.stream())) return;
        throw Error(
            ErrorCode::unavailable,
            "device_launch cannot be captured: its graph could end before the kernels that its kernel "
            "launches. Call it on a stream, or capture another algorithm.");
    }

    unsigned items_per_thread() const { return items_of_variant[options_[Option::variant]]; }
    std::uint64_t tile_items() const {
        return std::uint64_t{options_[Option::threads_per_block]} * items_per_thread();
    }

    CudaEngine& engine_;
    Options options_;
    relocatable::AppendTile<ItemT> kernel_;
};

}  // namespace
}  // namespace compaction::cuda

namespace compaction {

Registration register_device_launch() {
    Registration registration;
    registration.algorithm.authors = "Warpsieve; after part 5 of Parallel Stream Compaction";
    registration.algorithm.year = 2026;
    registration.algorithm.source =
        "Warpsieve; the idea of compaction without metadata by dynamic parallelism is from Parallel Stream "
        "Compaction, part 5";
    registration.algorithm.summary =
        "One block appends a tile to the output and launches itself for the next. The length of the output "
        "is the only state. One multiprocessor works at a time, so this shows what launches from the device "
        "cost; it is not a fast compaction.";
    registration.algorithm.launches_on_device = true;
    registration.algorithm.phases = {{PhaseRole::fused, "launches",
                                      "Count, offset and move, one tile after another; the time between two "
                                      "tiles is the cost of a launch.",
                                      traffic::reads_all_writes_selected}};
    registration.algorithm.options = {cuda::every_block_size(),
                                      variants({"items_16", "items_64", "items_256"})};
    registration.make = make_for_item_size<cuda::DeviceLaunch>;
    return registration;
}

}  // namespace compaction
