# Sources of this port; the build adds them to the library when MPICO_PORT is chip. The chip's folder has hart.h and what stands behind it.
enable_language(ASM)
set(chip ${PROJECT_SOURCE_DIR}/boards/${MPICO_BOARD})
file(GLOB MPICO_PORT_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.c ${chip}/*.c ${chip}/*.S)
set(MPICO_PORT_LAYER_DEFINITIONS MPICO_ONE_RANK=1)
set(MPICO_PORT_DEFINITIONS _DEFAULT_SOURCE) # picolibc's declarations of sbrk() and the like
include_directories(${chip} ${CMAKE_CURRENT_LIST_DIR})
# Here instructions count: the library is optimised as a whole and put into its archive as one object. What a short message passes
# through is inlined as far as it goes; the rest stays small.
set(growth --param inline-unit-growth=400 --param large-function-growth=2000 --param large-stack-frame-growth=5000)
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG")
add_compile_options($<$<COMPILE_LANGUAGE:C>:-flto>)
file(GLOB hot CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/core/*.c)
list(APPEND hot ${PROJECT_SOURCE_DIR}/src/api/p2p.c ${PROJECT_SOURCE_DIR}/src/api/check.c ${PROJECT_SOURCE_DIR}/src/api/finish.c
     ${PROJECT_SOURCE_DIR}/src/type/width.c ${CMAKE_CURRENT_LIST_DIR}/link.c ${CMAKE_CURRENT_LIST_DIR}/sleep.c
     ${chip}/memory.c)
set_source_files_properties(${hot} PROPERTIES COMPILE_OPTIONS "-O3;-finline-limit=2000;${growth}")
string(REPLACE ";" " " growth "${growth}")
set(CMAKE_C_ARCHIVE_CREATE
    "<CMAKE_C_COMPILER> -O2 ${growth} -flto=auto -mcmodel=medany -r -nostdlib -flinker-output=nolto-rel -ffunction-sections -fdata-sections -w -o <TARGET>.o <OBJECTS>"
    "<CMAKE_AR> qc <TARGET> <TARGET>.o" "${CMAKE_COMMAND} -E rm <TARGET>.o")
