#pragma once

#include "compaction/engine.hpp"
#include "experiments/published/plan.hpp"

/// Two CPU algorithms at three lengths, and their ratio; small enough to know every answer.
inline constexpr const char* two_algorithms = R"({
  "format": "warpsieve-published-1",
  "document": {"id": "fake", "label": "Part 9", "title": "Made <up>", "author": null, "date": null,
    "questions": [
      {"kind": "order", "tables": ["lengths"], "ask": "Which is faster?", "published": "The loop.", "reason": "Luck."},
      {"kind": "ratio", "tables": ["ratio"], "ask": "Is it constant?", "published": "It is."}]},
  "tables": [
    {"id": "lengths", "title": "Times", "section": "One", "form": "table", "card": "A card", "method": "once",
     "setting": {"pattern": "random", "keep_fraction": 0.5}, "ranks": "columns",
     "columns": [
       {"name": "Loop", "unit": "us", "quantity": "total", "setting": {"algorithm": "cpu_loop"}},
       {"name": "Scan", "unit": "ms", "quantity": "total", "setting": {"algorithm": "cpu_scan_scatter"}}],
     "rows": [
       {"name": "2^10", "values": ["10", "0.02"], "setting": {"num_items": "2^10"}},
       {"name": "2^11", "values": ["8,57.9", null], "setting": {"num_items": "2^11"}},
       {"name": "2^12", "values": ["40", "0.08"], "setting": {"num_items": "2^12"}}]},
    {"id": "ratio", "title": "Ratio", "section": "Two", "form": "table", "card": "A card", "method": "divided",
     "ratio": {"of": "cpu_scan_scatter", "to": "cpu_loop", "table": "lengths"},
     "columns": [{"name": "Mean", "unit": "1", "quantity": "ratio_mean"},
                 {"name": "SD", "unit": "1", "quantity": "ratio_sd"}],
     "rows": [{"name": "Card A", "values": ["2.0", "0.4"]}, {"name": "Card B", "values": ["1.0", "0.1"]},
              {"name": "All data", "values": ["1.5", "0.75"]}]}
  ]
})";

inline published::Limits cpu_only() {
    return {.engines = {compaction::EngineId::cpu}};
}
