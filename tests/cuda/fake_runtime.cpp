#include "tests/cuda/fake_runtime.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

FakeRuntime& fake_runtime() {
    static FakeRuntime runtime;
    return runtime;
}

namespace {

/// A user object: a destructor and its argument.
using UserObject = std::pair<cudaHostFn_t, void*>;

cudaError_t destroy(cudaUserObject_t object) {
    const std::unique_ptr<UserObject> owned(reinterpret_cast<UserObject*>(object));
    owned->first(owned->second);
    return cudaSuccess;
}

/// The grid of the launch that follows, set by `<<<...>>>`.
dim3 configured_blocks;

cudaError_t record(FakeRuntime::Launch launch) {
    FakeRuntime& runtime = fake_runtime();
    if (runtime.on_launch) runtime.on_launch(launch);
    launch.arguments = nullptr;
    runtime.launches.push_back(std::move(launch));
    return cudaSuccess;
}

}  // namespace

void FakeRuntime::destroy_graph() {
    for (cudaUserObject_t object : std::exchange(owned_by_graph, {})) destroy(object);
}

extern "C" {

void** __cudaRegisterFatBinary(void*) {
    static void* handle = nullptr;
    return &handle;
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
void __cudaRegisterFunction(void**, const char* kernel, char*, const char* name, int, uint3*, uint3*, dim3*,
                            dim3*, int*) {
    fake_runtime().kernels[kernel] = name;
}
void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int) {}
char __cudaInitModule(void**) {
    return 1;
}

unsigned __cudaPushCallConfiguration(dim3 blocks, dim3, std::size_t, cudaStream_t) {
    configured_blocks = blocks;
    return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* blocks, dim3* threads, std::size_t* shared_bytes, void* stream) {
    *blocks = configured_blocks;
    *threads = {};
    *shared_bytes = 0;
    *static_cast<cudaStream_t*>(stream) = nullptr;
    return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t* handle, const void* kernel) {
    *handle = reinterpret_cast<cudaKernel_t>(const_cast<void*>(kernel));
    return cudaSuccess;
}
cudaError_t cudaLaunchKernel(const void* kernel, dim3 blocks, dim3, void** arguments, std::size_t,
                             cudaStream_t) {
    return record({.kernel = fake_runtime().kernels.at(kernel), .blocks = blocks.x, .arguments = arguments});
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 blocks, dim3 threads, void** arguments,
                               std::size_t shared_bytes, cudaStream_t stream) {
    return cudaLaunchKernel(kernel, blocks, threads, arguments, shared_bytes, stream);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel, void** arguments) {
    constexpr int static_bytes = 512;  // about as much as the kernels here have
    constexpr int lowest_limit = (48 << 10) - static_bytes;
    const auto limit = fake_runtime().raised_shared_limits.find(kernel);
    if (static_cast<int>(config->dynamicSmemBytes) >
        (limit == fake_runtime().raised_shared_limits.end() ? lowest_limit : limit->second))
        return cudaErrorInvalidValue;
    FakeRuntime::Launch launch{
        .kernel = fake_runtime().kernels.at(kernel), .blocks = config->gridDim.x, .arguments = arguments};
    for (unsigned i = 0; i < config->numAttrs; ++i) {
        const cudaLaunchAttribute& attribute = config->attrs[i];
        if (attribute.id == cudaLaunchAttributeProgrammaticStreamSerialization)
            launch.overlaps = attribute.val.programmaticStreamSerializationAllowed != 0;
    }
    return record(std::move(launch));
}

cudaError_t cudaGetLastError() {
    return std::exchange(fake_runtime().last_error, cudaSuccess);
}
cudaError_t cudaPeekAtLastError() {
    return fake_runtime().malloc_result;  // only asked after an allocation
}
cudaError_t cudaGetDevice(int* device) {
    *device = fake_runtime().device;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
    const FakeRuntime::Gpu& gpu = fake_runtime().gpu;
    switch (attribute) {
        case cudaDevAttrMultiProcessorCount:
            *value = gpu.multiprocessors;
            return cudaSuccess;
        case cudaDevAttrMaxSharedMemoryPerBlock:
            *value = 48 << 10;
            return cudaSuccess;
        case cudaDevAttrMaxSharedMemoryPerBlockOptin:
            *value = gpu.shared_bytes_per_block;
            return cudaSuccess;
        case cudaDevAttrComputeCapabilityMajor:
            *value = gpu.compute_capability_major;
            return cudaSuccess;
        case cudaDevAttrCooperativeLaunch:
            *value = 1;
            return cudaSuccess;
        default:
            return cudaErrorInvalidValue;
    }
}

cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value) {
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaErrorInvalidValue;
    fake_runtime().raised_shared_limits[kernel] = value;
    return cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) {
    const FakeRuntime::Gpu& gpu = fake_runtime().gpu;
    *attributes = {};
    attributes->binaryVersion =
        gpu.compute_capability_major * 10;  // the driver compiles older PTX for this GPU
    attributes->ptxVersion = gpu.code_version;
    return cudaSuccess;
}
/// Registers and static shared memory never limit the occupancy.
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void*, int threads,
                                                          std::size_t shared_bytes) {
    ++fake_runtime().kernels_queried;
    const FakeRuntime::Gpu& gpu = fake_runtime().gpu;
    constexpr int reserved_bytes = 1'024;
    *blocks =
        std::min(gpu.threads_per_multiprocessor / threads,
                 gpu.shared_bytes_per_multiprocessor / (static_cast<int>(shared_bytes) + reserved_bytes));
    return cudaSuccess;
}

cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
    static std::uintptr_t next = 0x7f00'0000'0000;
    FakeRuntime& runtime = fake_runtime();
    if (runtime.malloc_result != cudaSuccess) return runtime.malloc_result;
    *memory = reinterpret_cast<void*>(next);
    next += (bytes + 511) / 256 * 256;
    runtime.allocated.insert(*memory);
    return cudaSuccess;
}
cudaError_t cudaFree(void* memory) {
    if (!memory) return cudaSuccess;
    return fake_runtime().allocated.erase(memory) == 1 ? cudaSuccess : cudaErrorInvalidValue;
}
cudaError_t cudaMallocAsync(void** memory, std::size_t bytes, cudaStream_t) {
    return cudaMalloc(memory, bytes);
}
cudaError_t cudaMallocFromPoolAsync(void** memory, std::size_t bytes, cudaMemPool_t pool, cudaStream_t) {
    return fake_runtime().kept_bytes.count(pool) == 1 ? cudaMalloc(memory, bytes) : cudaErrorInvalidValue;
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
    if (properties->location.id != fake_runtime().device) return cudaErrorInvalidDevice;
    auto& pools = fake_runtime().kept_bytes;
    *pool = reinterpret_cast<cudaMemPool_t>(std::uintptr_t{1} + pools.size());
    pools[*pool] = 0;
    return cudaSuccess;
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode*) {
    return cudaSuccess;
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
    return fake_runtime().kept_bytes.erase(pool) == 1 ? cudaSuccess : cudaErrorInvalidValue;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
    if (attribute != cudaMemPoolAttrReleaseThreshold) return cudaErrorInvalidValue;
    fake_runtime().kept_bytes.at(pool) = *static_cast<std::uint64_t*>(value);
    return cudaSuccess;
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, std::size_t bytes_to_keep) {
    fake_runtime().trimmed_to = bytes_to_keep;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t*, int) {
    return cudaErrorNotSupported;
}
cudaError_t cudaFreeAsync(void* memory, cudaStream_t) {
    return cudaFree(memory);
}
cudaError_t cudaMemsetAsync(void* memory, int, std::size_t bytes, cudaStream_t) {
    FakeRuntime& runtime = fake_runtime();
    if (runtime.memset_result == cudaSuccess && runtime.on_memset) runtime.on_memset(memory, bytes);
    return runtime.memset_result;
}
cudaError_t cudaStreamSynchronize(cudaStream_t) {
    return fake_runtime().synchronise_result;
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t, cudaStreamCaptureStatus* status, unsigned long long*,
                                     cudaGraph_t* graph, const cudaGraphNode_t**, const cudaGraphEdgeData**,
                                     std::size_t*) {
    static int only_graph;
    const bool captures = fake_runtime().captures;
    *status = captures ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    if (captures && graph) *graph = reinterpret_cast<cudaGraph_t>(&only_graph);
    return fake_runtime().capture_info_result;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
    return cudaStreamGetCaptureInfo(stream, status, nullptr, nullptr, nullptr, nullptr, nullptr);
}
cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, void* argument, cudaHostFn_t destructor, unsigned,
                                 unsigned) {
    if (!argument) return cudaErrorInvalidValue;
    if (fake_runtime().user_object_result == cudaSuccess)
        *object = reinterpret_cast<cudaUserObject_t>(new UserObject{destructor, argument});
    return fake_runtime().user_object_result;
}
cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned) {
    return destroy(object);
}
cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned, unsigned flags) {
    if (!graph || flags != cudaGraphUserObjectMove) return cudaErrorInvalidValue;
    if (fake_runtime().retain_result == cudaSuccess) fake_runtime().owned_by_graph.insert(object);
    return fake_runtime().retain_result;
}

}  // extern "C"
