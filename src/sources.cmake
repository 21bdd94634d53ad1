# What src/ is made of, for every build of it: sets MPICO_LAYERS, lowest first, and defines mpico_layer_sources(). MPICO_SMALL comes before.
set(MPICO_LAYERS base type core net model coll rma api)
if(MPICO_SMALL)
  list(REMOVE_ITEM MPICO_LAYERS model) # nothing is chosen there
endif()

# Globs are watched where that can be.
set(MPICO_WATCHED CONFIGURE_DEPENDS)
if(CMAKE_SCRIPT_MODE_FILE)
  set(MPICO_WATCHED)
endif()

# The sources of a layer. *_small.c are for small builds (src/sizes.h), in place of the files they are named after.
function(mpico_layer_sources layer result)
  set(folder ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${layer})
  file(GLOB sources ${MPICO_WATCHED} ${folder}/*.c)
  file(GLOB small ${MPICO_WATCHED} ${folder}/*_small.c)
  if(MPICO_SMALL)
    string(REPLACE "_small.c" ".c" small "${small}")
  endif()
  list(REMOVE_ITEM sources ${small})
  set(${result} ${sources} PARENT_SCOPE)
endfunction()
