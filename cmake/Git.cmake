# The commit and the date of the sources.

# What git says of the sources; empty outside of a checkout, also where the folder around the sources is one.
function(ask_git result source_dir)
  cmake_path(GET source_dir PARENT_PATH parent)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env GIT_CEILING_DIRECTORIES=${parent} git -C ${source_dir} ${ARGN}
    OUTPUT_VARIABLE answer OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  set(${result} "${answer}" PARENT_SCOPE)
endfunction()

# The date of the commit, so that two builds of one commit are equal. SOURCE_DATE_EPOCH sets another; outside of a checkout,
# it is today's. `git_format` and `format` describe the same form.
function(date_of_sources result git_format format)
  set(date "")
  if(NOT DEFINED ENV{SOURCE_DATE_EPOCH})
    ask_git(date ${PROJECT_SOURCE_DIR} log -1 --format=${git_format})
  endif()
  if(NOT date)
    string(TIMESTAMP date "${format}" UTC)
  endif()
  set(${result} "${date}" PARENT_SCOPE)
endfunction()
