#pragma once

#include <cstdint>

namespace compaction::simulated {

/// Random numbers that depend on the seed alone.
/// Source: Steele, Lea and Flood 2014, "Fast Splittable Pseudorandom Number Generators" (SplitMix64).
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
        z = (z ^ z >> 27) * 0x94d049bb133111ebU;
        return z ^ z >> 31;
    }
    /// A number below `limit`, which is at least 1.
    unsigned below(unsigned limit) { return static_cast<unsigned>((next() >> 32) * limit >> 32); }

  private:
    std::uint64_t state_;
};

}  // namespace compaction::simulated
