# The board's part of the library (see ports/board/port.cmake).
include(${PROJECT_SOURCE_DIR}/boards/mps2/mps2.cmake)
