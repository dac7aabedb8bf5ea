#pragma once

#include <cstddef>

#include "simulated/toolkit/runtime_calls.hpp"

/// CUDA's memory of rows: each begins at a multiple of the pitch. Widths and pitches are in bytes.
namespace compaction::simulated {

/// CUDA's alignment of rows.
inline constexpr std::size_t pitch_alignment = 512;

inline namespace builtins {

struct cudaPitchedPtr {
    void* ptr;
    std::size_t pitch;
    std::size_t xsize;
    std::size_t ysize;
};
struct cudaExtent {
    std::size_t width, height, depth;
};
struct cudaPos {
    std::size_t x, y, z;
};
constexpr cudaPitchedPtr make_cudaPitchedPtr(void* data, std::size_t pitch, std::size_t width,
                                             std::size_t height) {
    return {data, pitch, width, height};
}
constexpr cudaExtent make_cudaExtent(std::size_t width, std::size_t height, std::size_t depth) {
    return {width, height, depth};
}
constexpr cudaPos make_cudaPos(std::size_t x, std::size_t y, std::size_t z) {
    return {x, y, z};
}

template <typename T>
cudaError_t cudaMallocPitch(T** data, std::size_t* pitch, std::size_t width, std::size_t height) {
    *pitch = (width + pitch_alignment - 1) / pitch_alignment * pitch_alignment;
    return cudaMalloc(data, *pitch * height);
}
inline cudaError_t cudaMemset2DAsync(void* data, std::size_t pitch, int value, std::size_t width,
                                     std::size_t height, cudaStream_t stream = nullptr) {
    if (width > pitch) return cudaErrorInvalidValue;
    for (std::size_t y = 0; y < height; ++y)
        if (const auto error = cudaMemsetAsync(static_cast<char*>(data) + y * pitch, value, width, stream))
            return error;
    return cudaSuccess;
}
inline cudaError_t cudaMemset2D(void* data, std::size_t pitch, int value, std::size_t width,
                                std::size_t height) {
    return cudaMemset2DAsync(data, pitch, value, width, height);
}
inline cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                                     std::size_t width, std::size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream = nullptr) {
    if (width > to_pitch || width > from_pitch) return cudaErrorInvalidPitchValue;
    for (std::size_t y = 0; y < height; ++y)
        if (const auto error =
                cudaMemcpyAsync(static_cast<char*>(to) + y * to_pitch,
                                static_cast<const char*>(from) + y * from_pitch, width, kind, stream))
            return error;
    return cudaSuccess;
}
inline cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                                std::size_t width, std::size_t height, cudaMemcpyKind kind) {
    return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind);
}

inline cudaError_t cudaMalloc3D(cudaPitchedPtr* memory, cudaExtent extent) {
    *memory = {/*ptr=*/nullptr, /*pitch=*/0, extent.width, extent.height};
    return cudaMallocPitch(&memory->ptr, &memory->pitch, extent.width, extent.height * extent.depth);
}
inline cudaError_t cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent extent) {
    char* const data = static_cast<char*>(memory.ptr);
    for (std::size_t z = 0; z < extent.depth; ++z)
        if (const auto error = cudaMemset2D(data + z * memory.ysize * memory.pitch, memory.pitch, value,
                                            extent.width, extent.height))
            return error;
    return cudaSuccess;
}
/// Without CUDA's arrays.
struct cudaMemcpy3DParms {
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    cudaExtent extent;
    cudaMemcpyKind kind;
};
inline cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* copy) {
    const auto at = [](const cudaPitchedPtr& memory, cudaPos from, std::size_t z) {
        const std::size_t row = (from.z + z) * memory.ysize + from.y;
        return static_cast<char*>(memory.ptr) + row * memory.pitch + from.x;
    };
    for (std::size_t z = 0; z < copy->extent.depth; ++z)
        if (const auto error = cudaMemcpy2D(at(copy->dstPtr, copy->dstPos, z), copy->dstPtr.pitch,
                                            at(copy->srcPtr, copy->srcPos, z), copy->srcPtr.pitch,
                                            copy->extent.width, copy->extent.height, copy->kind))
            return error;
    return cudaSuccess;
}
inline cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* copy, cudaStream_t = nullptr) {
    return cudaMemcpy3D(copy);
}

}  // namespace builtins
}  // namespace compaction::simulated
