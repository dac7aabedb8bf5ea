#pragma once

#include <cstddef>
#include <vector>

#include "compaction/cuda/memory.hpp"

namespace compaction::cuda {

/// Scratch memory for a library that asks an allocator for it at every call: blocks come back into the pool,
/// and memory is allocated only where none that is idle is large enough. What one stream's work uses may be
/// handed out again before that work is done, as long as all of it is ordered on that stream.
class ScratchPool {
  public:
    using value_type = char;

    /// Sees to it that a request of up to `bytes` can be met without allocating.
    void reserve(std::size_t bytes) { deallocate(allocate(bytes), bytes); }

    char* allocate(std::size_t bytes) {
        Block* const idle = find_idle(bytes);
        if (idle) {
            idle->memory.grow_to(bytes);
            idle->lent = true;
            return idle->memory.data();
        }
        blocks_.push_back({DeviceBuffer<char>(bytes), true});
        return blocks_.back().memory.data();
    }

    void deallocate(char* memory, std::size_t) noexcept {
        for (Block& block : blocks_) {
            if (block.memory.data() == memory) block.lent = false;
        }
    }

  private:
    struct Block {
        DeviceBuffer<char> memory;
        bool lent;
    };

    /// One that is large enough, else any, else null.
    Block* find_idle(std::size_t bytes) {
        Block* found = nullptr;
        for (Block& block : blocks_) {
            if (block.lent) continue;
            if (block.memory.size() >= bytes) return &block;
            found = &block;
        }
        return found;
    }

    std::vector<Block> blocks_;
};

}  // namespace compaction::cuda
