#pragma once

/// Stream compaction: copies the kept items of an array to the front of another, in order.
///
///     auto engine = compaction::open_engine(compaction::EngineId::cpu);
///     auto compactor = engine->make_compactor(compaction::default_algorithm(engine->id()), {});
///     compactor->reserve(num_items);
///     compactor->enqueue(in, num_items, out, num_selected, compaction::keep_non_zero(), nullptr);

#include "compaction/algorithm.hpp"
#include "compaction/buffer.hpp"
#include "compaction/compactor.hpp"
#include "compaction/engine.hpp"
#include "compaction/error.hpp"
#include "compaction/item.hpp"
#include "compaction/options.hpp"
#include "compaction/partition.hpp"
#include "compaction/predicate.hpp"
#include "compaction/timing.hpp"
#include "compaction/traffic.hpp"
#include "compaction/verifier.hpp"
#include "compaction/working_buffer.hpp"
