#===- DtcCompiler.cmake - Build functions for code that uses MLIR ---------===#
#
# Finds MLIR 19 and defines how TableGen is run and how a library of the
# compiler is built: as MLIR was (no RTTI), against its two shared libraries,
# with one precompiled header for all that only see the dialect's side of MLIR.
#
#===----------------------------------------------------------------------===#

include_guard(GLOBAL)
include(DtcRuntime)

find_package(MLIR 19.1 CONFIG QUIET HINTS /usr/lib/llvm-19)
if(NOT MLIR_FOUND)
  message(FATAL_ERROR "MLIR 19.1 was not found: install libmlir-19-dev and mlir-19-tools, set MLIR_DIR, or set DTC_BUILD_COMPILER to OFF")
endif()
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
# LLVM writes its depfiles relative to the build folder, as CMake once wanted;
# read the new way every .inc would be made again in every build.
cmake_policy(PUSH)
cmake_policy(SET CMP0116 OLD)
include(TableGen)
cmake_policy(POP)
include(AddLLVM)
include(AddMLIR)

add_custom_target(dtc-doc)

# dtc_tablegen(<name> TD <file> [OUT|DOC <file> <argument>...]... [TD <file> ...]...)
#
# Runs mlir-tblgen on the last TD named before each OUT or DOC and makes the
# target <name>, which compiler libraries name in DEPENDS.
# OUT files land in the build folder and are included from the root
# ("ir/DtcOps.h.inc"). DOC files are written to the build folder too; the target
# dtc-doc copies them beside the sources, and a test holds the two together.
#
#   dtc_tablegen(DtcIncGen
#     TD  DtcEnums.td
#     OUT DtcEnums.h.inc        -gen-enum-decls
#     OUT DtcEnums.cpp.inc      -gen-enum-defs
#     TD  DtcInterfaces.td
#     OUT DtcInterfaces.h.inc   -gen-op-interface-decls
#     OUT DtcInterfaces.cpp.inc -gen-op-interface-defs
#     TD  DtcOps.td
#     OUT DtcDialect.h.inc      -gen-dialect-decls -dialect=dtc
#     OUT DtcDialect.cpp.inc    -gen-dialect-defs -dialect=dtc
#     OUT DtcAttrs.h.inc        -gen-attrdef-decls -attrdefs-dialect=dtc
#     OUT DtcAttrs.cpp.inc      -gen-attrdef-defs -attrdefs-dialect=dtc
#     OUT DtcOps.h.inc          -gen-op-decls -dialect=dtc
#     OUT DtcOps.cpp.inc        -gen-op-defs -dialect=dtc
#     DOC docs/ops.md           -gen-dialect-doc -dialect=dtc
#   )
#
# Others: -gen-type-interface-decls, -gen-attr-interface-decls and their -defs,
# -gen-typedef-decls, -gen-pass-decls -name Dtc, -gen-pass-doc.
function(dtc_tablegen name)
  # The directory's includes are what tablegen() hands to mlir-tblgen as -I.
  include_directories(${DTC_SOURCE_DIR})
  include_directories(SYSTEM ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})

  set(TABLEGEN_OUTPUT "")
  set(td "")
  set(kind "")
  foreach(word IN LISTS ARGN ITEMS END)
    if(word MATCHES "^(TD|OUT|DOC|END)$")
      if(kind STREQUAL "TD")
        set(td ${words})
      elseif(kind)
        list(POP_FRONT words file)
        if(NOT td OR NOT words)
          message(FATAL_ERROR "${name}: ${kind} ${file} needs a TD before it and arguments after it")
        endif()
        if(kind STREQUAL "OUT")
          set(LLVM_TARGET_DEFINITIONS ${td})
          mlir_tablegen(${file} ${words})
        else()
          dtc_tablegen_doc(${td} ${file} ${words})
        endif()
      endif()
      set(kind ${word})
      set(words "")
    else()
      list(APPEND words ${word})
    endif()
  endforeach()

  add_custom_target(${name} DEPENDS ${TABLEGEN_OUTPUT})
endfunction()

# dtc_tablegen_doc(<td> <file> <argument>...): one DOC of dtc_tablegen.
function(dtc_tablegen_doc td file)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${file})
  get_filename_component(folder ${out} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  set(includes ${DTC_SOURCE_DIR} ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  list(TRANSFORM includes PREPEND -I)
  file(RELATIVE_PATH shown ${CMAKE_BINARY_DIR} ${out})
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${MLIR_TABLEGEN_EXE} ${ARGN} ${includes} -d ${out}.d -o ${out} ${CMAKE_CURRENT_SOURCE_DIR}/${td}
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${td}
    DEPFILE ${out}.d
    COMMENT "Writing ${shown}"
    VERBATIM)
  string(REPLACE "/" "-" target "dtc-doc-${shown}")
  add_custom_target(${target} ALL DEPENDS ${out})
  set_property(GLOBAL APPEND PROPERTY DTC_DOC_TARGETS ${target})
  add_custom_target(${target}-copy
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${out} ${CMAKE_CURRENT_SOURCE_DIR}/${file}
    DEPENDS ${out})
  add_dependencies(${target}-copy ${target})
  add_dependencies(dtc-doc ${target}-copy)
endfunction()

# dtc_add_compiler_library(<name> LAYER <layer> SRCS <file>... [DEPS <target>...]
#                          [DEPENDS <target>...] [PCH <header> | NO_PCH])
#
# A library of code that uses MLIR. DEPS are linked and checked against the
# arrows; DEPENDS are tablegen targets. MLIR and LLVM are always linked.
# PCH makes a precompiled header of this library's own (MLIR headers only, none
# of ours); otherwise the one of the first dependency that has one is reused,
# which asks for the same flags on both.
#
#   dtc_add_compiler_library(DtcPasses
#     LAYER   passes
#     SRCS    InsertCollectives.cpp Pipelines.cpp
#     DEPENDS DtcPassesIncGen
#     DEPS    DtcIr
#   )
function(dtc_add_compiler_library name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "NO_PCH" "LAYER;PCH" "SRCS;DEPS;DEPENDS")
  dtc_refuse_rest(${name} "${ARG_UNPARSED_ARGUMENTS}")
  add_library(${name} STATIC ${ARG_SRCS})
  dtc_check_arrows(${name} ${ARG_LAYER} "${ARG_DEPS}")
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  target_compile_options(${name} PUBLIC -fno-rtti)
  target_include_directories(${name} SYSTEM PUBLIC ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  target_link_libraries(${name} PUBLIC ${ARG_DEPS} MLIR LLVM)
  dtc_include_from_root(${name})
  dtc_set_warnings(${name})
  if(ARG_PCH)
    target_precompile_headers(${name} PRIVATE ${ARG_PCH})
    set_property(TARGET ${name} PROPERTY DTC_PCH_TARGET ${name})
  elseif(NOT ARG_NO_PCH)
    dtc_reuse_precompiled_header(${name} "${ARG_DEPS}")
    foreach(dep IN LISTS ARG_DEPS)
      get_target_property(pch ${dep} DTC_PCH_TARGET)
      if(pch)
        set_property(TARGET ${name} PROPERTY DTC_PCH_TARGET ${pch})
        break()
      endif()
    endforeach()
  endif()
endfunction()
