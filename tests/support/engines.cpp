#include "tests/support/engines.hpp"

#include <algorithm>

namespace compaction {

void PrintTo(EngineId engine, std::ostream* os) {
    *os << id_of(engine);
}

}  // namespace compaction

namespace testing_support {

std::string test_name(const testing::TestParamInfo<std::string_view>& info) {
    return std::string(info.param);
}

std::string engine_test_name(const testing::TestParamInfo<compaction::EngineId>& info) {
    return std::string(compaction::id_of(info.param));
}

std::vector<std::string_view> algorithm_ids() {
    std::vector<std::string_view> ids;
    for (const compaction::Algorithm& algorithm : compaction::catalogue()) ids.push_back(algorithm.id);
    return ids;
}

std::vector<compaction::EngineId> engine_ids() {
    std::vector<compaction::EngineId> ids;
    for (const compaction::EngineStatus& status : compaction::engine_statuses()) ids.push_back(status.id);
    return ids;
}

void OnEveryEngine::SetUp() {
    const compaction::EngineStatus& status = compaction::status_of(GetParam());
    if (!status.available) GTEST_SKIP() << status.reason;
    engine_ = compaction::open_engine(GetParam());
}

}  // namespace testing_support
