// Random calls over the whole select family, each with what is expected found on the host.
// WARPSIEVE_RANDOM_CALLS says how many; WARPSIEVE_RANDOM_SEED repeats a run. Outputs are checked on the GPU,
// so a million take about a minute.
#include <gtest/gtest.h>
#include <thrust/iterator/transform_iterator.h>

#include <cstdint>
#include <string>
#include <vector>

#include "compaction/cuda/select_columns.cuh"
#include "compaction/cuda/select_indices.cuh"
#include "compaction/cuda/select_iterators.cuh"
#include "compaction/cuda/select_partition.cuh"
#include "compaction/cuda/select_unique.cuh"
#include "tests/cuda/select_random_fixture.cuh"

namespace {

namespace family = compaction::cuda;
using namespace select_testing;
using Byte = std::uint8_t;
using Word = std::uint32_t;
using Wide = std::uint64_t;
using Triple = Bulk<12, Word>;
using Quad = Record<4>;
using Large = Bulk<32, Word>;

struct Invert {
    __host__ __device__ Word operator()(Word item) const { return ~item; }
};

template <typename ItemT>
struct InvertedAt : ItemsAt<ItemT> {
    __device__ ItemT operator()(Word i) const { return ~ItemsAt<ItemT>::operator()(i); }
};

class SelectRandomCalls : public RandomCalls {
  protected:
    template <typename ItemT>
    void select_if_pointers() {
        fit_pool<ItemT>();
        expect<ItemT>(kept<ItemT>(), [&](auto&... workspace) {
            return family::select_if(workspace..., in<ItemT>(), out<ItemT>(), count(), size_, keep_, stream_);
        });
    }
    void select_if_transformed() {
        const auto selected = positions<Word>("inverted " + std::to_string(keep_.limit), [&](std::size_t i) {
            return keep_(Invert{}(memory_->pool.host<Word>()[i]));
        });
        ASSERT_NO_FATAL_FAILURE(call_it([&](auto&... workspace) {
            const auto inverted = thrust::make_transform_iterator(in<Word>(), Invert{});
            return family::select_if(workspace..., inverted, out<Word>(), count(), size_, keep_, stream_);
        }));
        check_counts_are(selected.count);
        check_items<Word>(selected.count, InvertedAt<Word>{items_at<Word>(selected)});
    }
    template <typename ItemT>
    void select_if_device_length() {
        const auto length = length_on_device();
        expect<ItemT>(kept<ItemT>(), [&](auto&... workspace) {
            return family::select_if(workspace..., in<ItemT>(), out<ItemT>(), count(), length, keep_,
                                     stream_);
        });
    }
    template <typename LengthT>
    void select_if_in_place(const LengthT& length) {
        const auto selected = kept<Word>();
        COMPACTION_CHECK(cudaMemcpyAsync(out<Word>(), in<Word>(), size_ * sizeof(Word),
                                         cudaMemcpyDeviceToDevice, stream_));
        ASSERT_NO_FATAL_FAILURE(call_it([&](auto&... workspace) {
            return family::select_if(workspace..., out<Word>(), count(), length, keep_, stream_);
        }));
        check_counts_are(selected.count);
        check_items<Word>(selected.count, items_at<Word>(selected), 0, static_cast<Word>(size_));
    }
    template <typename ItemT, typename FlagT>
    void flagged() {
        const auto* const flags = memory_->pool.host<FlagT>();
        const auto selected = positions<FlagT>(std::to_string(sizeof(FlagT)) + " set",
                                               [&](std::size_t i) { return flags[i] != 0; });
        expect<ItemT>(selected, [&](auto&... workspace) {
            return family::select_flagged(workspace..., in<ItemT>(), in<FlagT>(), out<ItemT>(), count(),
                                          size_, stream_);
        });
    }
    template <typename ItemT>
    void flagged_if() {
        expect<ItemT>(kept<Byte>(), [&](auto&... workspace) {
            return family::select_flagged_if(workspace..., in<ItemT>(), in<Byte>(), out<ItemT>(), count(),
                                             size_, keep_, stream_);
        });
    }
    template <typename IndexT>
    void indices() {
        const auto selected = kept<Word>();
        ASSERT_NO_FATAL_FAILURE(call_it([&](auto&... workspace) {
            return family::indices_if(workspace..., in<Word>(), out<IndexT>(), count(), size_, keep_,
                                      stream_);
        }));
        check_counts_are(selected.count);
        check_items<IndexT>(selected.count,
                            PositionsFrom<IndexT>{selected.on_device, selected.count, Word(lead_), 0});
    }
    void padded_indices() {
        const auto selected = kept<Word>();
        const auto out_size =
            static_cast<Word>(below(2) == 0 ? selected.count / 2 : selected.count + below(1'000));
        ASSERT_NO_FATAL_FAILURE(call_it([&](auto&... workspace) {
            const auto to = family::padded(out<std::int64_t>(), out_size, std::int64_t{-1});
            return family::indices_if(workspace..., in<Word>(), to, count(), size_, keep_, stream_);
        }));
        check_counts_are(selected.count);
        check_items<std::int64_t>(
            out_size, PositionsFrom<std::int64_t>{selected.on_device, selected.count, Word(lead_), -1});
    }
    void columns() {
        const auto selected = kept<Byte>();
        ASSERT_NO_FATAL_FAILURE(call_it([&](auto&... workspace) {
            return family::select_columns_if(workspace..., in<Byte>(), count(), size_, keep_, stream_,
                                             family::column(in<Byte>(), out<Byte>(0)),
                                             family::column(in<Triple>(), out<Triple>(1)),
                                             family::column(in<Wide>(), out<Wide>(2)));
        }));
        check_counts_are(selected.count);
        check_items<Byte>(selected.count, items_at<Byte>(selected), 0);
        check_items<Triple>(selected.count, items_at<Triple>(selected), 1);
        check_items<Wide>(selected.count, items_at<Wide>(selected), 2);
    }
    void partition() {
        const auto front = kept<Word>();
        const auto back = kept<Word>(false);
        ASSERT_NO_FATAL_FAILURE(call_it([&](auto&... workspace) {
            return family::partition_if(workspace..., in<Word>(), out<Word>(), count(), size_, keep_,
                                        stream_);
        }));
        check_counts_are(front.count);
        check_items<Word>(front.count + back.count, ItemsAtBoth<Word>{items_at<Word>(front), front.count,
                                                                      items_at<Word>(back), back.count});
    }
    void partition_into_three() {
        const auto* const items = memory_->pool.host<Word>();
        const std::string limit = std::to_string(keep_.limit);
        const auto first = kept<Word>();
        const auto second = positions<Word>(
            "left and odd " + limit, [&](std::size_t i) { return !keep_(items[i]) && IsOdd{}(items[i]); });
        const auto rest = positions<Word>(
            "left and even " + limit, [&](std::size_t i) { return !keep_(items[i]) && !IsOdd{}(items[i]); });
        ASSERT_NO_FATAL_FAILURE(call_it([&](auto&... workspace) {
            return family::partition_if(workspace..., in<Word>(), out<Word>(0), out<Word>(1), out<Word>(2),
                                        count(), size_, keep_, IsOdd{}, stream_);
        }));
        check_counts_are(first.count, second.count);
        check_items<Word>(first.count, items_at<Word>(first), 0);
        check_items<Word>(second.count, items_at<Word>(second), 1);
        check_items<Word>(rest.count, items_at<Word>(rest), 2);
    }
    /// The items that begin a run, without the first one of the call, which always does.
    RandomPool::Positions later_runs() {
        const auto* const keys = memory_->pool.host<Word>();
        return positions<Word>(
            "runs", [&](std::size_t i) { return i > 0 && !SameHalf{}(keys[i - 1], keys[i]); }, 1);
    }
    template <typename ItemT>
    void check_runs(const RandomPool::Positions& later, std::size_t index) {
        const FirstAndItemsAt<ItemT> expected{static_cast<Word>(lead_), items_at<ItemT>(later)};
        check_items<ItemT>(size_ == 0 ? 0 : later.count + 1, expected, index);
    }
    void unique() {
        const auto later = later_runs();
        ASSERT_NO_FATAL_FAILURE(call_it([&](auto&... workspace) {
            return family::unique(workspace..., in<Word>(), out<Word>(), count(), size_, SameHalf{}, stream_);
        }));
        check_counts_are(size_ == 0 ? 0 : later.count + 1);
        check_runs<Word>(later, 0);
    }
    void unique_by_key() {
        const auto later = later_runs();
        ASSERT_NO_FATAL_FAILURE(call_it([&](auto&... workspace) {
            return family::unique_by_key(workspace..., in<Word>(), in<Wide>(), out<Word>(0), out<Wide>(1),
                                         count(), size_, SameHalf{}, stream_);
        }));
        check_counts_are(size_ == 0 ? 0 : later.count + 1);
        check_runs<Word>(later, 0);
        check_runs<Wide>(later, 1);
    }

    static constexpr std::uint64_t num_functions = 21;
    void call_function(std::uint64_t function) {
        switch (function) {
            case 0:
                return select_if_pointers<Word>();
            case 1:
                return select_if_pointers<Wide>();
            case 2:
                return select_if_pointers<Quad>();
            case 3:
                return select_if_pointers<Triple>();
            case 4:
                return select_if_pointers<Byte>();
            case 5:
                return select_if_pointers<Large>();
            case 6:
                return select_if_in_place(size_);
            case 7:
                return select_if_in_place(length_on_device());
            case 8:
                return select_if_transformed();
            case 9:
                return select_if_device_length<Wide>();
            case 10:
                return flagged<Word, Byte>();
            case 11:
                return flagged<Quad, Word>();
            case 12:
                return flagged_if<Wide>();
            case 13:
                return indices<std::int32_t>();
            case 14:
                return indices<std::int64_t>();
            case 15:
                return padded_indices();
            case 16:
                return columns();
            case 17:
                return partition();
            case 18:
                return partition_into_three();
            case 19:
                return unique();
            default:
                return unique_by_key();
        }
    }
};

TEST_F(SelectRandomCalls, SelectWhatIsExpected) {
    constexpr std::uint64_t calls_between_looks = 1'000;
    const std::uint64_t calls = number_from_environment("WARPSIEVE_RANDOM_CALLS", 20'000);
    std::vector<std::string> since_look;
    for (number_ = 0; number_ < calls; ++number_) {
        const std::uint64_t function = below(num_functions);
        draw_call();
        since_look.push_back("function " + std::to_string(function) + ", " + std::to_string(size_) +
                             " items at " + std::to_string(lead_) + ", limit " + std::to_string(keep_.limit) +
                             ", workspace " + std::to_string(workspace_));
        call_function(function);
        ASSERT_FALSE(HasFailure()) << "call " << number_ << ": " << since_look.back();
        if (since_look.size() < calls_between_looks && number_ + 1 < calls) continue;
        COMPACTION_CHECK(cudaDeviceSynchronize());
        const Verdict verdict = memory_->verdict.download()[0];
        ASSERT_EQ(verdict.checked, number_ + 1);
        ASSERT_GT(verdict.first_wrong, number_)
            << "call " << verdict.first_wrong << ": "
            << since_look[verdict.first_wrong + since_look.size() - 1 - number_];
        since_look.clear();
    }
    RecordProperty("calls", std::to_string(calls));
}

}  // namespace
