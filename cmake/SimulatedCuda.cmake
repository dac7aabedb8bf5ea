# Runs CUDA files on the simulated GPU.
#
# add_simulated_cuda_executable(<name> <file>...)
#   Builds a program from C++ files and ordinary CUDA files, with <<<>>> and __shared__. Its kernels run on the simulated GPU,
#   with checks. Needs Python 3, but not CUDA.
function(add_simulated_cuda_executable name)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  get_filename_component(root ${CMAKE_CURRENT_FUNCTION_LIST_DIR} DIRECTORY)
  set(toolkit ${root}/compaction/simulated/toolkit)
  set(sources)
  foreach(file IN LISTS ARGN)
    if(NOT file MATCHES "\\.cu$")
      list(APPEND sources ${file})
      continue()
    endif()
    get_filename_component(from ${file} ABSOLUTE)
    get_filename_component(file_name ${file} NAME)
    set(to ${CMAKE_CURRENT_BINARY_DIR}/${name}_cuda/${file_name})
    add_custom_command(OUTPUT ${to}.cpp DEPFILE ${to}.d
      COMMAND Python3::Interpreter ${toolkit}/translate.py ${from} ${to}.cpp
      DEPENDS ${from} ${toolkit}/translate.py VERBATIM)
    get_filename_component(folder ${from} DIRECTORY)
    # Release builds keep the assert() of kernels.
    set_source_files_properties(${to}.cpp PROPERTIES INCLUDE_DIRECTORIES ${folder} COMPILE_OPTIONS -UNDEBUG)
    list(APPEND sources ${to}.cpp)
  endforeach()
  add_executable(${name} ${sources})
  target_include_directories(${name} BEFORE PRIVATE ${toolkit} ${root}/compaction/simulated/shims ${root}
    ${root}/compaction)
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_compile_options(${name} PRIVATE -fno-strict-aliasing -fsanitize=alignment)
  target_link_libraries(${name} PRIVATE compaction compaction_simulated_checks)
  # The checks need line numbers of single files.
  set_target_properties(${name} PROPERTIES UNITY_BUILD OFF)
endfunction()
