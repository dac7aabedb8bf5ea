// Two threads of the CPU engine's parallel loop write one word without synchronisation. ThreadSanitizer must
// report this despite the suppressions.
#include <atomic>
#include <cstdint>
#include <cstdio>

#include "compaction/engine.hpp"
#include "cpu/workers.hpp"

int main() {
    const auto engine = compaction::open_engine(compaction::EngineId::cpu);
    compaction::cpu::Workers workers(*engine, 2);
    std::uint64_t shared = 0;
    std::atomic<int> arrived{0};
    workers.for_each(2, 2, nullptr, [&](std::uint64_t index) {
        // Wait until both threads run. Relaxed, so that the wait does not order their writes.
        arrived.fetch_add(1, std::memory_order_relaxed);
        while (arrived.load(std::memory_order_relaxed) < 2) {
        }
        shared += index + 1;
    });
    std::printf("%llu\n", static_cast<unsigned long long>(shared));
}
