#pragma once

#include <memory>

#include "compaction/engine.hpp"
#include "compaction/verifier.hpp"

namespace compaction::cpu {

/// Makes a verifier of scalar code, parallel over fixed chunks of the stream. `enqueue` does all the work, so
/// the verdict is ready at the next poll.
std::unique_ptr<Verifier> make_chunk_verifier(Engine& engine, Comparison comparison, ItemSize item_size);

}  // namespace compaction::cpu
