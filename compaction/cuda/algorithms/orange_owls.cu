// Spataro's three phases as Orange Owl Solutions wrote them: one item per thread, one count per block. The
// difference: the stream is declared read-only, so a kept item stays in a register between ranking and
// writing and is not read again. Their lane masks and unrolled loops compile to the same code as Spataro's.
//
// Source: Orange Owl Solutions 2015, "Customized Stream Compaction", after Spataro 2015.
#include "cuda/primitives/block_phases.cuh"
#include "registration.hpp"

namespace compaction {

Registration register_orange_owls() {
    Registration registration;
    registration.algorithm = cuda::describe_block_phases();
    registration.algorithm.authors = "Orange Owl Solutions, after Spataro";
    registration.algorithm.year = 2015;
    registration.algorithm.source =
        "Orange Owl Solutions 2015, Customized Stream Compaction (3 phases approach)";
    registration.algorithm.summary =
        "Spataro's scheme, with one item per thread and one count per block, on a stream declared read-only. "
        "A kept item therefore stays in a register between ranking and writing.";
    registration.make = cuda::make_block_phases<cuda::ItemAccess::in_register>;
    return registration;
}

}  // namespace compaction
