# unite_cuda_sources(<target> <name> <file>...)
#
# Where scripts/build asks for unity builds, compiles these .cu files of the target as one: most of nvcc's time goes to the
# headers, which it reads four times. CMake before 3.31 unites C and C++ files only. Files of one group must not use the
# same local name twice.
include_guard(GLOBAL)

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
