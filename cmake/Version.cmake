# Writes version.hpp with the project's version and the commit it was built from, at every build; touches it only if it changed.
include(${CMAKE_CURRENT_LIST_DIR}/Git.cmake)
if(CMAKE_SCRIPT_MODE_FILE)
  ask_git(commit ${SOURCE_DIR} describe --always --dirty --abbrev=8 --exclude=*)
  if(NOT commit)
    set(commit "unknown")
  endif()
  file(CONFIGURE OUTPUT ${OUTPUT} CONTENT [[#pragma once

namespace warpsieve {

inline constexpr const char* version = "@VERSION@";
inline constexpr const char* commit = "@commit@";

}  // namespace warpsieve
]] @ONLY)
  return()
endif()

set(version_header ${CMAKE_CURRENT_BINARY_DIR}/generated/app/version.hpp)
add_custom_target(version_header BYPRODUCTS ${version_header} COMMENT "Writing version.hpp"
  COMMAND ${CMAKE_COMMAND} -DSOURCE_DIR=${PROJECT_SOURCE_DIR} -DOUTPUT=${version_header}
          -DVERSION=${PROJECT_VERSION}${WARPSIEVE_VERSION_SUFFIX} -P ${CMAKE_CURRENT_LIST_FILE})
add_library(warpsieve_version INTERFACE)
target_include_directories(warpsieve_version INTERFACE ${CMAKE_CURRENT_BINARY_DIR}/generated)
add_dependencies(warpsieve_version version_header)
