// select_iterators.cuh with pointers: items of every size and alignment, outputs that are as long as what is
// kept, and other types of output.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "compaction/cuda/select_iterators.cuh"
#include "tests/cuda/select_family_fixture.cuh"

namespace {

using compaction::cuda::select_if;
using select_testing::Bulk;
using select_testing::Count;
using select_testing::DeviceArray;
using select_testing::GuardedOutput;
using select_testing::lengths_to_test;
using select_testing::OnCudaDevice;
using select_testing::random_items;
using select_testing::with_every_workspace;

/// Keeps items whose first byte is below a limit.
struct FirstByteBelow {
    unsigned limit;

    template <typename ItemT>
    __host__ __device__ bool operator()(const ItemT& item) const {
        return item.bytes[0] < limit;
    }
};

template <typename ItemT>
std::vector<ItemT> select_on_host(const std::vector<ItemT>& in, FirstByteBelow keep) {
    std::vector<ItemT> out;
    for (const ItemT& item : in) {
        if (keep(item)) out.push_back(item);
    }
    return out;
}

template <typename ItemT>
class SelectItems : public OnCudaDevice {
  protected:
    /// The input begins `lead` times the alignment of an item after an address that is aligned to anything.
    static void expect_selected(const std::vector<ItemT>& in, unsigned limit, std::size_t lead) {
        const FirstByteBelow keep{limit};
        const std::vector<ItemT> expected = select_on_host(in, keep);
        const auto* const bytes = reinterpret_cast<const unsigned char*>(in.data());
        DeviceArray<unsigned char> d_in((in.size() + lead) * sizeof(ItemT));
        d_in.upload({bytes, bytes + in.size() * sizeof(ItemT)}, lead * alignof(ItemT));
        GuardedOutput<ItemT> out(expected.size());
        Count count;
        const auto* const from = reinterpret_cast<const ItemT*>(d_in.data() + lead * alignof(ItemT));
        ItemT* const to = expected.empty() ? nullptr : out.data();
        with_every_workspace(
            [&](auto&... workspace) {
                return select_if(workspace..., from, to, count.data(), in.size(), keep);
            },
            [&] {
                ASSERT_NO_FATAL_FAILURE(count.expect(expected.size()));
                ASSERT_NO_FATAL_FAILURE(out.expect(expected));
            });
    }
};

using Items = testing::Types<Bulk<1>, Bulk<2, std::uint16_t>, Bulk<3>, Bulk<4>, Bulk<12, std::uint32_t>,
                             Bulk<16, std::uint32_t>, Bulk<20, std::uint32_t>, Bulk<24, std::uint64_t>,
                             Bulk<32>, Bulk<512>>;
TYPED_TEST_SUITE(SelectItems, Items);

TYPED_TEST(SelectItems, OfEverySizeAndLength) {
    const std::size_t longest = sizeof(TypeParam) < 64 ? 300'000 : 20'000;
    std::uint32_t seed = 1;
    for (const std::size_t size : lengths_to_test(sizeof(TypeParam), longest)) {
        const auto in = random_items<TypeParam>(size, seed++);
        ASSERT_NO_FATAL_FAILURE(this->expect_selected(in, seed % 256, seed % 3)) << size << " items";
    }
}

TYPED_TEST(SelectItems, NothingAndEverything) {
    const auto in = random_items<TypeParam>(10'001, 3);
    ASSERT_NO_FATAL_FAILURE(this->expect_selected(in, 0, 1)) << "the output is a null pointer";
    ASSERT_NO_FATAL_FAILURE(this->expect_selected(in, 256, 1));
}

class SelectConverts : public OnCudaDevice {};

struct IsOdd {
    __host__ __device__ bool operator()(std::int32_t value) const { return value % 2 != 0; }
};

TEST_F(SelectConverts, ToTheTypeOfTheOutput) {
    const auto in = random_items<std::int32_t>(70'001, 8);
    std::vector<double> expected;
    for (const std::int32_t value : in) {
        if (IsOdd{}(value)) expected.push_back(value);
    }
    DeviceArray<std::int32_t> d_in(in.size());
    d_in.upload(in);
    GuardedOutput<double> out(expected.size());
    Count count;
    with_every_workspace(
        [&](auto&... workspace) {
            return select_if(workspace..., d_in.data(), out.data(), count.data(), in.size(), IsOdd{});
        },
        [&] {
            ASSERT_NO_FATAL_FAILURE(count.expect(expected.size()));
            ASSERT_NO_FATAL_FAILURE(out.expect(expected));
        });
}

TEST_F(SelectConverts, BadArgumentsAreRefused) {
    DeviceArray<Bulk<12>> d_in(10), d_out(10);
    DeviceArray<std::uint64_t> d_count(1);
    const FirstByteBelow keep{100};
    std::size_t bytes = 0;
    const Bulk<12>* const none = nullptr;
    std::uint64_t* const no_count = nullptr;
    COMPACTION_CHECK(select_if(nullptr, bytes, d_in.data(), d_out.data(), d_count.data(), 10, keep));
    DeviceArray<unsigned char> storage(bytes);
    EXPECT_EQ(select_if(storage.data(), bytes, none, d_out.data(), d_count.data(), 10, keep),
              cudaErrorInvalidValue);
    EXPECT_EQ(select_if(storage.data(), bytes, d_in.data(), d_out.data(), no_count, 10, keep),
              cudaErrorInvalidValue);
    EXPECT_EQ(select_if(storage.data(), bytes, d_in.data(), d_out.data(), d_count.data(), -1, keep),
              cudaErrorInvalidValue);
    compaction::cuda::SelectState state;
    EXPECT_EQ(select_if(state, d_in.data(), d_out.data(), d_count.data(), 10, keep), cudaErrorInvalidValue)
        << "nothing is reserved";
}

}  // namespace
