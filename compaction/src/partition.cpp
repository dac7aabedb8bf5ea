#include "compaction/partition.hpp"

#include "compaction/compactor.hpp"

namespace compaction {

std::string_view name_of(PartKind kind) {
    switch (kind) {
        case PartKind::sequence:
            return "sequence";
        case PartKind::block:
            return "block";
        case PartKind::tile:
            return "tile";
        case PartKind::chunk:
            return "chunk";
    }
    return {};
}

Partition Compactor::partition(std::uint64_t num_items) const {
    return unknown_partition(num_items, "How it cuts the stream is not described.");
}

}  // namespace compaction
