// Replaces the CUDA engine in builds without it: the engine is listed, with the reason why it is
// unavailable.
#include "compaction/error.hpp"
#include "registration.hpp"

namespace compaction {

#define COMPACTION_ALGORITHM(engine, id, name) COMPACTION_DEFINE_##engine(id)
#define COMPACTION_STEP COMPACTION_ALGORITHM
#define COMPACTION_DEFINE_cpu(id)
#define COMPACTION_DEFINE_cuda(id) \
    Registration register_##id() { \
        return {};                 \
    }
#include "algorithms.def"
#include "steps.def"
#undef COMPACTION_STEP
#undef COMPACTION_ALGORITHM

namespace cuda {

EngineStatus status() {
    return {EngineId::cuda, "CUDA", false,
            "The CUDA engine is not in this build: " COMPACTION_CUDA_REASON
            ". Install the CUDA toolkit and build again to use a GPU."};
}

std::unique_ptr<Engine> open(int) {
    throw Error(ErrorCode::unavailable, status().reason);
}

}  // namespace cuda
}  // namespace compaction
