# The conformance suite on the harts of an emulated chip: mpi/<program>/n<ranks>/chip. All programs fit. The
# emulator runs one hart after the other on one processor of the host, so the tests may run beside each other.
set(board virt-riscv64)
if(NOT board IN_LIST boards)
  return()
endif()

# Some programs keep megabytes of unexpected messages or of copies.
set(arena -Wl,--defsym=mpico_arena_bytes=0x800000)
set(rank_counts 1 2 3 4 8)
set(often 1 4 64) # of programs about own affairs
# Some run on many harts as well. On 64 rings are short and a hart has 14 MB, which is too little for a few programs; others send
# so many messages that the emulator takes minutes.
set(on_16 p2p/isend_all_to_all p2p/order_mixed coll/in_place coll/roots)
set(on_16_and_64 p2p/any_source p2p/tags coll/barrier_loop comm/split environment/init)

file(STRINGS ../mpi/list.txt lines REGEX "^[^#]")
foreach(line IN LISTS lines)
  mpico_list_line("${line}")
  if(program MATCHES ${only_processes})
    continue()
  endif()
  set(ranks ${rank_counts})
  if(only)
    set(ranks ${only})
  elseif(program IN_LIST on_16)
    list(APPEND ranks 16)
  elseif(program IN_LIST on_16_and_64)
    list(APPEND ranks 16 64)
  endif()
  string(REPLACE "/" "_" target ${program})
  if(NOT words)
    mpico_board_program(${board} ${target} ${PROJECT_SOURCE_DIR}/tests/mpi/${program}.c ${arena} -lm)
  endif()
  foreach(n IN LISTS ranks)
    set(name mpi/${program}${suffix}/n${n}/chip)
    add_test(NAME ${name} COMMAND $<TARGET_FILE:mpiexec> --board ${board} -n ${n}
             ${PROJECT_BINARY_DIR}/tests/board/${board}/${target}.elf ${words})
    set_tests_properties(${name} PROPERTIES TIMEOUT 120 SKIP_RETURN_CODE 77 LABELS board)
    mpico_test_needs(${name} mpiexec ${PROJECT_BINARY_DIR}/tests/board/${board}/${target}.elf)
    if(NOT only AND program MATCHES ${own_affairs} AND NOT n IN_LIST often)
      mpico_long(${name})
    endif()
  endforeach()
endforeach()
mpico_board_programs(${board})

# What messages cost, in instructions, held against bench/chip-budget.json.
add_test(NAME bench/chip COMMAND ${CMAKE_COMMAND} -E env PYTHONDONTWRITEBYTECODE=1 python3 ${PROJECT_SOURCE_DIR}/bench/chip.py
         --build ${PROJECT_BINARY_DIR} --budget ${PROJECT_SOURCE_DIR}/bench/chip-budget.json)
set_tests_properties(bench/chip PROPERTIES TIMEOUT 120 LABELS board)
