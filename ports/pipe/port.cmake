# Sources of this port: these, and what the board's folder has (its system calls, its start-up code, its C library).
file(GLOB board_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/boards/${MPICO_BOARD}/*.c)
set(MPICO_PORT_SOURCES ${CMAKE_CURRENT_LIST_DIR}/arena.c ${CMAKE_CURRENT_LIST_DIR}/lane.c
                       ${CMAKE_CURRENT_LIST_DIR}/machine.c ${CMAKE_CURRENT_LIST_DIR}/node.c ${board_sources})
set(MPICO_PORT_BARE_SOURCES ${CMAKE_CURRENT_LIST_DIR}/bare.c) # of bare programs alone, who have
set(MPICO_PORT_BARE_WITHOUT "/machine\\.c")                    # no such thing
set(MPICO_PORT_LAYER_DEFINITIONS MPICO_ONE_RANK=1)
set(MPICO_PORT_DEFINITIONS _DEFAULT_SOURCE)
