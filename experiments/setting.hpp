#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compaction/algorithm.hpp"
#include "compaction/item.hpp"
#include "compaction/options.hpp"
#include "workloads/streams.hpp"

namespace experiments {

/// Where the stream is at the start of a call.
enum class Cache : std::uint8_t {
    cold,  ///< in memory: calls rotate through copies of the stream that exceed the cache
    hot,   ///< where the last call left it: every call uses the same buffers
};

/// "cold", "hot".
std::string_view name_of(Cache cache);
std::optional<Cache> find_cache(std::string_view name);

/// An input stream. Settings that share one are measured in turn, on the same buffers.
struct StreamSpec {
    std::uint64_t num_items = std::uint64_t{1} << 20;
    workloads::Pattern pattern = workloads::Pattern::random;
    double keep_fraction = 0.5;  ///< some patterns ignore it
    compaction::ItemSize item_size = compaction::ItemSize::bytes_4;
    Cache cache = Cache::cold;
    std::uint64_t seed = 1;
    workloads::PicturePointer picture = nullptr;  ///< of Pattern::picture

    bool operator==(const StreamSpec&) const = default;
};

/// One configuration to measure: an algorithm or step, its options and a stream.
struct Setting {
    const compaction::Algorithm* algorithm = nullptr;  ///< from compaction::catalogue() or steps(); not null
    compaction::Options options;                       ///< as requested; may be `automatic`
    StreamSpec stream;

    bool operator==(const Setting&) const = default;
};

/// Takes settings that share a stream. Returns whether more are wanted.
using TakeSettings = std::function<bool(std::span<const Setting>)>;

/// Settings in the order in which they are measured. They may be made only when they are given.
struct SettingSequence {
    /// The maximum number of settings that are given together, and measured in turn.
    static constexpr std::size_t max_in_turn = 1000;

    std::size_t size = 0;
    /// Calls `take` until it returns false or all are given.
    std::function<void(const TakeSettings& take)> give;
};

/// The name of the pattern; for a picture with the first 16 digits of its SHA-256,
/// "picture:3f2a6b1c9d0e4f58".
std::string pattern_text(const StreamSpec& stream);

/// Significant digits of a keep fraction.
inline constexpr int keep_fraction_digits = 10;
/// The keep fraction as requested, "0.5"; "" if the pattern ignores it.
std::string keep_fraction_text(const StreamSpec& stream);

/// The value of an option as the command line takes it: "quad", "256", "automatic"; "" if the algorithm does
/// not have the option.
std::string option_text(const compaction::Algorithm& algorithm, const compaction::Options& options,
                        compaction::Option option);

/// "billeter --threads 128, n = 2^20, random, 0.5 kept, 4-byte items, cold": for messages. With the seed if
/// it is not 1.
std::string describe(const Setting& setting);

/// "n = 2^20, random, 0.5 kept, 4-byte items, cold".
std::string describe(const StreamSpec& stream);

/// Bytes that any algorithm must move: every item read once, plus the output. Compaction: n + k items; copy
/// and scan: 2 n; count: n. `num_kept` is k.
std::uint64_t useful_bytes(compaction::Operation operation, std::uint64_t num_items, std::uint64_t num_kept,
                           compaction::ItemSize item_size);

/// A setting as name and text pairs for files: always the same names in the same order. The text is empty if
/// the algorithm or the pattern does not have the field.
struct Field {
    std::string name;
    std::string text;
};
std::vector<Field> fields_of(const Setting& setting);

/// The algorithm of a copy in files.
inline constexpr const char* copy_name = "copy";

/// The fields of the copy on a stream; its algorithm is copy_name.
std::vector<Field> fields_of_copy(const StreamSpec& stream);

/// The setting of these fields, in the form of describe(const Setting&).
std::string describe(const std::vector<Field>& fields);

/// Key of a setting across runs: all fields. The seed is one of them: another seed makes another stream, and
/// the difference between two streams is no difference between two programs.
std::string key_of(const std::vector<Field>& fields);

}  // namespace experiments
