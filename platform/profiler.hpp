#pragma once

namespace warpsieve::platform {

/// Begins a range of this thread that profilers such as Nsight Systems show under that name (NVTX). Without a
/// profiler it costs a test. Ranges of a thread nest.
void begin_profiler_range(const char* name);
void end_profiler_range();

/// Whether this build has NVTX: builds with CUDA have.
bool has_profiler_ranges();

/// A range for a scope.
class ProfilerRange {
  public:
    explicit ProfilerRange(const char* name) { begin_profiler_range(name); }
    ~ProfilerRange() { end_profiler_range(); }
    ProfilerRange(const ProfilerRange&) = delete;
    ProfilerRange& operator=(const ProfilerRange&) = delete;
};

}  // namespace warpsieve::platform
