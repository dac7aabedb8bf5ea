// A saved run: the CSV of all frames, or the JSON of a capture.
#include "app/capture/run_file.hpp"
#include "compaction/error.hpp"
#include "tests/fuzz/input_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size_bytes) {
    try {
        warpsieve::capture::load_saved_run(fuzzing::input_file(data, size_bytes));
    } catch (const compaction::Error&) {
    }
    return 0;
}
