#pragma once

#include <string>
#include <utility>
#include <vector>

#include "compaction/cuda/memory.hpp"
#include "compaction/working_buffer.hpp"

namespace compaction::cuda {

/// Describes a DeviceBuffer or a PinnedBuffer for Compactor::working_buffers.
template <typename T, void* (*allocate)(std::size_t), void (*release)(void*) noexcept>
WorkingBuffer working_buffer(BufferRole role, std::string name,
                             const detail::Array<T, allocate, release>& array, WordFormat format = {}) {
    return {role, std::move(name), array.data(), array.size() * sizeof(T), sizeof(T), format};
}

/// The counts of parts, such as "blocks", and their offsets in the output.
template <typename CountsT, typename OffsetsT>
std::vector<WorkingBuffer> count_buffers(const std::string& parts, const CountsT& counts,
                                         const OffsetsT& offsets) {
    return {working_buffer(BufferRole::counts, "counts of " + parts, counts),
            working_buffer(BufferRole::offsets, "offsets of " + parts, offsets)};
}

}  // namespace compaction::cuda
