# Sources of this port, which runs fibers in real time, and those of the run-time of fibers, which the simulator has as well.
set(MPICO_PORT_SOURCES ${CMAKE_CURRENT_LIST_DIR}/machine.c ${CMAKE_CURRENT_LIST_DIR}/link.c)
file(GLOB MPICO_RUNTIME_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.c ${PROJECT_SOURCE_DIR}/ports/report/*.c)
list(REMOVE_ITEM MPICO_RUNTIME_SOURCES ${MPICO_PORT_SOURCES})
set(MPICO_PORT_LAYER_DEFINITIONS)
