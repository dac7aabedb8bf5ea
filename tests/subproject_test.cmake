# Run by ctest: configures, builds and runs CONSUMER_DIR, a project that has SOURCE_DIR as a subproject, by add_subdirectory and
# by FetchContent, without a network.
include(${CMAKE_CURRENT_LIST_DIR}/run_step.cmake)

foreach(by_fetch_content IN ITEMS OFF ON)
  set(build ${WORK_DIR}/fetch_content_${by_fetch_content})
  file(REMOVE_RECURSE ${build})
  run_step(${CMAKE_COMMAND} -G ${GENERATOR} -S ${CONSUMER_DIR} -B ${build}
    -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_CUDA_COMPILER=${CUDA_COMPILER}
    -DBY_FETCH_CONTENT=${by_fetch_content} -DWARPSIEVE_DIR=${SOURCE_DIR})
  run_step(${CMAKE_COMMAND} --build ${build})
  run_step(${build}/plan)
endforeach()
