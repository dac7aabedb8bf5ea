# Joins source files: a line "==== <path>" comes before each of them. Arguments: ROOT, PATHS (relative to ROOT), OUTPUT.
set(all "")
foreach(path IN LISTS PATHS)
  file(READ "${ROOT}/${path}" text)
  string(APPEND all "==== ${path}\n${text}")
endforeach()
file(WRITE "${OUTPUT}" "${all}")
