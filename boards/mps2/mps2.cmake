# What the MPS2 boards share: drivers, and the Cortex-M's start-up code.
include(${PROJECT_SOURCE_DIR}/boards/cortex-m/cortex-m.cmake)
file(GLOB mps2_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.c)
list(APPEND MPICO_PORT_SOURCES ${mps2_sources})
