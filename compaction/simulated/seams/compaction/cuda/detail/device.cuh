#pragma once

#include "simulated/device.hpp"
