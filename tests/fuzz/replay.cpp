// The sidecar of a picture, given with --replay.
#include "app/settings/settings_file.hpp"
#include "compaction/error.hpp"
#include "tests/fuzz/input_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size_bytes) {
    try {
        warpsieve::sidecar_settings(fuzzing::input_file(data, size_bytes));
    } catch (const compaction::Error&) {
    }
    return 0;
}
