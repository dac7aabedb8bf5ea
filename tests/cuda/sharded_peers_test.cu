// Selections over ranks that reach each other's memory, without NCCL: all ranks are streams of one GPU, and
// their windows are its memory. sharded_rank.cu tests the same between processes and GPUs.
// WARPSIEVE_SHARDED_RUNS=100000 sharded_peers_test --gtest_filter='*Random*'
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <memory>
#include <random>
#include <vector>

#include "compaction/cuda/detail/sharded_peers.cuh"
#include "tests/cuda/select_fixture.cuh"
#include "tests/cuda/sharded_case.cuh"

namespace {

namespace detail = compaction::cuda::detail;
using namespace sharded_testing;

// A kernel that waits for another rank must not keep the driver from loading that rank's kernels.
const int all_kernels_are_loaded_first = setenv("CUDA_MODULE_LOADING", "EAGER", 1);

constexpr std::uint64_t max_items = 200'000;

template <int Words>
struct Rank {
    cudaStream_t stream = nullptr;
    compaction::cuda::SelectState select;
    detail::ShardedPeers peers;
    std::byte* window = nullptr;
    detail::DeviceProperties device;
    RankArrays<Words> arrays;

    Rank(unsigned rank, unsigned num_ranks, std::chrono::nanoseconds timeout)
        : arrays(max_items, max_items * num_ranks) {
        peers.rank = rank;
        peers.num_ranks = num_ranks;
        peers.timeout_ns = static_cast<std::uint64_t>(timeout.count());
        peers.items_before_selected = max_items;
        const std::uint64_t window_bytes =
            detail::staging_offset(num_ranks) + 3 * max_items * sizeof(Record<Words>);
        EXPECT_EQ(detail::query_current_device(device), cudaSuccess);
        EXPECT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
        EXPECT_EQ(select.reserve<Record<Words>>(max_items), cudaSuccess);
        EXPECT_EQ(cudaMalloc(&peers.control, sizeof(detail::ShardedControl)), cudaSuccess);
        EXPECT_EQ(cudaMemset(peers.control, 0, sizeof(detail::ShardedControl)), cudaSuccess);
        EXPECT_EQ(cudaMalloc(&peers.offsets, (num_ranks + 1) * sizeof(std::uint64_t)), cudaSuccess);
        EXPECT_EQ(cudaMemset(peers.offsets, 0, (num_ranks + 1) * sizeof(std::uint64_t)), cudaSuccess);
        EXPECT_EQ(cudaMalloc(&peers.windows, num_ranks * sizeof(std::byte*)), cudaSuccess);
        EXPECT_EQ(cudaMalloc(&window, window_bytes), cudaSuccess);
        EXPECT_EQ(cudaMemset(window, 0, window_bytes), cudaSuccess);
        EXPECT_EQ(cudaMallocHost(&peers.failure, sizeof(ShardedStatus)), cudaSuccess);
        *peers.failure = ShardedStatus::ok;
    }
    Rank(const Rank&) = delete;
    Rank& operator=(const Rank&) = delete;
    ~Rank() {
        cudaFree(peers.control);
        cudaFree(peers.offsets);
        cudaFree(peers.windows);
        cudaFree(window);
        cudaFreeHost(peers.failure);
        cudaStreamDestroy(stream);
    }

    /// pause(): called before each step but the first
    template <typename PauseT>
    cudaError_t enqueue(const Case<Words>& of, const ShardedArrays<Record<Words>>& arrays_of_call,
                        PauseT pause) {
        const detail::PeerCall<Record<Words>> call{select,    peers,          window, device,
                                                   of.target, arrays_of_call, stream};
        cudaError_t error = call.select(keep);
        pause();
        if (!error) error = call.exchange();
        pause();
        if (!error) error = call.fetch();
        pause();
        return error ? error : call.finish();
    }
    cudaError_t enqueue(const Case<Words>& of, const ShardedArrays<Record<Words>>& arrays_of_call) {
        return enqueue(of, arrays_of_call, [] {});
    }

    std::string fault(const Case<Words>& of) { return fault(of, arrays); }
    std::string fault(const Case<Words>& of, RankArrays<Words>& of_call) {
        return of_call.fault(of, peers.rank, stream,
                             detail::staging_in<Record<Words>>(window, peers.num_ranks));
    }
};

template <int Words>
struct Ranks : std::deque<Rank<Words>> {
    explicit Ranks(unsigned num_ranks, std::chrono::nanoseconds timeout = std::chrono::seconds(30)) {
        std::vector<std::byte*> windows;
        for (unsigned rank = 0; rank < num_ranks; ++rank) {
            this->emplace_back(rank, num_ranks, timeout);
            windows.push_back(this->back().window);
        }
        for (Rank<Words>& rank : *this) {
            EXPECT_EQ(cudaMemcpy(rank.peers.windows, windows.data(), num_ranks * sizeof(std::byte*),
                                 cudaMemcpyHostToDevice),
                      cudaSuccess);
        }
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    }
};

class ShardedPeersTest : public select_testing::OnCudaDevice {};

std::uint64_t num_runs() {
    const char* const runs = std::getenv("WARPSIEVE_SHARDED_RUNS");
    return runs ? std::strtoull(runs, nullptr, 10) : 300;
}

/// one_in, delay_ns: one in how many steps comes late on a rank, by up to how many nanoseconds
template <int Words>
void run_random_cases(unsigned num_ranks, std::uint64_t runs, std::uint64_t one_in, std::uint64_t delay_ns) {
    Ranks<Words> ranks(num_ranks);
    for (std::uint64_t run = 0; run < runs; ++run) {
        const Case<Words> of(run * 16 + num_ranks, num_ranks, max_items);
        std::mt19937_64 random(run);
        std::vector<ShardedArrays<Record<Words>>> calls;
        for (Rank<Words>& rank : ranks)
            calls.push_back(rank.arrays.prepare(of, rank.peers.rank, rank.stream));
        for (Rank<Words>& rank : ranks) {
            const auto pause = [&] {
                if (random() % one_in == 0) delay<><<<1, 1, 0, rank.stream>>>(random() % delay_ns);
            };
            pause();
            ASSERT_EQ(rank.enqueue(of, calls[rank.peers.rank], pause), cudaSuccess);
        }
        for (Rank<Words>& rank : ranks) {
            ASSERT_EQ(rank.fault(of), "") << "run " << run << ", rank " << rank.peers.rank << " of "
                                          << num_ranks << ", " << name_of(of.target.result);
            ASSERT_EQ(*rank.peers.failure, ShardedStatus::ok);
        }
    }
}

// A capacity may be the largest number.
static_assert(compaction::cuda::detail::fetching_blocks<std::uint64_t>(~std::uint64_t{0}, 132, 8) == 132 * 8);
static_assert(compaction::cuda::detail::fetching_blocks<std::uint64_t>(2049, 132, 8) == 2);
static_assert(compaction::cuda::detail::fetching_blocks<std::uint64_t>(0, 132, 8) == 0);

TEST_F(ShardedPeersTest, RandomCasesAreRight) {
    for (const unsigned num_ranks : {1U, 2U, 3U, 4U}) {
        run_random_cases<1>(num_ranks, num_runs() / 12, 32, 100'000);
        run_random_cases<2>(num_ranks, num_runs() / 12, 32, 100'000);
        run_random_cases<4>(num_ranks, num_runs() / 12, 32, 100'000);
    }
}

TEST_F(ShardedPeersTest, LateRanksAreWaitedFor) {
    run_random_cases<1>(4, 12, 16, 1'000'000'000);
}

// The largest capacity says that the caller knows that the output is long enough.
TEST_F(ShardedPeersTest, CapacitiesMayBeTheLargestNumber) {
    Ranks<1> ranks(3);
    for (std::uint64_t run = 0; run < 60; ++run) {
        const Case<1> of(run + 2000, 3, max_items);
        if (of.counts[0].status != ShardedStatus::ok) continue;
        for (Rank<1>& rank : ranks) {
            ShardedArrays<Record<1>> call = rank.arrays.prepare(of, rank.peers.rank, rank.stream);
            call.capacity = ~std::uint64_t{0};
            ASSERT_EQ(rank.enqueue(of, call), cudaSuccess);
        }
        for (Rank<1>& rank : ranks) ASSERT_EQ(rank.fault(of), "") << run;
    }
}

// A rank that fetches late must find the selection of this call, not of the next one.
TEST_F(ShardedPeersTest, SuccessiveCallsDoNotOverwriteWhatIsRead) {
    constexpr unsigned num_ranks = 3;
    constexpr std::uint64_t num_calls = 8;
    Ranks<1> ranks(num_ranks);
    std::deque<RankArrays<1>> arrays;  // one for each rank and call
    for (std::uint64_t i = 0; i < num_ranks * num_calls; ++i)
        arrays.emplace_back(max_items, max_items * num_ranks);
    const auto arrays_of = [&](unsigned rank, std::uint64_t call) -> RankArrays<1>& {
        return arrays[rank * num_calls + call];
    };
    for (std::uint64_t run = 0; run < 40; ++run) {
        std::mt19937_64 random(run);
        std::deque<Case<1>> cases;
        for (std::uint64_t call = 0; call < num_calls; ++call) {
            cases.emplace_back(3000 + run * num_calls + call, num_ranks, max_items);
            cases.back().target.in_state = false;  // such results are valid until the next call
        }
        std::deque<ShardedArrays<Record<1>>> prepared;  // before the first call, because copying may wait
        for (Rank<1>& rank : ranks) {
            for (std::uint64_t call = 0; call < num_calls; ++call) {
                prepared.push_back(
                    arrays_of(rank.peers.rank, call).prepare(cases[call], rank.peers.rank, rank.stream));
            }
        }
        for (Rank<1>& rank : ranks) {
            const auto pause = [&] {
                if (random() % 3 == 0) delay<><<<1, 1, 0, rank.stream>>>(random() % 1'000'000);
            };
            for (std::uint64_t call = 0; call < num_calls; ++call) {
                ASSERT_EQ(rank.enqueue(cases[call], prepared[rank.peers.rank * num_calls + call], pause),
                          cudaSuccess);
            }
        }
        for (Rank<1>& rank : ranks) {
            for (std::uint64_t call = 0; call < num_calls; ++call) {
                ASSERT_EQ(rank.fault(cases[call], arrays_of(rank.peers.rank, call)), "")
                    << "run " << run << ", call " << call << ", rank " << rank.peers.rank;
            }
        }
    }
}

TEST_F(ShardedPeersTest, GraphsAreReplayed) {
    Ranks<2> ranks(3);
    for (std::uint64_t run = 0; run < 20; ++run) {
        const Case<2> of(run + 1000, 3, max_items);
        std::vector<cudaGraphExec_t> graphs;
        for (Rank<2>& rank : ranks) {
            const ShardedArrays<Record<2>> call = rank.arrays.prepare(of, rank.peers.rank, rank.stream);
            cudaGraph_t graph = nullptr;
            ASSERT_EQ(cudaStreamBeginCapture(rank.stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
            ASSERT_EQ(rank.enqueue(of, call), cudaSuccess);
            ASSERT_EQ(cudaStreamEndCapture(rank.stream, &graph), cudaSuccess);
            ASSERT_EQ(cudaGraphInstantiate(&graphs.emplace_back(), graph, 0), cudaSuccess);
            cudaGraphDestroy(graph);
        }
        for (int replay = 0; replay < 3; ++replay) {
            for (Rank<2>& rank : ranks) {
                // In place, a replay overwrites what the next one needs.
                if (replay > 0 && of.in_place) rank.arrays.prepare(of, rank.peers.rank, rank.stream);
                ASSERT_EQ(cudaGraphLaunch(graphs[rank.peers.rank], rank.stream), cudaSuccess);
            }
        }
        for (Rank<2>& rank : ranks) {
            EXPECT_EQ(rank.fault(of), "") << run;
            cudaGraphExecDestroy(graphs[rank.peers.rank]);
        }
    }
}

TEST_F(ShardedPeersTest, AMissingRankFailsTheOthers) {
    Ranks<1> ranks(3, std::chrono::milliseconds(300));
    const Case<1> of(5, 3, max_items);
    for (int call = 0; call < 2; ++call) {
        for (Rank<1>& rank : ranks) {
            if (rank.peers.rank == 1) continue;
            ASSERT_EQ(rank.enqueue(of, rank.arrays.prepare(of, rank.peers.rank, rank.stream)), cudaSuccess);
        }
    }
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    for (Rank<1>& rank : ranks) {
        EXPECT_EQ(*rank.peers.failure, rank.peers.rank == 1 ? ShardedStatus::ok : ShardedStatus::peer_failed);
    }
    // The late rank learns that the others have failed, without waiting.
    Rank<1>& late = ranks[1];
    late.peers.timeout_ns = ~std::uint64_t{0} / 4;
    ASSERT_EQ(late.enqueue(of, late.arrays.prepare(of, 1, late.stream)), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(late.stream), cudaSuccess);
    EXPECT_EQ(*late.peers.failure, ShardedStatus::peer_failed);
}

TEST_F(ShardedPeersTest, ARankThatGivesUpEndsItsWaitAndThoseOfTheOthers) {
    for (const bool during_a_call : {true, false}) {
        Ranks<1> ranks(3, std::chrono::hours(1));  // beyond the time limit of the tests
        const Case<1> of(5, 3, max_items);
        std::vector<ShardedArrays<Record<1>>> calls;  // before the first call, because copying may wait
        for (Rank<1>& rank : ranks) calls.push_back(rank.arrays.prepare(of, rank.peers.rank, rank.stream));
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        const auto enqueue = [&](unsigned rank) {
            ASSERT_EQ(ranks[rank].enqueue(of, calls[rank]), cudaSuccess);
        };
        enqueue(2);
        if (during_a_call) enqueue(0);
        // On the stream of a rank that does not call.
        ASSERT_EQ(detail::give_up(ranks[0].peers, ranks[0].window, ranks[1].stream), cudaSuccess);
        ASSERT_EQ(cudaStreamSynchronize(ranks[1].stream), cudaSuccess);
        if (!during_a_call) {
            enqueue(1);
            enqueue(0);
        }
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        for (const unsigned rank : {0U, 2U}) {
            EXPECT_EQ(*ranks[rank].peers.failure, ShardedStatus::peer_failed) << rank;
        }
    }
}

}  // namespace
