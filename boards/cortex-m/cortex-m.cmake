# Start-up code of a Cortex-M, and the linker's script that goes with it, which is put beside the board's library.
file(GLOB cortex_m_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.c)
list(APPEND MPICO_PORT_SOURCES ${cortex_m_sources})
configure_file(${CMAKE_CURRENT_LIST_DIR}/sections.ld ${CMAKE_ARCHIVE_OUTPUT_DIRECTORY}/sections.ld COPYONLY)
