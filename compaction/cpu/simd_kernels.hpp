#pragma once

#include <cstdint>
#include <string_view>

#include "compaction/keep.hpp"

/// The two passes over the data, for one sequence on one thread. Each is compiled for every SIMD instruction
/// set of the architecture; the best one that the processor has is chosen when the program runs.
namespace compaction::cpu {

/// How many of `in` [num_items] are kept. `vectors_per_step` is 1, 2 or 4: vectors handled per step of the
/// loop.
std::uint64_t count_kept(const Item* in, std::uint64_t num_items, Keep keep, unsigned vectors_per_step);

/// Copies the kept items of `in` [num_items] to `out` [num_kept], in order; `num_kept` is what count_kept
/// said. Writes nothing past out[num_kept - 1], so that sequences may be moved side by side. Stops reading
/// when all are found.
void move_kept(const Item* in, std::uint64_t num_items, Keep keep, Item* out, std::uint64_t num_kept,
               unsigned vectors_per_step);

/// The instruction set chosen, as Highway calls it: "AVX3_DL", "AVX2", "NEON".
std::string_view simd_target();

}  // namespace compaction::cpu
