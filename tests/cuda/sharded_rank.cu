// One process of a selection over many ranks through NCCL; tests/sharded_select_test.py starts them.
// Arguments are written name=value; see `Arguments`. Prints one line and returns 0 if all went as it should,
// 1 if not. `query` as the only argument prints the number of GPUs, NCCL's version and that of its headers.
#include <cuda_runtime_api.h>
#include <nccl.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "compaction/cuda/sharded_select.cuh"
#include "tests/cuda/sharded_case.cuh"

namespace {

using namespace sharded_testing;
using compaction::ExchangePath;
using compaction::cuda::sharded_select_if;
using compaction::cuda::ShardedSelectState;
using Clock = std::chrono::steady_clock;

struct Arguments {
    std::map<std::string, std::string> texts;

    Arguments(int argc, char** argv) : texts(read(argc, argv)) {}
    static std::map<std::string, std::string> read(int argc, char** argv) {
        std::map<std::string, std::string> texts;
        for (int i = 1; i < argc; ++i) {
            const std::string text = argv[i];
            const std::size_t equals = text.find('=');
            if (equals == text.npos) throw std::runtime_error("not name=value: " + text);
            texts[text.substr(0, equals)] = text.substr(equals + 1);
        }
        return texts;
    }
    std::int64_t number(const char* name, std::int64_t otherwise = 0) const {
        const auto found = texts.find(name);
        return found == texts.end() ? otherwise : std::stoll(found->second);
    }
    int small(const char* name, int otherwise = 0) const { return static_cast<int>(number(name, otherwise)); }
    std::uint64_t natural(const char* name, int otherwise) const {
        return static_cast<std::uint64_t>(number(name, otherwise));
    }

    std::string id = texts["id"];               ///< file for the unique id, which rank 0 writes
    int ranks = small("ranks", 1);              ///< number of ranks of the communicator
    int rank = small("rank");                   ///< the first rank of this process
    int local_ranks = small("local_ranks", 1);  ///< ranks of this process, on consecutive GPUs
    int device = small("device");               ///< the first GPU
    std::string path = texts["path"];           ///< the expected path, peer or network
    bool force_network = number("force_network") != 0;
    std::uint64_t runs = natural("runs", 100);  ///< random calls
    std::uint64_t seed = natural("seed", 1);    ///< must be equal on all ranks
    std::uint64_t max_items = natural("max_items", 200'000);
    int words = small("words", 1);  ///< 4-byte words of an item: 1, 2 or 4
    std::int64_t timeout_ms = number("timeout_ms", 20'000);
    std::string fault = texts["fault"];  ///< the fault of this process: dies, stops, aborts, or empty
    std::int64_t fault_at = number("fault_at", -2);  ///< the run, or -1 for before the states are created
    /// Calls must fail in time, because this or another process has a fault.
    bool expect_failure = number("expect_failure") != 0;
    /// The delay of this rank before the run fault_at. A process that aborts does so after half of it.
    std::int64_t late_at_fault_ms = number("late_at_fault_ms");
    std::uint64_t late_one_in = natural("late_one_in", 16);  ///< one call in this many is late on this rank
    std::uint64_t max_late_us = natural("late_by_us", 200);  ///< the longest delay of a late call
};

void check(cudaError_t error, const char* call) {
    if (error) throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(error));
}
void check(ncclResult_t result, const char* call) {
    if (result && result != ncclInProgress) {
        throw std::runtime_error(std::string(call) + ": " + ncclGetErrorString(result));
    }
}

ncclUniqueId exchange_id(const Arguments& a) {
    ncclUniqueId id;
    if (a.rank == 0) {
        check(ncclGetUniqueId(&id), "ncclGetUniqueId");
        std::ofstream(a.id + ".part", std::ios::binary).write(id.internal, sizeof id.internal);
        if (std::rename((a.id + ".part").c_str(), a.id.c_str()))
            throw std::runtime_error("cannot write the id");
        return id;
    }
    const auto deadline = Clock::now() + std::chrono::seconds(60);
    while (Clock::now() < deadline) {
        if (std::ifstream(a.id, std::ios::binary).read(id.internal, sizeof id.internal)) return id;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    throw std::runtime_error("rank 0 wrote no id");
}

/// Waits until NCCL has completed the work of the communicator.
void wait_for(ncclComm_t communicator) {
    const auto deadline = Clock::now() + std::chrono::seconds(120);
    for (ncclResult_t state = ncclInProgress; state == ncclInProgress;) {
        check(ncclCommGetAsyncError(communicator, &state), "ncclCommGetAsyncError");
        check(state, "the communicator");
        if (Clock::now() > deadline) throw std::runtime_error("the communicator is not ready in time");
    }
}

std::vector<ncclComm_t> connect(const Arguments& a) {
    const ncclUniqueId id = exchange_id(a);
    std::vector<ncclComm_t> communicators(a.local_ranks);
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    check(ncclGroupStart(), "ncclGroupStart");
    for (int i = 0; i < a.local_ranks; ++i) {
        check(cudaSetDevice(a.device + i), "cudaSetDevice");
        check(ncclCommInitRankConfig(&communicators[i], a.ranks, id, a.rank + i, &config),
              "ncclCommInitRankConfig");
    }
    check(ncclGroupEnd(), "ncclGroupEnd");
    for (const ncclComm_t communicator : communicators) wait_for(communicator);
    return communicators;
}

/// Ranks end a communicator together, unless one of them is lost.
void close(ncclComm_t communicator, bool alone) {
    if (alone) return check(ncclCommAbort(communicator), "ncclCommAbort");
    check(ncclCommFinalize(communicator), "ncclCommFinalize");
    wait_for(communicator);
    check(ncclCommDestroy(communicator), "ncclCommDestroy");
}

std::string words_of(ShardedStatus status, const ShardedSelectState& state) {
    std::string text(name_of(status));
    if (state.errors().cuda) text += std::string(": ") + cudaGetErrorString(state.errors().cuda);
    if (state.errors().nccl) text += std::string(": ") + ncclGetErrorString(state.errors().nccl);
    return text;
}

template <int Words>
class Process {
  public:
    Process(const Arguments& a, const std::vector<ncclComm_t>& communicators)
        : a_(a), states_(communicators.size()), streams_(communicators.size()) {
        for (std::size_t i = 0; i < streams_.size(); ++i) {
            check(cudaSetDevice(a.device + static_cast<int>(i)), "cudaSetDevice");
            check(cudaStreamCreateWithFlags(&streams_[i], cudaStreamNonBlocking), "cudaStreamCreate");
            arrays_.emplace_back(a.max_items, a.max_items * static_cast<std::uint64_t>(a.ranks));
        }
    }

    ShardedStatus create(const std::vector<ncclComm_t>& communicators) {
        compaction::cuda::ShardedOptions options;
        options.timeout = std::chrono::milliseconds(a_.timeout_ms);
        options.use_peer_memory = !a_.force_network;
        options.keeps_results = true;
        begin_call(-1);
        const ShardedStatus status = ShardedSelectState::create<Record<Words>>(
            states_.data(), communicators.data(), static_cast<int>(states_.size()), a_.max_items, options);
        if (status != ShardedStatus::ok) return status;
        const bool peers = states_[0].path().path == ExchangePath::peer_memory;
        if (a_.path != (peers ? "peer" : "network")) {
            throw std::runtime_error("the path is not " + a_.path + ". " +
                                     std::string(states_[0].path().because));
        }
        return status;
    }
    ~Process() {
        for (const cudaStream_t stream : streams_) cudaStreamDestroy(stream);
    }
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    bool aborted() const { return states_[0].aborted(); }

    /// The status of the first call that fails; throws if a result is wrong.
    ShardedStatus run() {
        for (std::uint64_t run = 0; run < a_.runs; ++run) {
            const Case<Words> of(a_.seed * 1'000'003 + run, static_cast<unsigned>(a_.ranks), a_.max_items);
            const ShardedStatus status = call(of, run);
            if (status != ShardedStatus::ok) return status;
        }
        return ShardedStatus::ok;
    }

    std::string words() const { return words_of(states_[0].status(), states_[0]); }

  private:
    ShardedStatus call(const Case<Words>& of, std::uint64_t run) {
        std::mt19937_64 random(run * 64 + static_cast<std::uint64_t>(a_.rank));
        std::vector<ShardedArrays<Record<Words>>> calls;
        for (std::size_t i = 0; i < states_.size(); ++i) {
            check(cudaSetDevice(a_.device + static_cast<int>(i)), "cudaSetDevice");
            calls.push_back(arrays_[i].prepare(of, rank(i), streams_[i]));
            if (random() % a_.late_one_in == 0) {
                delay<><<<1, 1, 0, streams_[i]>>>(random() % (a_.max_late_us * 1000));
            }
        }
        const bool captured = a_.path == "peer" && run % 4 == 3;
        const std::jthread aborting = begin_call(static_cast<std::int64_t>(run));
        const ShardedStatus status = captured ? replay(of, calls) : select(of, calls);
        for (const cudaStream_t stream : streams_)
            check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
        if (status != ShardedStatus::ok && status != ShardedStatus::output_too_short) return status;
        for (const ShardedSelectState& state : states_) {
            if (state.status() != ShardedStatus::ok) return state.status();
        }
        for (std::size_t i = 0; i < states_.size(); ++i) {
            check(cudaSetDevice(a_.device + static_cast<int>(i)), "cudaSetDevice");
            const std::string fault =
                arrays_[i].fault(of, rank(i), streams_[i], states_[i].template items<Record<Words>>());
            if (!fault.empty()) {
                throw std::runtime_error("run " + std::to_string(run) + ", " +
                                         std::string(name_of(of.target.result)) + ": " + fault);
            }
        }
        return ShardedStatus::ok;
    }

    /// Notes the time, and commits the fault that is due before this run. Returns the thread that aborts the
    /// first state during the call, if that is the fault.
    std::jthread begin_call(std::int64_t run) {
        std::jthread aborting;
        if (run == a_.fault_at) {
            if (a_.fault == "dies") _exit(9);
            if (a_.fault == "stops") raise(SIGSTOP);
            if (a_.fault == "aborts") {
                aborting = std::jthread([this] {
                    std::this_thread::sleep_for(std::chrono::milliseconds(a_.late_at_fault_ms / 2));
                    check(states_[0].abort() == ShardedStatus::ok ? cudaSuccess : cudaErrorUnknown, "abort");
                });
            } else if (run >= 0 && a_.late_at_fault_ms > 0) {
                delay<>
                    <<<1, 1, 0, streams_[0]>>>(static_cast<std::uint64_t>(a_.late_at_fault_ms) * 1'000'000);
            }
        }
        start_ = Clock::now();
        return aborting;
    }

    unsigned rank(std::size_t i) const { return static_cast<unsigned>(a_.rank) + static_cast<unsigned>(i); }

    ShardedStatus select(const Case<Words>& of, const std::vector<ShardedArrays<Record<Words>>>& calls) {
        if (states_.size() == 1) return sharded_select_if(states_[0], of.target, calls[0], keep, streams_[0]);
        return sharded_select_if(states_.data(), of.target, calls.data(), static_cast<int>(states_.size()),
                                 keep, streams_.data());
    }

    /// Captures the call of each rank in a graph, which is then launched twice. In place, the first launch
    /// overwrites what the second one needs.
    ShardedStatus replay(const Case<Words>& of, const std::vector<ShardedArrays<Record<Words>>>& calls) {
        std::vector<cudaGraphExec_t> graphs(states_.size());
        for (std::size_t i = 0; i < states_.size(); ++i) {
            cudaGraph_t graph = nullptr;
            check(cudaStreamBeginCapture(streams_[i], cudaStreamCaptureModeThreadLocal), "begin of capture");
            const ShardedStatus status =
                sharded_select_if(states_[i], of.target, calls[i], keep, streams_[i]);
            check(cudaStreamEndCapture(streams_[i], &graph), "end of capture");
            if (status != ShardedStatus::ok) return status;
            check(cudaGraphInstantiate(&graphs[i], graph, 0), "cudaGraphInstantiate");
            cudaGraphDestroy(graph);
        }
        for (int launch = 0; launch < 2; ++launch) {
            for (std::size_t i = 0; i < states_.size(); ++i) {
                if (launch > 0 && of.in_place) arrays_[i].prepare(of, rank(i), streams_[i]);
                check(cudaGraphLaunch(graphs[i], streams_[i]), "cudaGraphLaunch");
            }
        }
        for (std::size_t i = 0; i < states_.size(); ++i) {
            check(cudaStreamSynchronize(streams_[i]), "cudaStreamSynchronize");
            cudaGraphExecDestroy(graphs[i]);
        }
        return ShardedStatus::ok;
    }

    const Arguments& a_;
    std::vector<ShardedSelectState> states_;
    std::vector<cudaStream_t> streams_;
    std::deque<RankArrays<Words>> arrays_;
    Clock::time_point start_;

  public:
    /// Since the latest call began.
    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
};

template <int Words>
int run(const Arguments& a) {
    const std::vector<ncclComm_t> communicators = connect(a);
    bool right = false;
    bool aborted = false;
    {
        Process<Words> process(a, communicators);
        ShardedStatus status = process.create(communicators);
        if (status == ShardedStatus::ok) status = process.run();
        const double seconds = process.seconds();
        aborted = process.aborted();
        if (a.fault == "aborts") {
            // Long before the timeout: the others are still late.
            right =
                status == ShardedStatus::aborted && seconds * 1000 < static_cast<double>(a.late_at_fault_ms);
            std::printf("rank %d: the call ended after %.2f s: %s\n", a.rank, seconds,
                        process.words().c_str());
        } else if (a.expect_failure) {
            right = status != ShardedStatus::ok && seconds * 1000 < 2.0 * static_cast<double>(a.timeout_ms);
            std::printf("rank %d: the call failed after %.2f s: %s\n", a.rank, seconds,
                        process.words().c_str());
        } else {
            right = status == ShardedStatus::ok;
            std::printf(
                "rank %d: %s\n", a.rank,
                right ? (std::to_string(a.runs) + " calls are right").c_str() : process.words().c_str());
        }
    }
    for (const ncclComm_t communicator : communicators) {
        if (!aborted) close(communicator, a.expect_failure || a.fault == "aborts");
    }
    return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc == 2 && std::strcmp(argv[1], "query") == 0) {
        int devices = 0;
        int version = 0;
        if (cudaGetDeviceCount(&devices) != cudaSuccess) devices = 0;
        check(ncclGetVersion(&version), "ncclGetVersion");
        std::printf("%d %d %d\n", devices, version, NCCL_VERSION_CODE);
        return 0;
    }
    const Arguments a(argc, argv);
    return a.words == 1 ? run<1>(a) : a.words == 2 ? run<2>(a) : run<4>(a);
} catch (const std::exception& error) {
    std::printf("%s\n", error.what());
    return 1;
}
