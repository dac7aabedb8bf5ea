# The target `checks` builds what scripts/check needs and scripts/test does not: tests that take long, programs for
# inspection, and, on machines without a GPU, programs that need one.
include_guard(GLOBAL)
add_custom_target(checks)

# leave_to_checks(<target>...): `checks` builds these targets, `all` does not.
function(leave_to_checks)
  set_target_properties(${ARGN} PROPERTIES EXCLUDE_FROM_ALL ON)
  add_dependencies(checks ${ARGN})
endfunction()
