// The results of an earlier bench, given with --against.
#include <string_view>

#include "compaction/error.hpp"
#include "experiments/baseline.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size_bytes) {
    try {
        experiments::Baseline::parse({reinterpret_cast<const char*>(data), size_bytes}, "input");
    } catch (const compaction::Error&) {
    }
    return 0;
}
