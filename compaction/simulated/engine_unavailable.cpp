// Replaces the simulated GPU in builds that cannot have it: the engine is listed, with the reason why it is
// unavailable.
#include "compaction/access_trace.hpp"
#include "compaction/error.hpp"
#include "compaction/lane_trace.hpp"
#include "compaction/planted_fault.hpp"
#include "registration.hpp"

namespace compaction {

#define COMPACTION_ALGORITHM(engine, id, name) COMPACTION_DEFINE_##engine(id)
#define COMPACTION_STEP COMPACTION_ALGORITHM
#define COMPACTION_DEFINE_cpu(id)
#define COMPACTION_DEFINE_cuda(id)           \
    Registration register_simulated_##id() { \
        return {};                           \
    }
#include "algorithms.def"
#include "steps.def"
#undef COMPACTION_STEP
#undef COMPACTION_ALGORITHM

namespace simulated {

EngineStatus status() {
    return {EngineId::simulated, "Simulated", false,
            "The simulated GPU is not in this build: " COMPACTION_SIMULATED_REASON "."};
}

std::unique_ptr<Engine> open(int) {
    throw Error(ErrorCode::unavailable, status().reason);
}

std::string no_trace_reason(const Algorithm&) {
    return status().reason;
}

TracedCompaction trace_compaction(const Algorithm&, const Options&, ItemSize, std::span<const std::byte>,
                                  Predicate, std::uint64_t) {
    throw Error(ErrorCode::unavailable, status().reason);
}

LaneTracedCompaction trace_lanes(const Algorithm&, const Options&, ItemSize, std::span<const std::byte>,
                                 Predicate, std::uint64_t) {
    throw Error(ErrorCode::unavailable, status().reason);
}

LaneTracedCompaction trace_planted(const Algorithm&, const Options&, ItemSize, std::span<const std::byte>,
                                   Predicate, std::uint64_t, const PlantedFault&) {
    throw Error(ErrorCode::unavailable, status().reason);
}

}  // namespace simulated
}  // namespace compaction
