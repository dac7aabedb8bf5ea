// The device verifier: ranks the kept items of the input anew, a chunk to a warp and a row of 32 items at a
// time, by ballots, and compares each with the item at that rank of the output. It is kept plain on purpose
// and shares no kernel with the algorithms.
#include "cuda/engine.hpp"
#include "cuda/primitives/warp.cuh"
#include "cuda/support/memory.hpp"

namespace compaction::cuda {
namespace {

constexpr unsigned chunk_items = 2048;
constexpr unsigned threads_per_block = 256;
constexpr std::uint64_t none = ~std::uint64_t{0};

/// The first difference of a chunk, or rank `none`.
struct Difference {
    std::uint64_t rank;
    Item expected;
    Item actual;
};

/// What comes back to the host.
struct Finding {
    std::uint64_t expected_count;
    std::uint64_t actual_count;
    Difference first;
};

__device__ std::uint64_t chunk_of_warp() {
    return std::uint64_t{blockIdx.x} * (threads_per_block / warp_size) + warp_in_block();
}

__global__ void count_chunks(const Item* in, std::uint64_t num_items, std::uint64_t num_chunks,
                             std::uint64_t* counts, Keep keep) {
    const std::uint64_t chunk = chunk_of_warp();
    if (chunk >= num_chunks) return;
    unsigned count = 0;
    for (unsigned row = 0; row < chunk_items; row += warp_size) {
        const std::uint64_t i = chunk * chunk_items + row + lane_index();
        count += __popc(__ballot_sync(all_lanes, i < num_items && keep(in[i])));
    }
    if (lane_index() == 0) counts[chunk] = count;
}

/// In place: counts become first ranks. One warp: slow and plain.
__global__ void scan_chunks(std::uint64_t* counts, std::uint64_t num_chunks, std::uint64_t* total) {
    std::uint64_t before = 0;
    for (std::uint64_t first = 0; first < num_chunks; first += warp_size) {
        const std::uint64_t chunk = first + lane_index();
        const std::uint64_t count = chunk < num_chunks ? counts[chunk] : 0;
        const std::uint64_t inclusive = warp_inclusive_scan(count);
        if (chunk < num_chunks) counts[chunk] = before + inclusive - count;
        before += from_last_lane(inclusive);
    }
    if (lane_index() == 0) *total = before;
}

__global__ void compare_chunks(const Item* in, std::uint64_t num_items, const Item* out,
                               const std::uint64_t* num_selected, const std::uint64_t* first_ranks,
                               std::uint64_t num_chunks, Difference* differences, Keep keep) {
    const std::uint64_t chunk = chunk_of_warp();
    if (chunk >= num_chunks) return;
    const std::uint64_t num_written = min(*num_selected, num_items);
    std::uint64_t row_rank = first_ranks[chunk];
    Difference difference{none, 0, 0};
    for (unsigned row = 0; row < chunk_items && difference.rank == none; row += warp_size) {
        const std::uint64_t i = chunk * chunk_items + row + lane_index();
        const Item item = i < num_items ? in[i] : 0;
        const unsigned kept = __ballot_sync(all_lanes, i < num_items && keep(item));
        const std::uint64_t rank = row_rank + __popc(kept & ((1U << lane_index()) - 1));
        const bool compared = (kept >> lane_index() & 1) && rank < num_written;
        const Item actual = compared ? out[rank] : item;
        const unsigned wrong = __ballot_sync(all_lanes, actual != item);
        if (wrong) {
            const int first_lane = __ffs(static_cast<int>(wrong)) - 1;
            difference = {__shfl_sync(all_lanes, rank, first_lane), __shfl_sync(all_lanes, item, first_lane),
                          __shfl_sync(all_lanes, actual, first_lane)};
        }
        row_rank += __popc(kept);
    }
    if (lane_index() == 0) differences[chunk] = difference;
}

/// Chunks are in the order of the stream, so the first chunk with a difference has the first one. One warp.
__global__ void report(const Difference* differences, std::uint64_t num_chunks, const std::uint64_t* expected,
                       const std::uint64_t* actual, Finding* finding) {
    Difference first{none, 0, 0};
    for (std::uint64_t start = 0; start < num_chunks && first.rank == none; start += warp_size) {
        const std::uint64_t chunk = start + lane_index();
        const Difference mine = chunk < num_chunks ? differences[chunk] : first;
        const unsigned wrong = __ballot_sync(all_lanes, mine.rank != none);
        if (wrong) {
            const int first_lane = __ffs(static_cast<int>(wrong)) - 1;
            first = {__shfl_sync(all_lanes, mine.rank, first_lane),
                     __shfl_sync(all_lanes, mine.expected, first_lane),
                     __shfl_sync(all_lanes, mine.actual, first_lane)};
        }
    }
    if (lane_index() == 0) *finding = {*expected, *actual, first};
}

class DeviceVerifier final : public Verifier {
  public:
    explicit DeviceVerifier(cudaStream_t stream)
        : stream_(stream), total_(1), finding_(1), host_finding_(1) {}

    void reserve(std::uint64_t max_items) override {
        const std::size_t num_chunks = chunks(max_items);
        ranks_.grow_to(num_chunks);
        differences_.grow_to(num_chunks);
    }

    bool enqueue(std::uint64_t run, const Item* in, std::uint64_t num_items, const Item* out,
                 const std::uint64_t* num_selected, Keep keep) override {
        if (awaited_) return false;
        const std::uint64_t num_chunks = chunks(num_items);
        constexpr unsigned warps_per_block = threads_per_block / warp_size;
        const auto blocks = static_cast<unsigned>((num_chunks + warps_per_block - 1) / warps_per_block);
        if (blocks > 0) {
            count_chunks<<<blocks, threads_per_block, 0, stream_>>>(in, num_items, num_chunks, ranks_.data(),
                                                                    keep);
            check_launch("count_chunks");
        }
        scan_chunks<<<1, warp_size, 0, stream_>>>(ranks_.data(), num_chunks, total_.data());
        check_launch("scan_chunks");
        if (blocks > 0) {
            compare_chunks<<<blocks, threads_per_block, 0, stream_>>>(
                in, num_items, out, num_selected, ranks_.data(), num_chunks, differences_.data(), keep);
            check_launch("compare_chunks");
        }
        report<<<1, warp_size, 0, stream_>>>(differences_.data(), num_chunks, total_.data(), num_selected,
                                             finding_.data());
        check_launch("report");
        check(cudaMemcpyAsync(host_finding_.data(), finding_.data(), sizeof(Finding), cudaMemcpyDeviceToHost,
                              stream_),
              "cudaMemcpyAsync of the verdict");
        finished_.record(stream_);
        awaited_ = true;
        run_ = run;
        return true;
    }

    std::optional<Verdict> poll() override {
        if (!awaited_ || !finished_.ready()) return std::nullopt;
        awaited_ = false;
        const Finding& finding = *host_finding_.data();
        Verdict verdict{run_, finding.expected_count, finding.actual_count, std::nullopt, 0, 0};
        if (finding.first.rank != none) {
            verdict.first_wrong = finding.first.rank;
            verdict.expected_item = finding.first.expected;
            verdict.actual_item = finding.first.actual;
        }
        return verdict;
    }

  private:
    static std::uint64_t chunks(std::uint64_t num_items) {
        return (num_items + chunk_items - 1) / chunk_items;
    }

    cudaStream_t stream_;
    DeviceBuffer<std::uint64_t> ranks_;
    DeviceBuffer<Difference> differences_;
    DeviceBuffer<std::uint64_t> total_;
    DeviceBuffer<Finding> finding_;
    PinnedBuffer<Finding> host_finding_;
    Event finished_;
    bool awaited_ = false;
    std::uint64_t run_ = 0;
};

}  // namespace

std::unique_ptr<Verifier> make_device_verifier(cudaStream_t stream) {
    return std::make_unique<DeviceVerifier>(stream);
}

}  // namespace compaction::cuda
