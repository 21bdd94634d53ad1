# The conformance suite on rings of emulated Cortex-M boards: mpi/<program>/n<ranks>/board.
#
# All nodes share the host's processors, and their wires carry some 40 KB/s together: time goes with the bytes. `make test` runs each
# program on one number of ranks, with the label `long` it runs on all.
set(rank_counts 2 3 4 8)

# On mps2-an385, with 256 KB a node, all programs but these:
# - those that need an arena of 128 KB for what they have under way at a time,
set(larger_arena p2p/order_tags coll/outstanding)
# - those that need more, and run on mps2-an500, with 1 MB a node and an arena of 384 KB; they take minutes,
set(larger_board coll/roots p2p/bsend p2p/bsend_init p2p/mprobe p2p/persistent p2p/random coll/in_place comm/free_pending
  errors/truncate)
# - those whose buffers alone need more than 1 MB, or nearly so,
set(too_large
  topo/neighbor request/buffers p2p/flood_medium p2p/order_mixed p2p/unexpected_5mb type/transfer coll/alltoallw coll/large
  coll/noncommutative coll/noncommutative_nonblocking coll/user_op)
# - those that ask for what small builds do not keep: how a datatype was made, names of predefined ones, whether MPI_COMM_SELF's error
#   handler was set, the name of the call in every sentence, classes of
#   errors that programs add, collectives between groups, buffers of sessions, external32 of long double, how much of the
#   memory is in use, which handles were freed of objects that live on, counts of 64 bits,
set(left_out type/contents type/names errors/unattached type/pack type/errors type/match environment/unsupported tool/performance info/env
  errors/codes errors/freed errors/overflow errors/overlap inter/coll inter/errors inter/order inter/parts session/handles)
# - and those with thousands of requests at a time.
set(too_many p2p/flood_small p2p/many_requests)

# Many bytes: two ranks in every run,
set(slow p2p/bsend_full p2p/free_long_send coll/barrier_loop coll/forms coll/same_bits comm/split_type environment/memory
  inter/create partitioned/large request/large_counts rma/accumulate rma/atomic rma/dynamic rma/lock rma/put_get rma/random
  rma/start_post rma/windows topo/neighbor_long type/collectives type/persistent)
# or so many that only `make test-all` has the time.
set(slowest coll/allreduce_types coll/sizes comm/dup_free comm/idup environment/disconnect errors/in_status errors/truncate_some
  p2p/flood_all_to_one p2p/isend_all_to_all p2p/master_worker p2p/ssend p2p/types partitioned/partitions rma/order rma/polling rma/requests rma/types)
# Few bytes and much of the library: all numbers of ranks in every run.
set(everywhere environment/predefined_comms p2p/order_unexpected coll/vector comm/split)
# The only ones with 5 and with 16 ranks: every number of ranks that a place can have is seen.
set(only_here inter/create/n16 rma/shared_again/n5)

function(mpico_ring_tests board program target suffix ranks chosen words)
  foreach(n IN LISTS ranks)
    set(name mpi/${program}${suffix}/n${n}/board)
    add_test(NAME ${name} COMMAND $<TARGET_FILE:mpiexec> --board ${board} -n ${n}
             ${PROJECT_BINARY_DIR}/tests/board/${board}/${target}.elf ${words})
    set_tests_properties(${name} PROPERTIES TIMEOUT 900 SKIP_RETURN_CODE 77 LABELS board)
    mpico_test_needs(${name} mpiexec ${PROJECT_BINARY_DIR}/tests/board/${board}/${target}.elf)
    if(NOT n EQUAL chosen AND NOT program IN_LIST everywhere AND NOT "${program}${suffix}/n${n}" IN_LIST only_here)
      mpico_long(${name})
    endif()
  endforeach()
endfunction()

file(STRINGS ../mpi/list.txt lines REGEX "^[^#]")
set(turn 0)
foreach(line IN LISTS lines)
  mpico_list_line("${line}")
  if(program MATCHES ${only_processes})
    continue()
  endif()
  set(ranks ${rank_counts})
  if(only)
    set(ranks ${only})
  endif()
  if(program IN_LIST too_large OR program IN_LIST too_many OR program IN_LIST left_out)
    continue()
  endif()
  if(program STREQUAL "p2p/isend_all_to_all") # its buffers grow with the ranks
    set(ranks 2)
  endif()
  set(board mps2-an385)
  set(options)
  set(chosen 2)
  if(program IN_LIST slowest)
    set(chosen 0)
  endif()
  if(program IN_LIST larger_board)
    set(board mps2-an500)
    set(options -Wl,--defsym=mpico_arena_bytes=384K)
    set(chosen 0)
  elseif(program IN_LIST larger_arena)
    set(options -Wl,--defsym=mpico_arena_bytes=128K)
  endif()
  if(NOT board IN_LIST boards)
    continue()
  endif()
  if(board STREQUAL mps2-an385 AND NOT program IN_LIST slow AND NOT program IN_LIST slowest)
    set(few ${ranks})
    list(REMOVE_ITEM few 8) # in every run for those of `everywhere`
    list(LENGTH few counts)
    math(EXPR chosen "${turn} % ${counts}")
    math(EXPR turn "${turn} + 1")
    list(GET few ${chosen} chosen)
  endif()
  string(REPLACE "/" "_" target ${program})
  if(NOT words)
    mpico_board_program(${board} ${target} ${PROJECT_SOURCE_DIR}/tests/mpi/${program}.c -DCHECK_SMALL=1 ${options})
  endif()
  mpico_ring_tests(${board} ${program} ${target} "${suffix}" "${ranks}" ${chosen} "${words}")
endforeach()

# Bare rings: the eleven functions, and messages of all kinds; with buffers that leave room for the rest of a small program.
foreach(board IN ITEMS mps2-an385 mps2-an500)
  if(board IN_LIST boards)
    mpico_board_program(${board} pipe_eleven_bare ${CMAKE_CURRENT_SOURCE_DIR}/pipe_eleven.c --bare -DLONGEST=100)
    mpico_board_program(${board} bare_traffic_bare ${CMAKE_CURRENT_SOURCE_DIR}/bare_traffic.c --bare)
    foreach(n IN ITEMS 1 2 3 4 8)
      set(rounds 10)
      if(n EQUAL 8)
        set(rounds 2)
      endif()
      foreach(program IN ITEMS pipe_eleven bare_traffic)
        add_test(NAME board/${program}/n${n}/${board}/bare COMMAND $<TARGET_FILE:mpiexec> --board ${board} -n ${n}
                 ${PROJECT_BINARY_DIR}/tests/board/${board}/${program}_bare.elf ${rounds})
        set_tests_properties(board/${program}/n${n}/${board}/bare PROPERTIES TIMEOUT 600 LABELS board)
        mpico_test_needs(board/${program}/n${n}/${board}/bare mpiexec ${PROJECT_BINARY_DIR}/tests/board/${board}/${program}_bare.elf)
        if(n EQUAL 8 OR (n GREATER 2 AND NOT board STREQUAL mps2-an385))
          mpico_long(board/${program}/n${n}/${board}/bare)
        endif()
      endforeach()
    endforeach()
  endif()
endforeach()
foreach(board IN ITEMS mps2-an385 mps2-an500)
  if(board IN_LIST boards)
    mpico_board_programs(${board})
  endif()
endforeach()

# What the eleven functions cost a node, in instructions, held against bench/board-budget.json.
add_test(NAME bench/board COMMAND ${CMAKE_COMMAND} -E env PYTHONDONTWRITEBYTECODE=1 python3 ${PROJECT_SOURCE_DIR}/bench/board.py
         --build ${PROJECT_BINARY_DIR} --budget ${PROJECT_SOURCE_DIR}/bench/board-budget.json)
set_tests_properties(bench/board PROPERTIES TIMEOUT 600 LABELS board)
