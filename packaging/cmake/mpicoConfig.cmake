# find_package(mpico): the library of this machine, as a build tree or an installation has it.
#     target_link_libraries(program PRIVATE mpico::mpico)     the shared library
#     target_link_libraries(program PRIVATE mpico::static)    the archive: the program needs nothing of mpico at run time
#     ${mpico_MPIEXEC}                                        the launcher
# Everything is found beside this file: PREFIX/lib/cmake/mpico/mpicoConfig.cmake.
get_filename_component(mpico_PREFIX ${CMAKE_CURRENT_LIST_DIR}/../../.. ABSOLUTE)
set(mpico_MPIEXEC ${mpico_PREFIX}/bin/mpiexec)

foreach(file IN ITEMS include/mpi.h lib/libmpi_abi.so.1 lib/libmpi_abi.a bin/mpiexec)
  if(NOT EXISTS ${mpico_PREFIX}/${file})
    set(mpico_FOUND FALSE)
    set(mpico_NOT_FOUND_MESSAGE "${mpico_PREFIX}/${file} is missing: the library was not built, or moved without this file")
    return()
  endif()
endforeach()

if(NOT TARGET mpico::mpico)
  add_library(mpico::mpico SHARED IMPORTED)
  set_target_properties(mpico::mpico PROPERTIES IMPORTED_LOCATION ${mpico_PREFIX}/lib/libmpi_abi.so.1
                        IMPORTED_SONAME libmpi_abi.so.1 INTERFACE_INCLUDE_DIRECTORIES ${mpico_PREFIX}/include)
  add_library(mpico::static STATIC IMPORTED)
  set_target_properties(mpico::static PROPERTIES IMPORTED_LOCATION ${mpico_PREFIX}/lib/libmpi_abi.a
                        INTERFACE_INCLUDE_DIRECTORIES ${mpico_PREFIX}/include INTERFACE_LINK_OPTIONS -Wl,--gc-sections)
endif()
