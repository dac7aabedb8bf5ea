# Run by ctest: installs the library of BUILD_DIR under WORK_DIR, builds and runs CONSUMER_DIR against it and, if there is
# a CUDA_COMPILER, builds CUDA_CONSUMER_DIR, as if oneTBB and Highway were not there, and builds and runs RDC_CONSUMER_DIR.
# Installs the headers of SOURCE_DIR alone, without a compiler, and builds an example of a copied folder against them.
# Each installation has its licence, and the notices of what is compiled into it.
include(${CMAKE_CURRENT_LIST_DIR}/run_step.cmake)

file(REMOVE_RECURSE ${WORK_DIR})
run_step(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/prefix)
# Nothing may be compiled: there is no such compiler.
run_step(${CMAKE_COMMAND} -E env CC=none CXX=none CUDACXX=none ${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE_DIR}
  -B ${WORK_DIR}/headers -DWARPSIEVE_HEADERS_ONLY=ON)
run_step(${CMAKE_COMMAND} --install ${WORK_DIR}/headers --prefix ${WORK_DIR}/headers_prefix)
# Over the library, too, which must stay usable.
run_step(${CMAKE_COMMAND} --install ${WORK_DIR}/headers --prefix ${WORK_DIR}/prefix)
run_step(${CMAKE_COMMAND} -G ${GENERATOR} -S ${CONSUMER_DIR} -B ${WORK_DIR}/build
  -DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_CXX_FLAGS=${CXX_FLAGS})
run_step(${CMAKE_COMMAND} --build ${WORK_DIR}/build)
run_step(${WORK_DIR}/build/consumer)
# A library of another version than the headers is refused.
set(library ${WORK_DIR}/prefix/${LIBRARY_FOLDER}/cmake/compaction/compaction_library.cmake)
file(READ ${library} text)
file(WRITE ${library} "set(compaction_library_version 0.1.9)\n")
execute_process(COMMAND ${CMAKE_COMMAND} -G ${GENERATOR} -S ${CONSUMER_DIR} -B ${WORK_DIR}/other_version
  -DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix -DCMAKE_CXX_COMPILER=${CXX_COMPILER} ERROR_VARIABLE refusal OUTPUT_QUIET)
file(WRITE ${library} "${text}")
if(NOT refusal MATCHES "library of[ \n]+0.1.9")
  message(FATAL_ERROR "A library of another version was not refused: ${refusal}")
endif()

if(EXISTS ${WORK_DIR}/prefix/share/doc/warpsieve AND NOT EXISTS ${WORK_DIR}/prefix/bin/warpsieve)
  message(FATAL_ERROR "A build without the program installs documents of the program.")
endif()
foreach(package IN ITEMS prefix/share/doc/libcompaction-dev prefix/share/doc/libcompaction-headers
    headers_prefix/share/doc/libcompaction-headers)
  run_step(${CMAKE_COMMAND} -E compare_files ${SOURCE_DIR}/LICENSE ${WORK_DIR}/${package}/copyright)
endforeach()
foreach(package IN ITEMS libcompaction-dev warpsieve)
  set(file ${WORK_DIR}/prefix/share/doc/${package}/third_party_notices)
  set(parts libhwy-dev)
  if(HAS_SIMULATED_GPU)
    list(APPEND parts "Boost.Context[^=]*Boost Software License")
  endif()
  if(CUDA_COMPILER)
    list(APPEND parts "CUB[^=]*NVIDIA" "Thrust[^=]*NVIDIA" "libcu" "NVTX[^=]*NVIDIA" "CUDA runtime")
  endif()
  if(package STREQUAL "warpsieve")
    if(NOT EXISTS ${WORK_DIR}/prefix/bin/warpsieve)
      continue()
    endif()
    if(BACKTRACE_INCLUDE_DIR)
      list(APPEND parts "libbacktrace[^=]*Ian Lance Taylor")
    endif()
  endif()
  file(READ ${file} notices)
  foreach(part IN LISTS parts)
    if(NOT notices MATCHES "==== ${part}")
      message(FATAL_ERROR "${file} does not state: ${part}")
    endif()
  endforeach()
endforeach()

if(CUDA_COMPILER)
  file(COPY ${SOURCE_DIR}/examples DESTINATION ${WORK_DIR})
  run_step(${CMAKE_COMMAND} -G ${GENERATOR} -S ${WORK_DIR}/examples -B ${WORK_DIR}/examples_build
    -DCMAKE_PREFIX_PATH=${WORK_DIR}/headers_prefix -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_CUDA_COMPILER=${CUDA_COMPILER})
  run_step(${CMAKE_COMMAND} --build ${WORK_DIR}/examples_build --target select_if_example)
  run_step(${CMAKE_COMMAND} -G ${GENERATOR} -S ${CUDA_CONSUMER_DIR} -B ${WORK_DIR}/cuda_build
    -DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_CUDA_COMPILER=${CUDA_COMPILER}
    -DCMAKE_DISABLE_FIND_PACKAGE_TBB=ON -DCMAKE_DISABLE_FIND_PACKAGE_hwy=ON)
  run_step(${CMAKE_COMMAND} --build ${WORK_DIR}/cuda_build)
  run_step(${CMAKE_COMMAND} -G ${GENERATOR} -S ${RDC_CONSUMER_DIR} -B ${WORK_DIR}/rdc_build
    -DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_CUDA_COMPILER=${CUDA_COMPILER})
  run_step(${CMAKE_COMMAND} --build ${WORK_DIR}/rdc_build)
  run_step(${WORK_DIR}/rdc_build/rdc_consumer)
endif()
