# Sources of this port; the build adds them to the library when MPICO_PORT is process.
file(GLOB MPICO_PORT_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.c ${CMAKE_CURRENT_LIST_DIR}/../host/*.c
     ${CMAKE_CURRENT_LIST_DIR}/../trace/*.c)
set(MPICO_PORT_DEFINITIONS _GNU_SOURCE)
