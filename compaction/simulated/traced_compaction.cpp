#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compaction/access_trace.hpp"
#include "compaction/error.hpp"
#include "compaction/lane_trace.hpp"
#include "compaction/planted_fault.hpp"
#include "cuda/engine.hpp"
#include "cuda/support/stamps.hpp"
#include "platform/machine.hpp"
#include "registration.hpp"
#include "simulated/access_recorder.hpp"
#include "simulated/gpu.hpp"
#include "simulated/lane_recorder.hpp"

namespace compaction {

// Algorithms that call a library.
Registration register_cub_select() {
    return {};
}
Registration register_thrust_copy_if() {
    return {};
}

namespace cuda {
namespace {

struct Traced {
    std::string id;
    Registration registration;
};

const std::vector<Traced>& traced_algorithms() {
#define COMPACTION_TRACED_cpu(id)
#define COMPACTION_TRACED_cuda(id) {#id, register_##id()},
#define COMPACTION_ALGORITHM(engine, id, name) COMPACTION_TRACED_##engine(id)
    static const std::vector<Traced> all{
#include "algorithms.def"
    };
#undef COMPACTION_ALGORITHM
#undef COMPACTION_TRACED_cuda
#undef COMPACTION_TRACED_cpu
    return all;
}

const Traced* find_traced(const Algorithm& algorithm) {
    const std::string prefix = "simulated_";
    const std::string id =
        algorithm.id.starts_with(prefix) ? algorithm.id.substr(prefix.size()) : algorithm.id;
    const auto found = std::ranges::find(traced_algorithms(), id, &Traced::id);
    return found == traced_algorithms().end() ? nullptr : &*found;
}

/// Tells the phases of a run to the recorder of its trace. Blocks record no times.
class PhaseObserver final : public TimestampRecorder {
  public:
    explicit PhaseObserver(simulated::TraceRecorder& recorder) : recorder_(recorder) {}

    void begin_run(std::uint64_t) override {}
    void begin_phase() override { recorder_.set_phase(next_phase_++); }
    void end_phase() override { recorder_.set_phase({}); }
    void end_run() override {}
    void collect() override {}
    void poll(std::vector<RunTiming>&) override {}
    std::uint64_t dropped() const override { return 0; }
    void request_trace(std::uint32_t) override {}
    std::optional<RunTrace> poll_trace() override { return {}; }
    Stamps stamps(PhaseEnd) const override { return {}; }

  private:
    simulated::TraceRecorder& recorder_;
    std::uint8_t next_phase_ = 0;
};

/// Restores the seed and the checks of the calling thread's launches.
class LaunchGuard {
  public:
    LaunchGuard() = default;
    ~LaunchGuard() {
        simulated::set_seed(seed_);
        simulated::set_checks(checks_);
        simulated::leave_out(nullptr);
    }
    LaunchGuard(const LaunchGuard&) = delete;
    LaunchGuard& operator=(const LaunchGuard&) = delete;

  private:
    std::uint64_t seed_ = simulated::current_seed();
    simulated::Checks checks_ = simulated::current_checks();
};

/// The memory of a compaction: its buffers, described for a trace.
struct TracedMemory {
    Buffer in;
    Buffer out;
    Buffer num_selected;
    std::vector<TracedBuffer> buffers;   ///< the first one is the input
    std::vector<const void*> addresses;  ///< of these buffers

    void describe(const WorkingBuffer& buffer) {
        TracedBuffer traced;
        traced.role = buffer.role;
        traced.name = buffer.name;
        traced.num_elements = buffer.size_bytes / buffer.element_bytes;
        traced.element_bytes = buffer.element_bytes;
        traced.format = buffer.format;
        const auto* const bytes = static_cast<const std::byte*>(buffer.data);
        if (bytes) traced.initial.assign(bytes, bytes + buffer.size_bytes);
        buffers.push_back(std::move(traced));
        addresses.push_back(buffer.data);
    }
};

}  // namespace

// The part of the engine that compactors use.

CudaEngine::CudaEngine(std::uint64_t seed) {
    set_seed(seed);
    info_.processors = simulated::schedule_of(seed).multiprocessors;
    info_.memory_bytes = warpsieve::platform::total_memory_bytes();
}
std::uint64_t CudaEngine::free_memory_bytes() const {
    return warpsieve::platform::available_memory_bytes();
}
Buffer CudaEngine::allocate(std::size_t size_bytes) {
    return {detail::device_allocate(size_bytes), size_bytes, detail::device_free};
}
void CudaEngine::upload(void* engine_memory, const void* host_memory, std::size_t size_bytes) {
    std::memcpy(engine_memory, host_memory, size_bytes);
}
void CudaEngine::download(void* host_memory, const void* engine_memory, std::size_t size_bytes) {
    std::memcpy(host_memory, engine_memory, size_bytes);
}
void CudaEngine::enqueue_copy(void* to, const void* from, std::size_t size_bytes) {
    std::memcpy(to, from, size_bytes);
}
std::unique_ptr<Compactor> CudaEngine::make_compactor(const Algorithm& algorithm, const Options& options,
                                                      ItemSize item_size) {
    const Traced* const traced = find_traced(algorithm);
    Algorithm described = traced->registration.algorithm;
    described.id = traced->id;
    validate(described, options, item_size);
    return traced->registration.make(*this, options, item_size);
}
std::unique_ptr<SpanTimer> CudaEngine::make_timer(std::size_t) {
    return nullptr;
}
std::unique_ptr<PhaseRecorder> CudaEngine::make_recorder(std::size_t) {
    return nullptr;
}
std::unique_ptr<Verifier> CudaEngine::make_verifier(Comparison, ItemSize) {
    return nullptr;
}
std::unique_ptr<ClockProbe> CudaEngine::make_clock_probe() {
    return nullptr;
}

namespace {

TracedMemory allocate_for(CudaEngine& engine, const Compactor& compactor, std::size_t item_bytes,
                          std::span<const std::byte> items) {
    TracedMemory memory{engine.allocate(items.size()),
                        engine.allocate(items.size()),
                        engine.allocate(sizeof(std::uint64_t)),
                        {},
                        {}};
    if (!items.empty()) std::memcpy(memory.in.as<void>(), items.data(), items.size());
    if (!items.empty()) std::memset(memory.out.as<void>(), 0, items.size());
    std::memset(memory.num_selected.as<void>(), 0, sizeof(std::uint64_t));
    memory.describe({BufferRole::input, "input", memory.in.as<void>(), items.size(), item_bytes});
    for (const WorkingBuffer& buffer : compactor.working_buffers())
        if (buffer.size_bytes > 0) memory.describe(buffer);
    memory.describe({BufferRole::num_selected, "number selected", memory.num_selected.as<void>(),
                     sizeof(std::uint64_t), /*element_bytes=*/8});
    memory.describe({BufferRole::output, "output", memory.out.as<void>(), items.size(), item_bytes});
    return memory;
}

/// Compacts other items, so that the working memory holds what they have left.
void run_before(CudaEngine& engine, Compactor& compactor, std::size_t item_bytes,
                std::span<const std::byte> items, Predicate keep) {
    if (items.empty()) return;
    const Buffer in = engine.allocate(items.size());
    const Buffer out = engine.allocate(items.size());
    const Buffer num_selected = engine.allocate(sizeof(std::uint64_t));
    std::memcpy(in.as<void>(), items.data(), items.size());
    compactor.enqueue(in.as<void>(), items.size() / item_bytes, out.as<void>(),
                      num_selected.as<std::uint64_t>(), keep, /*recorder=*/nullptr);
}

/// Runs the algorithm with a recorder of that type. `result`: a TracedCompaction or a LaneTracedCompaction.
/// `finish(recorder, fault)` is called after the run; `fault` is the failure of a kernel, or "".
template <typename Recorder, typename Result, typename Finish>
void trace_with(std::uint64_t seed, const Algorithm& algorithm, const Options& options, ItemSize item_size,
                std::span<const std::byte> items, Predicate keep, const PlantedFault* planted, Result& result,
                Finish finish) {
    const std::string reason = simulated::no_trace_reason(algorithm);
    if (!reason.empty())
        throw Error(ErrorCode::unavailable, algorithm.id + " has no trace of accesses. " + reason);
    const LaunchGuard guard;
    CudaEngine engine(seed);
    const std::size_t item_bytes = bytes_of(item_size);
    const std::uint64_t num_items = items.size() / item_bytes;
    const auto compactor = engine.make_compactor(algorithm, options, item_size);
    compactor->reserve(std::max(num_items, planted ? planted->earlier_items.size() / item_bytes : 0));
    if (planted) run_before(engine, *compactor, item_bytes, planted->earlier_items, keep);
    TracedMemory memory = allocate_for(engine, *compactor, item_bytes, items);
    result.trace.algorithm = algorithm.id;
    result.trace.seed = seed;
    result.trace.buffers = std::move(memory.buffers);
    const simulated::Site left_out_line =
        planted ? simulated::Site{planted->file.c_str(), planted->line} : simulated::Site{};
    if (planted) simulated::leave_out(&left_out_line);
    if (planted && planted->checks_accesses) simulated::set_checks({.accesses = true});
    {
        Recorder recorder(result.trace, memory.addresses);
        PhaseObserver phases(recorder);
        std::string fault;
        try {
            compactor->enqueue(memory.in.as<void>(), num_items, memory.out.as<void>(),
                               memory.num_selected.as<std::uint64_t>(), keep, &phases);
        } catch (const Error& error) {
            if (error.code() != ErrorCode::device_failure) throw;
            fault = error.what();
        }
        finish(recorder, fault);
        if (!recorder.failure().empty())
            throw Error(ErrorCode::device_failure, "No trace of " + algorithm.id + ": " + recorder.failure());
    }
    std::memcpy(&result.num_selected, memory.num_selected.as<void>(), sizeof result.num_selected);
    const auto* const kept = static_cast<const std::byte*>(memory.out.as<void>());
    result.output.assign(kept, kept + std::min<std::uint64_t>(result.num_selected, num_items) * item_bytes);
}

}  // namespace
}  // namespace cuda

namespace simulated {

std::string no_trace_reason(const Algorithm& algorithm) {
    if (algorithm.engine == EngineId::cpu) return "It runs on the CPU; the trace shows a GPU.";
    const auto* const traced = cuda::find_traced(algorithm);
    if (!traced) return "It is a step of compaction; only whole compactions have a trace.";
    if (!traced->registration.make) return "It calls a library of NVIDIA, whose kernels cannot be traced.";
    return {};
}

TracedCompaction trace_compaction(const Algorithm& algorithm, const Options& options, ItemSize item_size,
                                  std::span<const std::byte> items, Predicate keep, std::uint64_t seed) {
    TracedCompaction result;
    result.trace.item_size = item_size;
    result.trace.num_items = items.size() / bytes_of(item_size);
    cuda::trace_with<AccessRecorder>(seed, algorithm, options, item_size, items, keep, /*planted=*/nullptr,
                                     result, [](AccessRecorder&, const std::string& fault) {
                                         if (!fault.empty()) throw Error(ErrorCode::device_failure, fault);
                                     });
    return result;
}

namespace {

LaneTracedCompaction trace_lanes_with(const Algorithm& algorithm, const Options& options, ItemSize item_size,
                                      std::span<const std::byte> items, Predicate keep, std::uint64_t seed,
                                      const PlantedFault* planted) {
    LaneTracedCompaction result;
    cuda::trace_with<LaneRecorder>(
        seed, algorithm, options, item_size, items, keep, planted, result,
        [](LaneRecorder& recorder, const std::string& fault) { recorder.finish(fault); });
    return result;
}

}  // namespace

LaneTracedCompaction trace_lanes(const Algorithm& algorithm, const Options& options, ItemSize item_size,
                                 std::span<const std::byte> items, Predicate keep, std::uint64_t seed) {
    return trace_lanes_with(algorithm, options, item_size, items, keep, seed, /*planted=*/nullptr);
}

LaneTracedCompaction trace_planted(const Algorithm& algorithm, const Options& options, ItemSize item_size,
                                   std::span<const std::byte> items, Predicate keep, std::uint64_t seed,
                                   const PlantedFault& planted) {
    return trace_lanes_with(algorithm, options, item_size, items, keep, seed, &planted);
}

}  // namespace simulated
}  // namespace compaction
