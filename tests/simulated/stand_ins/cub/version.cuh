#pragma once

/// The newest version that is wrong for long streams.
#define CUB_VERSION 300102
