# Sources of this port beside the run-time of fibers: the simulated machine, and what joins the two.
file(GLOB MPICO_PORT_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.c ${PROJECT_SOURCE_DIR}/sim/*.c)
set(MPICO_PORT_LAYER_DEFINITIONS MPICO_COSTS=1)
