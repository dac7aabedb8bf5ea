# precompile_headers(<target> [TESTS])
#
# Compiles the target's C++ files with the standard library's headers precompiled, and with GoogleTest's for TESTS. Each of the
# two sets is compiled once, so the targets must have the same options. A file still has to include what it uses:
# scripts/tidy reads it without precompiled headers.
# The headers of JSON, CLI11 and Dear ImGui are not among them: few files include them, and every file would load them.
include_guard(GLOBAL)

set(standard_headers <algorithm> <array> <chrono> <cmath> <cstdint> <filesystem> <functional> <map> <memory> <mutex>
  <optional> <span> <string> <string_view> <thread> <utility> <vector>)

function(precompile_headers target)
  cmake_parse_arguments(PARSE_ARGV 1 headers "TESTS" "" "")
  set(precompiled precompiled_standard_library)
  if(headers_TESTS)
    set(precompiled precompiled_tests)
  endif()
  if(NOT TARGET ${precompiled})
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${precompiled}.cpp CONTENT "")
    add_library(${precompiled} OBJECT ${PROJECT_BINARY_DIR}/${precompiled}.cpp)
    target_link_libraries(${precompiled} PRIVATE project_warnings)
    if(headers_TESTS)
      target_link_libraries(${precompiled} PRIVATE GTest::gtest)
      list(APPEND standard_headers <gtest/gtest.h>)
    endif()
    target_precompile_headers(${precompiled} PRIVATE ${standard_headers})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${precompiled})
endfunction()
