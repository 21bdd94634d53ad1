# The conformance suite where ranks are processes on inherited descriptors (ports/pipe): mpi/<program>/n<ranks>/<place>. On the host's own
# ring every program runs at all numbers of ranks. On the emulated DSP those do that use no more than the ring paper's eleven functions (and
# what check.h calls), the others at one number, in turn; what is left out there, and what takes seconds, has the label `long`.
set(pipe_ranks 2 3 4 8)
set(pipe_eleven environment/arguments environment/init_null environment/predefined_comms p2p/any_source p2p/flood_all_to_one
                p2p/master_worker)
# Megabytes, copied and summed by an emulated processor.
set(pipe_slow coll/large coll/sizes p2p/bsend_detach p2p/free_long_send p2p/isend_all_to_all p2p/long_message p2p/self p2p/sizes
              p2p/sizes_unexpected p2p/types p2p/unexpected_5mb rma/accumulate rma/polling rma/put_get rma/requests type/transfer)

function(mpico_pipe_test place name elf n)
  add_test(NAME ${name} COMMAND $<TARGET_FILE:mpiexec> --board ${place} -n ${n} ${elf} ${ARGN})
  set_tests_properties(${name} PROPERTIES TIMEOUT 180 SKIP_RETURN_CODE 77 LABELS board)
  mpico_test_needs(${name} mpiexec ${elf})
endfunction()

function(mpico_pipe_suite place)
  set(turn 0)
  file(STRINGS ../mpi/list.txt lines REGEX "^[^#]")
  foreach(line IN LISTS lines)
    mpico_list_line("${line}")
    if(program MATCHES ${only_processes} OR program STREQUAL "errors/overlap") # what static programs do not link
      continue()
    endif()
    string(REPLACE "/" "_" target ${program})
    if(NOT words)
      mpico_board_program(${place} ${target} ${PROJECT_SOURCE_DIR}/tests/mpi/${program}.c)
    endif()
    math(EXPR chosen "${turn} % 4")
    list(GET pipe_ranks ${chosen} chosen)
    math(EXPR turn "${turn} + 1")
    foreach(n IN LISTS pipe_ranks)
      set(name mpi/${program}${suffix}/n${n}/${place})
      mpico_pipe_test(${place} ${name} ${PROJECT_BINARY_DIR}/tests/board/${place}/${target}.elf ${n} ${words})
      if(place STREQUAL hexagon AND NOT program IN_LIST pipe_eleven AND (NOT n EQUAL chosen OR program IN_LIST pipe_slow))
        mpico_long(${name})
      endif()
    endforeach()
  endforeach()
endfunction()

foreach(place IN ITEMS host-ring hexagon)
  if(place IN_LIST boards)
    mpico_pipe_suite(${place})
    mpico_board_program(${place} pipe_eleven ${CMAKE_CURRENT_SOURCE_DIR}/pipe_eleven.c)
    foreach(n IN ITEMS 1 2 3 4 8)
      mpico_pipe_test(${place} board/eleven/n${n}/${place} ${PROJECT_BINARY_DIR}/tests/board/${place}/pipe_eleven.elf ${n})
    endforeach()
    foreach(program IN ITEMS pipe_eleven bare_traffic)
      mpico_board_program(${place} ${program}_bare ${CMAKE_CURRENT_SOURCE_DIR}/${program}.c --bare)
      foreach(n IN ITEMS 1 2 3 4 8)
        mpico_pipe_test(${place} board/${program}/n${n}/${place}/bare
                        ${PROJECT_BINARY_DIR}/tests/board/${place}/${program}_bare.elf ${n})
      endforeach()
    endforeach()
    mpico_board_programs(${place})
  endif()
endforeach()

# What the DSP's own C library prints is compared with this machine's.
if("hexagon" IN_LIST boards)
  set(elf ${PROJECT_BINARY_DIR}/tests/board/hexagon/pipe_libc.elf)
  add_custom_command(OUTPUT ${elf} COMMAND ${PROJECT_BINARY_DIR}/bin/mpicc --board hexagon -std=c11 -w
                     ${CMAKE_CURRENT_SOURCE_DIR}/pipe_libc.c -o ${elf}
                     DEPENDS pipe_libc.c board_hexagon board_programs_hexagon VERBATIM)
  add_custom_target(pipe_libc_hexagon ALL DEPENDS ${elf})
  add_executable(pipe_libc pipe_libc.c)
  set_target_properties(pipe_libc PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests/board)
  target_compile_definitions(pipe_libc PRIVATE _POSIX_C_SOURCE=200809L)
  target_compile_options(pipe_libc PRIVATE -w -fno-builtin)
  add_test(NAME board/libc/hexagon COMMAND sh -c "qemu-hexagon \"$1\" a b > libc.dsp; code=$?; \"$2\" a b > libc.host
           test $code = 9 && diff libc.host libc.dsp" sh ${elf} $<TARGET_FILE:pipe_libc>)
  set_tests_properties(board/libc/hexagon PROPERTIES TIMEOUT 60 LABELS board)
  mpico_test_needs(board/libc/hexagon ${elf} pipe_libc)
endif()

# The host's ring with sanitizers, for what test_pipe.py sends it.
if("host-ring" IN_LIST boards)
  set(work ${PROJECT_BINARY_DIR}/boards/host-ring-sanitized)
  set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=undefined -g)
  add_custom_target(pipe_sanitized ALL
    COMMAND ${CMAKE_COMMAND} -S ${PROJECT_SOURCE_DIR} -B ${work} -G ${CMAKE_GENERATOR} --log-level=WARNING -DMPICO_BOARD=host-ring
            -DMPICO_PORT=pipe -DMPICO_LTO=OFF -DBUILD_TESTING=OFF -DCMAKE_BUILD_TYPE=Debug -DMPICO_SANITIZE=address,undefined
            -DCMAKE_ARCHIVE_OUTPUT_DIRECTORY=${work}/lib
    COMMAND ${CMAKE_COMMAND} --build ${work} -- --quiet
    COMMAND ${CMAKE_C_COMPILER} -std=c11 ${sanitizers} -I${PROJECT_SOURCE_DIR}/include
            ${CMAKE_CURRENT_SOURCE_DIR}/pipe_traffic.c ${work}/lib/libmpi_abi.a -o ${work}/traffic
    COMMAND ${CMAKE_C_COMPILER} -std=c11 ${sanitizers} -I${PROJECT_SOURCE_DIR}/include -DARENA_BYTES=20000
            ${CMAKE_CURRENT_SOURCE_DIR}/pipe_traffic.c ${work}/lib/libmpi_abi.a -o ${work}/small
    COMMAND ${CMAKE_C_COMPILER} -std=c11 -D_POSIX_C_SOURCE=200809L ${sanitizers} -I${PROJECT_SOURCE_DIR}/include
            ${CMAKE_CURRENT_SOURCE_DIR}/pipe_lost.c ${work}/lib/libmpi_abi.a -o ${work}/lost
    COMMAND ${CMAKE_C_COMPILER} -std=c11 ${sanitizers} -I${PROJECT_SOURCE_DIR}/include
            ${CMAKE_CURRENT_SOURCE_DIR}/bare_traffic.c ${work}/lib/libmpi_bare.a -o ${work}/bare_traffic
    COMMAND ${CMAKE_C_COMPILER} -std=c11 ${sanitizers} -I${PROJECT_SOURCE_DIR}/include -DARENA_BYTES=20000
            ${CMAKE_CURRENT_SOURCE_DIR}/bare_traffic.c ${work}/lib/libmpi_bare.a -o ${work}/bare_small
    COMMENT "The library for host-ring with sanitizers" VERBATIM USES_TERMINAL)

  # Its interrupt is a thread: the bare ring under the sanitizer that sees races.
  set(work ${PROJECT_BINARY_DIR}/boards/host-ring-threads)
  add_custom_target(pipe_threads ALL
    COMMAND ${CMAKE_COMMAND} -S ${PROJECT_SOURCE_DIR} -B ${work} -G ${CMAKE_GENERATOR} --log-level=WARNING -DMPICO_BOARD=host-ring
            -DMPICO_PORT=pipe -DMPICO_LTO=OFF -DBUILD_TESTING=OFF -DCMAKE_BUILD_TYPE=Debug -DMPICO_SANITIZE=thread
            -DCMAKE_ARCHIVE_OUTPUT_DIRECTORY=${work}/lib
    COMMAND ${CMAKE_COMMAND} --build ${work} --target mpi_bare -- --quiet
    COMMAND ${CMAKE_C_COMPILER} -std=c11 -fsanitize=thread -g -I${PROJECT_SOURCE_DIR}/include
            ${CMAKE_CURRENT_SOURCE_DIR}/bare_traffic.c ${work}/lib/libmpi_bare.a -o ${work}/bare_traffic
    BYPRODUCTS ${work}/bare_traffic
    COMMENT "The bare library for host-ring with the thread sanitizer" VERBATIM USES_TERMINAL)
  mpico_pipe_test(host-ring board/bare_traffic/n4/host-ring/threads ${work}/bare_traffic 4)
endif()
