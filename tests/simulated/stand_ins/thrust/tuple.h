#pragma once

#include <tuple>

/// Stands in for Thrust in tests on the simulated GPU.
namespace thrust {

using std::get;
using std::tuple;

}  // namespace thrust
