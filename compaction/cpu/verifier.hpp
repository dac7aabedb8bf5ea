#pragma once

#include <memory>

#include "compaction/engine.hpp"
#include "compaction/verifier.hpp"

namespace compaction::cpu {

/// Judges with scalar code, in parallel over fixed chunks of the stream. The work is done within `enqueue`,
/// so the verdict is ready at the next poll.
std::unique_ptr<Verifier> make_chunk_verifier(Engine& engine, Comparison comparison, ItemSize item_size);

}  // namespace compaction::cpu
