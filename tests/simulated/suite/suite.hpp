#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

/// Ordinary CUDA kernels, each right or with a known fault. nvcc compiles these files too.
namespace suite {

struct Case {
    const char* name;
    const char* fault;  ///< "none" for a kernel that is right
    bool (*run)();      ///< returns whether the results are right
};

inline std::vector<Case>& cases() {
    static std::vector<Case> all;
    return all;
}

struct Registration {
    explicit Registration(const Case& of) { cases().push_back(of); }
};

inline void check(cudaError_t result) {
    if (result != cudaSuccess) throw std::runtime_error(cudaGetErrorString(result));
}

template <typename T>
class DeviceArray {
  public:
    explicit DeviceArray(const std::vector<T>& values) : size_(values.size()) {
        check(cudaMalloc(&data_, size_ * sizeof(T)));
        check(cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
    }
    explicit DeviceArray(std::size_t size, T value = T()) : DeviceArray(std::vector<T>(size, value)) {}
    ~DeviceArray() { cudaFree(data_); }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;

    T* data() const { return data_; }
    std::vector<T> values() const {
        std::vector<T> copy(size_);
        check(cudaMemcpy(copy.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
        return copy;
    }
    T front() const { return values().front(); }

  private:
    std::size_t size_;
    T* data_ = nullptr;
};

/// first, first + 1, ...
template <typename T>
std::vector<T> counting(std::size_t size, T first = T(0)) {
    std::vector<T> values(size);
    for (std::size_t i = 0; i < size; ++i) values[i] = static_cast<T>(first + static_cast<T>(i));
    return values;
}

}  // namespace suite

/// Defines a case: SUITE_CASE(name, "none") { ...; return result_is_right; }
#define SUITE_CASE(name, fault)                                                   \
    static bool run_##name();                                                     \
    static const suite::Registration register_##name({#name, fault, run_##name}); \
    static bool run_##name()
