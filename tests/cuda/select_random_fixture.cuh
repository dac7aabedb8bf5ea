#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "compaction/cuda/select_length.cuh"
#include "compaction/cuda/select_workspace.cuh"
#include "tests/cuda/select_family_fixture.cuh"

/// Random calls whose outputs are checked on the GPU, so that the host need not wait for any of them.
namespace select_testing {

/// The input of all calls: random bytes, and the positions of the items that a predicate selects.
///
/// A call selects from a part of the pool, so the result is a part of the result for the whole pool. The host
/// computes the positions for the whole pool once.
class RandomPool {
  public:
    explicit RandomPool(std::size_t bytes) : bytes_(bytes), device_(bytes) {}

    void fill(std::uint32_t seed) {
        host_ = random_items<std::uint8_t>(bytes_, seed);
        device_.upload(host_);
    }

    template <typename ItemT>
    std::size_t num_items() const {
        return bytes_ / sizeof(ItemT);
    }
    template <typename ItemT>
    const ItemT* host() const {
        return reinterpret_cast<const ItemT*>(host_.data());
    }
    template <typename ItemT>
    const ItemT* device() const {
        return reinterpret_cast<const ItemT*>(device_.data());
    }

    /// Positions of [first, first + count) for which is_selected(position) is true. `name` tells one such
    /// function from others; there are `size` positions in all.
    struct Positions {
        const std::uint32_t* on_device;
        std::uint32_t count;
    };
    template <typename IsSelectedT>
    Positions positions(const std::string& name, std::size_t size, std::size_t first, std::size_t count,
                        IsSelectedT is_selected) {
        auto found = std::ranges::find(lists_, name, [](const auto& list) { return list->name; });
        if (found == lists_.end()) {
            auto list = std::make_unique<List>();
            list->name = name;
            for (std::size_t i = 0; i < size; ++i) {
                if (is_selected(i)) list->positions.push_back(static_cast<std::uint32_t>(i));
            }
            list->on_device = std::make_unique<DeviceArray<std::uint32_t>>(list->positions.size());
            list->on_device->upload(list->positions);
            found = lists_.insert(lists_.end(), std::move(list));
        }
        const auto& all = (*found)->positions;
        const auto begin = std::ranges::lower_bound(all, first);
        const auto end = std::ranges::lower_bound(all, first + count);
        return {(*found)->on_device->data() + (begin - all.begin()), static_cast<std::uint32_t>(end - begin)};
    }

  private:
    struct List {
        std::string name;
        std::vector<std::uint32_t> positions;
        std::unique_ptr<DeviceArray<std::uint32_t>> on_device;
    };

    std::size_t bytes_;
    std::vector<std::uint8_t> host_;
    DeviceArray<std::uint8_t> device_;
    std::vector<std::unique_ptr<List>> lists_;
};

// --- Predicates ---

/// The lowest byte of an item.
template <typename ItemT>
__host__ __device__ unsigned low_byte(const ItemT& item) {
    return reinterpret_cast<const unsigned char&>(item);
}

/// Keeps items by their lowest byte.
struct KeepLowByte {
    unsigned limit;
    template <typename ItemT>
    __host__ __device__ bool operator()(const ItemT& item) const {
        return low_byte(item) < limit;
    }
};

/// Keeps items whose lowest byte is odd.
struct IsOdd {
    template <typename ItemT>
    __host__ __device__ bool operator()(const ItemT& item) const {
        return low_byte(item) % 2 == 1;
    }
};

/// Two items are equal if the highest bits of their lowest bytes are.
struct SameHalf {
    template <typename ItemT>
    __host__ __device__ bool operator()(const ItemT& a, const ItemT& b) const {
        return low_byte(a) / 128 == low_byte(b) / 128;
    }
};

// --- Expected outputs: what item i is ---

template <typename ItemT>
struct ItemsAt {
    const ItemT* items;
    const std::uint32_t* positions;
    __device__ ItemT operator()(std::uint32_t i) const { return items[positions[i]]; }
};

/// The items at some positions, and behind them those at others, in reverse order.
template <typename ItemT>
struct ItemsAtBoth {
    ItemsAt<ItemT> front;
    std::uint32_t num_front;
    ItemsAt<ItemT> back;
    std::uint32_t num_back;
    __device__ ItemT operator()(std::uint32_t i) const {
        return i < num_front ? front(i) : back(num_front + num_back - 1 - i);
    }
};

/// Item `first`, and behind it those at some positions.
template <typename ItemT>
struct FirstAndItemsAt {
    std::uint32_t first;
    ItemsAt<ItemT> others;
    __device__ ItemT operator()(std::uint32_t i) const {
        return i == 0 ? others.items[first] : others(i - 1);
    }
};

/// Positions from `first` on, and then `fill`.
template <typename IndexT>
struct PositionsFrom {
    const std::uint32_t* positions;
    std::uint32_t count;
    std::uint32_t first;
    IndexT fill;
    __device__ IndexT operator()(std::uint32_t i) const {
        return i < count ? static_cast<IndexT>(positions[i] - first) : fill;
    }
};

// --- Checks ---

inline constexpr unsigned poison = 0xee;
inline constexpr unsigned guard_bytes = 64;

struct Verdict {
    unsigned long long checked;
    unsigned long long first_wrong;  ///< number of the call
};

/// Checks `count` items of an output and that nothing is written behind them. Then poisons what a call may
/// have written: `writable` items.
template <typename ItemT, typename ExpectedT>
__global__ void check_output(ItemT* out, std::uint32_t count, std::uint32_t writable, ExpectedT expected,
                             unsigned long long call, Verdict* verdict) {
    auto* const bytes = reinterpret_cast<unsigned char*>(out);
    bool right = true;
    const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
    for (std::uint32_t i = thread; i < writable; i += gridDim.x * blockDim.x) {
        if (i < count) {
            const ItemT item = expected(i);
            const auto* const wanted = reinterpret_cast<const unsigned char*>(&item);
            for (unsigned k = 0; k < sizeof(ItemT); ++k)
                right = right && bytes[i * sizeof(ItemT) + k] == wanted[k];
        }
        for (unsigned k = 0; k < sizeof(ItemT); ++k) bytes[i * sizeof(ItemT) + k] = poison;
    }
    if (thread < guard_bytes) right = right && bytes[writable * sizeof(ItemT) + thread] == poison;
    if (!right) atomicMin(&verdict->first_wrong, call);
}

template <typename NumberT>
__global__ void set_number(NumberT* to, NumberT value) {
    *to = value;
}

template <int Counts>
struct Numbers {
    std::uint64_t value[Counts];
};

/// Checks and poisons a number of selected items, and checks that nothing is written behind the storage.
template <int Counts>
__global__ void check_counts(std::uint64_t* counts, Numbers<Counts> expected,
                             const unsigned char* behind_storage, unsigned storage_byte,
                             unsigned long long call, Verdict* verdict) {
    bool right = !behind_storage || behind_storage[threadIdx.x] == storage_byte;
    if (threadIdx.x == 0) {
        for (int i = 0; i < Counts; ++i) {
            right = right && counts[i] == expected.value[i];
            counts[i] = ~std::uint64_t{0};
        }
        atomicAdd(&verdict->checked, 1ULL);
    }
    if (!right) atomicMin(&verdict->first_wrong, call);
}

inline std::uint64_t number_from_environment(const char* name, std::uint64_t otherwise) {
    const char* const text = std::getenv(name);
    return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// One call at a time, drawn at random: its items, its memory and its checks.
class RandomCalls : public OnCudaDevice {
  protected:
    /// Too long for a single wave.
    static constexpr std::size_t longest = 6'000'000;
    static constexpr std::size_t max_lead = 64;
    static constexpr std::size_t pool_bytes = (longest + max_lead) * sizeof(Record<4>);
    static constexpr std::size_t storage_bytes = std::size_t{256} << 20;
    static constexpr std::size_t num_outputs = 3;

    /// Allocated once there is a device.
    struct Memory {
        RandomPool pool{pool_bytes};
        DeviceArray<std::uint8_t> out[num_outputs]{DeviceArray<std::uint8_t>{pool_bytes + guard_bytes},
                                                   DeviceArray<std::uint8_t>{pool_bytes + guard_bytes},
                                                   DeviceArray<std::uint8_t>{pool_bytes + guard_bytes}};
        DeviceArray<std::uint8_t> storage{storage_bytes};
        DeviceArray<std::uint64_t> counts{2};
        DeviceArray<std::uint64_t> length{1};
        DeviceArray<Verdict> verdict{1};
    };

    void SetUp() override {
        OnCudaDevice::SetUp();
        if (IsSkipped()) return;
        random_.seed(number_from_environment("WARPSIEVE_RANDOM_SEED", 1));
        memory_.emplace();
        memory_->pool.fill(static_cast<std::uint32_t>(random_()));
        for (auto& out : memory_->out) out.fill(poison);
        memory_->counts.fill(0xff);
        memory_->verdict.upload({{0, std::numeric_limits<unsigned long long>::max()}});
        COMPACTION_CHECK(state_.reserve<Record<4>>(longest));
        COMPACTION_CHECK(cudaStreamCreate(&other_stream_));
    }
    void TearDown() override {
        if (other_stream_) {
            EXPECT_EQ(cudaStreamDestroy(other_stream_), cudaSuccess);
        }
    }

    std::uint64_t below(std::uint64_t bound) { return random_() % bound; }

    /// Mostly short, up to 2^17; one in fifty up to 2^20, one in a hundred up to the longest.
    void draw_call() {
        const std::uint64_t kind = below(100);
        const std::uint64_t max_size = kind == 0 ? longest : std::uint64_t{1} << (kind < 3 ? 20 : below(18));
        size_ = below(max_size + 1);
        lead_ = below(max_lead);
        constexpr unsigned limits[]{0, 1, 20, 128, 230, 256};
        keep_ = {limits[below(6)]};
        // Each waits for the other, because it is the default stream.
        stream_ = below(2) == 0 ? nullptr : other_stream_;
        workspace_ = static_cast<int>(below(3));
        storage_byte_ = static_cast<unsigned>(below(256));
        behind_storage_ = nullptr;
    }

    // --- The memory of this call ---

    template <typename ItemT>
    const ItemT* in() const {
        return memory_->pool.device<ItemT>() + lead_;
    }
    template <typename ItemT>
    ItemT* out(std::size_t index = 0) {
        return reinterpret_cast<ItemT*>(memory_->out[index].data());
    }
    std::uint64_t* count() { return memory_->counts.data(); }
    /// The length of this call, on the device, and more that there could be.
    compaction::cuda::DeviceLength<std::uint64_t> length_on_device() {
        set_number<<<1, 1, 0, stream_>>>(memory_->length.data(), size_);
        return compaction::cuda::device_length(memory_->length.data(), size_ + below(10'000));
    }
    /// Items that do not fit the pool so often are left out.
    template <typename ItemT>
    void fit_pool() {
        size_ = std::min(size_, memory_->pool.num_items<ItemT>() - max_lead);
    }

    // --- What is expected ---

    /// The positions, in an array of ItemT, of the items of this call for which is_selected(position) is
    /// true, without the first `skip` items.
    template <typename ItemT, typename IsSelectedT>
    RandomPool::Positions positions(const std::string& name, IsSelectedT is_selected, std::size_t skip = 0) {
        const std::size_t all = std::min(longest + max_lead, memory_->pool.num_items<ItemT>());
        return memory_->pool.positions(name, all, lead_ + skip, size_ - std::min(skip, size_), is_selected);
    }
    /// The positions of the items whose lowest byte the predicate of this call keeps, or those of the others.
    template <typename ItemT>
    RandomPool::Positions kept(bool keeps = true) {
        const auto* const items = memory_->pool.host<ItemT>();
        return positions<ItemT>(
            std::to_string(sizeof(ItemT)) + (keeps ? " kept by " : " left by ") + std::to_string(keep_.limit),
            [&](std::size_t i) { return keep_(items[i]) == keeps; });
    }
    template <typename ItemT>
    ItemsAt<ItemT> items_at(const RandomPool::Positions& positions) const {
        return {memory_->pool.device<ItemT>(), positions.on_device};
    }

    // --- Calls and checks ---

    /// Calls with the workspace of this call.
    template <typename CallT>
    void call_it(CallT call) {
        const auto with_storage = [&](void* temp, std::size_t& bytes) { return call(temp, bytes); };
        if (workspace_ == 0) {
            std::size_t bytes = 0;
            COMPACTION_CHECK(with_storage(nullptr, bytes));
            ASSERT_LE(bytes + guard_bytes, storage_bytes);
            std::uint8_t* const storage = memory_->storage.data();
            COMPACTION_CHECK(
                cudaMemsetAsync(storage, static_cast<int>(storage_byte_), bytes + guard_bytes, stream_));
            behind_storage_ = storage + bytes;
            COMPACTION_CHECK(with_storage(storage, bytes));
        } else if (workspace_ == 1) {
            COMPACTION_CHECK(state_.reserve_for(with_storage));
            COMPACTION_CHECK(call(state_));
        } else {
            COMPACTION_CHECK(call(compaction::cuda::stream_ordered_memory));
        }
    }
    template <typename... CountsT>
    void check_counts_are(CountsT... expected) {
        check_counts<sizeof...(CountsT)><<<1, guard_bytes, 0, stream_>>>(
            count(), {static_cast<std::uint64_t>(expected)...}, behind_storage_, storage_byte_, number_,
            memory_->verdict.data());
    }
    /// `writable`: the number of items that the call may write; 0: the expected number.
    template <typename ItemT, typename ExpectedT>
    void check_items(std::uint32_t expected_count, ExpectedT expected, std::size_t index = 0,
                     std::uint32_t writable = 0) {
        writable = std::max(writable, expected_count);
        check_output<<<std::min(64U, writable / 1024 + 1), 256, 0, stream_>>>(
            out<ItemT>(index), expected_count, writable, expected, number_, memory_->verdict.data());
        COMPACTION_CHECK(cudaGetLastError());
    }
    /// Calls, and checks one output and the count.
    template <typename ItemT, typename CallT>
    void expect(const RandomPool::Positions& selected, CallT call) {
        ASSERT_NO_FATAL_FAILURE(call_it(call));
        check_counts_are(selected.count);
        check_items<ItemT>(selected.count, items_at<ItemT>(selected));
    }

    std::mt19937_64 random_;
    std::optional<Memory> memory_;
    compaction::cuda::SelectState state_;
    cudaStream_t other_stream_ = nullptr;

    unsigned long long number_ = 0;
    std::size_t size_ = 0;
    std::size_t lead_ = 0;
    KeepLowByte keep_{};
    cudaStream_t stream_ = nullptr;
    int workspace_ = 0;
    unsigned storage_byte_ = 0;
    const std::uint8_t* behind_storage_ = nullptr;
};

}  // namespace select_testing
