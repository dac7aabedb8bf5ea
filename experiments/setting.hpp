#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "compaction/algorithm.hpp"
#include "compaction/item.hpp"
#include "compaction/options.hpp"
#include "workloads/streams.hpp"

namespace experiments {

/// Where a call finds its stream.
enum class Cache : std::uint8_t {
    cold,  ///< in memory: calls rotate through copies of the stream that together exceed the cache
    hot,   ///< where the last call left it: every call takes the same buffers
};

/// "cold", "hot".
std::string_view name_of(Cache cache);
std::optional<Cache> find_cache(std::string_view name);

/// A stream to run on. What shares one is measured in turn, on the same buffers.
struct StreamSpec {
    std::uint64_t num_items = std::uint64_t{1} << 20;
    workloads::Pattern pattern = workloads::Pattern::random;
    double density = 0.5;  ///< fraction of items kept; of no effect on patterns that do not use it
    compaction::ItemSize item_size = compaction::ItemSize::bytes_4;
    Cache cache = Cache::cold;
    std::uint64_t seed = 1;

    bool operator==(const StreamSpec&) const = default;
};

/// One thing to be measured: an algorithm or step, laid out somehow, on a stream.
struct Setting {
    const compaction::Algorithm* algorithm = nullptr;  ///< of compaction::catalogue() or steps(); not null
    compaction::Options options;                       ///< as asked for; `automatic` where left open
    StreamSpec stream;

    bool operator==(const Setting&) const = default;
};

/// The density as it was asked for, "0.5", or "" where the pattern does not use it.
std::string density_text(const StreamSpec& stream);

/// The value of an option as the command line takes it: "quad", "256", "automatic"; "" where the algorithm
/// does not have the option.
std::string option_text(const compaction::Algorithm& algorithm, const compaction::Options& options,
                        compaction::Option option);

/// "billeter --threads 128, n = 2^20, random, 0.5 kept, 4-byte items, cold": for messages.
std::string describe(const Setting& setting);

/// "n = 2^20, random, 0.5 kept, 4-byte items, cold".
std::string describe(const StreamSpec& stream);

/// Bytes that a call must move, whatever the algorithm: each item read once, and what its Operation asks to
/// be written. Compaction: n + k items; copy and scan: 2 n; count: n. `num_kept` is k.
std::uint64_t useful_bytes(compaction::Operation operation, std::uint64_t num_items, std::uint64_t num_kept,
                           compaction::ItemSize item_size);

}  // namespace experiments
