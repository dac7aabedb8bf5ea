#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "cuda/engine.hpp"
#include "cuda/support/stamps.hpp"
#include "registration.hpp"

namespace compaction::cuda {

/// A scan as a separately measured step. Scan has `with_defaults`, a constructor from options, `reserve`,
/// `enqueue` and `moved_bytes`, like the classes of scanners.cuh.
template <typename Scan>
class ScanStep final : public Compactor {
  public:
    ScanStep(Engine& engine, const Options& requested, ItemSize)
        : engine_(static_cast<CudaEngine&>(engine)),
          options_(Scan::with_defaults(requested)),
          scan_(options_) {}

    Options resolved_options(std::uint64_t) const override { return options_; }

    void do_reserve(std::uint64_t max_items) override { scan_.reserve(max_items); }

    void do_enqueue(const void* in, std::uint64_t num_items, void* out, std::uint64_t*, Predicate,
                    PhaseRecorder* recorder) override {
        const TimedPhase phase{recorder};
        scan_.enqueue(static_cast<const Item*>(in), num_items, static_cast<Item*>(out), engine_.stream(),
                      phase.stamps());
    }

  private:
    CudaEngine& engine_;
    Options options_;
    Scan scan_;
};

/// The registration of a ScanStep without its publication and options, which the caller adds.
template <typename Scan>
Registration scan_step_registration(std::string meaning_of_phase) {
    Registration registration;
    registration.algorithm.operation = Operation::scan;
    registration.algorithm.item_sizes = {ItemSize::bytes_4};
    registration.algorithm.phases = {
        {PhaseRole::prefix, "scan", std::move(meaning_of_phase), Scan::moved_bytes}};
    registration.make = make_with_item_size<ScanStep<Scan>>;
    return registration;
}

}  // namespace compaction::cuda
