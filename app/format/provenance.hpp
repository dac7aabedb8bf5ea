#pragma once

#include <string>
#include <vector>

namespace warpsieve {

/// One fact about the origin of a figure: "N" and "2^20", "device" and "NVIDIA H200".
struct ProvenanceItem {
    std::string name;
    std::string value;
};

/// The origin of figures. It is written below pictures of them.
struct Provenance {
    std::vector<ProvenanceItem> items;
    std::string command;  ///< the command line that repeats the measurement
};

}  // namespace warpsieve
