#include "cpu/engine.hpp"

#include <hwy/highway.h>
#include <oneapi/tbb/info.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "compaction/error.hpp"
#include "cpu/caches.hpp"
#include "cpu/recorder.hpp"
#include "cpu/simd_kernels.hpp"
#include "cpu/streamed_output.hpp"
#include "cpu/verifier.hpp"
#include "cpu/workers.hpp"
#include "registration.hpp"

namespace compaction::cpu {
namespace {

constexpr std::size_t small_alignment = 256;
constexpr std::size_t huge_page_bytes = 2 << 20;

/// A piece of a parallel copy: long enough to be worth a task, short enough to spread evenly.
constexpr std::size_t copy_piece_bytes = 1 << 18;

void copy_on_all_threads(const std::byte* from, std::size_t size_bytes, std::byte* to, bool past_cache) {
    if (size_bytes <= one_thread_bytes) {
        if (size_bytes > 0) std::memcpy(to, from, size_bytes);
        return;
    }
    for_each_index(divide_up(size_bytes, copy_piece_bytes), [&](std::uint64_t piece) {
        const std::size_t begin = piece * copy_piece_bytes;
        copy_items(from + begin, std::min(copy_piece_bytes, size_bytes - begin), to + begin, past_cache);
        if (past_cache) publish_streamed_lines();
    });
}

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

std::string version(int major, int minor, int patch) {
    return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

/// The compiler of this library, which the speed of the kernels depends on.
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

/// The operating system keeps count of the clock, so a measurement is done as soon as it is asked for.
class ReportedClock final : public ClockProbe {
  public:
    void enqueue() override {
        if (reason_.empty()) hz_ = reported_clock_hz();
    }
    std::optional<double> poll() override { return std::exchange(hz_, std::nullopt); }
    const std::string& reason() const override { return reason_; }

  private:
    std::optional<double> hz_;
    std::string reason_ =
        reported_clock_hz() > 0 ? "" : "The system does not tell the processor's clock (it has no cpufreq).";
};

}  // namespace

CpuEngine::CpuEngine()
    : device_{.name = processor_name(),
              .driver = simd_description(),
              .processors = static_cast<std::uint32_t>(tbb::info::default_concurrency()),
              .memory_bytes = total_memory_bytes(),
              .cache_bytes = last_level_cache_bytes(),
              .max_clock_hz = max_clock_hz()} {}

std::uint64_t CpuEngine::free_memory_bytes() const {
    return available_memory_bytes();
}

std::unique_ptr<Compactor> CpuEngine::make_compactor(const Algorithm& algorithm, const Options& options,
                                                     ItemSize item_size) {
    return make_registered(*this, algorithm, options, item_size);
}

std::unique_ptr<PhaseRecorder> CpuEngine::make_recorder(std::size_t max_runs) {
    return std::make_unique<Recorder>(max_runs);
}

std::unique_ptr<Verifier> CpuEngine::make_verifier(Comparison comparison, ItemSize item_size) {
    return make_chunk_verifier(*this, comparison, item_size);
}

Buffer CpuEngine::allocate(std::size_t size_bytes) {
    // Linux grants more memory than there is and kills the process when it is used, so ask first what there
    // is.
    const std::uint64_t free_bytes = free_memory_bytes();
    if (free_bytes > 0 && size_bytes > free_bytes) refuse_allocation(size_bytes, free_bytes);
    const bool is_large = size_bytes >= huge_page_bytes;
    const std::size_t alignment = is_large ? huge_page_bytes : small_alignment;
    void* const data =
        std::aligned_alloc(alignment, std::max<std::size_t>(1, divide_up(size_bytes, alignment)) * alignment);
    if (!data) refuse_allocation(size_bytes, free_bytes);
    // A stream crosses a page every few lines; large pages spare most of the look-ups. The system may
    // decline.
    if (is_large) madvise(data, size_bytes, MADV_HUGEPAGE);
    ++counters_.allocations;
    return Buffer(data, size_bytes, [](void* memory) noexcept { std::free(memory); });
}

void CpuEngine::upload(void* engine_memory, const void* host_memory, std::size_t size_bytes) {
    // By all threads: memory lies near the processor that touches it first, and so it is shared out over all.
    copy_on_all_threads(static_cast<const std::byte*>(host_memory), size_bytes,
                        static_cast<std::byte*>(engine_memory),
                        Caches(device_).are_exceeded_by(size_bytes, size_bytes));
}

void CpuEngine::download(void* host_memory, const void* engine_memory, std::size_t size_bytes) {
    if (size_bytes > 0) std::memcpy(host_memory, engine_memory, size_bytes);
}

void CpuEngine::enqueue_copy(void* to, const void* from, std::size_t size_bytes, PhaseRecorder* recorder) {
    ScopedPhase phase{recorder};
    copy_on_all_threads(static_cast<const std::byte*>(from), size_bytes, static_cast<std::byte*>(to),
                        Caches(device_).are_exceeded_by(size_bytes, size_bytes));
}

std::unique_ptr<ClockProbe> CpuEngine::make_clock_probe() {
    return std::make_unique<ReportedClock>();
}

EngineStatus status() {
    return {EngineId::cpu, "CPU", true, ""};
}

std::unique_ptr<Engine> open() {
    if (const char* const target = std::getenv("COMPACTION_SIMD")) keep_to_simd_target(target);
    return std::make_unique<CpuEngine>();
}

}  // namespace compaction::cpu
