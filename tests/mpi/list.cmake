# Programs whose ranks have several threads: where ranks are processes.
set(only_processes "^threads/")

# Programs about a rank's own affairs, whose few messages others test better: fewer variants and machines.
set(own_affairs "^(attr|info|tool|session|environment|errors|group|request|topo|type)/")

# What takes too long even for the tenth of the matrix that `make test` runs (tools/test/sample.py): `make test-all` runs it.
function(mpico_long name)
  set_property(TEST ${name} APPEND PROPERTY LABELS long)
endfunction()

# Read a line of list.txt: path without .c, optional ranks=1,2,3, then the program's arguments. Sets `program`, `words` (the
# arguments), `only` (the ranks that the program is written for; empty: any) and `suffix` (of the names of tests: a program that is
# listed again with arguments is another test).
macro(mpico_list_line line)
  separate_arguments(words UNIX_COMMAND "${line}")
  list(POP_FRONT words program)
  set(only)
  if(words MATCHES "^ranks=([0-9,]+)")
    string(REPLACE "," ";" only "${CMAKE_MATCH_1}")
    list(POP_FRONT words)
  endif()
  string(REPLACE ";" "_" suffix "${words}")
  string(REGEX REPLACE "[^A-Za-z0-9_.-]" "" suffix "${suffix}")
  if(suffix)
    set(suffix "_${suffix}")
  endif()
endmacro()
