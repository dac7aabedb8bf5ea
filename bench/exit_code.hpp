// What benches do where something that they need is missing.
#pragma once

#include <cstdio>

#include "compaction/engine.hpp"
#include "compaction/error.hpp"

/// Throws if there is no GPU for the CUDA engine.
inline void require_gpu() {
    const compaction::EngineStatus& cuda = compaction::status_of(compaction::EngineId::cuda);
    if (!cuda.available) throw compaction::Error(compaction::ErrorCode::unavailable, cuda.reason);
}

/// Prints why a program ends, and returns its exit code: 77 where what it needs is not available,
/// otherwise 1.
inline int exit_code_of(const char* program, const compaction::Error& error) {
    constexpr int exit_skipped = 77;
    std::fprintf(stderr, "%s: %s\n", program, error.what());
    return error.code() == compaction::ErrorCode::unavailable ? exit_skipped : 1;
}
