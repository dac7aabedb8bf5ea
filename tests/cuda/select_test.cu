// compaction/cuda/select.cuh as a CUDA program calls it: items of every width, misaligned views, storage with
// any content, reused states, and arguments that must be refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <vector>

#include "compaction/cuda/select.cuh"
#include "tests/cuda/select_fixture.cuh"

namespace {

using compaction::cuda::select_flagged;
using compaction::cuda::select_if;
using compaction::cuda::SelectState;

using select_testing::Below;
using select_testing::DeviceArray;
using select_testing::keep_half;
using select_testing::OnCudaDevice;
using select_testing::random_records;
using select_testing::Record;

class Select : public OnCudaDevice {};

template <typename RecordT>
class SelectRecords : public OnCudaDevice {};
using Widths = testing::Types<Record<1>, Record<2>, Record<4>>;
TYPED_TEST_SUITE(SelectRecords, Widths);

/// Selects in[in_offset...] to out[out_offset...] and checks every byte of the output.
template <typename RecordT>
void expect_selected(SelectState& state, const std::vector<RecordT>& in, Below below, std::size_t in_offset,
                     std::size_t out_offset) {
    constexpr std::size_t margin = 64;
    std::vector<RecordT> kept;
    std::copy_if(in.begin(), in.end(), std::back_inserter(kept), below);
    DeviceArray<RecordT> d_in(in.size() + in_offset);
    DeviceArray<RecordT> d_out(in.size() + out_offset + margin);
    DeviceArray<std::uint64_t> d_num_selected(1);
    d_in.upload(in, in_offset);
    d_out.fill(0xee);
    d_num_selected.fill(0xee);
    COMPACTION_CHECK(select_if(state, d_in.data() + in_offset, d_out.data() + out_offset,
                               d_num_selected.data(), in.size(), below));
    ASSERT_EQ(d_num_selected.download()[0], kept.size());
    RecordT untouched;
    std::memset(&untouched, 0xee, sizeof untouched);
    std::vector<RecordT> expected(in.size() + out_offset + margin, untouched);
    std::copy(kept.begin(), kept.end(), expected.begin() + static_cast<std::ptrdiff_t>(out_offset));
    ASSERT_TRUE(d_out.download() == expected)
        << in.size() << " items, offsets " << in_offset << ", " << out_offset;
}

TYPED_TEST(SelectRecords, EveryPathAndKeepFraction) {
    SelectState state;
    COMPACTION_CHECK(state.reserve<TypeParam>(10'000'000));
    for (const std::size_t size :
         {0, 1, 31, 33, 2'047, 2'049, 16'385, 300'001, 1'234'567, 4'000'001, 10'000'000}) {
        if (size > select_testing::longest_stream) break;
        const auto in = random_records<TypeParam>(size, 7);
        for (const std::uint32_t limit : {0U, 0x02000000U, keep_half, 0xe6000000U, 0xffffffffU}) {
            ASSERT_NO_FATAL_FAILURE(expect_selected(state, in, Below{limit}, 0, 0));
        }
    }
}

TYPED_TEST(SelectRecords, MisalignedViews) {
    SelectState state;
    COMPACTION_CHECK(state.reserve<TypeParam>(6'000'000));
    for (const std::size_t size : {3, 5'000, 700'001, 6'000'000}) {
        if (size > select_testing::longest_stream) break;
        const auto in = random_records<TypeParam>(size, 11);
        for (const std::size_t offset : {1, 2, 3}) {
            ASSERT_NO_FATAL_FAILURE(expect_selected(state, in, Below{keep_half}, offset, 0));
            ASSERT_NO_FATAL_FAILURE(expect_selected(state, in, Below{keep_half}, 0, offset));
            ASSERT_NO_FATAL_FAILURE(expect_selected(state, in, Below{keep_half}, offset, 7 * offset));
        }
    }
}

using Item = Record<1>;

TEST_F(Select, StorageMayHoldGarbageAndCountsMayBeOf32Bits) {
    for (const std::size_t size : {1'000, 4'000, 30'000, 500'000, 4'000'000, 6'000'000}) {
        const auto in = random_records<Item>(size, 3);
        DeviceArray<Item> d_in(size), d_out(size);
        DeviceArray<std::uint32_t> d_num_selected(1);
        d_in.upload(in);
        std::size_t bytes = 0;
        COMPACTION_CHECK(select_if(nullptr, bytes, d_in.data(), d_out.data(), d_num_selected.data(), size,
                                   Below{keep_half}));
        DeviceArray<char> d_temp(bytes);
        for (const int garbage : {0x00, 0xff, 0x5a}) {
            d_temp.fill(garbage);
            COMPACTION_CHECK(select_if(d_temp.data(), bytes, d_in.data(), d_out.data(), d_num_selected.data(),
                                       size, Below{keep_half}));
            EXPECT_EQ(d_num_selected.download()[0], std::count_if(in.begin(), in.end(), Below{keep_half}));
        }
        std::size_t too_few = bytes - 1;
        EXPECT_EQ(select_if(d_temp.data(), too_few, d_in.data(), d_out.data(), d_num_selected.data(), size,
                            Below{keep_half}),
                  cudaErrorInvalidValue);
    }
}

TEST_F(Select, BadArgumentsAreRefusedBeforeAnyLaunch) {
    constexpr std::uint64_t size = 1'000;
    SelectState state;
    DeviceArray<Item> d_in(size), d_out(size);
    DeviceArray<std::uint64_t> d_num_selected(1);
    Item* const none = nullptr;
    const Below below{keep_half};
    const auto select = [&](const Item* in, Item* out, std::uint64_t* count, std::uint64_t num_items) {
        return select_if(state, in, out, count, num_items, below);
    };
    EXPECT_EQ(select(d_in.data(), d_out.data(), d_num_selected.data(), size), cudaErrorInvalidValue)
        << "not reserved";
    COMPACTION_CHECK(state.reserve<Item>(size));
    d_num_selected.fill(0x77);
    EXPECT_EQ(select(none, d_out.data(), d_num_selected.data(), size), cudaErrorInvalidValue);
    EXPECT_EQ(select(d_in.data(), d_out.data(), nullptr, size), cudaErrorInvalidValue);
    EXPECT_EQ(select(d_in.data(), d_in.data(), d_num_selected.data(), size), cudaErrorInvalidValue)
        << "in place";
    EXPECT_EQ(select(d_in.data(), d_in.data() + size - 1, d_num_selected.data(), size),
              cudaErrorInvalidValue);
    EXPECT_EQ(select(d_in.data(), d_out.data(), d_num_selected.data(), (std::uint64_t{1} << 40) + 1),
              cudaErrorInvalidValue);
    auto* const between = reinterpret_cast<Item*>(reinterpret_cast<char*>(d_in.data()) + 2);
    EXPECT_EQ(select(between, d_out.data(), d_num_selected.data(), size - 1), cudaErrorMisalignedAddress);
    const std::uint8_t* const no_flags = nullptr;
    EXPECT_EQ(select_flagged(state, d_in.data(), no_flags, d_out.data(), d_num_selected.data(), size),
              cudaErrorInvalidValue);

    std::size_t bytes = 0;
    COMPACTION_CHECK(select_if(nullptr, bytes, none, none, d_num_selected.data(), size, below));
    DeviceArray<char> d_temp(bytes);
    d_temp.fill(0x77);
    const auto select_with = [&](std::size_t temp_bytes, const Item* in, Item* out) {
        return select_if(d_temp.data(), temp_bytes, in, out, d_num_selected.data(), size - 1, below);
    };
    EXPECT_EQ(select_with(bytes - 1, d_in.data(), d_out.data()), cudaErrorInvalidValue) << "too little";
    EXPECT_EQ(select_with(bytes, none, d_out.data()), cudaErrorInvalidValue);
    EXPECT_EQ(select_with(bytes, d_in.data(), d_in.data() + 1), cudaErrorInvalidValue);
    EXPECT_EQ(select_with(bytes, between, d_out.data()), cudaErrorMisalignedAddress);
    COMPACTION_CHECK(cudaDeviceSynchronize());
    EXPECT_EQ(d_num_selected.download()[0], 0x7777777777777777U) << "something was launched";
    EXPECT_EQ(d_temp.download(), std::vector<char>(bytes, 0x77)) << "the storage was touched";
    COMPACTION_CHECK(select(none, none, d_num_selected.data(), 0));
    EXPECT_EQ(d_num_selected.download()[0], 0U);
}

}  // namespace
