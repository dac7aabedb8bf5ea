#include "experiments/result_file.hpp"

#include <utility>

#include "compaction/error.hpp"
#include "platform/files.hpp"

namespace experiments {

std::string read_whole(const std::filesystem::path& file) {
    warpsieve::platform::FileText read = warpsieve::platform::read_file(file, most_result_bytes);
    if (!read.problem.empty()) {
        throw compaction::Error(compaction::ErrorCode::invalid_argument,
                                file.string() + " cannot be read: " + read.problem + ".");
    }
    return std::move(read.text);
}

}  // namespace experiments
