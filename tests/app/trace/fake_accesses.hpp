#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "access_trace_writer.hpp"

namespace warpsieve::fake {

inline constexpr std::uint64_t num_elements = 300;

/// A trace of random accesses to two buffers, several of them in one step. The block runs on another
/// multiprocessor in the second of two launches.
inline std::shared_ptr<compaction::AccessTrace> random_accesses(unsigned seed, unsigned num_accesses) {
    auto trace = std::make_shared<compaction::AccessTrace>();
    trace->num_items = num_elements;
    trace->buffers = {{compaction::BufferRole::input,
                       "input",
                       num_elements,
                       4,
                       {},
                       std::vector<std::byte>(4 * num_elements)},
                      {compaction::BufferRole::counts,
                       "counts",
                       num_elements,
                       8,
                       {},
                       std::vector<std::byte>(8 * num_elements)}};
    trace->launches.resize(2);
    trace->launches[0].multiprocessors = {0};
    trace->launches[1].multiprocessors = {1};
    compaction::AccessWriter writer(*trace);
    std::mt19937 random(seed);
    const auto below = [&](std::uint64_t end) { return random() % end; };
    std::uint64_t step = 0;
    for (unsigned i = 0; i < num_accesses; ++i) {
        compaction::WarpAccess access;
        access.launch = access.multiprocessor = 2 * i / num_accesses;
        access.step = step += below(3) == 0 ? below(9) : 0;
        access.kind = static_cast<compaction::AccessKind>(below(3));
        access.buffer =
            access.kind == compaction::AccessKind::load ? static_cast<std::uint32_t>(below(2)) : 1;
        const std::uint64_t lanes = 1 + below(32);
        access.lane_mask = lanes == 32 ? ~0U : (1U << lanes) - 1;
        for (std::uint64_t lane = 0; lane < lanes; ++lane) access.elements.push_back(below(num_elements));
        if (stores(access.kind)) {
            access.values.resize(8 * lanes);
            for (std::byte& byte : access.values) byte = static_cast<std::byte>(below(256));
        }
        writer.add(access);
    }
    return trace;
}

}  // namespace warpsieve::fake
