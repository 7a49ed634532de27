# SPDX-License-Identifier: Apache-2.0
# One way to declare a room (library), its tests and its fuzzers.

add_library(railyard_options INTERFACE)
target_compile_features(railyard_options INTERFACE cxx_std_20)
# A designated initializer names what it sets; what it leaves out is empty on purpose. GCC 12 warns falsely about
# "text" + string under -Wrestrict (its bug 105651).
target_compile_options(railyard_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
  -Wno-missing-field-initializers $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  $<$<BOOL:${RAILYARD_WERROR}>:-Werror>)
if(RAILYARD_SANITIZE)
  target_compile_options(railyard_options INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(railyard_options INTERFACE -fsanitize=address,undefined)
endif()
if(RAILYARD_FUZZERS)
  target_link_options(railyard_options INTERFACE -fsanitize=fuzzer-no-link)
  add_custom_target(fuzzers)
endif()

# Sources of a target, some at a time as one: a build from nothing reads headers and writes templates once for all of them.
# Off by default: ccache keeps single sources, and together they hide an include that one of them lacks. Names are unique
# within a target, also those in unnamed namespaces.
function(compile_together target)
  if(RAILYARD_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 14)
    # A class of a source whose members are of unnamed namespaces looks to GCC like one of a header.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()

# railyard_room(NAME SOURCES a.cpp ... [PUBLIC target ...] [PRIVATE target ...])
# A static library railyard_NAME (alias railyard::NAME) whose headers are included from the root: "base/units.h".
set(fuzzed_rooms base profile import topologies exchange)  # what fuzzers feed counts its branches for them
function(railyard_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(railyard_${name} STATIC ${ROOM_SOURCES})
  add_library(railyard::${name} ALIAS railyard_${name})
  set_target_properties(railyard_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(railyard_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/railyard>)
  target_compile_features(railyard_${name} PUBLIC cxx_std_20)
  target_link_libraries(railyard_${name} PUBLIC ${ROOM_PUBLIC}
    PRIVATE ${ROOM_PRIVATE} $<BUILD_INTERFACE:railyard_options>)
  set_property(GLOBAL APPEND PROPERTY RAILYARD_ROOMS railyard_${name})
  compile_together(railyard_${name})
  if(RAILYARD_FUZZERS AND name IN_LIST fuzzed_rooms)
    target_compile_options(railyard_${name} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
endfunction()

# railyard_test(NAME SOURCES a_test.cpp ... LINK target ...): one Catch2 program, its cases found by CTest.
# Cases tagged [slow] get the label slow: `ctest -LE slow` leaves them out.
# Tests find data with RAILYARD_SOURCE_DIR and the shared files, where they exist, with RAILYARD_SHARED_DIR.
function(railyard_test name)
  cmake_parse_arguments(TEST "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name}_test ${TEST_SOURCES})
  target_link_libraries(${name}_test PRIVATE ${TEST_LINK} railyard_options Catch2::Catch2WithMain fmt::fmt)
  # Half of a build from nothing is the optimiser on Catch2's macros, which no test's result or patience needs.
  target_compile_options(${name}_test PRIVATE $<IF:$<CONFIG:Release>,-O1,-O0>)
  compile_together(${name}_test)
  target_compile_definitions(${name}_test PRIVATE
    RAILYARD_SOURCE_DIR="${PROJECT_SOURCE_DIR}" RAILYARD_SHARED_DIR="${PROJECT_SOURCE_DIR}/../shared"
    RAILYARD_BINARY_DIR="${PROJECT_BINARY_DIR}")

  # NoTests: a name that matches nothing fails. abortx: Catch2 exits with the number of failures, which must not be 77.
  set(arguments TEST_PREFIX ${name}/ EXTRA_ARGS --warn=NoTests --abortx=20)
  set(properties PROPERTIES SKIP_RETURN_CODE 77)
  catch_discover_tests(${name}_test ${arguments} TEST_SPEC ~[slow] ${properties})
  # A second list only where a source has slow cases: Catch2 warns about an empty one.
  foreach(source IN LISTS TEST_SOURCES)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    file(STRINGS ${source} slow REGEX "\\[slow\\]")
    if(slow)
      catch_discover_tests(${name}_test ${arguments} TEST_SPEC [slow] ${properties} LABELS slow)
      break()
    endif()
  endforeach()
endfunction()

# railyard_fuzzer(NAME SOURCE file LINK target ...): the libFuzzer program fuzz_NAME, with seeds in corpus/NAME beside it.
# Its seeds are also a CTest test.
function(railyard_fuzzer name)
  cmake_parse_arguments(FUZZ "" "SOURCE" "LINK" ${ARGN})
  add_executable(fuzz_${name} ${FUZZ_SOURCE})
  target_link_libraries(fuzz_${name} PRIVATE ${FUZZ_LINK} railyard_options)
  target_compile_options(fuzz_${name} PRIVATE -fsanitize=fuzzer-no-link)
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  add_dependencies(fuzzers fuzz_${name})
  if(RAILYARD_BUILD_TESTS)
    add_test(NAME "fuzz: seeds of ${name}"
      COMMAND fuzz_${name} -runs=0 ${CMAKE_CURRENT_SOURCE_DIR}/corpus/${name})
  endif()
endfunction()
