# Run by ctest: configures, builds and runs CONSUMER_DIR, a project that has SOURCE_DIR as a subproject, by add_subdirectory and
# by FetchContent, without a network.
foreach(by_fetch_content IN ITEMS OFF ON)
  set(build ${WORK_DIR}/fetch_content_${by_fetch_content})
  file(REMOVE_RECURSE ${build})
  foreach(step IN ITEMS
      "${CMAKE_COMMAND};-G;${GENERATOR};-S;${CONSUMER_DIR};-B;${build};-DCMAKE_CXX_COMPILER=${CXX_COMPILER};-DCMAKE_CUDA_COMPILER=${CUDA_COMPILER};-DBY_FETCH_CONTENT=${by_fetch_content};-DWARPSIEVE_DIR=${SOURCE_DIR}"
      "${CMAKE_COMMAND};--build;${build}"
      "${build}/plan")
    execute_process(COMMAND ${step} RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
      list(JOIN step " " command)
      message(FATAL_ERROR "This step of the test failed (${result}): ${command}")
    endif()
  endforeach()
endforeach()
