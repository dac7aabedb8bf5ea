#pragma once

#include <span>
#include <string>

#include "app/trace/traced_run.hpp"

namespace warpsieve::trace {

/// A traced run and its name: "A".
struct NamedRun {
    const TracedRun* run;
    std::string name;
};

/// The runs in the Trace Event Format, which Perfetto and chrome://tracing open: a process for each run, a
/// thread for each processor, a complete event for each span, the phases as a thread of their own. Where
/// spans of a processor overlap, the processor has a thread for each slot. Times in microseconds, those of
/// the first span being 0. Source: "Trace Event Format", The Chromium Authors.
std::string trace_json(std::span<const NamedRun> runs);

}  // namespace warpsieve::trace
