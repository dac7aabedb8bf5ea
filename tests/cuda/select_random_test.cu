// Random calls over the whole select family, each compared with the host. WARPSIEVE_RANDOM_CALLS says how
// many; WARPSIEVE_RANDOM_SEED repeats a run.
#include <gtest/gtest.h>
#include <thrust/iterator/transform_iterator.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "compaction/cuda/select_columns.cuh"
#include "compaction/cuda/select_indices.cuh"
#include "compaction/cuda/select_iterators.cuh"
#include "compaction/cuda/select_partition.cuh"
#include "compaction/cuda/select_unique.cuh"
#include "tests/cuda/select_family_fixture.cuh"

namespace {

namespace family = compaction::cuda;
using select_testing::Bulk;
using select_testing::DeviceArray;
using select_testing::OnCudaDevice;
using select_testing::random_items;
using Triple = Bulk<12, std::uint32_t>;
using Quad = select_testing::Record<4>;

/// Keeps items by their lowest byte.
struct KeepLowByte {
    unsigned limit;

    __host__ __device__ bool operator()(std::uint8_t item) const { return item < limit; }
    __host__ __device__ bool operator()(std::uint32_t item) const { return (item & 0xff) < limit; }
    __host__ __device__ bool operator()(std::uint64_t item) const { return (item & 0xff) < limit; }
    __host__ __device__ bool operator()(const Triple& item) const { return item.bytes[0] < limit; }
    __host__ __device__ bool operator()(const Quad& item) const { return (item.word[0] & 0xff) < limit; }
};

/// Two items are equal if the highest bits of their lowest bytes are.
struct SameHalf {
    template <typename ItemT>
    __host__ __device__ bool operator()(const ItemT& a, const ItemT& b) const {
        return (a & 0x80) == (b & 0x80);
    }
};

struct Invert {
    __host__ __device__ std::uint32_t operator()(std::uint32_t item) const { return ~item; }
};

std::uint64_t number_from_environment(const char* name, std::uint64_t otherwise) {
    const char* const text = std::getenv(name);
    return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

class SelectRandomCalls : public OnCudaDevice {
  protected:
    static constexpr std::size_t longest = 1U << 20;
    static constexpr std::size_t most_lead = 64;
    static constexpr std::size_t pool_bytes = (longest + most_lead) * sizeof(Quad);
    static constexpr std::size_t guard_bytes = 64;
    static constexpr std::size_t num_outputs = 3;

    /// Allocated once there is a device.
    struct Memory {
        DeviceArray<std::uint8_t> pool{pool_bytes};
        DeviceArray<std::uint8_t> out[num_outputs]{DeviceArray<std::uint8_t>{2 * pool_bytes},
                                                   DeviceArray<std::uint8_t>{2 * pool_bytes},
                                                   DeviceArray<std::uint8_t>{2 * pool_bytes}};
        DeviceArray<std::uint64_t> count{1};
        DeviceArray<std::uint32_t> length{1};
    };

    void SetUp() override {
        OnCudaDevice::SetUp();
        if (IsSkipped()) return;
        random_.seed(number_from_environment("WARPSIEVE_RANDOM_SEED", 1));
        pool_ = random_items<std::uint8_t>(pool_bytes, static_cast<std::uint32_t>(random_()));
        memory_.emplace();
        memory_->pool.upload(pool_);
        COMPACTION_CHECK(state_.reserve<Quad>(longest));
        COMPACTION_CHECK(cudaStreamCreate(&other_stream_));
    }
    void TearDown() override {
        if (other_stream_) {
            EXPECT_EQ(cudaStreamDestroy(other_stream_), cudaSuccess);
        }
    }

    std::uint64_t below(std::uint64_t bound) { return random_() % bound; }

    /// Mostly short, up to 2^17; one in fifty up to the longest.
    void draw_call() {
        const std::uint64_t bits = below(50) == 0 ? 20 : below(18);
        size_ = below((std::uint64_t{1} << bits) + 1);
        lead_ = below(most_lead);
        constexpr unsigned limits[]{0, 1, 20, 128, 230, 256};
        keep_ = {limits[below(6)]};
        stream_ = below(2) == 0 ? nullptr : other_stream_;
        workspace_ = static_cast<int>(below(3));
        memory_->length.upload({static_cast<std::uint32_t>(size_)});
    }

    /// The items of this call.
    template <typename ItemT>
    const ItemT* host() const {
        return reinterpret_cast<const ItemT*>(pool_.data()) + lead_;
    }
    template <typename ItemT>
    ItemT* device() {
        return reinterpret_cast<ItemT*>(memory_->pool.data()) + lead_;
    }
    template <typename ItemT>
    ItemT* out(std::size_t index = 0) {
        return reinterpret_cast<ItemT*>(memory_->out[index].data());
    }
    std::uint64_t* count() { return memory_->count.data(); }

    /// Items for whose position keep(position) is true.
    template <typename ItemT, typename KeepT>
    std::vector<ItemT> kept(const ItemT* items, KeepT keep) const {
        std::vector<ItemT> result;
        for (std::size_t i = 0; i < size_; ++i) {
            if (keep(i)) result.push_back(items[i]);
        }
        return result;
    }
    template <typename ItemT>
    std::vector<ItemT> kept_by_item() const {
        return kept(host<ItemT>(), [&](std::size_t i) { return keep_(host<ItemT>()[i]); });
    }
    template <typename ItemT>
    std::vector<ItemT> kept_by_flag() const {
        return kept(host<ItemT>(), [&](std::size_t i) { return keep_(host<std::uint8_t>()[i]); });
    }

    /// Calls with the workspace of this call.
    template <typename CallT>
    void call_it(CallT call) {
        const auto with_storage = [&](void* temp, std::size_t& bytes) { return call(temp, bytes); };
        if (workspace_ == 0) {
            std::size_t bytes = 0;
            COMPACTION_CHECK(with_storage(nullptr, bytes));
            DeviceArray<std::uint8_t> storage(bytes);
            storage.fill(static_cast<int>(below(256)));
            COMPACTION_CHECK(with_storage(storage.data(), bytes));
            COMPACTION_CHECK(cudaStreamSynchronize(stream_));
        } else if (workspace_ == 1) {
            COMPACTION_CHECK(state_.reserve_for(with_storage));
            COMPACTION_CHECK(call(state_));
        } else {
            COMPACTION_CHECK(call(family::stream_ordered_memory));
        }
    }

    template <typename ItemT>
    void guard(const std::vector<ItemT>& expected, std::size_t index) {
        COMPACTION_CHECK(cudaMemset(out<ItemT>(index) + expected.size(), 0xee, guard_bytes));
    }
    template <typename ItemT>
    void compare(const std::vector<ItemT>& expected, std::size_t index) {
        const std::size_t bytes = expected.size() * sizeof(ItemT);
        std::vector<std::uint8_t> got(bytes + guard_bytes);
        COMPACTION_CHECK(cudaMemcpy(got.data(), out<ItemT>(index), got.size(), cudaMemcpyDeviceToHost));
        ASSERT_TRUE(bytes == 0 || std::memcmp(got.data(), expected.data(), bytes) == 0) << "output " << index;
        for (std::size_t i = 0; i < guard_bytes; ++i) ASSERT_EQ(got[bytes + i], 0xee) << "behind " << index;
    }

    /// Calls, and compares the count and the outputs, in order, with what is expected.
    template <typename CallT, typename... ItemsT>
    void expect(std::uint64_t num_selected, CallT call, const std::vector<ItemsT>&... expected) {
        std::size_t index = 0;
        (guard(expected, index++), ...);
        memory_->count.fill(0xee);
        ASSERT_NO_FATAL_FAILURE(call_it(call));
        COMPACTION_CHECK(cudaStreamSynchronize(stream_));
        ASSERT_EQ(memory_->count.download()[0], num_selected);
        index = 0;
        (compare(expected, index++), ...);
    }

    template <typename ItemT>
    void select_if_pointers() {
        const auto expected = kept_by_item<ItemT>();
        expect(
            expected.size(),
            [&](auto&... workspace) {
                const ItemT* const in = device<ItemT>();
                return family::select_if(workspace..., in, out<ItemT>(), count(), size_, keep_, stream_);
            },
            expected);
    }
    template <typename ItemT>
    void select_if_in_place() {
        const auto expected = kept_by_item<ItemT>();
        const std::size_t bytes = size_ * sizeof(ItemT);
        COMPACTION_CHECK(cudaMemcpy(out<ItemT>(), device<ItemT>(), bytes, cudaMemcpyDeviceToDevice));
        memory_->count.fill(0xee);
        ASSERT_NO_FATAL_FAILURE(call_it([&](auto&... workspace) {
            return family::select_if(workspace..., out<ItemT>(), count(), size_, keep_, stream_);
        }));
        COMPACTION_CHECK(cudaStreamSynchronize(stream_));
        ASSERT_EQ(memory_->count.download()[0], expected.size());
        guard(expected, 0);
        compare(expected, 0);
    }
    void select_if_transformed() {
        std::vector<std::uint32_t> expected;
        for (std::size_t i = 0; i < size_; ++i) {
            const std::uint32_t item = Invert{}(host<std::uint32_t>()[i]);
            if (keep_(item)) expected.push_back(item);
        }
        expect(
            expected.size(),
            [&](auto&... workspace) {
                const auto in = thrust::make_transform_iterator(device<std::uint32_t>(), Invert{});
                return family::select_if(workspace..., in, out<std::uint32_t>(), count(), size_, keep_,
                                         stream_);
            },
            expected);
    }
    template <typename ItemT>
    void select_if_device_length() {
        const auto expected = kept_by_item<ItemT>();
        const auto length = family::device_length(memory_->length.data(), size_ + below(10'000));
        expect(
            expected.size(),
            [&](auto&... workspace) {
                return family::select_if(workspace..., device<ItemT>(), out<ItemT>(), count(), length, keep_,
                                         stream_);
            },
            expected);
    }
    /// With bytes of the pool as flags that are set at random.
    template <typename ItemT>
    void flagged() {
        const auto is_set = [&](std::size_t i) { return host<std::uint8_t>()[i] != 0; };
        const auto expected = kept(host<ItemT>(), is_set);
        expect(
            expected.size(),
            [&](auto&... workspace) {
                return family::select_flagged(workspace..., device<ItemT>(), device<std::uint8_t>(),
                                              out<ItemT>(), count(), size_, stream_);
            },
            expected);
    }
    template <typename ItemT>
    void flagged_if() {
        const auto expected = kept_by_flag<ItemT>();
        expect(
            expected.size(),
            [&](auto&... workspace) {
                return family::select_flagged_if(workspace..., device<ItemT>(), device<std::uint8_t>(),
                                                 out<ItemT>(), count(), size_, keep_, stream_);
            },
            expected);
    }
    template <typename IndexT>
    std::vector<IndexT> kept_positions() const {
        std::vector<IndexT> positions;
        for (std::size_t i = 0; i < size_; ++i) {
            if (keep_(host<std::uint32_t>()[i])) positions.push_back(static_cast<IndexT>(i));
        }
        return positions;
    }
    void indices() {
        const auto expected = kept_positions<std::int32_t>();
        expect(
            expected.size(),
            [&](auto&... workspace) {
                return family::indices_if(workspace..., device<std::uint32_t>(), out<std::int32_t>(), count(),
                                          size_, keep_, stream_);
            },
            expected);
    }
    void padded_indices() {
        auto expected = kept_positions<std::int64_t>();
        const std::size_t selected = expected.size();
        const std::size_t out_size = below(2) == 0 ? selected / 2 : selected + below(1'000);
        expected.resize(out_size, -1);
        expect(
            selected,
            [&](auto&... workspace) {
                const auto to = family::padded(out<std::int64_t>(), out_size, std::int64_t{-1});
                return family::indices_if(workspace..., device<std::uint32_t>(), to, count(), size_, keep_,
                                          stream_);
            },
            expected);
    }
    void columns() {
        const auto bytes = kept_by_flag<std::uint8_t>();
        expect(
            bytes.size(),
            [&](auto&... workspace) {
                return family::select_columns_if(
                    workspace..., device<std::uint8_t>(), count(), size_, keep_, stream_,
                    family::column(device<std::uint8_t>(), out<std::uint8_t>(0)),
                    family::column(device<Triple>(), out<Triple>(1)),
                    family::column(device<std::uint64_t>(), out<std::uint64_t>(2)));
            },
            bytes, kept_by_flag<Triple>(), kept_by_flag<std::uint64_t>());
    }
    void partition() {
        auto expected = kept_by_item<std::uint32_t>();
        const std::size_t selected = expected.size();
        const auto* const items = host<std::uint32_t>();
        for (std::size_t i = size_; i-- > 0;) {
            if (!keep_(items[i])) expected.push_back(items[i]);
        }
        expect(
            selected,
            [&](auto&... workspace) {
                return family::partition_if(workspace..., device<std::uint32_t>(), out<std::uint32_t>(),
                                            count(), size_, keep_, stream_);
            },
            expected);
    }
    void unique() {
        const auto* const keys = host<std::uint32_t>();
        const auto begins = [&](std::size_t i) { return i == 0 || !SameHalf{}(keys[i - 1], keys[i]); };
        const auto expected = kept(keys, begins);
        expect(
            expected.size(),
            [&](auto&... workspace) {
                return family::unique(workspace..., device<std::uint32_t>(), out<std::uint32_t>(), count(),
                                      size_, SameHalf{}, stream_);
            },
            expected);
    }
    void unique_by_key() {
        const auto* const keys = host<std::uint32_t>();
        const auto begins = [&](std::size_t i) { return i == 0 || !SameHalf{}(keys[i - 1], keys[i]); };
        const auto expected = kept(keys, begins);
        expect(
            expected.size(),
            [&](auto&... workspace) {
                return family::unique_by_key(workspace..., device<std::uint32_t>(), device<std::uint64_t>(),
                                             out<std::uint32_t>(0), out<std::uint64_t>(1), count(), size_,
                                             SameHalf{}, stream_);
            },
            expected, kept(host<std::uint64_t>(), begins));
    }

    void call_number(std::uint64_t function) {
        switch (function) {
            case 0:
                return select_if_pointers<std::uint32_t>();
            case 1:
                return select_if_pointers<std::uint64_t>();
            case 2:
                return select_if_pointers<Quad>();
            case 3:
                return select_if_pointers<Triple>();
            case 4:
                return select_if_pointers<std::uint8_t>();
            case 5:
                return select_if_in_place<std::uint32_t>();
            case 6:
                return select_if_transformed();
            case 7:
                return select_if_device_length<std::uint64_t>();
            case 8:
                return flagged<std::uint32_t>();
            case 9:
                return flagged_if<std::uint64_t>();
            case 10:
                return indices();
            case 11:
                return columns();
            case 12:
                return partition();
            case 13:
                return unique();
            case 14:
                return padded_indices();
            default:
                return unique_by_key();
        }
    }
    static constexpr std::uint64_t num_functions = 16;

    std::mt19937_64 random_;
    std::vector<std::uint8_t> pool_;
    std::optional<Memory> memory_;
    family::SelectState state_;
    cudaStream_t other_stream_ = nullptr;

    std::size_t size_ = 0;
    std::size_t lead_ = 0;
    KeepLowByte keep_{};
    cudaStream_t stream_ = nullptr;
    int workspace_ = 0;
};

TEST_F(SelectRandomCalls, AgreeWithTheHost) {
    const std::uint64_t calls = number_from_environment("WARPSIEVE_RANDOM_CALLS", 3'000);
    for (std::uint64_t call = 0; call < calls; ++call) {
        const std::uint64_t function = below(num_functions);
        draw_call();
        call_number(function);
        ASSERT_FALSE(HasFailure()) << "call " << call << ": function " << function << ", " << size_
                                   << " items at " << lead_ << ", limit " << keep_.limit << ", workspace "
                                   << workspace_;
    }
    RecordProperty("calls", std::to_string(calls));
}

}  // namespace
