#include <algorithm>
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

const std::vector<Registration>& registrations() {
    static const std::vector<Registration> all{
#define COMPACTION_ALGORITHM(engine, id, name) named(register_##id(), EngineId::engine, #id, name),
#include "algorithms.def"
#undef COMPACTION_ALGORITHM
    };
    return all;
}

}  // namespace

std::string_view id_of(EngineId engine) {
    return engine == EngineId::cpu ? "cpu" : "cuda";
}

std::span<const Algorithm> catalogue() {
    static const std::vector<Algorithm> all = [] {
        std::vector<Algorithm> algorithms;
        for (const Registration& registration : registrations()) algorithms.push_back(registration.algorithm);
        return algorithms;
    }();
    return all;
}

const Algorithm& find_algorithm(std::string_view id) {
    std::string ids;
    for (const Algorithm& algorithm : catalogue()) {
        if (algorithm.id == id) return algorithm;
        ids += (ids.empty() ? "" : ", ") + algorithm.id;
    }
    throw Error(ErrorCode::invalid_argument,
                "there is no algorithm '" + std::string(id) + "'; there are: " + ids + ".");
}

const Algorithm& default_algorithm(EngineId engine) {
    return *std::ranges::find(catalogue(), engine, &Algorithm::engine);
}

std::unique_ptr<Compactor> make_registered(Engine& engine, const Algorithm& algorithm,
                                           const Options& options) {
    if (algorithm.engine != engine.id()) {
        throw Error(ErrorCode::invalid_argument,
                    algorithm.id + " runs on the " + std::string(id_of(algorithm.engine)) +
                        " engine, not on the " + std::string(id_of(engine.id())) + " engine.");
    }
    validate(algorithm, options);
    const auto registration = std::ranges::find_if(
        registrations(), [&](const Registration& each) { return each.algorithm.id == algorithm.id; });
    return registration->make(engine, options);
}

std::span<const EngineStatus> engine_statuses() {
    static const std::vector<EngineStatus> statuses{cuda::status(), cpu::status()};
    return statuses;
}

const EngineStatus& status_of(EngineId engine) {
    return *std::ranges::find(engine_statuses(), engine, &EngineStatus::id);
}

std::unique_ptr<Engine> open_engine(EngineId engine, int device) {
    const EngineStatus& status = status_of(engine);
    if (!status.available) throw Error(ErrorCode::unavailable, status.reason);
    return engine == EngineId::cpu ? cpu::open() : cuda::open(device);
}

}  // namespace compaction
