#pragma once

#include <memory>

#include "app/labs/runner.hpp"

namespace warpsieve::labs {

/// A finished report of that job with made-up figures, to show what the lab will show. They follow from the
/// settings alone. Draw it only with the label that it is an example; never save it.
std::shared_ptr<const Report> example_report(const Job& job);

}  // namespace warpsieve::labs
