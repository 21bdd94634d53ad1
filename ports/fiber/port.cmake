# Sources of this port: the run-time of fibers, and the port that runs them in real time.
file(GLOB MPICO_PORT_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.c
     ${CMAKE_CURRENT_LIST_DIR}/../host/*.c ${CMAKE_CURRENT_LIST_DIR}/../report/*.c ${CMAKE_CURRENT_LIST_DIR}/../trace/*.c)
set(MPICO_PORT_DEFINITIONS _GNU_SOURCE)
set(MPICO_PORT_LAYER_DEFINITIONS MPICO_TRACE=1)
