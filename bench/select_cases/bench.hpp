#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "compaction/cuda/memory.hpp"
#include "compaction/cuda/stream.hpp"

/// Measures calls of the library beside calls of CUB.
namespace select_cases {

using compaction::cuda::check;
using compaction::cuda::DeviceBuffer;
using Word = std::uint32_t;

/// Bytes of the input, of the output and of the flags.
inline constexpr std::size_t pool_bytes = std::size_t{1} << 30;
inline constexpr std::size_t pool_words = pool_bytes / sizeof(Word);
/// The maximum number of calls that run at the same time.
inline constexpr std::size_t max_streams = 4;

/// One call of a batch. `stream_index` distinguishes calls that run at the same time.
struct Call {
    std::uint64_t index;
    std::size_t stream_index;
    cudaStream_t stream;
};

struct Case {
    std::string group;
    std::string name;
    std::uint64_t n = 0;
    std::size_t bytes_in = 0;  ///< bytes that one call reads from its part of the pool
    std::function<void(const Call&)> cub;
    std::function<void(const Call&)> ours;
    std::size_t num_streams = 1;         ///< calls take turns on so many streams
    bool busy = false;                   ///< other kernels run meanwhile
    std::function<void()> prepare = {};  ///< writes another input first
    bool in_place = false;  ///< calls select in their output, which holds the input before a batch
};

class Bench {
  public:
    Bench();

    void add(Case added) { cases_.push_back(std::move(added)); }
    /// Measures the cases of these groups, or all. Prints a line for each.
    void run(const std::vector<std::string_view>& groups);

    // --- The memory of a call: its own part of the pools ---

    template <typename ItemT>
    const ItemT* in(const Call& call, std::uint64_t n) const {
        return reinterpret_cast<const ItemT*>(in_.data()) + call.index * n;
    }
    template <typename ItemT>
    ItemT* out(const Call& call, std::uint64_t n) const {
        return reinterpret_cast<ItemT*>(out_.data()) + call.index * n;
    }
    /// The flags of a call, of one byte or one word each.
    template <typename FlagT>
    const FlagT* flags(const Call& call, std::uint64_t n) const {
        const void* const all =
            sizeof(FlagT) == 1 ? static_cast<const void*>(flags_.data()) : word_flags_.data();
        return static_cast<const FlagT*>(all) + call.index * n;
    }
    std::uint64_t* count(const Call& call) const { return counts_.data() + 2 * call.index; }
    const Word* table() const { return table_.data(); }

    /// Calls enqueue(temp, bytes) with temporary storage, which grows to the requested size.
    template <typename EnqueueT>
    void with_storage(const Call& call, EnqueueT enqueue) {
        DeviceBuffer<char>& storage = storage_[call.stream_index];
        std::size_t bytes = 0;
        check(enqueue(nullptr, bytes), "size of the storage");
        if (bytes > storage.size()) storage = DeviceBuffer<char>(bytes);
        check(enqueue(storage.data(), bytes), "select");
    }

    // --- Inputs ---

    /// Fills the input with random words.
    void fill_input();
    /// Fills the input with random words, of which `keep_fraction` is not 0.
    void fill_input(double keep_fraction);
    /// Fills the input with repeats of `words`.
    void fill_input(const std::vector<Word>& words);

  private:
    void measure(const Case& each);
    float time_batch(const Case& each, const std::function<void(const Call&)>& enqueue);
    void start_other_kernels();
    void compare(const Case& each);
    void reset_output(const Case& each, std::size_t num_words);
    std::uint64_t first_count() const;

    std::array<compaction::cuda::Stream, max_streams> streams_;
    std::array<compaction::cuda::Stream, 3> other_streams_;
    std::array<cudaGraphExec_t, 3> other_graphs_{};
    compaction::cuda::Event begin_{cudaEventDefault};
    compaction::cuda::Event end_{cudaEventDefault};
    DeviceBuffer<Word> in_{pool_words};
    DeviceBuffer<Word> out_{pool_words};
    DeviceBuffer<Word> expected_{pool_words};
    DeviceBuffer<Word> table_;
    DeviceBuffer<unsigned char> flags_{pool_words};
    DeviceBuffer<Word> word_flags_{pool_words};
    DeviceBuffer<std::uint64_t> counts_;
    DeviceBuffer<char> flush_;
    std::array<DeviceBuffer<char>, max_streams> storage_;
    std::vector<Case> cases_;
};

}  // namespace select_cases
