#===- DtcStyle.cmake - Targets that hold the sources to the house style ---===#
#
#   format        clang-format on what differs from HEAD, new files included
#   check-format  every file of the tree as clang-format would write it
#   tidy          clang-tidy on every translation unit of the build
#
# Each uses the tools of the compiler's own version, since another version
# formats differently and cannot read the precompiled headers.
#
#===----------------------------------------------------------------------===#

include_guard(GLOBAL)

set(DTC_FORMATTED "*.h" "*.cpp" "*.cu" "*.cuh")

# dtc_add_style_target(<name> <program> <command>)
#
# A target that runs a shell command in the source folder, or says which program
# is missing.
function(dtc_add_style_target name program command)
  find_program(DTC_${program} ${program})
  if(NOT DTC_${program})
    set(command "echo '${name}: ${program} was not found; install it and configure again' >&2; exit 1")
  endif()
  add_custom_target(${name}
    COMMAND bash -euo pipefail -c "${command}"
    WORKING_DIRECTORY ${DTC_SOURCE_DIR}
    USES_TERMINAL VERBATIM)
endfunction()

list(JOIN DTC_FORMATTED "' '" patterns)
dtc_add_style_target(format clang-format-19
  "{ git diff --name-only --diff-filter=d HEAD -- '${patterns}'; git ls-files --others --exclude-standard -- '${patterns}'; } | xargs -r clang-format-19 -i")
dtc_add_style_target(check-format clang-format-19
  "git ls-files --cached --others --exclude-standard -- '${patterns}' | xargs -r clang-format-19 --dry-run -Werror")
dtc_add_style_target(tidy run-clang-tidy-19
  "run-clang-tidy-19 -quiet -p '${CMAKE_BINARY_DIR}' '^${DTC_SOURCE_DIR}/'")
