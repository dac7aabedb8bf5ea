#pragma once

#include <cuda_runtime_api.h>
#include <nccl.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "compaction/sharded_call.hpp"

/// Bounded waits of the host for NCCL: they end when the work is done, on an error, or at a deadline.
namespace compaction::cuda::detail {

/// The errors behind a status.
struct ShardedErrors {
    cudaError_t cuda = cudaSuccess;
    ncclResult_t nccl = ncclSuccess;
};

/// A communicator, and whether another thread has requested that its calls end.
struct Connection {
    ncclComm_t communicator;
    const std::atomic<bool>* abort_requested;
};

/// Calls of CUDA and NCCL up to the first that fails, for several communicators of one process. They end
/// early if another thread requests it.
class BoundedCalls {
  public:
    BoundedCalls(std::vector<Connection> connections, std::chrono::nanoseconds timeout)
        : connections_(std::move(connections)), timeout_(timeout) {
        check_requests();
    }

    ShardedStatus status() const { return status_; }
    const ShardedErrors& errors() const { return errors_; }
    bool ok() const { return status_ == ShardedStatus::ok; }

    /// Records the result of a CUDA call. Returns ok().
    bool check(cudaError_t error) {
        if (ok() && error != cudaSuccess) {
            errors_.cuda = error;
            status_ = ShardedStatus::cuda_error;
        }
        return ok();
    }

    /// Records a status from another source.
    bool check(ShardedStatus status) {
        if (ok()) status_ = status;
        return ok();
    }

    /// Makes NCCL calls in one group and waits until all communicators have accepted them; blocking
    /// communicators have done so on return. `call(i)` makes the calls of the i-th communicator and returns
    /// the first error.
    template <typename CallT>
    bool group(CallT call) {
        if (!ok()) return false;
        if (!accept(ncclGroupStart())) return false;
        for (std::size_t i = 0; i < connections_.size() && ok(); ++i) accept(call(i));
        accept(ncclGroupEnd());  // close the group after an error too
        const auto deadline = now() + timeout_;
        for (const Connection& connection : connections_) {
            while (ok() && state_of(connection.communicator) == ncclInProgress) pause(deadline);
        }
        return ok();
    }

    /// Waits until the work of the stream is done.
    bool wait_for(cudaStream_t stream) {
        const auto deadline = now() + timeout_;
        while (ok()) {
            const cudaError_t error = cudaStreamQuery(stream);
            if (error == cudaSuccess) break;
            if (error != cudaErrorNotReady) {
                check(error);
                break;
            }
            for (const Connection& connection : connections_) state_of(connection.communicator);
            pause(deadline);
        }
        cudaGetLastError();  // clear "not ready", which is no failure
        return ok();
    }

  private:
    static std::chrono::steady_clock::time_point now() { return std::chrono::steady_clock::now(); }

    bool accept(ncclResult_t result) {
        if (ok() && result != ncclSuccess && result != ncclInProgress) {
            errors_.nccl = result;
            status_ = ShardedStatus::nccl_error;
        }
        return ok();
    }

    ncclResult_t state_of(ncclComm_t communicator) {
        ncclResult_t state = ncclSuccess;
        accept(ncclCommGetAsyncError(communicator, &state));
        accept(state);
        return state;
    }

    void check_requests() {
        for (const Connection& connection : connections_) {
            if (*connection.abort_requested) check(ShardedStatus::aborted);
        }
    }

    void pause(std::chrono::steady_clock::time_point deadline) {
        check_requests();
        if (now() > deadline) check(ShardedStatus::peer_failed);
        std::this_thread::yield();
    }

    std::vector<Connection> connections_;
    std::chrono::nanoseconds timeout_;
    ShardedStatus status_ = ShardedStatus::ok;
    ShardedErrors errors_;
};

/// Restores the current device at the end of a scope.
class DeviceGuard {
  public:
    DeviceGuard() { cudaGetDevice(&before_); }
    ~DeviceGuard() { cudaSetDevice(before_); }
    DeviceGuard(const DeviceGuard&) = delete;
    DeviceGuard& operator=(const DeviceGuard&) = delete;

  private:
    int before_ = 0;
};

}  // namespace compaction::cuda::detail
