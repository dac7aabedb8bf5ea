#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compaction/engine.hpp"
#include "compaction/verifier.hpp"

namespace compaction::cpu {

/// Ranks the kept items anew with scalar code, in parallel over fixed chunks of the stream. The work is done
/// within `enqueue`, so the verdict is ready at the next poll.
class ChunkVerifier final : public Verifier {
  public:
    explicit ChunkVerifier(Engine& engine) : engine_(engine) {}

    void reserve(std::uint64_t max_items) override;
    bool enqueue(std::uint64_t run, const Item* in, std::uint64_t num_items, const Item* out,
                 const std::uint64_t* num_selected, Keep keep) override;
    std::optional<Verdict> poll() override;

  private:
    Engine& engine_;
    Buffer chunk_ranks_;  ///< [chunks] kept items of each chunk, then the rank of its first
    std::uint64_t max_items_ = 0;
    std::optional<Verdict> verdict_;
};

}  // namespace compaction::cpu
