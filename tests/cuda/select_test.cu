// compaction/cuda/select.cuh as a CUDA program calls it: items of every width, misaligned views, graphs,
// storage with any content, reused states, and arguments that must be refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "compaction/cuda/select.cuh"
#include "tests/cuda/select_fixture.cuh"

namespace {

using compaction::cuda::select_flagged;
using compaction::cuda::select_if;
using compaction::cuda::SelectState;

using select_testing::Below;
using select_testing::DeviceArray;
using select_testing::keep_half;
using select_testing::OnCudaDevice;
using select_testing::random_records;
using select_testing::Record;

class Select : public OnCudaDevice {};

template <typename RecordT>
class SelectRecords : public OnCudaDevice {};
using Widths = testing::Types<Record<1>, Record<2>, Record<4>>;
TYPED_TEST_SUITE(SelectRecords, Widths);

/// Selects in[in_offset...] to out[out_offset...] and checks every byte of the output.
template <typename RecordT>
void expect_selected(SelectState& state, const std::vector<RecordT>& in, Below below, std::size_t in_offset,
                     std::size_t out_offset) {
    constexpr std::size_t margin = 64;
    std::vector<RecordT> kept;
    std::copy_if(in.begin(), in.end(), std::back_inserter(kept), below);
    DeviceArray<RecordT> d_in(in.size() + in_offset);
    DeviceArray<RecordT> d_out(in.size() + out_offset + margin);
    DeviceArray<std::uint64_t> d_num_selected(1);
    d_in.upload(in, in_offset);
    d_out.fill(0xee);
    d_num_selected.fill(0xee);
    COMPACTION_CHECK(select_if(state, d_in.data() + in_offset, d_out.data() + out_offset,
                               d_num_selected.data(), in.size(), below));
    ASSERT_EQ(d_num_selected.download()[0], kept.size());
    RecordT untouched;
    std::memset(&untouched, 0xee, sizeof untouched);
    std::vector<RecordT> expected(in.size() + out_offset + margin, untouched);
    std::copy(kept.begin(), kept.end(), expected.begin() + static_cast<std::ptrdiff_t>(out_offset));
    ASSERT_TRUE(d_out.download() == expected)
        << in.size() << " items, offsets " << in_offset << ", " << out_offset;
}

TYPED_TEST(SelectRecords, EveryPathAndKeepFraction) {
    SelectState state;
    COMPACTION_CHECK(state.reserve<TypeParam>(10'000'000));
    for (const std::size_t size :
         {0, 1, 31, 33, 2'047, 2'049, 16'385, 300'001, 1'234'567, 4'000'001, 10'000'000}) {
        const auto in = random_records<TypeParam>(size, 7);
        for (const std::uint32_t limit : {0U, 0x02000000U, keep_half, 0xe6000000U, 0xffffffffU}) {
            ASSERT_NO_FATAL_FAILURE(expect_selected(state, in, Below{limit}, 0, 0));
        }
    }
}

TYPED_TEST(SelectRecords, MisalignedViews) {
    SelectState state;
    COMPACTION_CHECK(state.reserve<TypeParam>(6'000'000));
    for (const std::size_t size : {3, 5'000, 700'001, 6'000'000}) {
        const auto in = random_records<TypeParam>(size, 11);
        for (const std::size_t offset : {1, 2, 3}) {
            ASSERT_NO_FATAL_FAILURE(expect_selected(state, in, Below{keep_half}, offset, 0));
            ASSERT_NO_FATAL_FAILURE(expect_selected(state, in, Below{keep_half}, 0, offset));
            ASSERT_NO_FATAL_FAILURE(expect_selected(state, in, Below{keep_half}, offset, 7 * offset));
        }
    }
}

using Item = Record<1>;

TEST_F(Select, StorageMayHoldGarbageAndCountsMayBeOf32Bits) {
    for (const std::size_t size : {1'000, 4'000, 30'000, 500'000, 4'000'000, 5'000'000}) {
        const auto in = random_records<Item>(size, 3);
        DeviceArray<Item> d_in(size), d_out(size);
        DeviceArray<std::uint32_t> d_num_selected(1);
        d_in.upload(in);
        std::size_t bytes = 0;
        COMPACTION_CHECK(select_if(nullptr, bytes, d_in.data(), d_out.data(), d_num_selected.data(), size,
                                   Below{keep_half}));
        DeviceArray<char> d_temp(bytes);
        for (const int garbage : {0x00, 0xff, 0x5a}) {
            d_temp.fill(garbage);
            COMPACTION_CHECK(select_if(d_temp.data(), bytes, d_in.data(), d_out.data(), d_num_selected.data(),
                                       size, Below{keep_half}));
            EXPECT_EQ(d_num_selected.download()[0], std::count_if(in.begin(), in.end(), Below{keep_half}));
        }
        std::size_t too_few = bytes - 1;
        EXPECT_EQ(select_if(d_temp.data(), too_few, d_in.data(), d_out.data(), d_num_selected.data(), size,
                            Below{keep_half}),
                  cudaErrorInvalidValue);
    }
}

TEST_F(Select, BadArgumentsAreRefusedBeforeAnyLaunch) {
    constexpr std::uint64_t size = 1'000;
    SelectState state;
    DeviceArray<Item> d_in(size), d_out(size);
    DeviceArray<std::uint64_t> d_num_selected(1);
    Item* const none = nullptr;
    const Below below{keep_half};
    const auto select = [&](const Item* in, Item* out, std::uint64_t* count, std::uint64_t num_items) {
        return select_if(state, in, out, count, num_items, below);
    };
    EXPECT_EQ(select(d_in.data(), d_out.data(), d_num_selected.data(), size), cudaErrorInvalidValue)
        << "not reserved";
    COMPACTION_CHECK(state.reserve<Item>(size));
    d_num_selected.fill(0x77);
    EXPECT_EQ(select(none, d_out.data(), d_num_selected.data(), size), cudaErrorInvalidValue);
    EXPECT_EQ(select(d_in.data(), d_out.data(), nullptr, size), cudaErrorInvalidValue);
    EXPECT_EQ(select(d_in.data(), d_in.data(), d_num_selected.data(), size), cudaErrorInvalidValue)
        << "in place";
    EXPECT_EQ(select(d_in.data(), d_in.data() + size - 1, d_num_selected.data(), size),
              cudaErrorInvalidValue);
    EXPECT_EQ(select(d_in.data(), d_out.data(), d_num_selected.data(), (std::uint64_t{1} << 40) + 1),
              cudaErrorInvalidValue);
    auto* const between = reinterpret_cast<Item*>(reinterpret_cast<char*>(d_in.data()) + 2);
    EXPECT_EQ(select(between, d_out.data(), d_num_selected.data(), size - 1), cudaErrorMisalignedAddress);
    const std::uint8_t* const no_flags = nullptr;
    EXPECT_EQ(select_flagged(state, d_in.data(), no_flags, d_out.data(), d_num_selected.data(), size),
              cudaErrorInvalidValue);

    std::size_t bytes = 0;
    COMPACTION_CHECK(select_if(nullptr, bytes, none, none, d_num_selected.data(), size, below));
    DeviceArray<char> d_temp(bytes);
    d_temp.fill(0x77);
    const auto select_with = [&](std::size_t temp_bytes, const Item* in, Item* out) {
        return select_if(d_temp.data(), temp_bytes, in, out, d_num_selected.data(), size - 1, below);
    };
    EXPECT_EQ(select_with(bytes - 1, d_in.data(), d_out.data()), cudaErrorInvalidValue) << "too little";
    EXPECT_EQ(select_with(bytes, none, d_out.data()), cudaErrorInvalidValue);
    EXPECT_EQ(select_with(bytes, d_in.data(), d_in.data() + 1), cudaErrorInvalidValue);
    EXPECT_EQ(select_with(bytes, between, d_out.data()), cudaErrorMisalignedAddress);
    COMPACTION_CHECK(cudaDeviceSynchronize());
    EXPECT_EQ(d_num_selected.download()[0], 0x7777777777777777U) << "something was launched";
    EXPECT_EQ(d_temp.download(), std::vector<char>(bytes, 0x77)) << "the storage was touched";
    COMPACTION_CHECK(select(none, none, d_num_selected.data(), 0));
    EXPECT_EQ(d_num_selected.download()[0], 0U);
}

TEST_F(Select, ReplayedGraphsSeeNewItems) {
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

/// A graph of two selections with one storage, whose output is the other's input.
class SelectGraph {
  public:
    SelectGraph(const DeviceArray<Item>& in, std::size_t size)
        : in_(in), size_(size), between_(size), out_(size) {
        std::size_t bytes = 0;
        COMPACTION_EXPECT(
            select_if(nullptr, bytes, in_.data(), out_.data(), counts_.data(), size_, Below{keep_half}));
        temp_.emplace(bytes);
        temp_->fill(0x5a);
        COMPACTION_EXPECT(cudaStreamCreate(&stream_));
        COMPACTION_EXPECT(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal));
        enqueue();
        COMPACTION_EXPECT(cudaStreamEndCapture(stream_, &graph_));
        for (cudaGraphExec_t& each : executables_) COMPACTION_EXPECT(cudaGraphInstantiate(&each, graph_, 0));
    }
    SelectGraph(const SelectGraph&) = delete;
    SelectGraph& operator=(const SelectGraph&) = delete;
    ~SelectGraph() {
        for (cudaGraphExec_t each : executables_) EXPECT_EQ(cudaGraphExecDestroy(each), cudaSuccess);
        destroy_graph();
        EXPECT_EQ(cudaStreamDestroy(stream_), cudaSuccess);
    }

    /// The executables stay.
    void destroy_graph() {
        if (graph_) COMPACTION_EXPECT(cudaGraphDestroy(std::exchange(graph_, nullptr)));
    }
    std::size_t num_nodes() const {
        std::size_t nodes = 0;
        COMPACTION_EXPECT(cudaGraphGetNodes(graph_, nullptr, &nodes));
        return nodes;
    }

    /// Replays an executable, and then enqueues the same calls on the stream.
    void expect_selected(std::size_t executable, const std::vector<Item>& in) {
        const auto kept = std::count_if(in.begin(), in.end(), Below{keep_half});
        const auto kept_of_kept = std::count_if(in.begin(), in.end(), Below{keep_half / 2});
        for (const bool replays : {true, false}) {
            counts_.fill(0xee);
            if (replays) {
                COMPACTION_EXPECT(cudaGraphLaunch(executables_[executable], stream_));
            } else {
                enqueue();
            }
            COMPACTION_EXPECT(cudaStreamSynchronize(stream_));
            const std::vector<std::uint64_t> counts = counts_.download();
            EXPECT_EQ(counts[0], kept);
            EXPECT_EQ(counts[1], kept_of_kept);
        }
    }

  private:
    void enqueue() {
        // Items of the first call that are not kept come after those that are.
        std::size_t bytes = temp_->size();
        COMPACTION_EXPECT(cudaMemsetAsync(between_.data(), 0xff, size_ * sizeof(Item), stream_));
        COMPACTION_EXPECT(select_if(temp_->data(), bytes, in_.data(), between_.data(), counts_.data(), size_,
                                    Below{keep_half}, stream_));
        COMPACTION_EXPECT(select_if(temp_->data(), bytes, between_.data(), out_.data(), counts_.data() + 1,
                                    size_, Below{keep_half / 2}, stream_));
    }

    const DeviceArray<Item>& in_;
    std::size_t size_;
    DeviceArray<Item> between_, out_;
    DeviceArray<std::uint64_t> counts_{2};
    std::optional<DeviceArray<char>> temp_;
    cudaStream_t stream_ = nullptr;
    cudaGraph_t graph_ = nullptr;
    std::array<cudaGraphExec_t, 2> executables_{};
};

constexpr std::size_t num_kernels_and_memsets = 3;

TEST_F(Select, ReplayedGraphsShareStorageOfAnyContent) {
    for (const std::size_t size : {30'000, 500'000, 4'000'000, 6'000'000}) {
        DeviceArray<Item> d_in(size);
        SelectGraph graph(d_in, size);
        EXPECT_EQ(graph.num_nodes(), num_kernels_and_memsets) << "something is reset";
        for (std::uint32_t seed = 0; seed < 10; ++seed) {
            const auto in = random_records<Item>(size, seed);
            d_in.upload(in);
            ASSERT_NO_FATAL_FAILURE(graph.expect_selected(seed % 2, in));
            if (seed == 5) graph.destroy_graph();
        }
    }
}

/// Destructors of user objects run on a thread of the driver, some time later.
unsigned take_slot_within_seconds() {
    using namespace compaction::cuda::detail;
    for (int i = 0; i < 1'000; ++i) {
        if (const unsigned slot = launch_slots.take(); slot < num_launch_slots) return slot;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return num_launch_slots;
}

TEST_F(Select, GraphsResetTheStorageWhereNoSlotIsLeftAndGiveTheirSlotsBack) {
    using namespace compaction::cuda::detail;
    std::vector<unsigned> taken;
    while (taken.size() < num_launch_slots) {
        taken.push_back(take_slot_within_seconds());
        ASSERT_LT(taken.back(), num_launch_slots) << "an earlier test has not given its slots back";
    }
    for (const std::size_t size : {30'000, 6'000'000}) {
        const auto in = random_records<Item>(size, 7);
        DeviceArray<Item> d_in(size);
        d_in.upload(in);
        {
            SelectGraph graph(d_in, size);
            EXPECT_EQ(graph.num_nodes(), num_kernels_and_memsets + 2);
            for (std::size_t i = 0; i < 6; ++i) graph.expect_selected(i % 2, in);
        }
        // The slots of the last two, and no others.
        ASSERT_GE(taken.size(), 2U);
        for (int i = 0; i < 2; ++i) {
            launch_slots.give_back(taken.back());
            taken.pop_back();
        }
        {
            SelectGraph graph(d_in, size);
            EXPECT_EQ(graph.num_nodes(), num_kernels_and_memsets);
            graph.destroy_graph();
            for (std::size_t i = 0; i < 6; ++i) graph.expect_selected(i % 2, in);
            EXPECT_EQ(launch_slots.take(), num_launch_slots) << "the executables need the slots";
        }
        for (int i = 0; i < 2; ++i) {
            taken.push_back(take_slot_within_seconds());
            ASSERT_LT(taken.back(), num_launch_slots) << "a slot was not given back";
        }
    }
    for (const unsigned slot : taken) launch_slots.give_back(slot);
}

/// Launches keep all items and none in turn, with changing numbers of tiles. A status word of an earlier
/// launch would change the count.
TEST_F(Select, StatusWordsOfOtherLaunchesAreIgnored) {
    constexpr int launches = 3'000;
    constexpr std::uint64_t most = 5'000'000;
    SelectState state;
    COMPACTION_CHECK(state.reserve<Item>(most));
    DeviceArray<Item> d_in(most), d_out(most);
    DeviceArray<std::uint64_t> d_num_selected(launches);
    d_in.fill(0x11);
    std::mt19937 random(23);
    std::vector<std::uint64_t> expected;
    for (int i = 0; i < launches; ++i) {
        const std::uint64_t size = i % 10 == 0 ? most - random() % 1'000 : random() % 600'000;
        const bool all = i % 2 == 0;
        COMPACTION_CHECK(select_if(state, d_in.data(), d_out.data(), d_num_selected.data() + i, size,
                                   Below{all ? 0xffffffffU : 0U}));
        expected.push_back(all ? size : 0);
    }
    COMPACTION_CHECK(cudaDeviceSynchronize());
    EXPECT_TRUE(d_num_selected.download() == expected);
}

/// Each call's output is the next call's input, and each may start while the previous one runs.
TEST_F(Select, ChainedCallsMayOverlap) {
    for (const std::size_t size : {std::size_t{20'000}, std::size_t{900'000}, std::size_t{4'500'000}}) {
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
TEST_F(Select, ConcurrentStreamsOnABusyGpu) {
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
