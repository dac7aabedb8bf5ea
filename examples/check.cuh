#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

/// What every example needs: error checks and device memory.
namespace examples {

inline void check(cudaError_t error, const char* call) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(error));
    std::exit(1);
}

/// Device memory, freed at the end of its scope.
template <typename T>
class DeviceArray {
  public:
    explicit DeviceArray(std::size_t size) { check(cudaMalloc(&data_, size * sizeof(T)), "cudaMalloc"); }
    explicit DeviceArray(const std::vector<T>& items) : DeviceArray(items.size()) {
        check(cudaMemcpy(data_, items.data(), items.size() * sizeof(T), cudaMemcpyHostToDevice),
              "cudaMemcpy");
    }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;
    ~DeviceArray() { cudaFree(data_); }

    T* data() { return data_; }
    std::vector<T> download(std::size_t size) const {
        std::vector<T> items(size);
        check(cudaMemcpy(items.data(), data_, size * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
        return items;
    }

  private:
    T* data_ = nullptr;
};

}  // namespace examples
