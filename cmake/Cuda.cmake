# Decides whether the CUDA engine is built and sets COMPACTION_CUDA_ENABLED and, for messages, COMPACTION_CUDA_REASON.
#   -DCOMPACTION_CUDA=AUTO|ON|OFF     AUTO builds it where nvcc is found
#   -DCMAKE_CUDA_ARCHITECTURES=...    'native' needs a GPU while building, so the default is a list
set(COMPACTION_CUDA AUTO CACHE STRING "Build the CUDA engine: AUTO, ON or OFF")
set_property(CACHE COMPACTION_CUDA PROPERTY STRINGS AUTO ON OFF)
set(COMPACTION_CUDA_ENABLED OFF)
set(COMPACTION_CUDA_REASON "it was switched off with -DCOMPACTION_CUDA=OFF")

if(NOT COMPACTION_CUDA STREQUAL "OFF")
  include(CheckLanguage)
  if(NOT CMAKE_CUDA_COMPILER AND EXISTS /usr/local/cuda/bin/nvcc)
    set(CMAKE_CUDA_COMPILER /usr/local/cuda/bin/nvcc)
  endif()
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 75 90)
  endif()
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    # In projects that require CMake 3.25, that version's FindCUDAToolkit demands nvToolsExt, which CUDA 13 has not got.
    set(required_cmake ${CMAKE_MINIMUM_REQUIRED_VERSION})
    set(CMAKE_MINIMUM_REQUIRED_VERSION 3.24)
    find_package(CUDAToolkit REQUIRED)
    set(CMAKE_MINIMUM_REQUIRED_VERSION ${required_cmake})
    set(COMPACTION_CUDA_ENABLED ON)
    # CMake 3.25 does not know that nvcc 13 speaks C++20, so the standard is passed by hand.
    set(CMAKE_CUDA_STANDARD_REQUIRED OFF)
    add_compile_options($<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-std=c++20>)
  elseif(COMPACTION_CUDA STREQUAL "ON")
    message(FATAL_ERROR "COMPACTION_CUDA is ON but no CUDA compiler was found. Put nvcc on the PATH or set CUDACXX.")
  else()
    set(COMPACTION_CUDA_REASON "no CUDA toolkit (nvcc) was found when it was built")
  endif()
endif()
