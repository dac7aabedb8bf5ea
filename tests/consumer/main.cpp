#include <cstdint>
#include <cstdio>
#include <vector>

#include "compaction/compaction.hpp"

int main() {
    const std::vector<compaction::Item> sparse{1, 0, 3, 0, 5, 0, 7};
    const std::size_t size_bytes = sparse.size() * sizeof(compaction::Item);

    const auto engine = compaction::open_engine(compaction::EngineId::cpu);
    const auto compactor = engine->make_compactor(compaction::default_algorithm(engine->id()), {});
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
    std::vector<compaction::Item> dense(count);
    engine->download(dense.data(), out.as<void>(), count * sizeof(compaction::Item));
    std::printf("%zu of %zu items kept on %s\n", dense.size(), sparse.size(), engine->device().name.c_str());
    return dense == std::vector<compaction::Item>{1, 3, 5, 7} ? 0 : 1;
}
