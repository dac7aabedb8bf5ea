#pragma once

#include <memory>
#include <string_view>

#include "compaction/engine.hpp"

namespace compaction {

/// What an algorithm's file tells the catalogue. `algorithms.def` adds id, engine and name. `make` is null
/// where the algorithm's engine was not built in; it is called with an engine of the algorithm's own kind and
/// validated options.
struct Registration {
    Algorithm algorithm;
    std::unique_ptr<Compactor> (*make)(Engine& engine, const Options& options) = nullptr;
};

#define COMPACTION_ALGORITHM(engine, id, name) Registration register_##id();
#include "algorithms.def"
#undef COMPACTION_ALGORITHM

/// Engine::make_compactor for every engine: looks the algorithm up, validates the options, calls `make`.
std::unique_ptr<Compactor> make_registered(Engine& engine, const Algorithm& algorithm,
                                           const Options& options);

/// What each engine contributes to engine_statuses() and open_engine().
namespace cpu {
EngineStatus status();
std::unique_ptr<Engine> open();
}  // namespace cpu

namespace cuda {
EngineStatus status();
std::unique_ptr<Engine> open(int device);
}  // namespace cuda

}  // namespace compaction
