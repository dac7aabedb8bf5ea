#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/view_model/snapshot.hpp"
#include "experiments/statistics.hpp"

namespace warpsieve::capture {

/// The figures in a sidecar. Times in microseconds.
struct RecordedFigures {
    struct Row {
        std::string name;
        experiments::Summary us;
    };

    std::string file;
    std::string device;
    std::string algorithm;  ///< id
    std::uint64_t kept = 0;
    std::vector<Row> rows;
};

/// Reads them. Throws compaction::Error{invalid_argument} where the sidecar is none.
RecordedFigures recorded_figures(const std::filesystem::path& file);

/// Recorded and present figures side by side, with a verdict in each row.
std::string replay_table(const RecordedFigures& recorded, const View& view);

}  // namespace warpsieve::capture
