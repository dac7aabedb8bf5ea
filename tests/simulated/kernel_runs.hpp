#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "compaction/error.hpp"
#include "simulated/device.hpp"
#include "simulated/memory.hpp"

/// Runs kernels of a test on the simulated GPU.
namespace compaction::simulated {

/// An array in the memory of the simulated GPU.
template <typename T>
struct Array {
    explicit Array(std::size_t size, T value = {})
        : size_(size), data(static_cast<T*>(allocate_global(size * sizeof(T)))) {
        std::fill_n(data, size, value);
    }
    ~Array() { free_global(data); }
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;
    std::vector<T> values() const { return {data, data + size_}; }

    std::size_t size_;
    T* data;
};

/// The error that the run reports; "" if there is none.
template <typename... KernelAndArguments>
std::string failure(const LaunchShape& shape, std::uint64_t seed, KernelAndArguments... rest) {
    try {
        run_kernel("kernel", shape, schedule_of(seed), rest...);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

inline void expect_in(const std::string& part, const std::string& text) {
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
}

}  // namespace compaction::simulated
