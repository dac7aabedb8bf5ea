// Replaces CUB in a line: the same arguments, the same storage, another namespace.
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <vector>

#include <cub/device/device_select.cuh>

#include "check.cuh"
#include "compaction/cuda/select_iterators.cuh"

namespace {

struct IsMultipleOfSeven {
    __device__ bool operator()(int value) const { return value % 7 == 0; }
};

}  // namespace

int main() {
    using examples::check;
    constexpr int num_items = 1'000'000;
    std::vector<int> items(num_items);
    std::iota(items.begin(), items.end(), 0);
    examples::DeviceArray<int> in(items), out(num_items), out_of_cub(num_items);
    examples::DeviceArray<int> num_selected(1), num_selected_by_cub(1);

    std::size_t cub_bytes = 0;
    check(cub::DeviceSelect::If(nullptr, cub_bytes, in.data(), out_of_cub.data(), num_selected_by_cub.data(),
                                num_items, IsMultipleOfSeven{}),
          "cub::DeviceSelect::If (size)");
    examples::DeviceArray<char> cub_temp(cub_bytes);
    check(cub::DeviceSelect::If(cub_temp.data(), cub_bytes, in.data(), out_of_cub.data(),
                                num_selected_by_cub.data(), num_items, IsMultipleOfSeven{}),
          "cub::DeviceSelect::If");

    // The replacement, called twice as above.
    using compaction::cuda::select_if;
    std::size_t bytes = 0;
    check(
        select_if(nullptr, bytes, in.data(), out.data(), num_selected.data(), num_items, IsMultipleOfSeven{}),
        "select_if (size)");
    examples::DeviceArray<char> temp(bytes);
    check(select_if(temp.data(), bytes, in.data(), out.data(), num_selected.data(), num_items,
                    IsMultipleOfSeven{}),
          "select_if");

    const int expected = num_selected_by_cub.download(1)[0];
    const int kept = num_selected.download(1)[0];
    const auto size = static_cast<std::size_t>(expected);
    const bool equal = kept == expected && out.download(size) == out_of_cub.download(size);
    std::printf("%d of %d items are multiples of 7; CUB %s\n", kept, num_items, equal ? "agrees" : "differs");
    return equal ? 0 : 1;
}
