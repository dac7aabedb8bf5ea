// How the benches of CUDA kernels start and end.
#pragma once

#include <cstdio>
#include <functional>

#include "compaction/engine.hpp"
#include "compaction/error.hpp"

constexpr int exit_skipped = 77;

/// The exit code of a program that runs `bench`: without a GPU, 77, and the reason is printed; 1 if it fails.
inline int run_on_gpu(const char* program, const std::function<void()>& bench) {
    const compaction::EngineStatus& cuda = compaction::status_of(compaction::EngineId::cuda);
    if (!cuda.available) {
        std::fprintf(stderr, "%s: %s\n", program, cuda.reason.c_str());
        return exit_skipped;
    }
    try {
        bench();
        return 0;
    } catch (const compaction::Error& error) {
        std::fprintf(stderr, "%s: %s\n", program, error.what());
        return 1;
    }
}
