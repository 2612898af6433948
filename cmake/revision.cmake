# SPDX-License-Identifier: Apache-2.0
# Writes OUTPUT with the revision of SOURCE_DIR, only when it changed.
execute_process(COMMAND git -C ${SOURCE_DIR} rev-parse --short=12 HEAD
  OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE code ERROR_QUIET)
if(code EQUAL 0)
  execute_process(COMMAND git -C ${SOURCE_DIR} diff --quiet HEAD -- RESULT_VARIABLE differs
    ERROR_QUIET)
  if(NOT differs EQUAL 0)
    string(APPEND revision "+")
  endif()
else()
  set(revision unknown)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define UNDERSTUDY_REVISION \"${revision}\"\n")
