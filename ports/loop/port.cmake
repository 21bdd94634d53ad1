# Sources of this port; the build adds them to the library when MPICO_PORT is loop.
set(MPICO_PORT_SOURCES ${CMAKE_CURRENT_LIST_DIR}/machine.c)
set(MPICO_PORT_LAYER_DEFINITIONS MPICO_ONE_RANK=1)
