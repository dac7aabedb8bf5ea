#pragma once

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <type_traits>
#include <vector>

#include "tests/cuda/longest_stream.hpp"

/// Shared by the tests of compaction/cuda/select.cuh: records of every width, and device memory.
namespace select_testing {

template <int Words, typename WordT = std::uint32_t>
struct alignas(sizeof(WordT) * (Words & -Words)) Record {
    WordT word[Words];
    bool operator==(const Record&) const = default;
};

/// The first word of a record, in the upper bits of 32.
template <typename RecordT>
__host__ __device__ std::uint32_t key_of(const RecordT& record) {
    return std::uint32_t{record.word[0]} << 8 * (sizeof(std::uint32_t) - sizeof record.word[0]);
}

/// Keeps the records below a limit that is known only at run time.
struct Below {
    std::uint32_t limit;

    template <typename RecordT>
    __host__ __device__ bool operator()(const RecordT& record) const {
        return key_of(record) < limit;
    }
};

#define COMPACTION_CHECK(call) ASSERT_EQ((call), cudaSuccess)
#define COMPACTION_EXPECT(call) EXPECT_EQ((call), cudaSuccess)

template <typename T>
class DeviceArray {
  public:
    explicit DeviceArray(std::size_t size) : size_(size) {
        EXPECT_EQ(cudaMalloc(&data_, std::max<std::size_t>(size, 1) * sizeof(T)), cudaSuccess);
    }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;
    ~DeviceArray() { cudaFree(data_); }

    T* data() const { return data_; }
    std::size_t size() const { return size_; }
    void fill(int byte) { EXPECT_EQ(cudaMemset(data_, byte, size_ * sizeof(T)), cudaSuccess); }
    void upload(const std::vector<T>& from, std::size_t at = 0) {
        EXPECT_EQ(cudaMemcpy(data_ + at, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice),
                  cudaSuccess);
    }
    std::vector<T> download() {
        std::vector<T> to(size_);
        EXPECT_EQ(cudaMemcpy(to.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost), cudaSuccess);
        return to;
    }

  private:
    T* data_ = nullptr;
    std::size_t size_;
};

template <typename RecordT>
std::vector<RecordT> random_records(std::size_t count, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<RecordT> records(count);
    for (RecordT& record : records) {
        for (auto& word : record.word) word = static_cast<std::remove_reference_t<decltype(word)>>(random());
    }
    return records;
}

inline constexpr std::uint32_t keep_half = 0x80000000U;

/// A test that skips where there is no CUDA device.
class OnCudaDevice : public testing::Test {
  protected:
    void SetUp() override {
        int devices = 0;
        if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
            cudaGetLastError();
            GTEST_SKIP() << "There is no CUDA device.";
        }
    }
};

}  // namespace select_testing
