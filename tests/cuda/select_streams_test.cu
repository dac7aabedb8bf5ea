// Many calls of compaction/cuda/select.cuh: in graphs, overlapping, and on several streams at once.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "compaction/cuda/select.cuh"
#include "tests/cuda/select_fixture.cuh"

namespace {

using compaction::cuda::select_if;
using compaction::cuda::SelectState;
using select_testing::Below;
using select_testing::DeviceArray;
using select_testing::keep_half;
using select_testing::OnCudaDevice;
using select_testing::random_records;

using Item = select_testing::Record<1>;

class SelectStreams : public OnCudaDevice {};

TEST_F(SelectStreams, ReplayedGraphsSeeNewItems) {
    for (const std::size_t size : {std::size_t{200'000}, std::size_t{6'000'000}}) {
        SelectState state;
        COMPACTION_CHECK(state.reserve<Item>(size));
        DeviceArray<Item> d_in(size), d_out(size);
        DeviceArray<std::uint64_t> d_num_selected(1);
        cudaStream_t stream = nullptr;
        COMPACTION_CHECK(cudaStreamCreate(&stream));
        COMPACTION_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        COMPACTION_CHECK(select_if(state, d_in.data(), d_out.data(), d_num_selected.data(), size,
                                   Below{keep_half}, stream));
        cudaGraph_t graph = nullptr;
        COMPACTION_CHECK(cudaStreamEndCapture(stream, &graph));
        cudaGraphExec_t executable = nullptr;
        COMPACTION_CHECK(cudaGraphInstantiate(&executable, graph, 0));
        for (std::uint32_t seed = 0; seed < 8; ++seed) {
            const auto in = random_records<Item>(size, seed);
            d_in.upload(in);
            COMPACTION_CHECK(cudaGraphLaunch(executable, stream));
            COMPACTION_CHECK(cudaStreamSynchronize(stream));
            EXPECT_EQ(d_num_selected.download()[0], std::count_if(in.begin(), in.end(), Below{keep_half}));
        }
        COMPACTION_CHECK(cudaGraphExecDestroy(executable));
        COMPACTION_CHECK(cudaGraphDestroy(graph));
        COMPACTION_CHECK(cudaStreamDestroy(stream));
    }
}

/// Launches keep all items and none in turn, with changing numbers of tiles. A status word of an earlier
/// launch would change the count.
TEST_F(SelectStreams, StatusWordsOfOtherLaunchesAreIgnored) {
    constexpr int launches = 3'000;
    constexpr std::uint64_t max_items = 6'000'000;
    SelectState state;
    COMPACTION_CHECK(state.reserve<Item>(max_items));
    DeviceArray<Item> d_in(max_items), d_out(max_items);
    DeviceArray<std::uint64_t> d_num_selected(launches);
    d_in.fill(0x11);
    std::mt19937 random(23);
    std::vector<std::uint64_t> expected;
    for (int i = 0; i < launches; ++i) {
        const std::uint64_t size = i % 5 == 0 ? max_items - random() % 1'000 : random() % 600'000;
        const bool all = i % 2 == 0;
        COMPACTION_CHECK(select_if(state, d_in.data(), d_out.data(), d_num_selected.data() + i, size,
                                   Below{all ? 0xffffffffU : 0U}));
        expected.push_back(all ? size : 0);
    }
    COMPACTION_CHECK(cudaDeviceSynchronize());
    EXPECT_TRUE(d_num_selected.download() == expected);
}

/// Lets the next kernel start, and writes the input and the storage of a selection much later.
__global__ void write_late(const Item* from, Item* to, std::size_t size, std::uint32_t* storage,
                           std::size_t words, unsigned long long nanoseconds) {
    compaction::cuda::detail::trigger_dependent_launch();
    const unsigned long long end = compaction::cuda::detail::timer_ns() + nanoseconds;
    while (compaction::cuda::detail::timer_ns() < end) {
    }
    const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += step) to[i] = from[i];
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += step) storage[i] = 0x5a5a5a5a;
}

/// The work that comes before a selection in its stream and writes its input late.
enum class Before { kernel, event, graph, legacy_stream };
constexpr const char* names_before[] = {"a kernel", "an event", "a graph", "the legacy stream"};

/// Enqueues `write`, which takes a stream, so that what follows in `stream` comes after it. `stream` waits
/// for the legacy stream.
template <typename WriteT>
void enqueue_before(Before before, cudaStream_t stream, WriteT write) {
    if (before == Before::kernel) return write(stream);
    if (before == Before::legacy_stream) return write(cudaStreamLegacy);
    if (before == Before::graph) {
        COMPACTION_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        write(stream);
        cudaGraph_t graph = nullptr;
        COMPACTION_CHECK(cudaStreamEndCapture(stream, &graph));
        cudaGraphExec_t executable = nullptr;
        COMPACTION_CHECK(cudaGraphInstantiate(&executable, graph, 0));
        COMPACTION_CHECK(cudaGraphLaunch(executable, stream));
        COMPACTION_CHECK(cudaGraphExecDestroy(executable));  // when the launch has ended
        COMPACTION_CHECK(cudaGraphDestroy(graph));
        return;
    }
    cudaStream_t other = nullptr;
    cudaEvent_t event = nullptr;
    COMPACTION_CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    COMPACTION_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    write(other);
    // The previous kernel of the stream itself has ended by then.
    write_late<<<1, 32, 0, stream>>>(nullptr, nullptr, 0, nullptr, 0, 0);
    COMPACTION_CHECK(cudaEventRecord(event, other));
    COMPACTION_CHECK(cudaStreamWaitEvent(stream, event));
    COMPACTION_CHECK(cudaEventDestroy(event));
    COMPACTION_CHECK(cudaStreamDestroy(other));
}

/// A selection may start before the previous kernel has ended. It waits before it uses its input or its
/// storage, whatever writes them.
TEST_F(SelectStreams, AnOverlappingCallSeesWhatEarlierWorkWrites) {
    constexpr unsigned long long late = 200'000;
    cudaStream_t stream = nullptr;
    COMPACTION_CHECK(cudaStreamCreate(&stream));
    for (const std::size_t size : {std::size_t{1'500}, std::size_t{20'000}, std::size_t{900'000},
                                   std::size_t{2'000'000}, std::size_t{4'500'000}, std::size_t{6'000'000}}) {
        const Below below{keep_half};
        const auto items = random_records<Item>(size, 37);
        const auto expected = static_cast<std::uint64_t>(std::count_if(items.begin(), items.end(), below));
        DeviceArray<Item> d_items(size), d_in(size), d_out(size);
        DeviceArray<std::uint64_t> d_num_selected(1);
        d_items.upload(items);
        std::size_t bytes = 0;
        COMPACTION_CHECK(
            select_if(nullptr, bytes, d_in.data(), d_out.data(), d_num_selected.data(), size, below));
        DeviceArray<std::uint32_t> temp(bytes / sizeof(std::uint32_t) + 1);
        SelectState state;
        COMPACTION_CHECK(state.reserve<Item>(size));
        for (const bool by_storage : {false, true}) {
            for (const Before before :
                 {Before::kernel, Before::event, Before::graph, Before::legacy_stream}) {
                d_in.fill(0xff);  // nothing is below
                d_num_selected.fill(0xee);
                COMPACTION_CHECK(cudaDeviceSynchronize());
                enqueue_before(before, stream, [&](cudaStream_t writing) {
                    write_late<<<16, 256, 0, writing>>>(d_items.data(), d_in.data(), size, temp.data(),
                                                        temp.size(), late);
                });
                COMPACTION_CHECK(by_storage ? select_if(temp.data(), bytes, d_in.data(), d_out.data(),
                                                        d_num_selected.data(), size, below, stream)
                                            : select_if(state, d_in.data(), d_out.data(),
                                                        d_num_selected.data(), size, below, stream));
                COMPACTION_CHECK(cudaStreamSynchronize(stream));
                EXPECT_EQ(d_num_selected.download()[0], expected)
                    << size << " items, by storage: " << by_storage << ", after "
                    << names_before[static_cast<int>(before)];
            }
        }
    }
    COMPACTION_CHECK(cudaStreamDestroy(stream));
}

/// The host writes other items into page-locked memory between calls, each of which may start while the
/// kernel before it runs.
TEST_F(SelectStreams, InputInMemoryOfTheHostIsReadAnew) {
    const Below below{keep_half};
    cudaStream_t stream = nullptr;
    COMPACTION_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (const std::size_t size : {std::size_t{1'500}, std::size_t{900'000}, std::size_t{6'000'000}}) {
        Item* in = nullptr;
        COMPACTION_CHECK(cudaHostAlloc(&in, size * sizeof(Item), cudaHostAllocMapped));
        DeviceArray<Item> d_out(size);
        DeviceArray<std::uint64_t> d_num_selected(1);
        SelectState state;
        COMPACTION_CHECK(state.reserve<Item>(size));
        for (std::uint32_t seed = 0; seed < 4; ++seed) {
            const auto items = random_records<Item>(size, seed);
            std::copy(items.begin(), items.end(), in);
            write_late<<<1, 32, 0, stream>>>(nullptr, nullptr, 0, nullptr, 0, 50'000);
            COMPACTION_CHECK(select_if(state, in, d_out.data(), d_num_selected.data(), size, below, stream));
            COMPACTION_CHECK(cudaStreamSynchronize(stream));
            std::vector<Item> kept;
            std::copy_if(items.begin(), items.end(), std::back_inserter(kept), below);
            ASSERT_EQ(d_num_selected.download()[0], kept.size()) << size;
            auto out = d_out.download();
            out.resize(kept.size());
            ASSERT_TRUE(out == kept) << size;
        }
        COMPACTION_CHECK(cudaFreeHost(in));
    }
    COMPACTION_CHECK(cudaStreamDestroy(stream));
}

/// Each call's output is the next call's input, and each may start while the previous one runs.
TEST_F(SelectStreams, ChainedCallsMayOverlap) {
    for (const std::size_t size :
         {std::size_t{20'000}, std::size_t{900'000}, std::size_t{4'500'000}, std::size_t{30'000'000}}) {
        const auto in = random_records<Item>(size, 31);
        SelectState state;
        COMPACTION_CHECK(state.reserve<Item>(size));
        state.let_launches_overlap(true);
        DeviceArray<Item> buffers[2]{DeviceArray<Item>(size), DeviceArray<Item>(size)};
        constexpr std::uint32_t steps = 60;
        DeviceArray<std::uint64_t> d_num_selected(steps);
        cudaStream_t stream = nullptr;
        COMPACTION_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        std::vector<std::uint64_t> expected;
        const auto limit_of = [](std::uint32_t step) {
            return 0xffffffffU - (step + 1) * (0xffffffffU / 64);
        };
        for (std::uint32_t step = 0; step < steps; ++step) {
            expected.push_back(
                static_cast<std::uint64_t>(std::count_if(in.begin(), in.end(), Below{limit_of(step)})));
        }
        const auto enqueue_chain = [&] {
            std::uint64_t length = size;
            for (std::uint32_t step = 0; step < steps; ++step) {
                COMPACTION_CHECK(select_if(state, buffers[step % 2].data(), buffers[(step + 1) % 2].data(),
                                           d_num_selected.data() + step, length, Below{limit_of(step)},
                                           stream));
                length = expected[step];
            }
        };
        const auto expect_chain = [&] {
            COMPACTION_CHECK(cudaStreamSynchronize(stream));
            ASSERT_TRUE(d_num_selected.download() == expected) << size;
            std::vector<Item> kept;
            std::copy_if(in.begin(), in.end(), std::back_inserter(kept), Below{limit_of(steps - 1)});
            auto out = buffers[steps % 2].download();
            out.resize(kept.size());
            ASSERT_TRUE(out == kept) << size;
        };
        buffers[0].upload(in);
        ASSERT_NO_FATAL_FAILURE(enqueue_chain());
        ASSERT_NO_FATAL_FAILURE(expect_chain());

        COMPACTION_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        ASSERT_NO_FATAL_FAILURE(enqueue_chain());
        cudaGraph_t graph = nullptr;
        COMPACTION_CHECK(cudaStreamEndCapture(stream, &graph));
        cudaGraphExec_t executable = nullptr;
        COMPACTION_CHECK(cudaGraphInstantiate(&executable, graph, 0));
        for (int replay = 0; replay < 3; ++replay) {
            buffers[0].upload(in);
            d_num_selected.fill(0xee);
            COMPACTION_CHECK(cudaDeviceSynchronize());
            COMPACTION_CHECK(cudaGraphLaunch(executable, stream));
            ASSERT_NO_FATAL_FAILURE(expect_chain());
        }
        COMPACTION_CHECK(cudaGraphExecDestroy(executable));
        COMPACTION_CHECK(cudaGraphDestroy(graph));
        COMPACTION_CHECK(cudaStreamDestroy(stream));
    }
}

__global__ void occupy(volatile const int* release) {
    while (!*release) {
    }
}

/// Keeps a part of the GPU busy until it is destroyed, however the test ends.
class Hog {
  public:
    Hog(unsigned blocks, cudaStream_t stream) {
        EXPECT_EQ(cudaHostAlloc(&release_, sizeof *release_, cudaHostAllocMapped), cudaSuccess);
        if (!release_) return;
        *release_ = 0;
        occupy<<<blocks, 1024, 0, stream>>>(release_);
        EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    }
    Hog(const Hog&) = delete;
    Hog& operator=(const Hog&) = delete;
    ~Hog() {
        if (!release_) return;
        *static_cast<volatile int*>(release_) = 1;
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        EXPECT_EQ(cudaFreeHost(release_), cudaSuccess);
    }

  private:
    int* release_ = nullptr;
};

/// Two streams select concurrently, each with its own state, while another kernel keeps a part of the GPU
/// busy.
TEST_F(SelectStreams, ConcurrentStreamsOnABusyGpu) {
    constexpr std::uint64_t lengths[]{6'000'000, 1'500'000};
    constexpr std::uint64_t size = lengths[0];
    constexpr int rounds = 20;
    const auto in = random_records<Item>(size, 29);
    std::uint64_t expected[2];
    for (int i = 0; i < 2; ++i) {
        expected[i] = static_cast<std::uint64_t>(std::count_if(
            in.begin(), in.begin() + static_cast<std::ptrdiff_t>(lengths[i]), Below{keep_half}));
    }
    DeviceArray<Item> d_in(size);
    d_in.upload(in);
    cudaStream_t streams[3];
    for (cudaStream_t& stream : streams)
        COMPACTION_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    SelectState states[2];
    DeviceArray<Item> d_out[2]{DeviceArray<Item>(size), DeviceArray<Item>(size)};
    DeviceArray<std::uint64_t> d_num_selected[2]{DeviceArray<std::uint64_t>(rounds),
                                                 DeviceArray<std::uint64_t>(rounds)};
    for (SelectState& state : states) COMPACTION_CHECK(state.reserve<Item>(size));
    {
        // Cooperative launches wait until the hog is gone; the launches of short streams do not.
        const Hog hog(8, streams[2]);
        for (int round = 0; round < rounds; ++round) {
            for (int s = 0; s < 2; ++s) {
                COMPACTION_CHECK(select_if(states[s], d_in.data(), d_out[s].data(),
                                           d_num_selected[s].data() + round, lengths[round % 2],
                                           Below{keep_half}, streams[s]));
            }
        }
    }
    for (auto& d_counts : d_num_selected) {
        const std::vector<std::uint64_t> counts = d_counts.download();
        for (int round = 0; round < rounds; ++round) EXPECT_EQ(counts[round], expected[round % 2]) << round;
    }
    for (cudaStream_t stream : streams) COMPACTION_CHECK(cudaStreamDestroy(stream));
}

}  // namespace
