#include "app/settings/run_config.hpp"

#include <algorithm>

#include "app/scene/sources.hpp"
#include "compaction/error.hpp"
#include "experiments/format/text.hpp"

namespace warpsieve {

using compaction::Algorithm;
using compaction::EngineId;

namespace {

bool can_run(const Algorithm& algorithm, EngineId engine) {
    return algorithm.engine == engine && algorithm.is_available();
}

}  // namespace

std::optional<workloads::Pattern> RunConfig::stream_pattern() const {
    const scene::SourceInfo& info = scene::effective_source(source);
    if (info.has_picture) return workloads::Pattern::picture;
    return info.has_patterns ? std::optional(pattern) : std::nullopt;
}

bool RunConfig::uses_live_fraction() const {
    const std::optional<workloads::Pattern> chosen = stream_pattern();
    return !chosen || workloads::info_of(*chosen).uses_keep_fraction;
}

const Algorithm& find_compaction_algorithm(std::string_view id) {
    const auto step = std::ranges::find(compaction::steps(), id, &Algorithm::id);
    if (step == compaction::steps().end()) {
        std::string ids;
        for (const Algorithm& algorithm : compaction::catalogue()) {
            if (algorithm.id == id) return algorithm;
            ids += (ids.empty() ? "" : ", ") + algorithm.id;
        }
        throw compaction::Error(compaction::ErrorCode::invalid_argument,
                                "There is no algorithm '" + std::string(id) + "'. Choose one of: " + ids +
                                    "." + experiments::format::did_you_mean(id, ids));
    }
    throw compaction::Error(compaction::ErrorCode::invalid_argument,
                            step->id + " is a " + std::string(name_of(step->operation)) +
                                ", a step of a compaction: `warpsieve bench --algorithm " + step->id +
                                "` measures it. The window shows compactions; --list names them.");
}

const Algorithm* counterpart(const Algorithm& algorithm, EngineId engine) {
    const auto name_without_engine = [](const Algorithm& each) {
        const std::string prefix = each.engine == EngineId::cuda ? "" : std::string(id_of(each.engine)) + "_";
        return each.id.starts_with(prefix) ? each.id.substr(prefix.size()) : each.id;
    };
    const auto found = std::ranges::find_if(compaction::catalogue(), [&](const Algorithm& each) {
        return can_run(each, engine) && name_without_engine(each) == name_without_engine(algorithm);
    });
    return found == compaction::catalogue().end() ? nullptr : &*found;
}

const Algorithm* named_algorithm(std::span<const Algorithm> catalogue, EngineId engine,
                                 const AlgorithmConfig& config) {
    const auto found = std::ranges::find_if(catalogue, [&](const Algorithm& algorithm) {
        return can_run(algorithm, engine) && algorithm.id == config.algorithm;
    });
    return found == catalogue.end() ? nullptr : &*found;
}

std::string default_b(std::span<const Algorithm> catalogue, EngineId engine,
                      const std::string& algorithm_of_a) {
    const auto found = std::ranges::find_if(catalogue, [&](const Algorithm& algorithm) {
        return can_run(algorithm, engine) && algorithm.id != algorithm_of_a;
    });
    return found == catalogue.end() ? algorithm_of_a : found->id;
}

std::string_view label_of(compaction::Option option, EngineId engine) {
    const bool threads = option == compaction::Option::threads_per_block;
    return threads && engine == EngineId::cpu ? "worker threads" : compaction::name_of(option);
}

}  // namespace warpsieve
