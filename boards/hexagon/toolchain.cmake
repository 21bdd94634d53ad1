# The compiler of the Hexagon DSP. An archive for it can only be made by LLVM's own tool, or by one that does not look
# into the files; the linker finds its way through either.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR hexagon)
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_C_COMPILER_TARGET hexagon-unknown-none-elf)
set(CMAKE_C_FLAGS_INIT "-mcpu=hexagonv67 -G0 -mllvm -spill-func-threshold=99 -mllvm -spill-func-threshold-Os=99 -ffreestanding -isystem ${CMAKE_CURRENT_LIST_DIR}/include")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
find_program(HEXAGON_AR NAMES llvm-ar-19 llvm-ar ar HINTS /usr/lib/llvm-19/bin)
find_program(HEXAGON_RANLIB NAMES llvm-ranlib-19 llvm-ranlib true HINTS /usr/lib/llvm-19/bin)
set(CMAKE_AR ${HEXAGON_AR} CACHE FILEPATH "")
set(CMAKE_RANLIB ${HEXAGON_RANLIB} CACHE FILEPATH "")
