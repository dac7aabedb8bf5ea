# run_step(<command> [<argument>...]): runs a step of a test, and ends the test with the command if the step fails.
function(run_step)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "This step of the test failed (${result}): ${command}")
  endif()
endfunction()
