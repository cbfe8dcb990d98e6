# Compiler flags of the whole program. Contraction off: the 16th digit must not depend on the CPU.
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g") # assertions stay on
add_compile_definitions(_GNU_SOURCE)
add_compile_options(-ffp-contract=off -fno-math-errno -Wall -Wextra -Wstrict-prototypes
  -Wmissing-prototypes -Wpointer-arith -Wvla -Wundef -Wformat=2)
if(CMAKE_C_COMPILER_ID STREQUAL GNU)
  add_compile_options(-Wshadow=local) # a parameter may be called what a type is called
endif()
option(TARE_WERROR "warnings are errors" OFF)
if(TARE_WERROR)
  add_compile_options(-Werror)
endif()
set(TARE_SANITIZE "" CACHE STRING "address,undefined or thread")
if(TARE_SANITIZE)
  add_compile_options(-fsanitize=${TARE_SANITIZE} -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TARE_SANITIZE})
endif()
