#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "compaction/engine.hpp"

namespace compaction {

/// How GoogleTest prints an engine.
void PrintTo(EngineId engine, std::ostream* os);

}  // namespace compaction

namespace testing_support {

/// Names a parametrised test after its algorithm or engine.
std::string test_name(const testing::TestParamInfo<std::string_view>& info);
std::string engine_test_name(const testing::TestParamInfo<compaction::EngineId>& info);

std::vector<std::string_view> algorithm_ids();
std::vector<compaction::EngineId> engine_ids();

/// A test that runs on every engine: opens it, or skips with the reason why it is unavailable.
class OnEveryEngine : public testing::TestWithParam<compaction::EngineId> {
  protected:
    void SetUp() override;

    /// Engine memory that holds a copy of `values`.
    template <typename T>
    compaction::Buffer uploaded(const std::vector<T>& values) {
        compaction::Buffer buffer = engine_->allocate(std::max<std::size_t>(1, values.size() * sizeof(T)));
        engine_->upload(buffer.as<void>(), values.data(), values.size() * sizeof(T));
        return buffer;
    }

    std::unique_ptr<compaction::Engine> engine_;
};

}  // namespace testing_support
