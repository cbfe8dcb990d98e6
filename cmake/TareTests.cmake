# tare_test(NAME ROOM [LABELS slow shared] [SOURCES more.c]): tests/<here>/NAME.c, a cmocka program
# linked with the room.
# TARE_SHARED_DIR and TARE_SOURCE_DIR are compiled in; a test labelled `shared` exits 77 (skipped)
# where TARE_SHARED_DIR does not exist.
find_library(CMOCKA_LIBRARY cmocka)
function(tare_test name room)
  cmake_parse_arguments(arg "" "TIMEOUT" "LABELS;SOURCES" ${ARGN})
  if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${name}.c)
    message(FATAL_ERROR "test ${name} is listed and not written")
  endif()
  add_executable(${name} ${name}.c ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE room_${room} ${CMOCKA_LIBRARY} m)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_compile_definitions(${name} PRIVATE
    TARE_SOURCE_DIR="${CMAKE_SOURCE_DIR}" TARE_SHARED_DIR="${CMAKE_SOURCE_DIR}/../shared")
  add_test(NAME ${name} COMMAND ${name})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}" SKIP_RETURN_CODE 77
    TIMEOUT ${arg_TIMEOUT})
endfunction()
