#pragma once

#include <gtest/gtest.h>

#include <cstdint>

#include "compaction/cuda/select.cuh"
#include "tests/cuda/fake_runtime.hpp"

/// Fake GPUs for tests of the host side of compaction/cuda/select.cuh.
namespace select_testing {

inline constexpr FakeRuntime::Gpu h100{132, 2'048, 228 << 10, 227 << 10, 9, 90};
inline constexpr FakeRuntime::Gpu rtx_4090{128, 1'536, 100 << 10, 99 << 10, 8, 89};
inline constexpr std::uint64_t short_stream = 100'000;
inline constexpr std::uint64_t long_stream = 100'000'000;

struct NotZero {
    __device__ bool operator()(std::uint32_t item) const { return item != 0; }
};

/// Kernel attributes are cached per device, so every test has its own devices.
class SelectOnHost : public testing::Test {
  protected:
    void SetUp() override {
        runtime_.launches.clear();
        runtime_.on_launch = {};
        runtime_.on_memset = {};
        runtime_.captures = false;
    }

    void TearDown() override {
        runtime_.destroy_graph();
        runtime_.user_object_result = cudaSuccess;
    }

    void use(const FakeRuntime::Gpu& gpu) {
        static int devices_used = 0;
        ASSERT_LT(devices_used, compaction::cuda::detail::max_devices);
        runtime_.device = devices_used++;
        runtime_.gpu = gpu;
    }

    /// An address in device memory; nothing reads or writes it.
    static std::uint32_t* memory(int which) {
        return reinterpret_cast<std::uint32_t*>(std::uintptr_t{0x1000'0000'0000} *
                                                static_cast<unsigned>(which));
    }

    FakeRuntime& runtime_ = fake_runtime();
    std::uint32_t* const in_ = memory(1);
    std::uint32_t* const out_ = memory(2);
    std::uint64_t* const num_selected_ = reinterpret_cast<std::uint64_t*>(memory(3));
};

}  // namespace select_testing
