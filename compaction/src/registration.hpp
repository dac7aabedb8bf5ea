#pragma once

#include <memory>
#include <string_view>

#include "compaction/engine.hpp"

namespace compaction {

/// An algorithm or step as its source file describes it. `algorithms.def` and `steps.def` add id, engine and
/// name. `make` is null if the algorithm's engine is not in this build. It receives an engine of the
/// algorithm's kind, validated options and one of the algorithm's item sizes.
struct Registration {
    Algorithm algorithm;
    std::unique_ptr<Compactor> (*make)(Engine& engine, const Options& options, ItemSize item_size) = nullptr;
};

/// Registration::make for a class template over the item type, and possibly further types, whose constructor
/// takes the engine and the options.
template <template <typename...> class CompactorOf, typename... FurtherTs>
std::unique_ptr<Compactor> make_for_item_size(Engine& engine, const Options& options, ItemSize item_size) {
    return visit_item_type(item_size, [&]<typename ItemT>(std::type_identity<ItemT>) {
        return std::unique_ptr<Compactor>(
            std::make_unique<CompactorOf<ItemT, FurtherTs...>>(engine, options));
    });
}

/// Registration::make for a class whose constructor takes the engine, the options and the item size.
template <typename CompactorT>
std::unique_ptr<Compactor> make_with_item_size(Engine& engine, const Options& options, ItemSize item_size) {
    return std::make_unique<CompactorT>(engine, options, item_size);
}

/// An algorithm of the CUDA engine is built a second time for the simulated GPU; for one of the CPU engine,
/// register_simulated_ has no definition.
#define COMPACTION_ALGORITHM(engine, id, name) \
    Registration register_##id();              \
    Registration register_simulated_##id();
#define COMPACTION_STEP COMPACTION_ALGORITHM
#include "algorithms.def"
#include "steps.def"
#undef COMPACTION_STEP
#undef COMPACTION_ALGORITHM

/// Engine::make_compactor for every engine: looks the algorithm up, validates the options, calls `make` and
/// sets the compactor's algorithm, operation and item size.
std::unique_ptr<Compactor> make_registered(Engine& engine, const Algorithm& algorithm, const Options& options,
                                           ItemSize item_size);

/// Checks the argument of Engine::make_recorder or make_timer and returns it. Throws Error{invalid_argument}.
std::size_t checked_max_runs(std::size_t max_runs);

/// The parts of engine_statuses() and open_engine() for each engine.
namespace cpu {
EngineStatus status();
std::unique_ptr<Engine> open();
}  // namespace cpu

namespace cuda {
EngineStatus status();
std::unique_ptr<Engine> open(int device);
}  // namespace cuda

namespace simulated {
EngineStatus status();
std::unique_ptr<Engine> open(int device);
}  // namespace simulated

}  // namespace compaction
