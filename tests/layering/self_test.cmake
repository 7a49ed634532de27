# SPDX-License-Identifier: Apache-2.0
# Writes a small tree for each rule of cmake/layering.cmake and expects exactly the trees that break one to be refused.
cmake_minimum_required(VERSION 3.25)

set(failures "")

# expect(VERDICT FILE CONTENT MESSAGE): a tree of this one file passes, or is refused with a message that has these words.
function(expect verdict file content message)
  file(REMOVE_RECURSE ${FOLDER})
  file(WRITE ${FOLDER}/${file} "${content}\n")
  execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${FOLDER} -P ${CHECK}
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " output "${output}")  # CMake wraps long messages
  string(FIND "${output}" "${message}" at)
  if((verdict STREQUAL pass AND NOT status EQUAL 0) OR (verdict STREQUAL refuse AND (status EQUAL 0 OR at EQUAL -1)))
    string(SUBSTRING "${content}" 0 200 content)
    string(APPEND failures "expected ${verdict}: ${file}: ${content}\n  got ${status}: ${output}\n")
    set(failures "${failures}" PARENT_SCOPE)
  endif()
endfunction()

# Directions, both ways round.
expect(pass pricing/a.h "#include \"topologies/parts.h\"" "")
expect(refuse topologies/a.h "#include \"pricing/capex.h\"" "topologies may not include pricing")
expect(pass sim/network/a.cpp "#include \"sim/workload/model.h\"" "")
expect(refuse sim/workload/a.cpp "#include \"sim/network/network.h\"" "sim/workload may not include sim/network")
expect(refuse base/a.h "  #  include \"topologies/parts.h\"" "base may not include topologies")
expect(refuse sim/search/a.cpp "#include \"pricing/capex.h\"" "sim/search may not include pricing")
expect(refuse sim/study/a.cpp "#include \"calibrate/device/x.h\"" "sim/study may not include calibrate/device")
expect(pass sim/study/a.cpp "#include \"calibrate/fit/x.h\"\n#include <vector>" "")
expect(refuse calibrate/fit/a.cpp "#include \"calibrate/import/x.h\"" "calibrate/fit may not include calibrate/import")
expect(pass sim/app/main.cpp "#include \"calibrate/device/x.h\"\n#include <CLI/CLI.hpp>" "")
expect(refuse pricing/a.cpp "#include \"topologies/fabric_graph.h\"" "this header is private to topologies")
expect(pass topologies/a.cpp "#include \"topologies/fabric_graph.h\"" "")

# Doors of foreign packages.
expect(pass base/a.cpp "#include <yaml-cpp/yaml.h>" "")
expect(refuse topologies/a.cpp "#include <yaml-cpp/yaml.h>" "used only in files")
expect(pass topologies/a.cpp "#include <boost/graph/adjacency_list.hpp>" "")
expect(refuse topologies/a.h "#include <boost/graph/adjacency_list.hpp>" "used only in files")
expect(refuse sim/network/a.cpp "#include <boost/graph/adjacency_list.hpp>" "used only in files")
expect(refuse sim/study/a.cpp "#include <CLI/CLI.hpp>" "used only in files")
expect(refuse sim/app/a.cpp "#include <nlohmann/json.hpp>" "used only in files")
expect(pass sim/report/a.cpp "#include <nlohmann/json.hpp>" "")
expect(pass calibrate/fit/a.cpp "#include <Eigen/Dense>" "")
expect(refuse calibrate/profile/a.cpp "#include <Eigen/Dense>" "used only in files")
expect(refuse calibrate/fit/a.cpp "#include <cuda_runtime.h>" "used only in files")

# The rest.
expect(refuse sim/app/a.cpp "#include \"tests/catch.h\"" "a room never includes tests")
expect(refuse base/a.cpp "#include \"units.h\"" "include from the root")
expect(refuse sim/oracle/a.cpp "int answer;" "this folder is no room")
string(REPEAT "//\n" 599 longest)  # expect() adds one more newline
expect(pass tests/base/a.cpp "${longest}" "")
expect(refuse tests/base/a.cpp "//\n${longest}" "601 lines, more than 600")

if(failures)
  message(FATAL_ERROR "${failures}")
endif()
