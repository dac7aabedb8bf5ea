// Replaces the simulated GPU in builds without Boost.Context: the engine is listed, with the reason why it is
// unavailable.
#include "compaction/error.hpp"
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
    return {EngineId::simulated, "Simulated GPU", false,
            "The simulated GPU is not in this build: Boost.Context was not found. Install it "
            "(Debian: libboost-context-dev) and build again."};
}

std::unique_ptr<Engine> open(int) {
    throw Error(ErrorCode::unavailable, status().reason);
}

}  // namespace simulated
}  // namespace compaction
