// A settings file: whatever it holds, the settings that result are legal.
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "app/settings/settings_file.hpp"
#include "tests/fuzz/input_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size_bytes) {
    const warpsieve::LoadedSettings loaded = warpsieve::load_settings(fuzzing::input_file(data, size_bytes));
    const nlohmann::json document = warpsieve::settings_to_json(loaded.settings);
    if (!warpsieve::settings_from_json(document).problems.empty()) std::abort();
    return 0;
}
