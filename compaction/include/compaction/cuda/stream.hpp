#pragma once

#include <cuda_runtime_api.h>

#include <utility>

#include "compaction/cuda/check.hpp"

/// Owners of a CUDA stream and of a CUDA event. Their constructors and members throw Error{device_failure}.
namespace compaction::cuda {

/// A stream that does not synchronise with the default stream.
class Stream {
  public:
    Stream() {
        check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    }
    ~Stream() { log_failure(cudaStreamDestroy(stream_), "cudaStreamDestroy"); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    /// The CUDA handle; this object keeps the ownership.
    cudaStream_t get() const noexcept { return stream_; }

  private:
    cudaStream_t stream_ = nullptr;
};

/// A point in a stream's work. Create it with `cudaEventDefault` to measure times.
class Event {
  public:
    /// Creates an event; `flags` as for cudaEventCreateWithFlags.
    explicit Event(unsigned flags = cudaEventDisableTiming) {
        check(cudaEventCreateWithFlags(&event_, flags), "cudaEventCreateWithFlags");
    }
    /// Leaves `other` empty.
    Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
    /// Swaps with `other`.
    Event& operator=(Event&& other) noexcept {
        std::swap(event_, other.event_);
        return *this;
    }
    ~Event() {
        if (event_) log_failure(cudaEventDestroy(event_), "cudaEventDestroy");
    }

    /// Records the event after all work that has been enqueued on `stream` so far. Does not synchronise.
    void record(cudaStream_t stream) { check(cudaEventRecord(event_, stream), "cudaEventRecord"); }

    /// Whether the work before the event has finished; never waits. Throws if that work failed.
    bool ready() const {
        const cudaError_t result = cudaEventQuery(event_);
        if (result == cudaErrorNotReady) {
            cudaGetLastError();
            return false;
        }
        check(result, "cudaEventQuery");
        return true;
    }

    /// Microseconds between two completed events.
    float us_since(const Event& start) const {
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, start.event_, event_), "cudaEventElapsedTime");
        return milliseconds * 1000.0F;
    }

  private:
    cudaEvent_t event_ = nullptr;
};

}  // namespace compaction::cuda
