# SPDX-License-Identifier: Apache-2.0
# Precompiled headers of the standard library, fmt and GoogleTest: half of the time that a source
# needs. Off unless UNDERSTUDY_PCH is set, so that a plain build finds missing includes: what is
# precompiled would hide them. The presets of the sanitizers set it.
option(UNDERSTUDY_PCH "Precompile the headers of the standard library, fmt and GoogleTest" OFF)
if(UNDERSTUDY_PCH)
  set(precompiled_headers <algorithm> <array> <chrono> <cmath> <cstdint> <cstring> <filesystem>
    <fstream> <functional> <map> <memory> <mutex> <optional> <set> <span> <sstream> <string>
    <string_view> <thread> <tuple> <unordered_map> <utility> <variant> <vector> <fmt/format.h>)
  set(empty_source ${CMAKE_BINARY_DIR}/empty.cc)
  if(NOT EXISTS ${empty_source})
    file(WRITE ${empty_source} "")
  endif()
  add_library(understudy_precompiled OBJECT ${empty_source})
  target_link_libraries(understudy_precompiled PRIVATE fmt::fmt Threads::Threads understudy_flags)
  target_precompile_headers(understudy_precompiled PRIVATE ${precompiled_headers})
  if(BUILD_TESTING)
    # GCC takes a precompiled header only for the same kind of position independence, and tests are
    # executables.
    add_library(understudy_precompiled_tests OBJECT ${empty_source})
    target_link_libraries(understudy_precompiled_tests PRIVATE
      fmt::fmt Threads::Threads understudy_flags GTest::gtest GTest::gmock)
    target_compile_options(understudy_precompiled_tests PRIVATE -fPIE ${understudy_test_flags})
    target_precompile_headers(understudy_precompiled_tests PRIVATE
      ${precompiled_headers} <gmock/gmock.h> <gtest/gtest.h>)
  endif()
endif()

# understudy_precompile(TARGET DONOR): TARGET uses the headers of understudy_precompiled[_tests].
function(understudy_precompile target donor)
  if(UNDERSTUDY_PCH)
    target_precompile_headers(${target} REUSE_FROM ${donor})
  endif()
endfunction()

# understudy_unite(TARGET SIZE ALONE): compiles the sources of TARGET in groups of SIZE, except
# ALONE; a first build takes less than half the time then, as a group parses headers and
# instantiates templates once: of 2.9 MB of template code in launcher/, compiled in groups of ten,
# 0.9 MB were different. Off by default, as a change to one source compiles its group, and a group
# hides missing includes. Sources with compile options of their own stay alone.
function(understudy_unite target size alone)
  if(UNDERSTUDY_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${size})
    set_source_files_properties(${alone} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()
