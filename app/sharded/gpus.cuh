#pragma once

#include <cuda_runtime_api.h>
#include <nccl.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/sharded/whole_array.hpp"
#include "compaction/cuda/graph.hpp"
#include "compaction/cuda/memory.hpp"
#include "compaction/cuda/sharded_select.cuh"
#include "compaction/cuda/stream.hpp"
#include "compaction/error.hpp"
#include "experiments/sharded.hpp"

namespace warpsieve {

static_assert(sizeof(Item) == experiments::sharded_item_bytes);

/// A GPU, its stream and its memory. Construct it while this GPU is the current device.
struct Gpu {
    explicit Gpu(int index)
        : device(index), counts(1), counter(1), begin(cudaEventDefault), end(cudaEventDefault) {}

    int device;
    compaction::cuda::Stream stream;
    compaction::cuda::DeviceBuffer<Item> in;
    compaction::cuda::DeviceBuffer<Item> out;
    compaction::cuda::DeviceBuffer<Item> all_in;  ///< the parts of all GPUs; allocated on the first GPU only
    compaction::cuda::DeviceBuffer<compaction::ShardedCounts> counts;
    compaction::cuda::DeviceBuffer<std::uint64_t> counter;  ///< [1] the result of a counting kernel
    compaction::cuda::SelectState select;                   ///< for selections without an exchange
    compaction::cuda::Event begin, end;                     ///< of a timed sample
    std::uint64_t num_kept = 0;                             ///< kept items of this GPU's part
};

/// The GPUs of a measurement, with a part of the sharded array on each.
class Gpus {
  public:
    /// The first `size` GPUs and their communicators. Throws Error{unavailable} if there are fewer.
    explicit Gpus(unsigned size);
    ~Gpus();
    Gpus(const Gpus&) = delete;
    Gpus& operator=(const Gpus&) = delete;

    unsigned size() const { return static_cast<unsigned>(gpus_.size()); }
    /// Makes a GPU the current device and returns it.
    Gpu& operator[](unsigned rank) const;

    /// Frees the memory of an earlier call, then allocates parts and outputs and creates the states.
    /// `network`: as in experiments::ShardedSetting.
    void prepare(std::uint64_t items_per_gpu, bool network);
    /// Fills the parts. If `skewed`, only the last GPU has items that are kept.
    void fill(double keep_fraction, bool skewed);

    /// Enqueues the clearing of outputs and counts, so that the results of an earlier call are not mistaken
    /// for those of the next one.
    void clear_outputs();
    /// Enqueues a call on all GPUs. On the network path, the host waits for it.
    void enqueue(experiments::ShardedCall call);
    /// Captures `num_calls` calls into one graph for each GPU.
    std::vector<compaction::cuda::GraphExec> capture(experiments::ShardedCall call, int num_calls);
    void synchronise();

    /// Describes what is wrong with the results of the last call; empty if they are correct.
    std::string fault_of(experiments::ShardedCall call);
    /// The bytes that the busiest link carries in a call.
    std::uint64_t busiest_link_bytes(experiments::ShardedCall call) const;

  private:
    struct Stored {
        const Item* items;
        std::uint64_t size;
    };

    compaction::ShardedArrays<Item> arrays_of(Gpu& gpu) const {
        return {gpu.in.data(), items_per_gpu_, gpu.out.data(), gpu.out.size(), gpu.counts.data()};
    }
    /// Destroys the states. They must be destroyed before their communicators.
    void destroy_states();
    void select_alone();
    void select_sharded(compaction::ShardedTarget target);
    void exchange();
    void copy_over_link();
    void send_whole_shards();
    /// The items that the call has stored on a GPU.
    Stored stored_on(unsigned rank, experiments::ShardedCall call);
    /// The number of wrong items, counted on the GPU. `before`: the last item stored on the GPUs before it.
    std::uint64_t num_faults(unsigned rank, Stored stored, Item before);

    std::vector<std::unique_ptr<Gpu>> gpus_;
    std::vector<ncclComm_t> communicators_;
    std::vector<compaction::cuda::ShardedSelectState> states_;
    std::vector<cudaStream_t> streams_;
    WholeArray array_;
    std::uint64_t items_per_gpu_ = 0;
};

}  // namespace warpsieve
