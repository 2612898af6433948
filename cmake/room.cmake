# SPDX-License-Identifier: Apache-2.0
# Flags of all our targets. From -O2 on, g++ 12 has false positives: "maybe uninitialized" for
# vectors inside aggregates, "dangling pointer" for a local's address that another thread returns in
# time, and "restrict" for "text" + string. The sanitizers check all three.
add_library(understudy_flags INTERFACE)
target_compile_options(understudy_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -ffp-contract=off -fno-math-errno
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:
    -Wno-maybe-uninitialized;-Wno-dangling-pointer$<$<NOT:$<CONFIG:Debug>>:;-Wno-restrict>>
  $<$<BOOL:${UNDERSTUDY_WERROR}>:-Werror>)
# A group of sources sees the unnamed namespaces of all of them, and g++ 12 has false positives for
# "text" + string in large sources: these warnings are left to the plain build.
option(UNDERSTUDY_UNITY "Compile sources in groups: for a first build, not for development" OFF)
if(UNDERSTUDY_UNITY)
  target_compile_options(understudy_flags INTERFACE
    -Wno-shadow -Wno-subobject-linkage -Wno-stringop-overflow -Wno-array-bounds)
endif()
# Instrumented rooms are shared libraries: each test program would take 4 s to link. Such a build is
# for tests: what it installs does not find them, and the build id of a worker does not cover them.
set(understudy_room_kind STATIC)
if(UNDERSTUDY_SANITIZE)
  set(understudy_room_kind SHARED)
  add_compile_options(-fsanitize=${UNDERSTUDY_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${UNDERSTUDY_SANITIZE})
  if(UNDERSTUDY_SANITIZE STREQUAL "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # It does not model fences (configs/receipt/record/flight_record.cc); the data they order are
    # atomic.
    add_compile_options(-Wno-tsan)
  endif()
endif()
# What a test computes itself is small; -O3 would double the time of its compilation.
set(understudy_test_flags $<$<CONFIG:Release>:-O1>)
set(understudy_cold_flags $<$<CONFIG:Release>:-O1>)
# Checks of every pointer (null, aligned, of an object's size) double the time to compile, and the
# address sanitizer ends a program at a null pointer too. Instrumented for undefined behaviour, the
# matchers of a test take three times as long: the rooms are checked, the code of the tests is not.
# To check that no variable is used after its block takes a quarter of the time to compile: left out
# in tests and COLD rooms. The other rooms (worker, collectives, cache, pjrt among them) have these
# checks, and the build for fuzzing has them everywhere.
if(UNDERSTUDY_SANITIZE MATCHES "undefined")
  add_compile_options(
    -fno-sanitize=null,alignment,object-size,vptr,nonnull-attribute,returns-nonnull-attribute)
  set(understudy_test_flags -fno-sanitize=undefined -fno-sanitize-address-use-after-scope)
  list(APPEND understudy_cold_flags -fno-sanitize-address-use-after-scope)
endif()
if(UNDERSTUDY_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "UNDERSTUDY_FUZZ needs -DCMAKE_CXX_COMPILER=clang++-14")
  endif()
  set(fuzz_flags -fsanitize=address,undefined -fno-sanitize-recover=all)
  add_compile_options(${fuzz_flags} -fsanitize=fuzzer-no-link -fno-omit-frame-pointer)
  add_link_options(${fuzz_flags})
endif()

# One room is one library, static unless it is instrumented. Its headers are visible only to rooms
# that link it: its include path is a private folder with a link to the room's folder. FOLDER: if it
# differs from the name.
# ALONE: sources that are not compiled together with others (precompile.cmake).
# COLD: little time is spent in it: -O1 takes half of the time to compile it, and the address
# sanitizer makes fewer checks (above).
# STATIC: also where it is instrumented.
# GROUP: sources compiled together with UNDERSTUDY_UNITY; no two of a group define one name. A larger
# group parses headers and instantiates the templates that its sources share less often.
# understudy_room(cache SOURCES a.cc DEPS base program PRIVATE_DEPS Boost::serialization)
function(understudy_room name)
  cmake_parse_arguments(R "COLD;STATIC" "FOLDER;GROUP" "SOURCES;ALONE;DEPS;PRIVATE_DEPS" ${ARGN})
  if(NOT R_FOLDER)
    set(R_FOLDER ${name})
  endif()
  if(NOT R_GROUP)
    set(R_GROUP 30)
  endif()
  set(view ${CMAKE_BINARY_DIR}/rooms/${name})
  cmake_path(GET R_FOLDER PARENT_PATH parent)
  file(MAKE_DIRECTORY ${view}/${parent})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${R_FOLDER} ${view}/${R_FOLDER} SYMBOLIC)
  if(R_STATIC)
    set(understudy_room_kind STATIC)
  endif()
  add_library(understudy_${name} ${understudy_room_kind} ${R_SOURCES} ${R_ALONE})
  target_include_directories(understudy_${name} PUBLIC ${view})
  list(TRANSFORM R_DEPS PREPEND understudy_)
  target_link_libraries(understudy_${name} PUBLIC ${R_DEPS} fmt::fmt
                        PRIVATE understudy_flags ${R_PRIVATE_DEPS})
  understudy_precompile(understudy_${name} understudy_precompiled)
  understudy_unite(understudy_${name} ${R_GROUP} "${R_ALONE}")
  if(R_COLD)
    target_compile_options(understudy_${name} PRIVATE ${understudy_cold_flags})
  endif()
endfunction()

# understudy_test(configs SOURCES a_test.cc DEPS configs [LABEL unit|mpi] [TIMEOUT s] [LIBS ...]
#   [ALONE file that no unity group holds])
# creates the binary <name>_test and one ctest entry of that name; `tests/run` counts its cases.
# Label mpi: starts mpirun and runs alone. Target unit_tests builds the others.
add_custom_target(unit_tests)
function(understudy_test name)
  cmake_parse_arguments(T "" "LABEL;TIMEOUT" "SOURCES;ALONE;DEPS;LIBS" ${ARGN})
  if(NOT T_LABEL)
    set(T_LABEL unit)
  endif()
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 300)
  endif()
  add_executable(${name}_test ${T_SOURCES} ${T_ALONE})
  list(TRANSFORM T_DEPS PREPEND understudy_)
  target_include_directories(${name}_test PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name}_test PRIVATE ${T_DEPS} ${T_LIBS} understudy_flags
                        GTest::gtest GTest::gmock GTest::gtest_main)
  target_compile_definitions(${name}_test PRIVATE
    UNDERSTUDY_SOURCE_DIR="${PROJECT_SOURCE_DIR}" UNDERSTUDY_BINARY_DIR="${CMAKE_BINARY_DIR}")
  understudy_precompile(${name}_test understudy_precompiled_tests)
  understudy_unite(${name}_test 10 "${T_ALONE}")
  target_compile_options(${name}_test PRIVATE ${understudy_test_flags})
  add_test(NAME ${name} COMMAND ${name}_test --gtest_brief=1)
  set_tests_properties(${name} PROPERTIES LABELS ${T_LABEL} TIMEOUT ${T_TIMEOUT})
  if(T_LABEL STREQUAL "mpi")
    set_tests_properties(${name} PROPERTIES RUN_SERIAL ON)
  else()
    add_dependencies(unit_tests ${name}_test)
  endif()
endfunction()
