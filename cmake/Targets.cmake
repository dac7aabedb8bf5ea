# How the targets of the project are built: warnings, precompiled headers, united CUDA files, and what is left to scripts/check.
include_guard(GLOBAL)

# The warnings of every target of the project. A project around this one chooses its own.
add_library(project_warnings INTERFACE)
if(PROJECT_IS_TOP_LEVEL)
  target_compile_options(project_warnings INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor>
    # In a unity build, local names shadow those of other files, and g++ treats types of anonymous namespaces as if a header
    # declared them.
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>:-Wno-shadow>
    $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>:-Wno-subobject-linkage>
    $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Xcompiler=-Wall,-Wextra>)
endif()
if(WARPSIEVE_WERROR)
  target_compile_options(project_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()

# precompile_headers(<target> [TESTS])
#
# Compiles the target's C++ files with the standard library's headers precompiled, and with GoogleTest's for TESTS. Each of the
# two sets is compiled once, so the targets must have the same options. A file still has to include what it uses:
# scripts/tidy reads it without precompiled headers.
# The headers of JSON, CLI11 and Dear ImGui are not among them: few files include them, and every file would load them.
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

# unite_cuda_sources(<target> <name> <file>...)
#
# Where scripts/build asks for unity builds, compiles these .cu files of the target as one: most of nvcc's time goes to the
# headers, which it reads four times. CMake before 3.31 unites C and C++ files only. Files of one group must not use the
# same local name twice.
function(unite_cuda_sources target name)
  list(LENGTH ARGN count)
  if(count LESS 2 OR NOT "$CACHE{CMAKE_UNITY_BUILD}")
    return()
  endif()
  set(text "")
  foreach(file IN LISTS ARGN)
    string(APPEND text "#include \"${CMAKE_CURRENT_SOURCE_DIR}/${file}\"\n")
  endforeach()
  set(united ${CMAKE_CURRENT_BINARY_DIR}/${target}_${name}.cu)
  file(CONFIGURE OUTPUT ${united} CONTENT "${text}" @ONLY)
  set_source_files_properties(${ARGN} PROPERTIES HEADER_FILE_ONLY ON)
  set_source_files_properties(${united} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  target_sources(${target} PRIVATE ${united})
endfunction()

# The target `checks` builds what scripts/check needs and scripts/test does not: tests that take long, programs for
# inspection, and, on machines without a GPU, programs that need one.
add_custom_target(checks)

# leave_to_checks(<target>...): `checks` builds these targets, `all` does not.
function(leave_to_checks)
  set_target_properties(${ARGN} PROPERTIES EXCLUDE_FROM_ALL ON)
  add_dependencies(checks ${ARGN})
endfunction()

# compile_only(<target>): nvcc compiles the target without optimising, and without assembling its device code, which does not
# run on this machine.
function(compile_only target)
  set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES 90-virtual)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:--Ofast-compile=max -Xcompiler=-O0>)
endfunction()
