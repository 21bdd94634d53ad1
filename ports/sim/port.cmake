# Sources of this port: the run-time of fibers without its own port, the simulated machine, and what joins the two.
file(GLOB MPICO_PORT_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.c ${CMAKE_CURRENT_LIST_DIR}/../fiber/*.c
     ${CMAKE_CURRENT_LIST_DIR}/../host/*.c ${CMAKE_CURRENT_LIST_DIR}/../report/*.c ${CMAKE_CURRENT_LIST_DIR}/../trace/*.c ${PROJECT_SOURCE_DIR}/sim/*.c)
list(FILTER MPICO_PORT_SOURCES EXCLUDE REGEX "/fiber/(machine|link)\\.c$")
set(MPICO_PORT_DEFINITIONS _GNU_SOURCE)
set(MPICO_PORT_LAYER_DEFINITIONS MPICO_TRACE=1 MPICO_COSTS=1)
