#pragma once

#include <string>
#include <utility>

#include "compaction/cuda/memory.hpp"
#include "compaction/working_buffer.hpp"

namespace compaction::cuda {

/// Describes a DeviceBuffer or a PinnedBuffer for Compactor::working_buffers.
template <typename T, void* (*allocate)(std::size_t), void (*release)(void*) noexcept>
WorkingBuffer working_buffer(BufferRole role, std::string name,
                             const detail::Array<T, allocate, release>& array, WordFormat format = {}) {
    return {role, std::move(name), array.data(), array.size() * sizeof(T), sizeof(T), format};
}

}  // namespace compaction::cuda
