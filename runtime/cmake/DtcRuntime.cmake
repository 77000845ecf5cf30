#===- DtcRuntime.cmake - Build functions that need no MLIR ----------------===#
#
# What both halves of dtc share (compiler, flags, the check of the arrows) and
# what the runtime adds: libraries, schemas, tools. It stands here, not in the
# root, because the runtime is configured alone on machines without MLIR.
#
#===----------------------------------------------------------------------===#

include_guard(GLOBAL)

# Where includes start ("runtime/base/Status.h"), for the whole tree and for the
# runtime alone.
get_filename_component(DTC_SOURCE_DIR "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)

# dtc_choose_compiler()
#
# Takes clang-19 when neither the command line, a preset nor CC/CXX chose
# another. Called before project().
macro(dtc_choose_compiler)
  if(NOT CMAKE_CXX_COMPILER AND NOT DEFINED ENV{CXX})
    find_program(DTC_CLANGXX clang++-19)
    find_program(DTC_CLANG clang-19)
    if(DTC_CLANGXX AND DTC_CLANG)
      set(CMAKE_C_COMPILER ${DTC_CLANG})
      set(CMAKE_CXX_COMPILER ${DTC_CLANGXX})
    endif()
  endif()
endmacro()

# dtc_project_defaults()
#
# What holds for every target: C++17, Release unless said otherwise, lld and
# ccache where they are found, the sanitizers of DTC_SANITIZE, programs in bin/.
# A macro, so that it sets the variables of the project that calls it.
macro(dtc_project_defaults)
  set(CMAKE_CXX_STANDARD 17)
  set(CMAKE_CXX_STANDARD_REQUIRED ON)
  set(CMAKE_CXX_EXTENSIONS OFF)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  # A package that one folder finds serves those that link the folder's library.
  set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
  if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
  endif()

  find_program(DTC_LLD NAMES ld.lld-19 ld.lld)
  if(DTC_LLD AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    add_link_options(--ld-path=${DTC_LLD})
  endif()

  # Clang writes the time of a header into a precompiled header unless told not
  # to, and ccache takes no precompiled header without the two concessions.
  # Paths under the source are kept relative, so that worktrees share a cache.
  find_program(DTC_CCACHE ccache)
  if(DTC_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros
      CCACHE_BASEDIR=${DTC_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${DTC_CCACHE})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
      add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
    endif()
  endif()

  if(DTC_SANITIZE)
    if(NOT DTC_SANITIZE MATCHES "^(address,undefined|thread)$")
      message(FATAL_ERROR "DTC_SANITIZE is \"${DTC_SANITIZE}\"; set it to \"address,undefined\" or \"thread\"")
    endif()
    # vptr and function need RTTI, which MLIR is built without.
    set(_dtc_sanitize -fsanitize=${DTC_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
    if(DTC_SANITIZE MATCHES "undefined")
      list(APPEND _dtc_sanitize -fno-sanitize=vptr,function)
    endif()
    add_compile_options(${_dtc_sanitize})
    add_link_options(${_dtc_sanitize})
  endif()

  if(DTC_ENABLE_CUDA)
    message(FATAL_ERROR "DTC_ENABLE_CUDA is ON, but this tree has no CUDA device; set it to OFF")
  endif()
endmacro()

# dtc_set_warnings(<target>)
function(dtc_set_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Werror)
endfunction()

# dtc_check_arrows(<target> <layer> <deps>)
#
# Stops configuring when a dependency lies outside the arrows of <layer>
# (DTC_ARROWS_<layer>, DTC_NEVER_<layer>), and notes the layer of <target>.
function(dtc_check_arrows target layer deps)
  if(NOT DEFINED DTC_ARROWS_${layer})
    message(FATAL_ERROR "${target}: there is no layer \"${layer}\"; the layers are in the table of the root CMakeLists.txt")
  endif()
  set(allowed ${layer} ${DTC_ARROWS_${layer}})
  foreach(dep IN LISTS deps)
    set(dep_layer "")
    if(TARGET ${dep})
      get_target_property(dep_layer ${dep} DTC_LAYER)
    elseif(dep MATCHES "^Dtc")
      message(FATAL_ERROR "${target}: ${dep} is no target (yet); its folder must come before this one")
    endif()
    if(dep_layer)
      if(NOT dep_layer IN_LIST allowed AND NOT "*" IN_LIST allowed)
        message(FATAL_ERROR "${target}: layer ${layer} may not depend on ${dep} of layer ${dep_layer}; it may on: ${allowed}")
      endif()
    elseif(DTC_NEVER_${layer} AND dep MATCHES "${DTC_NEVER_${layer}}")
      message(FATAL_ERROR "${target}: layer ${layer} may not depend on ${dep}")
    endif()
  endforeach()
  set_property(TARGET ${target} PROPERTY DTC_LAYER ${layer})
endfunction()

# dtc_include_from_root(<target>)
#
# Includes are written from the repository root. Generated files mirror the tree
# in the build folder; they are system headers, so that their warnings are not
# ours.
function(dtc_include_from_root target)
  get_target_property(type ${target} TYPE)
  set(scope PUBLIC)
  if(type STREQUAL "INTERFACE_LIBRARY")
    set(scope INTERFACE)
  endif()
  target_include_directories(${target} ${scope} ${DTC_SOURCE_DIR})
  target_include_directories(${target} SYSTEM ${scope} ${CMAKE_BINARY_DIR})
endfunction()

# dtc_add_runtime_library(<name> LAYER <layer> SRCS <file>... [DEPS <target>...])
#
# A library of the runtime. Fails when a dependency is outside the layer's
# arrows or is an MLIR or LLVM target, so that the runtime can be built alone.
#
#   dtc_add_runtime_library(DtcRuntimeComm
#     LAYER runtime
#     SRCS  LocalCommunicator.cpp GlooCommunicator.cpp
#     DEPS  DtcRuntimeBase gloo
#   )
function(dtc_add_runtime_library name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "LAYER" "SRCS;DEPS")
  dtc_refuse_rest(${name} "${ARG_UNPARSED_ARGUMENTS}")
  add_library(${name} STATIC ${ARG_SRCS})
  dtc_check_arrows(${name} ${ARG_LAYER} "${ARG_DEPS}")
  target_link_libraries(${name} PUBLIC ${ARG_DEPS})
  dtc_include_from_root(${name})
  dtc_set_warnings(${name})
endfunction()

# dtc_add_schema(<name> FILES <file.fbs>... [LAYER <layer>] [EMBED])
#
# Generates <file>_generated.h (with the object API and reflection) for each
# schema and makes the interface library <name> that brings them:
# #include "frontend/schema/model_generated.h". A schema that includes another
# of the same folder names it bare: include "types.fbs".
# EMBED also writes <file>_fbs.h, which holds the schema's text as
# `inline constexpr char <file>_fbs[]`, for flatbuffers::Parser.
# LAYER is the folder's path unless said otherwise.
#
#   dtc_add_schema(DtcModelSchema FILES model.fbs EMBED)
function(dtc_add_schema name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "EMBED" "LAYER" "FILES")
  dtc_refuse_rest(${name} "${ARG_UNPARSED_ARGUMENTS}")
  find_package(FlatBuffers CONFIG REQUIRED)
  file(RELATIVE_PATH folder ${DTC_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  if(NOT ARG_LAYER)
    set(ARG_LAYER ${folder})
  endif()
  set(out ${CMAKE_BINARY_DIR}/${folder})
  set(schemas ${ARG_FILES})
  list(TRANSFORM schemas PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)

  set(generated "")
  foreach(schema IN LISTS schemas)
    get_filename_component(stem ${schema} NAME_WE)
    # Every schema of the set is a dependency, since any may include another.
    add_custom_command(
      OUTPUT ${out}/${stem}_generated.h
      COMMAND flatbuffers::flatc --cpp --cpp-std c++17 --scoped-enums
              --gen-object-api --reflect-names --gen-name-strings
              -I ${DTC_SOURCE_DIR} -o ${out} ${schema}
      DEPENDS ${schemas}
      COMMENT "flatc ${folder}/${stem}.fbs"
      VERBATIM)
    list(APPEND generated ${out}/${stem}_generated.h)
    if(ARG_EMBED)
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${schema})
      file(READ ${schema} text)
      file(CONFIGURE OUTPUT ${out}/${stem}_fbs.h @ONLY CONTENT
        "inline constexpr char ${stem}_fbs[] = R\"fbs(\n@text@)fbs\";\n")
    endif()
  endforeach()

  add_custom_target(${name}Gen DEPENDS ${generated})
  add_library(${name} INTERFACE)
  add_dependencies(${name} ${name}Gen)
  dtc_check_arrows(${name} ${ARG_LAYER} "")
  target_link_libraries(${name} INTERFACE flatbuffers::flatbuffers)
  dtc_include_from_root(${name})
endfunction()

# dtc_add_tool(<name> LAYER <layer> SRCS <file>... [DEPS <target>...])
#
# A program in build/bin. One that links compiler libraries takes their flags
# and their precompiled header.
#
#   dtc_add_tool(dtc-opt LAYER passes SRCS dtc-opt.cpp DEPS DtcPasses)
function(dtc_add_tool name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "LAYER" "SRCS;DEPS")
  dtc_refuse_rest(${name} "${ARG_UNPARSED_ARGUMENTS}")
  add_executable(${name} ${ARG_SRCS})
  dtc_check_arrows(${name} ${ARG_LAYER} "${ARG_DEPS}")
  target_link_libraries(${name} PRIVATE ${ARG_DEPS})
  dtc_include_from_root(${name})
  dtc_set_warnings(${name})
  dtc_reuse_precompiled_header(${name} "${ARG_DEPS}")
endfunction()

# dtc_reuse_precompiled_header(<target> <deps>)
#
# A program takes the precompiled header of the first compiler library that it
# links. Does nothing for one that links none.
function(dtc_reuse_precompiled_header target deps)
  foreach(dep IN LISTS deps)
    if(TARGET ${dep})
      get_target_property(pch ${dep} DTC_PCH_TARGET)
      if(pch)
        target_precompile_headers(${target} REUSE_FROM ${pch})
        return()
      endif()
    endif()
  endforeach()
endfunction()

# dtc_refuse_rest(<target> <arguments>): a misspelt keyword is an error.
function(dtc_refuse_rest target arguments)
  if(arguments)
    message(FATAL_ERROR "${target}: unknown arguments: ${arguments}")
  endif()
endfunction()
