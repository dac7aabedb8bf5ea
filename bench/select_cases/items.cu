#include "bench/select_cases/cases.cuh"

namespace select_cases {

namespace {

template <std::size_t Bytes>
struct alignas(Bytes == 16   ? 16
               : Bytes == 24 ? 8
                             : sizeof(Word)) Bulk {
    Word word[Bytes / sizeof(Word)];
};

template <typename ItemT>
void add_item(Bench& bench, std::uint64_t n) {
    if (n * sizeof(ItemT) > pool_bytes) return;
    bench.add(select_case<ItemT>(bench, "items", std::to_string(sizeof(ItemT)) + " bytes", n, IsOdd{}));
}

}  // namespace

void add_items(Bench& bench) {
    for (const int exponent : {20, 22, 24, 26}) {
        const std::uint64_t n = std::uint64_t{1} << exponent;
        add_item<std::uint8_t>(bench, n);
        add_item<std::uint16_t>(bench, n);
        add_item<Word>(bench, n);
        add_item<std::uint64_t>(bench, n);
        add_item<Bulk<12>>(bench, n);
        add_item<Bulk<16>>(bench, n);
        add_item<Bulk<20>>(bench, n);
        add_item<Bulk<24>>(bench, n);
        add_item<Bulk<32>>(bench, n);
        add_item<Bulk<64>>(bench, n);
    }
}

}  // namespace select_cases
