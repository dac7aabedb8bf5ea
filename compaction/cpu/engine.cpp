#include "cpu/engine.hpp"

#include <hwy/highway.h>
#include <oneapi/tbb/info.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "compaction/error.hpp"
#include "cpu/machine.hpp"
#include "cpu/recorder.hpp"
#include "cpu/simd_kernels.hpp"
#include "cpu/streamed_output.hpp"
#include "cpu/tuning.hpp"
#include "cpu/workers.hpp"
#include "platform/machine.hpp"
#include "registration.hpp"

namespace compaction::cpu {
namespace {

namespace platform = warpsieve::platform;

constexpr std::size_t small_alignment = 256;

void copy_on_all_threads(const std::byte* from, std::size_t size_bytes, std::byte* to, bool bypasses_cache) {
    if (size_bytes <= tuning::one_thread_bytes) {
        if (size_bytes > 0) std::memcpy(to, from, size_bytes);
        return;
    }
    for_each_index(ceil_div(size_bytes, tuning::copy_piece_bytes), [&](std::uint64_t piece) {
        const std::size_t begin = piece * tuning::copy_piece_bytes;
        copy_items(from + begin, std::min(tuning::copy_piece_bytes, size_bytes - begin), to + begin,
                   bypasses_cache);
        if (bypasses_cache) publish_streamed_lines();
    });
}

std::string gibibytes(std::uint64_t bytes) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f GiB", static_cast<double>(bytes) * 0x1p-30);
    return text;
}

[[noreturn]] void refuse_allocation(std::size_t size_bytes, std::uint64_t free_bytes) {
    throw Error(ErrorCode::out_of_memory, "An allocation of " + gibibytes(size_bytes) +
                                              " of host memory failed; " + gibibytes(free_bytes) +
                                              " are free. Choose a shorter stream or close other programs.");
}

std::string processor_text() {
    const std::string name = platform::processor_name();
    return name.empty() ? "unknown processor" : name;
}

std::string version(int major, int minor, int patch) {
    return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

/// The compiler that built this library; kernel speed depends on it.
std::string compiler() {
#if defined(__clang__)
    return "Clang " + version(__clang_major__, __clang_minor__, __clang_patchlevel__);
#elif defined(__GNUC__)
    return "GCC " + version(__GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#else
    return "an unknown compiler";
#endif
}

/// "AVX3 (Highway 1.0.3, GCC 12.2.0)"
std::string simd_description() {
    return std::string(simd_target()) + " (Highway " + version(HWY_MAJOR, HWY_MINOR, HWY_PATCH) + ", " +
           compiler() + ")";
}

/// Reads the clock from the operating system, so a measurement is complete at once.
class ReportedClock final : public ClockProbe {
  public:
    void enqueue() override {
        if (reason_.empty()) hz_ = platform::reported_clock_hz();
    }
    std::optional<double> poll() override { return std::exchange(hz_, std::nullopt); }
    const std::string& reason() const override { return reason_; }

  private:
    std::optional<double> hz_;
    std::string reason_ = platform::reported_clock_hz() > 0
                              ? ""
                              : "The system does not report the processor clock (cpufreq is missing).";
};

}  // namespace

CpuEngine::CpuEngine()
    : device_{.name = processor_text(),
              .driver = simd_description(),
              .processors = static_cast<std::uint32_t>(tbb::info::default_concurrency()),
              .memory_bytes = platform::total_memory_bytes(),
              .cache_bytes = platform::last_level_cache_bytes(),
              .max_clock_hz = platform::max_clock_hz(),
              .phase_clock_step_us = 1e-3} {
    limit_to_allowed_threads(device_.processors);
}

std::uint64_t CpuEngine::free_memory_bytes() const {
    return platform::available_memory_bytes();
}

std::unique_ptr<Compactor> CpuEngine::make_compactor(const Algorithm& algorithm, const Options& options,
                                                     ItemSize item_size) {
    return make_registered(*this, algorithm, options, item_size);
}

std::unique_ptr<SpanTimer> CpuEngine::make_timer(std::size_t max_spans) {
    return std::make_unique<Timer>(checked_max_runs(max_spans));
}

std::unique_ptr<PhaseRecorder> CpuEngine::make_recorder(std::size_t max_runs) {
    return std::make_unique<Recorder>(checked_max_runs(max_runs));
}

std::unique_ptr<Verifier> CpuEngine::make_verifier(Comparison comparison, ItemSize item_size) {
    return make_chunk_verifier(*this, comparison, item_size);
}

Buffer CpuEngine::allocate(std::size_t size_bytes) {
    // Linux grants more memory than there is and kills the process that uses it, so check first.
    const std::uint64_t free_bytes = free_memory_bytes();
    if (free_bytes > 0 && size_bytes > free_bytes) refuse_allocation(size_bytes, free_bytes);
    const bool is_large = size_bytes >= tuning::huge_page_bytes;
    const std::size_t alignment = is_large ? tuning::huge_page_bytes : small_alignment;
    void* const data =
        std::aligned_alloc(alignment, std::max<std::size_t>(1, ceil_div(size_bytes, alignment)) * alignment);
    if (!data) refuse_allocation(size_bytes, free_bytes);
    if (is_large) platform::request_huge_pages(data, size_bytes);
    ++counters_.allocations;
    return Buffer(data, size_bytes, [](void* memory) noexcept { std::free(memory); });
}

void CpuEngine::upload(void* engine_memory, const void* host_memory, std::size_t size_bytes) {
    // Copies on all threads: the system allocates each page near the processor that first writes it.
    copy_on_all_threads(static_cast<const std::byte*>(host_memory), size_bytes,
                        static_cast<std::byte*>(engine_memory),
                        Caches(device_).shared_cache_is_exceeded_by(size_bytes, size_bytes));
}

void CpuEngine::download(void* host_memory, const void* engine_memory, std::size_t size_bytes) {
    if (size_bytes > 0) std::memcpy(host_memory, engine_memory, size_bytes);
}

void CpuEngine::enqueue_copy(void* to, const void* from, std::size_t size_bytes) {
    copy_on_all_threads(static_cast<const std::byte*>(from), size_bytes, static_cast<std::byte*>(to),
                        Caches(device_).shared_cache_is_exceeded_by(size_bytes, size_bytes));
}

std::unique_ptr<ClockProbe> CpuEngine::make_clock_probe() {
    return std::make_unique<ReportedClock>();
}

EngineStatus status() {
    return {EngineId::cpu, "CPU", /*available=*/true, /*reason=*/""};
}

std::unique_ptr<Engine> open() {
    if (const char* const target = std::getenv("COMPACTION_SIMD")) use_only_simd_target(target);
    return std::make_unique<CpuEngine>();
}

}  // namespace compaction::cpu
