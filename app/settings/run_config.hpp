#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/picture/load.hpp"
#include "app/scene/side.hpp"
#include "compaction/engine.hpp"
#include "workloads/streams.hpp"

namespace warpsieve {

/// The algorithms and engines that menus offer.
struct CatalogueInfo {
    std::span<const compaction::Algorithm> algorithms = compaction::catalogue();
    std::span<const compaction::EngineStatus> engines = compaction::engine_statuses();
};

/// An algorithm and its options.
struct AlgorithmConfig {
    std::string algorithm;  ///< id; empty: the default of the engine
    compaction::Options options;

    bool operator==(const AlgorithmConfig&) const = default;
};

/// The configuration of the run: the stream, the algorithms that compact it, and how they are measured.
struct RunConfig {
    compaction::EngineId engine = compaction::EngineId::cuda;
    /// Seed of the schedule of a simulated GPU: see compaction::simulated::schedule_of.
    std::uint32_t schedule_seed = 0;
    AlgorithmConfig a;  ///< runs always
    AlgorithmConfig b;  ///< runs beside A while the A/B lens is shown, on the same engine

    std::string source = "fountain";                          ///< id of the source that fills the slots
    workloads::Pattern pattern = workloads::Pattern::random;  ///< used by a source that has patterns
    std::string picture = picture::default_word;  ///< a PNG file or a word, used by Pattern::picture
    std::string picture_sha256;  ///< first digits of the SHA-256 that the file must have; empty: any
    workloads::PicturePointer
        loaded_picture;          ///< no setting: `picture`, loaded by RunControl when it is used
    std::uint64_t slots = 0;     ///< length of the stream; 0: the default of this machine
    float live_fraction = 0.5F;  ///< share of slots that hold a particle, 0 to 1
    std::uint32_t seed = 1;      ///< equal seeds and times give equal buffers
    float speed = 1.0F;          ///< scene seconds per second
    bool paused = false;

    std::uint32_t iterations = 0;    ///< compactions per frame; 0: the default of the engine
    bool check = true;               ///< compare results with the reference
    std::uint32_t check_every = 30;  ///< frames from one comparison to the next

    bool operator==(const RunConfig&) const = default;

    /// The pattern that chooses the kept slots; nullopt if the source chooses them itself.
    std::optional<workloads::Pattern> stream_pattern() const;
    bool uses_picture() const { return stream_pattern() == workloads::Pattern::picture; }
    /// The picture whose bright pixels are the live slots; null if there is none.
    const workloads::Picture* shown_picture() const {
        return uses_picture() ? loaded_picture.get() : nullptr;
    }
    /// Whether the live fraction has an effect. Some patterns determine it themselves.
    bool uses_live_fraction() const;

    /// The algorithm of a side, and its options.
    AlgorithmConfig& algorithm_config(Side side) { return side == Side::a ? a : b; }
    const AlgorithmConfig& algorithm_config(Side side) const { return side == Side::a ? a : b; }
};

inline constexpr std::uint64_t min_slots = std::uint64_t{1} << 12;
inline constexpr std::uint32_t max_iterations = 64;

/// Maximum number of slots that the window offers on an engine: 2^24 on the CPU, 2^26 on a GPU, 2^16 on a
/// simulated one.
constexpr std::uint64_t max_slots(compaction::EngineId engine) {
    switch (engine) {
        case compaction::EngineId::cuda:
            return std::uint64_t{1} << 26;
        case compaction::EngineId::cpu:
            return std::uint64_t{1} << 24;
        case compaction::EngineId::simulated:
            break;
    }
    return std::uint64_t{1} << 16;
}

/// The compaction algorithm with that id. Throws Error{invalid_argument} for an unknown id and for one of
/// compaction::steps(), which the window cannot show.
const compaction::Algorithm& find_compaction_algorithm(std::string_view id);

/// The algorithm of `engine` that does what `algorithm` does on another engine, such as
/// simulated_sequence_wise for sequence_wise; nullptr if there is none that can run.
const compaction::Algorithm* counterpart(const compaction::Algorithm& algorithm, compaction::EngineId engine);

/// The algorithm that `config` names if `engine` has it, else nullptr.
const compaction::Algorithm* named_algorithm(std::span<const compaction::Algorithm> catalogue,
                                             compaction::EngineId engine, const AlgorithmConfig& config);

/// Default algorithm of B: the first of the engine that differs from A's, or A's if it is the only one.
std::string default_b(std::span<const compaction::Algorithm> catalogue, compaction::EngineId engine,
                      const std::string& algorithm_of_a);

/// The option's name on that engine: a CPU has worker threads instead of threads per block.
std::string_view label_of(compaction::Option option, compaction::EngineId engine);

}  // namespace warpsieve
