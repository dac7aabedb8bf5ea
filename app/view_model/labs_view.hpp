#pragma once

#include <memory>
#include <vector>

#include "app/labs/runner.hpp"

namespace warpsieve {

/// The reports of the labs.
struct LabsView {
    std::vector<std::shared_ptr<const labs::Report>> reports;  ///< the last of each lab that ran
    bool running = false;                                      ///< one of them is not finished
};

}  // namespace warpsieve
