#include "compaction/partition.hpp"

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

}  // namespace compaction
