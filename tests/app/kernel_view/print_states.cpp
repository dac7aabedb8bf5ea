// Writes the page of an algorithm, and prints what its replay shows at some steps, for the test of the page.
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "app/kernel_view/page.hpp"
#include "app/kernel_view/replay.hpp"
#include "tests/app/kernel_view/traced.hpp"

namespace {

using namespace warpsieve::kernel_view;

/// FNV-1a of 32 bits over bytes and words.
class Hash {
  public:
    void add(std::uint32_t word) {
        for (int i = 0; i < 4; ++i, word >>= 8) value_ = (value_ ^ (word & 0xff)) * 0x0100'0193U;
    }
    void add(const std::vector<std::uint32_t>& words) {
        for (const std::uint32_t word : words) add(word);
    }
    void add(const Memory& memory) {
        for (const std::byte each : memory.bytes) add(std::to_integer<std::uint32_t>(each));
        add(memory.stored_by);
        add(memory.loaded_by);
    }
    std::string text() const { return ' ' + std::to_string(value_); }

  private:
    std::uint32_t value_ = 0x811c'9dc5U;
};

/// A hash of each part of a state.
std::string digest(const State& state) {
    Hash sites, seen, values, arrived, shared, global;
    sites.add(state.sites);
    seen.add(state.seen);
    for (const Value& value : state.values) {
        for (const std::uint64_t each : value.of_lane) {
            values.add(static_cast<std::uint32_t>(each));
            values.add(static_cast<std::uint32_t>(each >> 32));
        }
        for (const std::uint32_t each : {value.known, value.set, value.set_at}) values.add(each);
    }
    arrived.add(state.arrived);
    for (const Memory& each : state.shared) shared.add(each);
    for (const Memory& each : state.global) global.add(each);
    return std::to_string(state.launch) + sites.text() + seen.text() + values.text() + arrived.text() +
           shared.text() + global.text();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) return 2;
    Replay replay(traced(compaction::find_algorithm(argv[1]), std::stoull(argv[2])).trace);
    std::ofstream(argv[3]) << page(replay, argv[1]);
    for (const Order order : all_orders) {
        const std::size_t size = replay.steps(order).size();
        // The last step, then others, now further on and now further back.
        for (std::size_t i = 0; i <= 40; ++i) {
            const std::size_t step = i == 0 ? size - 1 : (size - 1) * (i * 17 % 41) / 41;
            const std::string text = replay.sentence(order, step).text();
            std::printf("%s %zu %s|%s\n", id_of(order), step, digest(replay.at(order, step)).c_str(),
                        text.c_str());
        }
    }
    return 0;
}
