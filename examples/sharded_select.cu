// Keeps the live particles of an array that is sharded over GPUs, one process for each, and gives every
// process an equal share of them. Start it with a launcher, or by hand with a file that all processes can
// reach:
//
//     mpirun -n 4 sharded_select_example /shared/id          (or with torchrun or srun)
//     RANK=0 WORLD_SIZE=2 sharded_select_example id & RANK=1 WORLD_SIZE=2 sharded_select_example id
//
// Rank 0 writes NCCL's unique id to the file, and removes it in the end. Without a file, set NCCL_COMM_ID to
// <host of rank 0>:<port>.
#include <nccl.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <string>
#include <thread>
#include <vector>

#include "compaction/cuda/sharded_select.cuh"

namespace {

using compaction::ExchangePath;
using compaction::ShardedArrays;
using compaction::ShardedCounts;
using compaction::ShardedResult;
using compaction::ShardedStatus;
using compaction::cuda::ShardedSelectState;
using Clock = std::chrono::steady_clock;

/// 16 bytes, aligned to 16, so that one instruction reads or writes it.
struct alignas(16) Particle {
    float x, y;
    std::uint32_t index;
    float seconds_left;
};

struct IsAlive {
    __device__ bool operator()(const Particle& particle) const { return particle.seconds_left > 0; }
};

void check(bool right, const char* call, const char* message) {
    if (right) return;
    std::fprintf(stderr, "%s: %s\n", call, message);
    std::exit(1);
}
void check(cudaError_t error, const char* call) {
    check(error == cudaSuccess, call, cudaGetErrorString(error));
}
void check(ncclResult_t result, const char* call) {
    check(result == ncclSuccess || result == ncclInProgress, call, ncclGetErrorString(result));
}

/// The first of these environment variables that is set.
int from_launcher(std::initializer_list<const char*> names, int otherwise) {
    for (const char* const name : names) {
        if (const char* const value = std::getenv(name)) return std::atoi(value);
    }
    return otherwise;
}

/// Makes the same id known to all ranks.
ncclUniqueId share_id(int rank, const char* file) {
    ncclUniqueId id;
    if (rank == 0 || !file) check(ncclGetUniqueId(&id), "ncclGetUniqueId");
    if (!file) return id;  // made from NCCL_COMM_ID
    if (rank == 0) {
        const std::string part = std::string(file) + ".part";
        std::ofstream(part, std::ios::binary).write(id.internal, sizeof id.internal);
        check(std::rename(part.c_str(), file) == 0, file, "cannot be written");
        return id;
    }
    for (const auto deadline = Clock::now() + std::chrono::seconds(60); Clock::now() < deadline;) {
        if (std::ifstream(file, std::ios::binary).read(id.internal, sizeof id.internal)) return id;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    check(false, file, "rank 0 did not write it within a minute");
    return id;
}

/// Waits until NCCL has completed the operation of the communicator.
void wait_for(ncclComm_t communicator) {
    for (ncclResult_t state = ncclInProgress; state == ncclInProgress;) {
        check(ncclCommGetAsyncError(communicator, &state), "ncclCommGetAsyncError");
        check(state, "NCCL");
        std::this_thread::yield();
    }
}

/// A communicator that does not block, so that the host notices when a rank is lost.
ncclComm_t connect(int rank, int num_ranks, const char* file) {
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    ncclComm_t communicator = nullptr;
    check(ncclCommInitRankConfig(&communicator, num_ranks, share_id(rank, file), rank, &config),
          "ncclCommInitRankConfig");
    wait_for(communicator);
    return communicator;
}

/// Selects on this rank. True if it has the right particles.
bool select_alive(ncclComm_t communicator, int rank, int num_ranks) {
    constexpr std::uint64_t per_rank = 1'000'000;
    std::vector<Particle> particles(per_rank);
    for (std::uint64_t i = 0; i < per_rank; ++i) {
        const std::uint64_t index = static_cast<std::uint64_t>(rank) * per_rank + i;
        particles[i] = {0, 0, static_cast<std::uint32_t>(index), index % 3 == 0 ? 1.0F : 0.0F};
    }
    Particle* in = nullptr;
    Particle* out = nullptr;
    ShardedCounts* d_counts = nullptr;
    check(cudaMalloc(&in, per_rank * sizeof(Particle)), "cudaMalloc");
    check(cudaMalloc(&out, per_rank * sizeof(Particle)), "cudaMalloc");
    check(cudaMalloc(&d_counts, sizeof(ShardedCounts)), "cudaMalloc");
    check(cudaMemcpy(in, particles.data(), per_rank * sizeof(Particle), cudaMemcpyHostToDevice),
          "cudaMemcpy");

    ShardedSelectState state;
    ShardedStatus status = state.create<Particle>(communicator, per_rank);
    check(status == ShardedStatus::ok, "ShardedSelectState::create", name_of(status).data());
    const ShardedArrays<Particle> arrays{in, per_rank, out, per_rank, d_counts};
    status = sharded_select_if(state, ShardedResult::balanced, arrays, IsAlive{});
    check(status == ShardedStatus::ok, "sharded_select_if", name_of(status).data());

    ShardedCounts counts;
    check(cudaMemcpy(&counts, d_counts, sizeof counts, cudaMemcpyDeviceToHost), "cudaMemcpy");
    check(counts.status == ShardedStatus::ok, "sharded_select_if", name_of(counts.status).data());
    std::vector<Particle> kept(counts.num_stored);
    check(cudaMemcpy(kept.data(), out, kept.size() * sizeof(Particle), cudaMemcpyDeviceToHost), "cudaMemcpy");
    bool right = counts.total == (static_cast<std::uint64_t>(num_ranks) * per_rank + 2) / 3;
    for (std::size_t i = 0; i < kept.size(); ++i) right = right && kept[i].index == 3 * (counts.first + i);
    std::printf("rank %d: %zu of %llu live particles, from the %lluth, through %s: %s\n", rank, kept.size(),
                static_cast<unsigned long long>(counts.total), static_cast<unsigned long long>(counts.first),
                state.path().path == ExchangePath::peer_memory ? "peer memory" : "the network",
                right ? "right" : "WRONG");
    for (void* const memory :
         {static_cast<void*>(in), static_cast<void*>(out), static_cast<void*>(d_counts)}) {
        check(cudaFree(memory), "cudaFree");
    }
    return right;
}

}  // namespace

int main(int argc, char** argv) {
    const char* const file = argc > 1 ? argv[1] : nullptr;
    const int num_ranks = from_launcher({"WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_NTASKS"}, 1);
    const int rank = from_launcher({"RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID"}, 0);
    const int on_host = from_launcher({"LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "SLURM_LOCALID"}, rank);
    if (num_ranks > 1 && !file && !std::getenv("NCCL_COMM_ID")) {
        std::fprintf(stderr, "Name a file that all processes can reach, or set NCCL_COMM_ID.\n");
        return 2;
    }
    int num_devices = 0;
    check(cudaGetDeviceCount(&num_devices), "cudaGetDeviceCount");
    check(cudaSetDevice(on_host % num_devices), "cudaSetDevice");
    const ncclComm_t communicator = connect(rank, num_ranks, file);
    const bool right = select_alive(communicator, rank, num_ranks);
    // All ranks destroy their states before the communicator ends.
    check(ncclCommFinalize(communicator), "ncclCommFinalize");
    wait_for(communicator);
    check(ncclCommDestroy(communicator), "ncclCommDestroy");
    if (rank == 0 && file) std::remove(file);
    return right ? 0 : 1;
}
