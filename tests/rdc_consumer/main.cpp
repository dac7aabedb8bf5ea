#include <cstdint>
#include <cstdio>
#include <vector>

#include "compaction/compaction.hpp"

unsigned launches_of_chain(unsigned length);

int main() {
    const compaction::EngineStatus& status = compaction::status_of(compaction::EngineId::cuda);
    if (!status.available) {
        std::printf("linked, but not run: %s\n", status.reason.c_str());
        return 0;
    }
    const auto engine = compaction::open_engine(compaction::EngineId::cuda);
    const std::vector<compaction::Item> sparse{1, 0, 3, 0, 5, 0, 7};
    const std::size_t size_bytes = sparse.size() * sizeof(compaction::Item);
    const auto compactor = engine->make_compactor(compaction::find_algorithm("device_launch"), {});
    const compaction::Buffer in = engine->allocate(size_bytes);
    const compaction::Buffer out = engine->allocate(size_bytes);
    const compaction::Buffer num_selected = engine->allocate(sizeof(std::uint64_t));
    engine->upload(in.as<void>(), sparse.data(), size_bytes);
    compactor->reserve(sparse.size());
    compactor->enqueue(in.as<compaction::Item>(), sparse.size(), out.as<compaction::Item>(),
                       num_selected.as<std::uint64_t>(), compaction::keep_non_zero(), nullptr);
    engine->synchronise();
    std::uint64_t count = 0;
    engine->download(&count, num_selected.as<void>(), sizeof count);
    const unsigned launches = launches_of_chain(5);
    std::printf("kept %u of %zu items; %u launches\n", static_cast<unsigned>(count), sparse.size(), launches);
    return count == 4 && launches == 5 ? 0 : 1;
}
