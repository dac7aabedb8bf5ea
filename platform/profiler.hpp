#pragma once

namespace warpsieve::platform {

/// Looks for a profiler as NVTX does: one that NVTX_INJECTION64_PATH names, or one in the process.
bool find_profiler();

/// Whether there is a profiler; only the first call looks for it. Without one, callers can skip the ranges.
inline bool has_profiler() {
    static const bool found = find_profiler();
    return found;
}

/// Begins a range of this thread, which profilers such as Nsight Systems show under that name (NVTX). Ranges
/// of a thread nest.
void begin_profiler_range(const char* name);
void end_profiler_range();

/// Whether this build has NVTX. Builds with CUDA do.
bool has_profiler_ranges();

/// A profiler range from the constructor to the destructor.
class ProfilerRange {
  public:
    explicit ProfilerRange(const char* name) { begin_profiler_range(name); }
    ~ProfilerRange() { end_profiler_range(); }
    ProfilerRange(const ProfilerRange&) = delete;
    ProfilerRange& operator=(const ProfilerRange&) = delete;
};

}  // namespace warpsieve::platform
