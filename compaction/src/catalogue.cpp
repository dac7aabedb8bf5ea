#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "compaction/error.hpp"
#include "registration.hpp"

namespace compaction {
namespace {

Registration named(Registration registration, EngineId engine, std::string_view id, std::string_view name) {
    registration.algorithm.engine = engine;
    registration.algorithm.id = id;
    registration.algorithm.name = name;
    return registration;
}

using Registrations = std::vector<Registration>;

#define COMPACTION_ALGORITHM(engine, id, name) named(register_##id(), EngineId::engine, #id, name),
#define COMPACTION_STEP COMPACTION_ALGORITHM

constexpr auto list_algorithms = [] {
    return Registrations{
#include "algorithms.def"
    };
};
constexpr auto list_steps = [] {
    return Registrations{
#include "steps.def"
    };
};

#undef COMPACTION_ALGORITHM

// The algorithms of the CUDA engine again, for the simulated GPU.
#define COMPACTION_ALGORITHM(engine, id, name) COMPACTION_SIMULATED_##engine(id, name)
#define COMPACTION_SIMULATED_cpu(id, name)
#define COMPACTION_SIMULATED_cuda(id, name) \
    named(register_simulated_##id(), EngineId::simulated, "simulated_" #id, name),

constexpr auto list_simulated_algorithms = [] {
    return Registrations{
#include "algorithms.def"
    };
};
constexpr auto list_simulated_steps = [] {
    return Registrations{
#include "steps.def"
    };
};

#undef COMPACTION_SIMULATED_cuda
#undef COMPACTION_SIMULATED_cpu
#undef COMPACTION_STEP
#undef COMPACTION_ALGORITHM

Registrations joined(Registrations all, const Registrations& more) {
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

const Registrations& registered_algorithms() {
    static const Registrations all = joined(list_algorithms(), list_simulated_algorithms());
    return all;
}

const Registrations& registered_steps() {
    static const Registrations all = joined(list_steps(), list_simulated_steps());
    return all;
}

std::vector<Algorithm> algorithms_of(const Registrations& registrations) {
    std::vector<Algorithm> algorithms;
    for (const Registration& registration : registrations) algorithms.push_back(registration.algorithm);
    return algorithms;
}

}  // namespace

std::string_view id_of(EngineId engine) {
    switch (engine) {
        case EngineId::cpu:
            return "cpu";
        case EngineId::cuda:
            return "cuda";
        case EngineId::simulated:
            break;
    }
    return "simulated";
}

std::string_view name_of(Operation operation) {
    switch (operation) {
        case Operation::compaction:
            return "compaction";
        case Operation::copy:
            return "copy";
        case Operation::count:
            return "count";
        case Operation::scan:
            return "scan";
    }
    return {};
}

std::span<const Algorithm> catalogue() {
    static const std::vector<Algorithm> all = algorithms_of(registered_algorithms());
    return all;
}

std::span<const Algorithm> steps() {
    static const std::vector<Algorithm> all = algorithms_of(registered_steps());
    return all;
}

namespace {

const Algorithm& find_in(std::initializer_list<std::span<const Algorithm>> lists, std::string_view id) {
    std::string ids;
    for (const std::span<const Algorithm> list : lists) {
        for (const Algorithm& algorithm : list) {
            if (algorithm.id == id) return algorithm;
            ids += (ids.empty() ? "" : ", ") + algorithm.id;
        }
    }
    throw Error(ErrorCode::invalid_argument,
                "There is no algorithm '" + std::string(id) + "'. Choose one of: " + ids + ".");
}

}  // namespace

const Algorithm& find_algorithm(std::string_view id) {
    return find_in({catalogue(), steps()}, id);
}

const Algorithm& find_algorithm(std::string_view id, std::span<const Algorithm> among) {
    return find_in({among}, id);
}

std::optional<double> moved_bytes(const Algorithm& algorithm, const StreamShape& shape) {
    if (algorithm.phases.empty()) return {};
    double bytes = 0;
    for (const Phase& phase : algorithm.phases) {
        if (!phase.moved_bytes) return {};
        bytes += phase.moved_bytes(shape);
    }
    return bytes;
}

const Algorithm& default_algorithm(EngineId engine) {
    return *std::ranges::find(catalogue(), engine, &Algorithm::engine);
}

std::unique_ptr<Compactor> make_registered(Engine& engine, const Algorithm& algorithm, const Options& options,
                                           ItemSize item_size) {
    if (algorithm.engine != engine.id()) {
        throw Error(ErrorCode::invalid_argument,
                    algorithm.id + " runs on the " + std::string(id_of(algorithm.engine)) +
                        " engine, not on the " + std::string(id_of(engine.id())) + " engine.");
    }
    validate(algorithm, options, item_size);
    for (const Registrations* list : {&registered_algorithms(), &registered_steps()}) {
        for (const Registration& each : *list) {
            if (each.algorithm.id != algorithm.id) continue;
            std::unique_ptr<Compactor> compactor = each.make(engine, options, item_size);
            compactor->algorithm_ = &each.algorithm;
            compactor->operation_ = each.algorithm.operation;
            compactor->item_size_ = item_size;
            return compactor;
        }
    }
    throw Error(ErrorCode::invalid_argument, algorithm.id + " is not in the catalogue.");
}

std::span<const EngineStatus> engine_statuses() {
    static const std::vector<EngineStatus> statuses{cuda::status(), cpu::status(), simulated::status()};
    return statuses;
}

const EngineStatus& status_of(EngineId engine) {
    return *std::ranges::find(engine_statuses(), engine, &EngineStatus::id);
}

std::unique_ptr<Engine> open_engine(EngineId engine, int device) {
    const EngineStatus& status = status_of(engine);
    if (!status.available) throw Error(ErrorCode::unavailable, status.reason);
    if (engine == EngineId::cuda) return cuda::open(device);
    if (engine == EngineId::simulated) return simulated::open(device);
    if (device != 0) {
        throw Error(ErrorCode::unavailable, "There is no CPU device " + std::to_string(device) +
                                                "; the CPU engine has one device, number 0.");
    }
    return cpu::open();
}

std::size_t checked_max_runs(std::size_t max_runs) {
    if (max_runs >= 1 && max_runs <= max_recorded_runs) return max_runs;
    throw Error(ErrorCode::invalid_argument, "A recorder cannot keep " + std::to_string(max_runs) +
                                                 " runs in flight; choose 1 to " +
                                                 std::to_string(max_recorded_runs) + ".");
}

}  // namespace compaction
