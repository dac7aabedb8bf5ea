#include "experiments/result_file.hpp"

#include <cerrno>
#include <fstream>
#include <sstream>
#include <system_error>

#include "compaction/error.hpp"

namespace experiments {

namespace fs = std::filesystem;

std::string read_whole(const fs::path& file) {
    errno = 0;
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    const bool is_folder = fs::is_directory(file);
    if (in && !is_folder) text << in.rdbuf();
    if (!in || is_folder) {
        const std::error_code why(is_folder ? EISDIR : errno ? errno : EIO, std::generic_category());
        throw compaction::Error(compaction::ErrorCode::invalid_argument,
                                file.string() + " cannot be read: " + why.message() + ".");
    }
    return text.str();
}

}  // namespace experiments
