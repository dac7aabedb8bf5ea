#include "app/sharded/gpus.cuh"

#include <algorithm>

namespace warpsieve {
namespace {

using compaction::Error;
using compaction::ErrorCode;
using compaction::ShardedResult;
using compaction::ShardedStatus;
using compaction::ShardedTarget;
using compaction::cuda::check;
using compaction::cuda::DeviceBuffer;
using compaction::cuda::GraphExec;
using experiments::ShardedCall;

constexpr unsigned blocks = 1024;
constexpr unsigned threads = 256;

struct IsSet {
    __device__ bool operator()(Item item) const { return item != 0; }
};

void check_nccl(ncclResult_t result, const char* call) {
    if (result == ncclSuccess) return;
    throw Error(ErrorCode::device_failure, std::string(call) + ": " + ncclGetErrorString(result) + ".");
}

void check_status(ShardedStatus status, const compaction::cuda::ShardedSelectState& state) {
    if (status == ShardedStatus::ok) return;
    std::string text(name_of(status));
    if (state.errors().cuda) text += std::string(" (") + cudaGetErrorString(state.errors().cuda) + ')';
    if (state.errors().nccl) text += std::string(" (") + ncclGetErrorString(state.errors().nccl) + ')';
    const ErrorCode code = state.errors().cuda == cudaErrorMemoryAllocation ? ErrorCode::out_of_memory
                                                                            : ErrorCode::device_failure;
    throw Error(code, "A selection over several GPUs failed: " + text + ".");
}

template <typename UseT>
__device__ void for_each_index(std::uint64_t size, UseT use) {
    const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
    for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < size; i += stride)
        use(i);
}

/// Adds the counts of all threads to `counter`. The block must consist of whole warps.
__device__ void add_to(std::uint64_t* counter, std::uint64_t count) {
    for (int offset = 16; offset > 0; offset /= 2) count += __shfl_down_sync(~0U, count, offset);
    if (threadIdx.x % 32 == 0) {
        atomicAdd(reinterpret_cast<unsigned long long*>(counter), static_cast<unsigned long long>(count));
    }
}

__global__ void fill_part(Item* part, std::uint64_t size, std::uint64_t first, WholeArray array,
                          std::uint64_t* counter) {
    std::uint64_t count = 0;
    for_each_index(size, [&](std::uint64_t i) {
        part[i] = array[first + i];
        count += part[i] != 0;
    });
    add_to(counter, count);
}

/// Counts the items that are not the successor of the item before them.
__global__ void find_faults(const Item* items, std::uint64_t size, Item before, WholeArray array,
                            std::uint64_t* counter) {
    std::uint64_t count = 0;
    for_each_index(
        size, [&](std::uint64_t i) { count += !array.follows(items[i], i == 0 ? before : items[i - 1]); });
    add_to(counter, count);
}

/// Gives copies and kernels of this process access to the memory of every GPU.
void enable_peer_access(int num_devices) {
    for (int device = 0; device < num_devices; ++device) {
        for (int peer = 0; peer < num_devices; ++peer) {
            if (peer == device) continue;
            check(cudaSetDevice(device), "cudaSetDevice");
            const cudaError_t error = cudaDeviceEnablePeerAccess(peer, 0);
            if (error == cudaErrorPeerAccessUnsupported || error == cudaErrorPeerAccessAlreadyEnabled) {
                cudaGetLastError();
                continue;
            }
            check(error, "cudaDeviceEnablePeerAccess");
        }
    }
}

ShardedTarget target_of(ShardedCall call) {
    switch (call) {
        case ShardedCall::balanced:
            return ShardedResult::balanced;
        case ShardedCall::balanced_in_state:
            return ShardedTarget::balanced_in_state();
        case ShardedCall::gathered:
            return ShardedResult::gathered;
        default:
            return ShardedResult::sharded;
    }
}

}  // namespace

Gpus::Gpus(unsigned size) : communicators_(size), states_(size) {
    int found = 0;
    check(cudaGetDeviceCount(&found), "cudaGetDeviceCount");
    if (static_cast<unsigned>(found) < size) {
        throw Error(ErrorCode::unavailable, "--gpus " + std::to_string(size) + ": this machine has " +
                                                std::to_string(found) + " GPUs. Name at most as many.");
    }
    enable_peer_access(static_cast<int>(size));
    check_nccl(ncclCommInitAll(communicators_.data(), static_cast<int>(size), nullptr), "ncclCommInitAll");
    for (unsigned rank = 0; rank < size; ++rank) {
        check(cudaSetDevice(static_cast<int>(rank)), "cudaSetDevice");
        gpus_.push_back(std::make_unique<Gpu>(static_cast<int>(rank)));
        streams_.push_back(gpus_.back()->stream.get());
    }
}

Gpus::~Gpus() {
    destroy_states();
    for (unsigned rank = 0; rank < gpus_.size(); ++rank) {
        cudaSetDevice(gpus_[rank]->device);
        gpus_[rank].reset();
    }
    for (const ncclComm_t communicator : communicators_) {
        if (communicator) ncclCommDestroy(communicator);
    }
}

void Gpus::destroy_states() {
    for (std::size_t rank = 0; rank < states_.size(); ++rank) {
        if (states_[rank].aborted())
            communicators_[rank] = nullptr;  // an aborted communicator must not be destroyed
    }
    states_.clear();
}

Gpu& Gpus::operator[](unsigned rank) const {
    check(cudaSetDevice(gpus_[rank]->device), "cudaSetDevice");
    return *gpus_[rank];
}

void Gpus::prepare(std::uint64_t items_per_gpu, bool network) {
    destroy_states();
    states_.resize(size());
    for (unsigned rank = 0; rank < size(); ++rank) {
        Gpu& gpu = (*this)[rank];
        for (DeviceBuffer<Item>* const buffer : {&gpu.in, &gpu.out, &gpu.all_in}) *buffer = {};
    }
    items_per_gpu_ = items_per_gpu;
    const std::uint64_t all_items = items_per_gpu * size();
    for (unsigned rank = 0; rank < size(); ++rank) {
        Gpu& gpu = (*this)[rank];
        const bool is_first = rank == 0;
        gpu.in = DeviceBuffer<Item>(items_per_gpu);
        gpu.out = DeviceBuffer<Item>(is_first ? all_items : items_per_gpu);
        if (is_first && network) gpu.all_in = DeviceBuffer<Item>(all_items);
        check(gpu.select.reserve<Item>(is_first ? all_items : items_per_gpu), "SelectState::reserve");
    }
    compaction::cuda::ShardedOptions options;
    options.use_peer_memory = !network;
    options.keeps_results = !network;
    const ShardedStatus status = compaction::cuda::ShardedSelectState::create<Item>(
        states_.data(), communicators_.data(), static_cast<int>(size()), items_per_gpu, options);
    check_status(status, states_.front());
    if (!network && states_.front().path().path != compaction::ExchangePath::peer_memory) {
        throw Error(ErrorCode::unavailable, std::string(states_.front().path().because));
    }
}

void Gpus::fill(double keep_fraction, bool skewed) {
    constexpr double two_to_32 = 4294967296.0;
    const double limit = std::min(keep_fraction * two_to_32, two_to_32 - 1);
    array_ = {static_cast<std::uint32_t>(limit), skewed ? items_per_gpu_ * (size() - 1) : 0};
    for (unsigned rank = 0; rank < size(); ++rank) {
        Gpu& gpu = (*this)[rank];
        check(cudaMemsetAsync(gpu.counter.data(), 0, sizeof(std::uint64_t), gpu.stream.get()), "cudaMemset");
        fill_part<<<blocks, threads, 0, gpu.stream.get()>>>(
            gpu.in.data(), items_per_gpu_, rank * items_per_gpu_, array_, gpu.counter.data());
        check(cudaGetLastError(), "fill_part");
        check(cudaMemcpyAsync(&gpu.num_kept, gpu.counter.data(), sizeof gpu.num_kept, cudaMemcpyDeviceToHost,
                              gpu.stream.get()),
              "cudaMemcpy");
    }
    synchronise();
}

void Gpus::clear_outputs() {
    for (unsigned rank = 0; rank < size(); ++rank) {
        Gpu& gpu = (*this)[rank];
        check(cudaMemsetAsync(gpu.out.data(), 0, gpu.out.size() * sizeof(Item), gpu.stream.get()),
              "cudaMemsetAsync of the output");
        check(cudaMemsetAsync(gpu.counts.data(), 0, sizeof(compaction::ShardedCounts), gpu.stream.get()),
              "cudaMemsetAsync of the counts");
    }
}

void Gpus::enqueue(ShardedCall call) {
    switch (call) {
        case ShardedCall::select_alone:
            return select_alone();
        case ShardedCall::exchange:
        case ShardedCall::exchange_in_graph:
            return exchange();
        case ShardedCall::link_copy:
            return copy_over_link();
        case ShardedCall::whole_shards_first:
            return send_whole_shards();
        case ShardedCall::sharded:
        case ShardedCall::balanced:
        case ShardedCall::balanced_in_state:
        case ShardedCall::gathered:
            return select_sharded(target_of(call));
    }
}

void Gpus::select_alone() {
    for (unsigned rank = 0; rank < size(); ++rank) {
        Gpu& gpu = (*this)[rank];
        check(
            compaction::cuda::select_if(gpu.select, gpu.in.data(), gpu.out.data(), &gpu.counts.data()->total,
                                        items_per_gpu_, IsSet{}, gpu.stream.get()),
            "select_if");
    }
}

void Gpus::select_sharded(ShardedTarget target) {
    std::vector<compaction::ShardedArrays<Item>> arrays;
    for (const auto& gpu : gpus_) arrays.push_back(arrays_of(*gpu));
    check_status(compaction::cuda::sharded_select_if(states_.data(), target, arrays.data(),
                                                     static_cast<int>(size()), IsSet{}, streams_.data()),
                 states_.front());
}

void Gpus::exchange() {
    for (unsigned rank = 0; rank < size(); ++rank) {
        Gpu& gpu = (*this)[rank];
        compaction::cuda::detail::ShardedRank& state = states_[rank].internals();
        const compaction::cuda::detail::PeerCall<Item> call{
            state.select,           state.peers,    state.window,  state.properties,
            ShardedResult::sharded, arrays_of(gpu), streams_[rank]};
        check(call.exchange(), "exchange of counts");
    }
}

void Gpus::copy_over_link() {
    Gpu& to = (*this)[0];
    const Gpu& from = *gpus_.back();
    check(cudaMemcpyPeerAsync(to.out.data(), to.device, from.in.data(), from.device,
                              items_per_gpu_ * sizeof(Item), to.stream.get()),
          "cudaMemcpyPeerAsync");
}

void Gpus::send_whole_shards() {
    Gpu& first = *gpus_.front();
    check_nccl(ncclGroupStart(), "ncclGroupStart");
    for (unsigned rank = 1; rank < size(); ++rank) {
        check_nccl(ncclSend(gpus_[rank]->in.data(), items_per_gpu_ * sizeof(Item), ncclChar, 0,
                            communicators_[rank], streams_[rank]),
                   "ncclSend");
        check_nccl(ncclRecv(first.all_in.data() + rank * items_per_gpu_, items_per_gpu_ * sizeof(Item),
                            ncclChar, static_cast<int>(rank), communicators_[0], streams_[0]),
                   "ncclRecv");
    }
    check_nccl(ncclGroupEnd(), "ncclGroupEnd");
    check(cudaSetDevice(first.device), "cudaSetDevice");
    check(cudaMemcpyAsync(first.all_in.data(), first.in.data(), items_per_gpu_ * sizeof(Item),
                          cudaMemcpyDeviceToDevice, streams_[0]),
          "cudaMemcpyAsync");
    check(compaction::cuda::select_if(first.select, first.all_in.data(), first.out.data(),
                                      &first.counts.data()->total, items_per_gpu_ * size(), IsSet{},
                                      streams_[0]),
          "select_if");
    synchronise();
}

std::vector<GraphExec> Gpus::capture(ShardedCall call, int num_calls) {
    for (const cudaStream_t stream : streams_) {
        check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
    }
    for (int i = 0; i < num_calls; ++i) enqueue(call);
    std::vector<cudaGraph_t> captured(size());
    for (unsigned rank = 0; rank < size(); ++rank) {
        check(cudaStreamEndCapture(streams_[rank], &captured[rank]), "cudaStreamEndCapture");
    }
    std::vector<GraphExec> graphs;
    for (const cudaGraph_t graph : captured) {
        cudaGraphExec_t executable = nullptr;
        check(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");
        graphs.emplace_back(executable);
        check(cudaGraphDestroy(graph), "cudaGraphDestroy");
    }
    return graphs;
}

void Gpus::synchronise() {
    for (unsigned rank = 0; rank < size(); ++rank) {
        check(cudaStreamSynchronize((*this)[rank].stream.get()), "cudaStreamSynchronize");
    }
}

std::uint64_t Gpus::busiest_link_bytes(ShardedCall call) const {
    if (call == ShardedCall::link_copy || call == ShardedCall::whole_shards_first) {
        return items_per_gpu_ * sizeof(Item) * (call == ShardedCall::link_copy ? 1 : size() - 1);
    }
    std::vector<std::uint64_t> counts;
    for (const auto& gpu : gpus_) counts.push_back(gpu->num_kept);
    const std::vector<std::uint64_t> offsets = compaction::offsets_of(counts);
    return compaction::items_on_busiest_link({target_of(call).result, size(), 0, offsets.data()}) *
           sizeof(Item);
}

Gpus::Stored Gpus::stored_on(unsigned rank, ShardedCall call) {
    Gpu& gpu = (*this)[rank];
    compaction::ShardedCounts counts;
    check(cudaMemcpy(&counts, gpu.counts.data(), sizeof counts, cudaMemcpyDeviceToHost), "cudaMemcpy");
    if (call == ShardedCall::whole_shards_first && rank > 0) return {gpu.out.data(), 0};
    if (call == ShardedCall::whole_shards_first || call == ShardedCall::select_alone) {
        return {gpu.out.data(), counts.total};
    }
    if (counts.status != ShardedStatus::ok) return {gpu.out.data(), 0};
    const bool in_state = call == ShardedCall::balanced_in_state;
    return {in_state ? states_[rank].items<Item>() + counts.begin : gpu.out.data(), counts.num_stored};
}

std::uint64_t Gpus::num_faults(unsigned rank, Stored stored, Item before) {
    Gpu& gpu = (*this)[rank];
    std::uint64_t found = 0;
    check(cudaMemsetAsync(gpu.counter.data(), 0, sizeof found, gpu.stream.get()), "cudaMemset");
    find_faults<<<blocks, threads, 0, gpu.stream.get()>>>(stored.items, stored.size, before, array_,
                                                          gpu.counter.data());
    check(cudaGetLastError(), "find_faults");
    check(cudaMemcpyAsync(&found, gpu.counter.data(), sizeof found, cudaMemcpyDeviceToHost, gpu.stream.get()),
          "cudaMemcpy");
    check(cudaStreamSynchronize(gpu.stream.get()), "cudaStreamSynchronize");
    return found;
}

// Each stored item must be a kept item that follows the one before it. If as many are stored as are kept, the
// selection is then complete and in order.
std::string Gpus::fault_of(ShardedCall call) {
    if (call == ShardedCall::exchange || call == ShardedCall::exchange_in_graph ||
        call == ShardedCall::link_copy) {
        return {};
    }
    std::uint64_t num_kept = 0;
    std::uint64_t num_stored = 0;
    Item last = array_.start();
    for (unsigned rank = 0; rank < size(); ++rank) {
        const Stored stored = stored_on(rank, call);
        if (num_faults(rank, stored, last) != 0)
            return "The items on GPU " + std::to_string(rank) + " are wrong.";
        if (stored.size > 0) {
            check(cudaMemcpy(&last, stored.items + stored.size - 1, sizeof last, cudaMemcpyDeviceToHost),
                  "cudaMemcpy");
        }
        num_kept += gpus_[rank]->num_kept;
        num_stored += stored.size;
    }
    if (num_stored == num_kept) return {};
    return std::to_string(num_stored) + " items were stored, but " + std::to_string(num_kept) + " are kept.";
}

}  // namespace warpsieve
