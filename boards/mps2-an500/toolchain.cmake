# The compiler of this board, for CMake. board.conf has the same for mpicc --board.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
# The library alone: what these do is not worth its bytes here.
set(CMAKE_C_FLAGS_INIT "-mcpu=cortex-m7 -mthumb -mfloat-abi=hard -mfpu=fpv5-d16 -fno-move-loop-invariants -fno-tree-dominator-opts -fno-tree-ch -fno-schedule-insns2")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
