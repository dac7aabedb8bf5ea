#pragma once

#include <cstdint>
#include <type_traits>

#include "compaction/cuda/detail/architectures.cuh"
#include "compaction/cuda/detail/pipeline.cuh"
#include "compaction/cuda/detail/single_wave.cuh"
#include "compaction/cuda/detail/ticketed.cuh"

/// The kernels of select.cuh for programs that compile them at run time and launch them themselves.
///
/// Device code alone: NVRTC compiles it as C++17, without headers of the host or of the CUDA toolkit. It
/// needs two include paths: the folder that holds `compaction`, and `compaction/nvrtc` in it. nvcc compiles
/// it, too, without the second. A source:
///
///     #include "compaction/cuda/select_kernels.cuh"
///     struct Predicate {
///         __device__ bool operator()(float x) const { return x > 0.5f; }
///     };
///     using Kernels = compaction::cuda::SelectKernels<float, compaction::cuda::ByPredicate<Predicate>>;
///     extern "C" __device__ compaction::cuda::SelectShapes shapes = Kernels::shapes;
///
/// `Kernels::single_wave<2>` is then a name expression for nvrtcAddNameExpression. Only kernels that are
/// named are compiled. `shapes` (cuModuleGetGlobal) holds the numbers of the formulas below.
///
/// Memory, all of it accessible to the device:
/// - in: [num_items], at most 2^40; out: [*num_selected]; num_selected: [1]; flags: [num_items]. Arrays are
///   aligned to an item. The output and the count overlap nothing else.
/// - tile_state: [shapes.tile_state_bytes] bytes, aligned to 256. Set it to zero once, before its first use;
///   launches leave it ready for the next. Launches that share a tile state must be ordered, for example by a
///   stream.
/// - tickets: [1 + tiles(ticketed[0])] words of 4 bytes, for pipeline and ticketed.
///
/// Formulas, with vector = 16 / sizeof(ItemT) and division of integers:
/// - lead = address of in / sizeof(ItemT) % vector, end = lead + num_items
/// - tiles(shape) = max(1, (end + shape.tile_items - 1) / shape.tile_items)
/// - span = {in - lead items, lead, end}, 8 bytes each
/// - each launch: shape.threads per block, shape.shared_bytes of dynamic shared memory. Beyond 48 KiB, raise
///   the kernel's limit first (CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES).
///
/// Paths: take the first that fits. M is the number of multiprocessors, `resident` the number of blocks on
/// each (cuOccupancyMaxActiveBlocksPerMultiprocessor).
/// - `single_wave<i>`, i = 0 to 3. Blocks: tiles(shape), at most shape.max_tiles. It is the fastest up to
///   max(1, M * shape.tiles_per_two_multiprocessors / 2) and M * resident blocks.
///   Parameters: span, SingleWaveOptions, tile_state, out, num_selected, selector.
/// - `pipeline`, in code for sm_90 or later, if a block's shared memory fits the device.
///   Blocks: min(tiles(shape), M, shapes.max_pipeline_blocks).
///   Parameters: span, PipelineSchedule, tile_state, PipelineOptions, out, num_selected, selector.
/// - `ticketed<i>`, on any GPU: i = 0 if tiles(ticketed[1]) <= M * shapes.few_tiles_per_multiprocessor or if
///   ticketed[1] has no resident block, otherwise 1. Blocks: min(tiles(shape), M * resident).
///   Parameters: span, tiles(shape) (4 bytes), tickets, out, num_selected, selector.
///   Set the first 1 + tiles(shape) words of the tickets to zero before each launch.
///
/// Not covered: items of other sizes, selection in place, lengths on the device and outputs of a fixed size.
/// Nothing is checked. In code for sm_90 or later, single_wave and pipeline may be launched as programmatic
/// dependents, under the conditions at the head of select.cuh. docs/reference/select.md leads to examples.
namespace compaction::cuda {

/// Selectors, the last parameter of every kernel: ByPredicate<PredicateT>, a PredicateT;
/// ByFlag<FlagT>, a pointer to flags; ByFlagIf<FlagT, PredicateT>, that pointer and a predicate,
/// padded to a multiple of 8 bytes.
/// PositionsOf<SelectorT> has the bytes of its selector. It writes positions instead of items, as integers of
/// the size of an item, so it takes items of 4 and 8 bytes. With flags, it reads no items: `input.base` may
/// be null if `input.begin` is 0. An empty PredicateT has one byte, of any value. A predicate always returns
/// the same for the same item.
using detail::ByFlag;
using detail::ByFlagIf;
using detail::ByPredicate;
using detail::PositionsOf;

/// The launch shape of a kernel: tile_items, threads and shared_bytes, 4 bytes each.
using KernelShape = detail::LaunchShape;

/// That of a kernel with one tile for each block.
struct SingleWaveShape : KernelShape {
    std::uint32_t max_tiles;                      ///< 0 if other kernels are faster at any length
    std::uint32_t tiles_per_two_multiprocessors;  ///< the kernel is the fastest up to that many tiles
};

/// The numbers of the formulas above: 36 words of 4 bytes, without padding.
struct SelectShapes {
    SingleWaveShape single_wave[4];              ///< by index of the kernel
    KernelShape pipeline;                        ///< of the pipeline
    KernelShape ticketed[2];                     ///< by index of the kernel
    std::uint32_t chunk_items;                   ///< of the pipeline
    std::uint32_t max_pipeline_blocks;           ///< in a launch
    std::uint32_t few_tiles_per_multiprocessor;  ///< up to that many, the ticketed path takes short tiles
    std::uint32_t tile_state_bytes;              ///< of device memory
    std::uint32_t spin_limit;                    ///< default of SingleWaveOptions
    std::uint32_t poll_limit;                    ///< default of PipelineOptions
    std::uint32_t item_bytes;                    ///< sizeof(ItemT)
};
static_assert(sizeof(SelectShapes) == 36 * sizeof(std::uint32_t));

/// The options of a single-wave launch: 16 bytes of zeros, `spin_limit` (4 bytes), 4 bytes of padding.
using SingleWaveOptions = detail::SingleWaveOptions;
static_assert(sizeof(SingleWaveOptions) == 24 && sizeof(detail::LaunchTags) == 16);

/// The options of a pipeline launch: the address of the tickets (8 bytes), 16 bytes of zeros, `poll_limit`
/// (4 bytes), 4 bytes of padding.
using PipelineOptions = detail::PipelineOptions;
static_assert(sizeof(PipelineOptions) == 32);

/// The rounds of a pipeline launch: num_rounds and chunks_in_last_round, 4 bytes each. With
/// chunks = shapes.pipeline.tile_items / shapes.chunk_items, and every quotient rounded up:
/// chunks_per_block = end / (blocks * shapes.chunk_items), num_rounds = chunks_per_block / chunks,
/// chunks_in_last_round = chunks_per_block - (num_rounds - 1) * chunks.
using PipelineSchedule = detail::TileSchedule;
static_assert(sizeof(PipelineSchedule) == 8);

namespace detail {

template <typename ItemT, typename SelectorT, int Index>
constexpr COMPACTION_HOST_DEVICE SingleWaveShape shape_of_single_wave() {
    using PolicyT = PolicyOf<TileSize{Index}>;
    return {single_wave_shape<ItemT, PolicyT>, is_policy_for<PolicyT, SelectorT> ? PolicyT::max_blocks : 0,
            PolicyT::tiles_per_two_multiprocessors};
}

}  // namespace detail

inline namespace COMPACTION_ARCHITECTURES {

// nvcc overlooks the launch bounds of kernel templates (-Wmissing-launch-bounds).
#pragma nv_diagnostic push
#pragma nv_diag_suppress 20238

/// The kernels for a type of items and a selector. ItemT: trivially copyable, of 1, 2, 4, 8 or 16
/// bytes, aligned to its size. CountT: the integer type of the number of selected items.
template <typename ItemT, typename SelectorT, typename CountT = std::uint64_t>
struct SelectKernels {
    static_assert(detail::is_aligned_select_item<ItemT> &&
                      detail::alignment_in<sizeof(ItemT)> == sizeof(ItemT),
                  "items are trivially copyable, of 1, 2, 4, 8 or 16 bytes, and aligned to their size");

    /// One tile for each block; Index: 0 to 3.
    template <int Index>
    static constexpr auto single_wave =
        detail::single_wave_kernel<ItemT, detail::PolicyOf<detail::TileSize{Index}>, SelectorT, CountT>;
    /// Persistent blocks, one on each multiprocessor. Does nothing in code for architectures before sm_90.
    static constexpr auto pipeline =
        detail::pipeline_kernel<ItemT, detail::chunks_for<SelectorT>, detail::stages_for<SelectorT>,
                                SelectorT, CountT>;
    /// Tiles by ticket; Index: 0 or 1.
    template <int Index>
    static constexpr auto ticketed =
        detail::ticketed_kernel<ItemT, Index == 0 ? detail::few_rows : detail::many_rows, SelectorT, CountT>;

    /// The launch shapes of these kernels.
    static constexpr SelectShapes shapes{
        {detail::shape_of_single_wave<ItemT, SelectorT, 0>(),
         detail::shape_of_single_wave<ItemT, SelectorT, 1>(),
         detail::shape_of_single_wave<ItemT, SelectorT, 2>(),
         detail::shape_of_single_wave<ItemT, SelectorT, 3>()},
        detail::pipeline_shape<ItemT, detail::chunks_for<SelectorT>, detail::stages_for<SelectorT>>,
        {detail::ticketed_shape<ItemT, detail::few_rows>, detail::ticketed_shape<ItemT, detail::many_rows>},
        detail::chunk_items<ItemT>,
        detail::max_pipeline_blocks,
        detail::few_tiles_per_multiprocessor,
        sizeof(detail::TileState),
        detail::default_spin_limit,
        detail::default_poll_limit,
        sizeof(ItemT)};
};

#pragma nv_diagnostic pop

}  // namespace COMPACTION_ARCHITECTURES

}  // namespace compaction::cuda
