// The rows of several arrays, selected by flags or by a predicate.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "compaction/cuda/select_columns.cuh"
#include "tests/cuda/select_family_fixture.cuh"

namespace {

using compaction::cuda::column;
using compaction::cuda::device_length;
using compaction::cuda::padded;
using compaction::cuda::select_columns;
using compaction::cuda::select_columns_if;
using select_testing::Bulk;
using select_testing::Count;
using select_testing::DeviceArray;
using select_testing::GuardedOutput;
using select_testing::lengths_to_test;
using select_testing::OnCudaDevice;
using select_testing::random_items;
using select_testing::with_every_workspace;
using Large = Bulk<20, std::uint32_t>;

struct IsSmall {
    __host__ __device__ bool operator()(std::uint8_t value) const { return value < 60; }
};

/// Columns of 1, 2, 8 and 20 bytes.
class SelectColumns : public OnCudaDevice {
  protected:
    template <typename T>
    struct Column {
        std::vector<T> in;
        DeviceArray<T> d_in;
        std::vector<T> expected;

        Column(std::size_t size, std::uint32_t seed) : in(random_items<T>(size, seed)), d_in(size) {
            d_in.upload(in);
        }
        template <typename KeepT>
        void select(std::size_t size, KeepT keep) {
            for (std::size_t i = 0; i < size; ++i) {
                if (keep(i)) expected.push_back(in[i]);
            }
        }
    };

    struct Table {
        Column<std::uint8_t> bytes;
        Column<std::int16_t> shorts;
        Column<double> doubles;
        Column<Large> large;

        explicit Table(std::size_t size)
            : bytes(size, 30), shorts(size, 31), doubles(size, 32), large(size, 33) {}
        template <typename KeepT>
        void select(std::size_t size, KeepT keep) {
            bytes.select(size, keep);
            shorts.select(size, keep);
            doubles.select(size, keep);
            large.select(size, keep);
        }
    };

    struct Outputs {
        explicit Outputs(const Table& table)
            : bytes(table.bytes.expected.size()),
              shorts(table.shorts.expected.size()),
              doubles(table.doubles.expected.size()),
              large(table.large.expected.size()) {}
        void expect(const Table& table) {
            ASSERT_NO_FATAL_FAILURE(count.expect(table.bytes.expected.size()));
            ASSERT_NO_FATAL_FAILURE(bytes.expect(table.bytes.expected));
            ASSERT_NO_FATAL_FAILURE(shorts.expect(table.shorts.expected));
            ASSERT_NO_FATAL_FAILURE(doubles.expect(table.doubles.expected));
            ASSERT_NO_FATAL_FAILURE(large.expect(table.large.expected));
        }

        Count count;
        GuardedOutput<std::uint8_t> bytes;
        GuardedOutput<std::int16_t> shorts;
        GuardedOutput<double> doubles;
        GuardedOutput<Large> large;
    };
};

TEST_F(SelectColumns, ByFlags) {
    for (const std::size_t size : lengths_to_test(34)) {
        Table table(size);
        std::vector<std::uint8_t> marks(size);
        for (std::size_t i = 0; i < size; ++i) marks[i] = table.bytes.in[i] % 5 == 0 ? 2 : 0;
        DeviceArray<std::uint8_t> d_marks(size);
        d_marks.upload(marks);
        table.select(size, [&](std::size_t i) { return marks[i] != 0; });
        Outputs out(table);
        with_every_workspace(
            [&](auto&... workspace) {
                return select_columns(workspace..., d_marks.data(), out.count.data(), size, nullptr,
                                      column(table.bytes.d_in.data(), out.bytes.data()),
                                      column(table.shorts.d_in.data(), out.shorts.data()),
                                      column(table.doubles.d_in.data(), out.doubles.data()),
                                      column(table.large.d_in.data(), out.large.data()));
            },
            [&] { ASSERT_NO_FATAL_FAILURE(out.expect(table)) << size << " rows"; });
    }
}

TEST_F(SelectColumns, ByAPredicateUpToALengthOnTheDevice) {
    DeviceArray<std::uint32_t> d_length(1);
    for (const std::size_t size : lengths_to_test(35)) {
        Table table(size);
        const std::size_t used = size - size / 3;
        d_length.upload({static_cast<std::uint32_t>(used)});
        table.select(used, [&](std::size_t i) { return IsSmall{}(table.bytes.in[i]); });
        Outputs out(table);
        with_every_workspace(
            [&](auto&... workspace) {
                return select_columns_if(workspace..., table.bytes.d_in.data(), out.count.data(),
                                         device_length(d_length.data(), size), IsSmall{}, nullptr,
                                         column(table.bytes.d_in.data(), out.bytes.data()),
                                         column(table.shorts.d_in.data(), out.shorts.data()),
                                         column(table.doubles.d_in.data(), out.doubles.data()),
                                         column(table.large.d_in.data(), out.large.data()));
            },
            [&] { ASSERT_NO_FATAL_FAILURE(out.expect(table)) << size << " rows"; });
    }
}

TEST_F(SelectColumns, EachWithItsOwnPadding) {
    const std::size_t size = 30'000;
    Table table(size);
    table.select(size, [&](std::size_t i) { return IsSmall{}(table.bytes.in[i]); });
    const std::size_t kept = table.bytes.expected.size();
    std::vector<std::int16_t> shorts = table.shorts.expected;
    std::vector<double> doubles = table.doubles.expected;
    shorts.resize(kept / 2);
    doubles.resize(kept + 1'000, 0.25);
    GuardedOutput<std::int16_t> out_shorts(shorts.size());
    GuardedOutput<double> out_doubles(doubles.size());
    Count count;
    with_every_workspace(
        [&](auto&... workspace) {
            return select_columns_if(
                workspace..., table.bytes.d_in.data(), count.data(), size, IsSmall{}, nullptr,
                column(table.shorts.d_in.data(), padded(out_shorts.data(), shorts.size(), std::int16_t{9})),
                column(table.doubles.d_in.data(), padded(out_doubles.data(), doubles.size(), 0.25)));
        },
        [&] {
            ASSERT_NO_FATAL_FAILURE(count.expect(kept));
            ASSERT_NO_FATAL_FAILURE(out_shorts.expect(shorts));
            ASSERT_NO_FATAL_FAILURE(out_doubles.expect(doubles));
        });
}

}  // namespace
