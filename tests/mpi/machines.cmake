# The conformance suite on simulated machines: which machine runs the programs with how many ranks.

set(windowed --machine sharc-ring --discipline windowed)
set(stop_and_wait --machine sharc-ring --discipline stop-and-wait)

# Programs whose traffic between 64 ranks takes long; `make test-long` runs them as well.
set(long_at_64 coll/in_place coll/roots coll/sizes comm/dup_free p2p/flood_small p2p/isend_all_to_all topo/neighbor)

# And those of which 32 ranks are too many already.
set(long_from_32 coll/forms)

function(mpico_machine_test name target ranks environment words)
  add_test(NAME ${name} COMMAND $<TARGET_FILE:mpiexec> ${ARGN} -n ${ranks} $<TARGET_FILE:${target}> ${words})
  set_tests_properties(${name} PROPERTIES TIMEOUT 120 SKIP_RETURN_CODE 77 LABELS machine)
  if(environment)
    set_tests_properties(${name} PROPERTIES ENVIRONMENT "${environment}")
  endif()
endfunction()

# One program at all numbers of ranks of one variant. `only`: the ranks that the program is written for; empty: any.
# `environment` is "none" or a setting.
function(mpico_machine_row program suffix target only words variant ranks environment)
  string(REPLACE "," ";" ranks ${ranks})
  string(REGEX REPLACE "^none$" "" environment ${environment})
  foreach(n IN LISTS ranks)
    if(only AND NOT n IN_LIST only)
      continue()
    endif()
    set(name mpi/${program}${suffix}/n${n}/${variant})
    mpico_machine_test(${name} ${target} ${n} "${environment}" "${words}" ${ARGN})
    if((n EQUAL 64 AND program IN_LIST long_at_64) OR (n GREATER 16 AND program IN_LIST long_from_32))
      set_tests_properties(${name} PROPERTIES LABELS "machine;long" TIMEOUT 300)
    endif()
  endforeach()
endfunction()

# All variants of one program. `algorithms` as in CMakeLists.txt.
function(mpico_machine_tests program suffix target only words algorithms)
  macro(row)
    mpico_machine_row(${program} "${suffix}" ${target} "${only}" "${words}" ${ARGN})
  endmacro()
  row(ring 2,3,5,8,16,32,64 none ${windowed})
  row(saw 2,3,5,8,16,32 none ${stop_and_wait})
  row(noisy 3,5 none --machine sharc-ring-noisy)
  foreach(machine IN ITEMS scmp-mesh paragon-line proteus cluster ideal)
    row(${machine} 2,3,5,8 none --machine ${machine})
  endforeach()
  row(ring_noeager 5 MPICO_EAGER_BYTES=0 ${windowed})
  row(saw_noeager 5 MPICO_EAGER_BYTES=0 ${stop_and_wait})
  row(ring_check 3 MPICO_CHECK=1 ${windowed})
  row(saw_check 3 MPICO_CHECK=1 ${stop_and_wait})
  if(NOT program MATCHES "^coll/")
    return()
  endif()
  set(k 0)
  foreach(setting IN LISTS algorithms)
    math(EXPR k "${k} + 1")
    row(ring_alg${k} 8 MPICO_COLL=${setting} ${windowed})
    row(saw_alg${k} 8 MPICO_COLL=${setting} ${stop_and_wait})
  endforeach()
  # Of the ring that sends to all at once; also where the choice by length would be another.
  row(ring_spread 5,8 MPICO_COLL=bcast=spread,allgather=spread ${windowed})
endfunction()
