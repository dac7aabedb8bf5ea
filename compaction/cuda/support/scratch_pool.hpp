#pragma once

#include <cstddef>
#include <vector>

#include "compaction/cuda/memory.hpp"

namespace compaction::cuda {

/// Scratch memory for a library that allocates at every call. Blocks return to the pool, and memory is
/// allocated only if no idle block is large enough. A block may be reused before the earlier work that uses
/// it has finished, so all work must be ordered on one stream.
class ScratchPool {
  public:
    using value_type = char;

    /// Ensures that later requests of up to `bytes` need no allocation.
    void reserve(std::size_t bytes) { deallocate(allocate(bytes), bytes); }

    char* allocate(std::size_t bytes) {
        Block* const idle = find_idle(bytes);
        if (idle) {
            idle->memory.grow_to(bytes);
            idle->in_use = true;
            return idle->memory.data();
        }
        blocks_.push_back({DeviceBuffer<char>(bytes), /*in_use=*/true});
        return blocks_.back().memory.data();
    }

    void deallocate(char* memory, std::size_t) noexcept {
        for (Block& block : blocks_) {
            if (block.memory.data() == memory) block.in_use = false;
        }
    }

  private:
    struct Block {
        DeviceBuffer<char> memory;
        bool in_use;
    };

    /// An idle block that is large enough, else any idle block, else null.
    Block* find_idle(std::size_t bytes) {
        Block* found = nullptr;
        for (Block& block : blocks_) {
            if (block.in_use) continue;
            if (block.memory.size() >= bytes) return &block;
            found = &block;
        }
        return found;
    }

    std::vector<Block> blocks_;
};

}  // namespace compaction::cuda
