# This machine's own compiler: the one that CMake finds.
