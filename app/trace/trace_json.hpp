#pragma once

#include <span>
#include <string>

#include "app/trace/traced_run.hpp"
#include "compaction/access_trace.hpp"

namespace warpsieve::trace {

/// A traced run with its name, such as "A".
struct NamedRun {
    const TracedRun* run;
    std::string name;
};

/// The runs in the Trace Event Format, which Perfetto and chrome://tracing open: a process for each run, a
/// thread for each processor, a complete event for each span, and the phases as a thread of their own. A
/// processor whose spans overlap has a thread for each track. Times are in microseconds from the begin of the
/// run. Source: "Trace Event Format", The Chromium Authors.
std::string trace_json(std::span<const NamedRun> runs);

/// The accesses of a trace in the same format: a process for each multiprocessor, a thread for each warp, a
/// complete event for each access with its buffer, elements and values. A microsecond of the file is a step.
std::string accesses_json(const compaction::AccessTrace& trace);

}  // namespace warpsieve::trace
