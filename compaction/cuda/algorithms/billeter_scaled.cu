// Billeter's sequences scaled to the GPU: the same kernels with eight blocks of 128 threads on every
// multiprocessor, and one sequence for each warp. One block of 480 threads still scans the counts, now in
// several turns.
//
// Source: Billeter, Olsson and Assarsson 2009, "Efficient Stream Compaction on Wide SIMD Many-Core
// Architectures". The grid is new here.
#include <memory>

#include "cuda/primitives/warp_sequences.cuh"
#include "registration.hpp"

namespace compaction {
namespace {

constexpr unsigned blocks_per_multiprocessor = 8;

}  // namespace

Registration register_billeter_scaled() {
    Registration registration;
    registration.algorithm = cuda::warp_sequences::describe();
    // 2^31 items for each of the 32 sequences of the smallest GPU, which has one multiprocessor: the counts
    // of sequences have 32 bits.
    registration.algorithm.max_items = std::uint64_t{1} << 36;
    registration.algorithm.summary =
        "The scheme of 2009 with its grid scaled to this GPU: eight blocks of 128 threads on every "
        "multiprocessor, one sequence for each warp. The gain over the published grid is the cost of its "
        "idle multiprocessors. The published variants add up and scan in shared memory, as the code of 2009; "
        "the others use ballots and shuffles.";
    registration.make = [](Engine& engine, const Options& options,
                           ItemSize item_size) -> std::unique_ptr<Compactor> {
        auto& cuda_engine = static_cast<cuda::CudaEngine&>(engine);
        const auto blocks =
            blocks_per_multiprocessor * static_cast<unsigned>(cuda_engine.num_multiprocessors());
        return std::make_unique<cuda::warp_sequences::WarpSequences>(cuda_engine, options, item_size, blocks);
    };
    return registration;
}

}  // namespace compaction
