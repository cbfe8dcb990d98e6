# The recipes of the published scorers, embedded into the room `scorer`.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
file(GLOB tare_recipe_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/scorer/recipe/data/*.json)
set(tare_recipe_pairs)
foreach(file ${tare_recipe_files})
  get_filename_component(name ${file} NAME)
  string(REGEX REPLACE "\\.json$" "" name ${name})
  string(REGEX REPLACE "[^a-z0-9]" "_" name ${name})
  list(APPEND tare_recipe_pairs asset_recipe_${name}=${file})
endforeach()
set(tare_recipe_assets ${CMAKE_BINARY_DIR}/recipe_texts.c)
add_custom_command(OUTPUT ${tare_recipe_assets}
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tools/embed.py ${tare_recipe_assets}
    scorer/recipe/recipe_assets.h ${tare_recipe_pairs}
  DEPENDS ${tare_recipe_files} ${CMAKE_SOURCE_DIR}/tools/embed.py
  COMMENT "embedding the recipes" VERBATIM)
target_sources(room_scorer PRIVATE ${tare_recipe_assets})
