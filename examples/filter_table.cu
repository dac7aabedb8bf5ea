// Filters the rows of a table of twelve columns: the condition is evaluated once, and each column is read and
// written once. The storage comes from a memory resource, in the same call.
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

#include "check.cuh"
#include "compaction/cuda/select_columns.cuh"

namespace {

using compaction::cuda::column;

struct PriceIsBelow {
    float limit;
    __host__ __device__ bool operator()(float price) const { return price < limit; }
};

/// A column on the host and on the device, and room for its selected items.
template <typename T>
struct Column {
    std::vector<T> items;
    examples::DeviceArray<T> in;
    examples::DeviceArray<T> out;

    explicit Column(std::vector<T> values) : items(std::move(values)), in(items), out(items.size()) {}

    auto pair() { return column(static_cast<const T*>(in.data()), out.data()); }

    /// Whether `out` begins with the items of the rows that the condition selects.
    bool is_filtered_by(const std::vector<float>& prices, PriceIsBelow condition) const {
        std::vector<T> expected;
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (condition(prices[i])) expected.push_back(items[i]);
        }
        return out.download(expected.size()) == expected;
    }
};

template <typename T>
Column<T> random_column(std::size_t rows, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<T> items(rows);
    for (T& item : items) item = static_cast<T>(random() % 1000);
    return Column<T>(std::move(items));
}

}  // namespace

int main() {
    constexpr std::size_t rows = 1'000'000;
    auto price = random_column<float>(rows, 1);
    auto discount = random_column<float>(rows, 2);
    auto tax = random_column<float>(rows, 3);
    auto quantity = random_column<std::int32_t>(rows, 4);
    auto order = random_column<std::int64_t>(rows, 5);
    auto part = random_column<std::int64_t>(rows, 6);
    auto supplier = random_column<std::int32_t>(rows, 7);
    auto line = random_column<std::int16_t>(rows, 8);
    auto shipped = random_column<std::int32_t>(rows, 9);
    auto received = random_column<std::int32_t>(rows, 10);
    auto status = random_column<std::uint8_t>(rows, 11);
    auto total = random_column<double>(rows, 12);
    examples::DeviceArray<std::uint64_t> num_selected(1);

    const PriceIsBelow condition{300.0F};
    examples::check(
        compaction::cuda::select_columns_if(
            compaction::cuda::stream_ordered_memory, price.in.data(), num_selected.data(), rows, condition,
            nullptr, price.pair(), discount.pair(), tax.pair(), quantity.pair(), order.pair(), part.pair(),
            supplier.pair(), line.pair(), shipped.pair(), received.pair(), status.pair(), total.pair()),
        "select_columns_if");

    const auto is_filtered = [&](const auto&... columns) {
        return (columns.is_filtered_by(price.items, condition) && ...);
    };
    const bool correct = is_filtered(price, discount, tax, quantity, order, part, supplier, line, shipped,
                                     received, status, total);
    std::printf("%llu of %zu rows of twelve columns are kept: %s\n",
                static_cast<unsigned long long>(num_selected.download(1)[0]), rows,
                correct ? "correct" : "WRONG");
    return correct ? 0 : 1;
}
