#include "cpu/engine.hpp"

#include <hwy/highway.h>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>

#include "compaction/error.hpp"
#include "cpu/machine.hpp"
#include "cpu/recorder.hpp"
#include "cpu/simd_kernels.hpp"
#include "cpu/verifier.hpp"
#include "registration.hpp"

namespace compaction::cpu {
namespace {

constexpr std::align_val_t alignment{256};

/// A piece of a parallel copy: long enough to be worth a task, short enough to spread evenly.
constexpr std::size_t copy_piece_bytes = 1 << 18;

std::string gibibytes(std::uint64_t bytes) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f GiB", static_cast<double>(bytes) * 0x1p-30);
    return text;
}

[[noreturn]] void refuse_allocation(std::size_t size_bytes, std::uint64_t free_bytes) {
    throw Error(ErrorCode::out_of_memory, "Asked for " + gibibytes(size_bytes) +
                                              " of host memory, of which " + gibibytes(free_bytes) +
                                              " is free. Choose a shorter stream or close other programs.");
}

std::string highway_description() {
    return std::string(simd_target()) + " (Highway " + std::to_string(HWY_MAJOR) + "." +
           std::to_string(HWY_MINOR) + "." + std::to_string(HWY_PATCH) + ")";
}

}  // namespace

CpuEngine::CpuEngine()
    : device_{processor_name(), highway_description(),
              static_cast<std::uint32_t>(tbb::info::default_concurrency()), total_memory_bytes()} {}

std::uint64_t CpuEngine::free_memory_bytes() const {
    return available_memory_bytes();
}

std::unique_ptr<Compactor> CpuEngine::make_compactor(const Algorithm& algorithm, const Options& options) {
    return make_registered(*this, algorithm, options);
}

std::unique_ptr<PhaseRecorder> CpuEngine::make_recorder(std::size_t max_runs) {
    return std::make_unique<Recorder>(max_runs);
}

std::unique_ptr<Verifier> CpuEngine::make_verifier() {
    return std::make_unique<ChunkVerifier>(*this);
}

Buffer CpuEngine::allocate(std::size_t size_bytes) {
    // Linux grants more memory than there is and kills the process when it is used, so ask first what there
    // is.
    const std::uint64_t free_bytes = free_memory_bytes();
    if (free_bytes > 0 && size_bytes > free_bytes) refuse_allocation(size_bytes, free_bytes);
    void* data = ::operator new(size_bytes, alignment, std::nothrow);
    if (!data) refuse_allocation(size_bytes, free_bytes);
    ++counters_.allocations;
    return Buffer(data, size_bytes, [](void* memory) noexcept { ::operator delete(memory, alignment); });
}

void CpuEngine::upload(void* engine_memory, const void* host_memory, std::size_t size_bytes) {
    if (size_bytes > 0) std::memcpy(engine_memory, host_memory, size_bytes);
}

void CpuEngine::download(void* host_memory, const void* engine_memory, std::size_t size_bytes) {
    if (size_bytes > 0) std::memcpy(host_memory, engine_memory, size_bytes);
}

void CpuEngine::enqueue_copy(void* to, const void* from, std::size_t size_bytes, PhaseRecorder* recorder) {
    ScopedPhase phase{recorder};
    using Bytes = tbb::blocked_range<std::size_t>;
    tbb::parallel_for(Bytes(0, size_bytes, copy_piece_bytes), [&](const Bytes& piece) {
        std::memcpy(static_cast<std::byte*>(to) + piece.begin(),
                    static_cast<const std::byte*>(from) + piece.begin(), piece.size());
    });
}

EngineStatus status() {
    return {EngineId::cpu, "CPU", true, ""};
}

std::unique_ptr<Engine> open() {
    return std::make_unique<CpuEngine>();
}

}  // namespace compaction::cpu
