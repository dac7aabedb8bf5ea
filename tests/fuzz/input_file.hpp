#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>

#include "platform/files.hpp"

namespace fuzzing {

/// Writes the input to a file in a folder of this process and returns its path. The folder holds nothing
/// else.
inline std::filesystem::path input_file(const std::uint8_t* data, std::size_t size_bytes) {
    static const warpsieve::platform::TemporaryFolder temporary;
    const std::filesystem::path folder = temporary.path() / "input";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directory(folder);
    const std::filesystem::path file = folder / "input";
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size_bytes));
    return file;
}

}  // namespace fuzzing
