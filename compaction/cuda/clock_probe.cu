#include "cuda/clock_probe.hpp"

#include <cuda/ptx>

#include "compaction/cuda/check.hpp"

namespace compaction::cuda {
namespace {

constexpr std::uint64_t probe_ns = 20'000;
/// Ends the probe if the wall clock of the GPU does not advance.
constexpr std::int64_t max_cycles = 10'000'000;

/// A time of the wall clock and the cycle at which it was read.
struct Tick {
    std::uint64_t wall_ns;
    std::int64_t cycle;
};

/// Waits until the wall clock differs from `previous_ns` and has reached `earliest_ns`. The clock advances in
/// steps of up to about a microsecond, so only a change gives an exact time.
__device__ Tick next_tick(std::uint64_t previous_ns, std::uint64_t earliest_ns, std::int64_t deadline_cycle) {
    Tick tick{previous_ns, clock64()};
    while ((tick.wall_ns == previous_ns || tick.wall_ns < earliest_ns) && tick.cycle < deadline_cycle) {
        tick = {::cuda::ptx::get_sreg_globaltimer(), clock64()};
    }
    return tick;
}

__global__ void clock_probe(ClockSample* sample) {
    const std::int64_t deadline_cycle = clock64() + max_cycles;
    const Tick start = next_tick(::cuda::ptx::get_sreg_globaltimer(), 0, deadline_cycle);
    const Tick end = next_tick(start.wall_ns, start.wall_ns + probe_ns, deadline_cycle);
    *sample = {static_cast<std::uint64_t>(end.cycle - start.cycle), end.wall_ns - start.wall_ns};
}

}  // namespace

void enqueue_clock_probe(ClockSample* sample, cudaStream_t stream) {
    clock_probe<<<1, 1, 0, stream>>>(sample);
    check_launch("clock_probe");
}

StreamClockProbe::StreamClockProbe(cudaStream_t stream) : stream_(stream), sample_(1) {
    // CUDA loads a kernel at its first use and may wait for the device. Load it now, not during a frame.
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, clock_probe), "cudaFuncGetAttributes");
}

void StreamClockProbe::enqueue() {
    if (in_flight_) return;
    enqueue_clock_probe(sample_.data(), stream_);
    written_.record(stream_);
    in_flight_ = true;
}

std::optional<double> StreamClockProbe::poll() {
    if (!in_flight_ || !written_.ready()) return {};
    in_flight_ = false;
    return sample_.data()->hz();
}

}  // namespace compaction::cuda
