# The report page: web/ is bundled with npm and esbuild and embedded into the room `report`. With
# -DTARE_WEB=OFF no npm is needed; the page then says "Built without charts" and the
# specifications are still written.
#
# As a script (cmake -DFOLDER=... -DNPM=... -P TareWeb.cmake) it installs the packages of a folder
# unless they are there and as new as the lock file.
if(CMAKE_SCRIPT_MODE_FILE)
  file(LOCK ${FOLDER} DIRECTORY GUARD PROCESS TIMEOUT 600) # two builds share one source tree
  set(installed ${FOLDER}/node_modules/.package-lock.json)
  if(NOT EXISTS ${installed} OR ${FOLDER}/package-lock.json IS_NEWER_THAN ${installed})
    execute_process(COMMAND ${NPM} ci --no-audit --no-fund --prefer-offline
      WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_VARIABLE said)
    if(failed)
      message(FATAL_ERROR "npm ci failed in ${FOLDER} (or build with -DTARE_WEB=OFF):\n${said}")
    endif()
    file(TOUCH ${installed})
  endif()
  return()
endif()

include_guard(GLOBAL)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(TARE_WEB_SCRIPT ${CMAKE_CURRENT_LIST_FILE})
set(tare_web_source ${CMAKE_SOURCE_DIR}/web)
set(tare_web_build ${CMAKE_BINARY_DIR}/web)
file(MAKE_DIRECTORY ${tare_web_build})
if(TARE_WEB)
  find_program(TARE_NPM npm)
  find_program(TARE_NODE NAMES node nodejs)
  if(NOT TARE_NPM OR NOT TARE_NODE)
    message(FATAL_ERROR "the report's charts need node and npm to build: install them, or "
      "configure with -DTARE_WEB=OFF")
  endif()
  file(GLOB tare_web_files CONFIGURE_DEPENDS ${tare_web_source}/src/*)
  add_custom_command(OUTPUT ${tare_web_build}/packages.stamp
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${tare_web_source} -DNPM=${TARE_NPM} -P ${TARE_WEB_SCRIPT}
    COMMAND ${CMAKE_COMMAND} -E touch ${tare_web_build}/packages.stamp
    DEPENDS ${tare_web_source}/package-lock.json COMMENT "npm packages of the report page" VERBATIM)
  add_custom_command(
    OUTPUT ${tare_web_build}/report.js ${tare_web_build}/report.css ${tare_web_build}/NOTICE
    COMMAND ${TARE_NODE} ${tare_web_source}/build.mjs ${tare_web_build}
    DEPENDS ${tare_web_files} ${tare_web_source}/build.mjs ${tare_web_source}/package.json
      ${tare_web_build}/packages.stamp
    COMMENT "bundling the report page" VERBATIM)
  set(tare_web_js ${tare_web_build}/report.js)
  set(tare_web_css ${tare_web_build}/report.css)
  set(tare_web_inputs ${tare_web_js} ${tare_web_css})
else()
  set(tare_web_js -)
  set(tare_web_css ${tare_web_source}/src/report.css)
  set(tare_web_inputs ${tare_web_css})
endif()
add_custom_command(OUTPUT ${tare_web_build}/report_assets.c
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tools/embed.py ${tare_web_build}/report_assets.c
    report/assets.h asset_report_css=${tare_web_css} asset_report_js=${tare_web_js}
  DEPENDS ${tare_web_inputs} ${CMAKE_SOURCE_DIR}/tools/embed.py
  COMMENT "embedding the report page" VERBATIM)

# A target of its own: the bundle need not wait for the libraries that the room uses.
add_custom_target(tare_web_assets DEPENDS ${tare_web_build}/report_assets.c)

get_target_property(tare_report_type room_report TYPE)
if(tare_report_type STREQUAL "STATIC_LIBRARY")
  target_sources(room_report PRIVATE ${tare_web_build}/report_assets.c)
  add_dependencies(room_report tare_web_assets)
endif()
