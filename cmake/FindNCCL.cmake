# Finds NCCL with its device API (version 2.28 or later). Defines NCCL::NCCL, NCCL_FOUND, NCCL_VERSION, and where it was not
# found, NCCL_REASON: what is missing and what to do.
#   -DNCCL_ROOT=...    the folder with include/ and lib/
find_path(NCCL_INCLUDE_DIR nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS} /usr/local/cuda/include DOC "The folder with nccl.h")
find_library(NCCL_LIBRARY NAMES nccl libnccl.so.2 HINTS ${NCCL_INCLUDE_DIR}/.. /usr/local/cuda
  PATH_SUFFIXES lib lib64 DOC "NCCL's shared library")
mark_as_advanced(NCCL_INCLUDE_DIR NCCL_LIBRARY)

unset(NCCL_VERSION)
if(EXISTS "${NCCL_INCLUDE_DIR}/nccl.h")
  file(STRINGS ${NCCL_INCLUDE_DIR}/nccl.h nccl_numbers REGEX "^#define NCCL_(MAJOR|MINOR|PATCH) +[0-9]+")
  list(TRANSFORM nccl_numbers REPLACE "^.* +([0-9]+).*$" "\\1")
  list(JOIN nccl_numbers "." NCCL_VERSION)
endif()

set(NCCL_REASON)
if(NOT DEFINED NCCL_VERSION)
  set(NCCL_REASON "nccl.h was not found. Install NCCL 2.28 or later, or set NCCL_ROOT.")
elseif(NOT NCCL_LIBRARY)
  set(NCCL_REASON "libnccl was not found, but ${NCCL_INCLUDE_DIR}/nccl.h was. Set NCCL_ROOT.")
elseif(NCCL_VERSION VERSION_LESS 2.28 OR NOT EXISTS ${NCCL_INCLUDE_DIR}/nccl_device.h)
  set(NCCL_REASON "NCCL ${NCCL_VERSION} in ${NCCL_INCLUDE_DIR} has no device API. Install NCCL 2.28 or later, or set NCCL_ROOT.")
else()
  set(nccl_has_device_api TRUE)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(NCCL REQUIRED_VARS NCCL_LIBRARY NCCL_INCLUDE_DIR nccl_has_device_api VERSION_VAR NCCL_VERSION
  REASON_FAILURE_MESSAGE "${NCCL_REASON}")
unset(nccl_has_device_api)
if(NCCL_FOUND AND NOT TARGET NCCL::NCCL)
  add_library(NCCL::NCCL SHARED IMPORTED)
  set_target_properties(NCCL::NCCL PROPERTIES IMPORTED_LOCATION ${NCCL_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${NCCL_INCLUDE_DIR})
endif()
