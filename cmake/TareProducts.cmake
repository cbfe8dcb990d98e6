# What is built from the rooms: libtare (shared and static), the program tare, the manual pages and
# completions it writes about itself, the pkg-config file, and where all of it is installed.
include(TareWeb OPTIONAL)

# Objects and outside libraries of all rooms but the command line.
set(tare_rooms base stats image sound table store perturb scorer judge audit report)
set(tare_objects)
set(tare_outside Threads::Threads m)
foreach(room ${tare_rooms})
  get_target_property(kind room_${room} TYPE)
  if(kind STREQUAL "STATIC_LIBRARY")
    list(APPEND tare_objects $<TARGET_OBJECTS:room_${room}>)
    get_target_property(libs room_${room} LINK_LIBRARIES)
  else()
    get_target_property(libs room_${room} INTERFACE_LINK_LIBRARIES)
  endif()
  if(libs)
    list(FILTER libs EXCLUDE REGEX "^room_")
    list(APPEND tare_outside ${libs})
  endif()
endforeach()
list(REMOVE_DUPLICATES tare_outside)

# Shared: names that are not in the version script stay inside, whatever their visibility.
add_library(tare_shared SHARED ${tare_objects})
set_target_properties(tare_shared PROPERTIES OUTPUT_NAME tare LINKER_LANGUAGE C
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
  LINK_DEPENDS ${CMAKE_SOURCE_DIR}/cmake/libtare.map)
target_link_options(tare_shared PRIVATE
  -Wl,--version-script=${CMAKE_SOURCE_DIR}/cmake/libtare.map)
target_link_libraries(tare_shared PRIVATE ${tare_outside})
target_include_directories(tare_shared INTERFACE ${CMAKE_SOURCE_DIR}/include)

# Static: one relocatable object in which all but the public names has become local, so that a
# program linked with libtare.a never meets a name of its inside.
set(tare_one_object ${CMAKE_CURRENT_BINARY_DIR}/libtare.o)
set(tare_archive ${CMAKE_CURRENT_BINARY_DIR}/libtare.a)
add_custom_command(OUTPUT ${tare_archive}
  COMMAND ${CMAKE_C_COMPILER} -r -nostdlib -o ${tare_one_object} ${tare_objects}
  COMMAND ${CMAKE_OBJCOPY} -w --keep-global-symbol=tare_* --localize-hidden
    ${tare_one_object}
  COMMAND ${CMAKE_COMMAND} -E rm -f ${tare_archive}
  COMMAND ${CMAKE_AR} rcs ${tare_archive} ${tare_one_object}
  DEPENDS ${tare_objects}
  COMMAND_EXPAND_LISTS VERBATIM COMMENT "libtare.a, its inside made local")
add_custom_target(tare_static_archive ALL DEPENDS ${tare_archive})
add_library(tare_static STATIC IMPORTED GLOBAL)
set_target_properties(tare_static PROPERTIES IMPORTED_LOCATION ${tare_archive}
  INTERFACE_LINK_LIBRARIES "${tare_outside}"
  INTERFACE_INCLUDE_DIRECTORIES ${CMAKE_SOURCE_DIR}/include)
add_dependencies(tare_static tare_static_archive)

# The program: its own room and the public interface, nothing else.
if(EXISTS ${CMAKE_SOURCE_DIR}/src/cli/main.c)
  add_executable(tare ${CMAKE_SOURCE_DIR}/src/cli/main.c)
  target_link_libraries(tare PRIVATE room_cli tare_static)
  set_target_properties(tare PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})

  # The program describes itself: manual pages and completions come from its tables.
  set(tare_pages ${CMAKE_BINARY_DIR}/pages)
  add_custom_command(OUTPUT ${tare_pages}/stamp
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${tare_pages}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${tare_pages}/man1
    COMMAND $<TARGET_FILE:tare> help --pages ${tare_pages}/man1
    COMMAND $<TARGET_FILE:tare> completion bash > ${tare_pages}/tare.bash
    COMMAND $<TARGET_FILE:tare> completion zsh > ${tare_pages}/_tare
    COMMAND $<TARGET_FILE:tare> completion fish > ${tare_pages}/tare.fish
    COMMAND ${CMAKE_COMMAND} -E touch ${tare_pages}/stamp
    DEPENDS tare COMMENT "manual pages and completions")
  add_custom_target(tare_pages ALL DEPENDS ${tare_pages}/stamp)

  install(TARGETS tare RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(DIRECTORY ${tare_pages}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
  install(FILES ${tare_pages}/tare.bash RENAME tare
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${tare_pages}/_tare DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${tare_pages}/tare.fish
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

# For pkg-config: the packages that a static link needs are those of the rooms.
# Of libsndfile and soxr the names alone: their own private codecs come with the shared libraries.
set(tare_requires)
set(tare_libs)
foreach(lib ${tare_outside})
  if(lib MATCHES "^PkgConfig::(SNDFILE|SOXR)$")
    foreach(name ${${CMAKE_MATCH_1}_LIBRARIES})
      string(APPEND tare_libs " -l${name}")
    endforeach()
  elseif(lib MATCHES "^PkgConfig::(.*)$")
    list(APPEND tare_requires ${${CMAKE_MATCH_1}_MODULE_NAME})
  endif()
endforeach()
list(JOIN tare_requires " " tare_requires)
configure_file(${CMAKE_SOURCE_DIR}/cmake/tare.pc.in tare.pc @ONLY)

install(TARGETS tare_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${tare_archive} DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${CMAKE_SOURCE_DIR}/include/tare.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${CMAKE_BINARY_DIR}/tare.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
