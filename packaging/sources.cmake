# What a firmware compiles of mpico, for all packagings but PlatformIO's: sets MPICO_ROOT, MPICO_SOURCES, MPICO_INCLUDES, MPICO_DEFINITIONS.
# That is the small build of src/ (src/sizes.h), one file of each kind, so that it may be linked as a whole; the port of boards without its
# start-up code and C library glue, which a framework has of its own; and the files beside this one.
# The functions of ports/board/board.h are the firmware's to write: its lanes, clock and console.
get_filename_component(MPICO_ROOT ${CMAKE_CURRENT_LIST_DIR}/.. ABSOLUTE)
set(MPICO_SMALL ON)
include(${MPICO_ROOT}/src/sources.cmake)
file(GLOB MPICO_SOURCES ${MPICO_WATCHED} ${MPICO_ROOT}/ports/board/*.c)
list(REMOVE_ITEM MPICO_SOURCES ${MPICO_ROOT}/ports/board/libc.c ${MPICO_ROOT}/ports/board/run.c
                               ${MPICO_ROOT}/ports/board/bare.c) # of bare programs, in place of machine.c
foreach(layer IN LISTS MPICO_LAYERS)
  mpico_layer_sources(${layer} sources)
  list(APPEND MPICO_SOURCES ${sources})
endforeach()
list(REMOVE_ITEM MPICO_SOURCES ${MPICO_ROOT}/src/type/named_small.c)
list(APPEND MPICO_SOURCES ${CMAKE_CURRENT_LIST_DIR}/named.c ${CMAKE_CURRENT_LIST_DIR}/settings.c)
set(MPICO_INCLUDES ${MPICO_ROOT}/src ${MPICO_ROOT}/ports/board)
set(MPICO_DEFINITIONS MPICO_ONE_RANK=1 MPICO_SMALL=1)
