# Sources of this port; the build adds them to the library when MPICO_PORT is board. The board adds its own: boards/<board>/board.cmake
# appends to MPICO_PORT_SOURCES and MPICO_PORT_DEFINITIONS.
file(GLOB MPICO_PORT_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.c)
set(MPICO_PORT_BARE_SOURCES ${CMAKE_CURRENT_LIST_DIR}/bare.c) # of bare programs alone, who have
set(MPICO_PORT_BARE_WITHOUT "/(machine|ask|starved)\\.c")       # none of these
list(REMOVE_ITEM MPICO_PORT_SOURCES ${MPICO_PORT_BARE_SOURCES})
set(MPICO_SMALL ON) # src/sizes.h
set(MPICO_PORT_LAYER_DEFINITIONS MPICO_ONE_RANK=1 MPICO_SMALL=1)
include(${PROJECT_SOURCE_DIR}/boards/${MPICO_BOARD}/board.cmake)
