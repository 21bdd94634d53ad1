# What a firmware compiles of mpico, for all packagings but PlatformIO's: sets MPICO_ROOT, MPICO_SOURCES, MPICO_INCLUDES, MPICO_DEFINITIONS.
# That is src/, the port of boards without its start-up code and C library glue, which a framework has of its own,
# and settings.c. The functions of ports/board/board.h are the firmware's to write: its lanes, clock and console.
get_filename_component(MPICO_ROOT ${CMAKE_CURRENT_LIST_DIR}/.. ABSOLUTE)
file(GLOB MPICO_SOURCES ${MPICO_ROOT}/src/*/*.c ${MPICO_ROOT}/ports/board/*.c)
list(REMOVE_ITEM MPICO_SOURCES ${MPICO_ROOT}/ports/board/libc.c ${MPICO_ROOT}/ports/board/run.c)
list(APPEND MPICO_SOURCES ${CMAKE_CURRENT_LIST_DIR}/settings.c)
set(MPICO_INCLUDES ${MPICO_ROOT}/src ${MPICO_ROOT}/ports/board)
set(MPICO_DEFINITIONS MPICO_ONE_RANK=1)
