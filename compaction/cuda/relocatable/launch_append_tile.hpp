#pragma once

#include <cstddef>
#include <string>

#include "compaction/cuda/check.hpp"
#include "compaction/error.hpp"
#include "cuda/relocatable/append_tile.hpp"
#include "embedded/relocatable.hpp"

/// Launches the kernels of append_tile.cu from the host. The simulated GPU has its own file of this name
/// earlier in the include path.
namespace compaction::cuda::relocatable {

/// The kernel for items of type ItemT. The constructor loads the image, so that a launch need not.
template <typename ItemT>
class AppendTile {
  public:
    AppendTile() : kernel_(load(sizeof(ItemT))) {}

    cudaError_t launch(TileToAppend<ItemT> first, unsigned threads, cudaStream_t stream) const {
        void* arguments[] = {&first};
        return cudaLaunchKernel(kernel_, 1, threads, arguments, 0, stream);
    }

  private:
    static const void* load(std::size_t item_bytes) {
        // Never unloaded: compactors of other threads may use it.
        static const cudaLibrary_t image = [] {
            cudaLibrary_t loaded = nullptr;
            check(cudaLibraryLoadData(&loaded, append_tile_fatbin_bytes().data(), nullptr, nullptr, 0,
                                      nullptr, nullptr, 0),
                  "cudaLibraryLoadData");
            return loaded;
        }();
        cudaKernel_t kernel = nullptr;
        const std::string name = "append_tile_" + std::to_string(item_bytes);
        cudaError_t result = cudaLibraryGetKernel(&kernel, image, name.c_str());
        cudaFuncAttributes attributes{};
        if (result == cudaSuccess)
            result = cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel));
        if (result == cudaErrorNoKernelImageForDevice) {
            cudaGetLastError();
            throw Error(
                ErrorCode::unavailable,
                "device_launch has no code for this GPU: it cannot be compiled when the program starts. "
                "Build with a CUDA toolkit that knows the GPU, or use another algorithm.");
        }
        check(result, "append_tile");
        return reinterpret_cast<const void*>(kernel);
    }

    const void* kernel_;
};

inline bool is_being_captured(cudaStream_t stream) {
    cudaStreamCaptureStatus status{};
    check(cudaStreamIsCapturing(stream, &status), "cudaStreamIsCapturing");
    return status != cudaStreamCaptureStatusNone;
}

}  // namespace compaction::cuda::relocatable
