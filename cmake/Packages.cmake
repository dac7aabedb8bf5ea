# cpack makes the archive and three Debian packages: the program, the static library, and the headers with the CMake package.
#   cmake --build build && (cd build && cpack)
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/Git.cmake)

# Files for desktops and shells. The man page and the completions come from the program's own --help.
function(install_desktop_files)
  set(described ${CMAKE_CURRENT_BINARY_DIR}/described)
  set(pages warpsieve.1.gz warpsieve.bash _warpsieve)
  list(TRANSFORM pages PREPEND ${described}/)
  add_custom_command(OUTPUT ${pages}
    COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/packaging/describe_program.py $<TARGET_FILE:warpsieve> ${described}
    COMMAND gzip --force --no-name --best ${described}/warpsieve.1
    DEPENDS warpsieve ${PROJECT_SOURCE_DIR}/packaging/describe_program.py
    COMMENT "Writing the man page and the completions" VERBATIM)
  add_custom_target(described_program ALL DEPENDS ${pages})

  date_of_sources(WARPSIEVE_RELEASE_DATE %cs %Y-%m-%d)
  configure_file(${PROJECT_SOURCE_DIR}/packaging/org.warpsieve.Warpsieve.metainfo.xml.in
    ${described}/org.warpsieve.Warpsieve.metainfo.xml @ONLY)

  foreach(file_and_place IN ITEMS
      "${described}/warpsieve.1.gz ${CMAKE_INSTALL_MANDIR}/man1"
      "${described}/_warpsieve ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions"
      "${described}/org.warpsieve.Warpsieve.metainfo.xml ${CMAKE_INSTALL_DATADIR}/metainfo"
      "${PROJECT_SOURCE_DIR}/packaging/warpsieve.desktop ${CMAKE_INSTALL_DATADIR}/applications"
      "${PROJECT_SOURCE_DIR}/packaging/warpsieve.svg ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps")
    separate_arguments(file_and_place)
    list(GET file_and_place 0 file)
    list(GET file_and_place 1 place)
    install(FILES ${file} DESTINATION ${place} COMPONENT warpsieve)
  endforeach()
  install(FILES ${described}/warpsieve.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    RENAME warpsieve COMPONENT warpsieve)
  file(CONFIGURE OUTPUT ${described}/lintian_overrides CONTENT "# The kernel view finds the source of a step by the line tables of the program.
warpsieve: unstripped-binary-or-object [usr/bin/warpsieve]
")
  install(FILES ${described}/lintian_overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides RENAME warpsieve
    COMPONENT warpsieve)
endfunction()

# install_third_party_notices(<package> <component> <Debian package>...)
#
# The licences of what is linked into a package, compiled into it or embedded in it: as Debian's packages state them; of Boost
# and of parts of the compiler and the CUDA toolkit, as their headers begin.
function(install_third_party_notices package component)
  set(missing "Its licence was not on the machine that built this package.\n\n")
  set(text)
  foreach(part IN LISTS ARGN)
    set(licence ${missing})
    if(EXISTS /usr/share/doc/${part}/copyright)
      file(READ /usr/share/doc/${part}/copyright licence)
    endif()
    string(APPEND text "==== ${part}\n\n${licence}\n")
  endforeach()
  set(headers)
  if(WARPSIEVE_BACKTRACE_INCLUDE_DIR AND component STREQUAL "warpsieve")
    list(APPEND headers "libbacktrace of GCC (BSD-3-Clause)|backtrace.h")
  endif()
  if(TARGET compaction_simulated)
    list(APPEND headers "Boost.Context (BSL-1.0)|boost/context/detail/fcontext.hpp")
  endif()
  if(COMPACTION_CCCL_INCLUDE_DIR OR COMPACTION_CUDA_ENABLED)
    list(APPEND headers "CUB of CCCL (BSD-3-Clause)|cub/agent/agent_select_if.cuh"
      "Thrust of CCCL (Apache-2.0)|thrust/system/tbb/execution_policy.h"
      "libcu++ of CCCL (Apache-2.0 WITH LLVM-exception)|cuda/std/functional")
  endif()
  if(COMPACTION_CUDA_ENABLED)
    list(APPEND headers "NVTX (Apache-2.0 WITH LLVM-exception)|nvtx3/nvtxDetail/nvtxInit.h")
  endif()
  foreach(name_and_header IN LISTS headers)
    string(REPLACE "|" ";" name_and_header ${name_and_header})
    list(GET name_and_header 0 name)
    list(GET name_and_header 1 header)
    set(licence ${missing})
    find_file(file ${header} HINTS ${WARPSIEVE_BACKTRACE_INCLUDE_DIR} ${COMPACTION_CCCL_INCLUDE_DIR} ${CUDAToolkit_INCLUDE_DIRS}
      PATH_SUFFIXES cccl NO_CACHE)
    if(file)
      file(READ ${file} licence LIMIT 8192)
      string(REGEX MATCH "^[^#]*" licence "${licence}")
    endif()
    unset(file)
    string(APPEND text "==== ${name}\n\n${licence}")
  endforeach()
  if(COMPACTION_CUDA_ENABLED)
    string(APPEND text "==== CUDA runtime (End User License Agreement of the NVIDIA CUDA Toolkit)\n\n"
      "https://docs.nvidia.com/cuda/eula/index.html\n")
  endif()
  set(notices ${CMAKE_CURRENT_BINARY_DIR}/${package}_third_party_notices)
  file(CONFIGURE OUTPUT ${notices} CONTENT "${text}" @ONLY)
  install(FILES ${notices} DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} RENAME third_party_notices COMPONENT ${component})
endfunction()

if(WARPSIEVE_APP)
  install_third_party_notices(warpsieve warpsieve fonts-inter fonts-jetbrains-mono libcli11-dev libhwy-dev
    libimgui-dev libstb-dev libtbb-dev nlohmann-json3-dev python3-glad)
  find_package(Python3 3.11 REQUIRED COMPONENTS Interpreter)
  install_desktop_files()
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/warpsieve RENAME copyright COMPONENT warpsieve)
endif()
install_third_party_notices(libcompaction-dev library libhwy-dev libtbb-dev)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libcompaction-dev RENAME copyright COMPONENT library)

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION}${WARPSIEVE_VERSION_SUFFIX})
# Debian sorts 0.2.0~dev before 0.2.0.
string(REPLACE "-" "~" CPACK_DEBIAN_PACKAGE_VERSION ${CPACK_PACKAGE_VERSION})

# Debian's policy asks for a changelog in each package.
date_of_sources(commit_date %cD "%a, %d %b %Y %H:%M:%S +0000")
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/changelog CONTENT "warpsieve (${CPACK_DEBIAN_PACKAGE_VERSION}) unstable; urgency=medium

  * CHANGELOG.md of the sources lists the changes.

 -- The Warpsieve authors <warpsieve@users.noreply.github.com>  ${commit_date}
")
execute_process(COMMAND gzip --force --no-name --best ${CMAKE_CURRENT_BINARY_DIR}/changelog COMMAND_ERROR_IS_FATAL ANY)
set(CPACK_COMPONENTS_ALL library headers)
if(WARPSIEVE_APP)
  list(APPEND CPACK_COMPONENTS_ALL warpsieve)
endif()
set(package_of_library libcompaction-dev)
set(package_of_headers libcompaction-headers)
set(package_of_warpsieve warpsieve)
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/changelog.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package_of_${component}}
    COMPONENT ${component})
endforeach()
set(CPACK_SYSTEM_NAME ${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PACKAGE_VENDOR "The Warpsieve authors")
set(CPACK_PACKAGE_CONTACT "The Warpsieve authors <warpsieve@users.noreply.github.com>")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
# The kernel view finds the source by the line tables of the program.
set(CPACK_STRIP_FILES OFF)

set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_WARPSIEVE_PACKAGE_NAME warpsieve)
set(CPACK_DEBIAN_WARPSIEVE_PACKAGE_SECTION devel)
# OpenGL and EGL are loaded by name, which dpkg-shlibdeps does not see.
set(CPACK_DEBIAN_WARPSIEVE_PACKAGE_DEPENDS "libegl1, libgl1")
set(CPACK_DEBIAN_WARPSIEVE_PACKAGE_RECOMMENDS "libgl1-mesa-dri")
set(CPACK_DEBIAN_WARPSIEVE_DESCRIPTION "watch stream compaction at work, and measure it
Warpsieve compacts a buffer of particles in every frame, on the GPU with CUDA
or on the CPU with SIMD, and shows how long each phase takes.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libcompaction-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
set(depends "libcompaction-headers (= ${CPACK_DEBIAN_PACKAGE_VERSION})" libtbb-dev libhwy-dev ${boost})
list(JOIN depends ", " CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS)
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "stream compaction on GPUs and CPUs (static library)
The engines and algorithms of Warpsieve without its window.")
set(CPACK_DEBIAN_HEADERS_PACKAGE_NAME libcompaction-headers)
set(CPACK_DEBIAN_HEADERS_PACKAGE_SECTION libdevel)
# NVIDIA's packages. The distributions' own nvidia-cuda-toolkit is older.
set(CPACK_DEBIAN_HEADERS_PACKAGE_SUGGESTS "cuda-toolkit-13-0 | cuda-toolkit")
if(COMPACTION_CUDA_ENABLED)
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_SUGGESTS ${CPACK_DEBIAN_HEADERS_PACKAGE_SUGGESTS})
endif()
set(CPACK_DEBIAN_HEADERS_DESCRIPTION "stream compaction on GPUs and CPUs (headers)
The public headers and the CMake package. CUDA programs that call
compaction::cuda_select need nothing else.")
include(CPack)
