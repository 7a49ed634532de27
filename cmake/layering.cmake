# SPDX-License-Identifier: Apache-2.0
# Checks the include directions between rooms, the door of each foreign package, and file lengths.
#   cmake -DROOT=folder -P cmake/layering.cmake
cmake_minimum_required(VERSION 3.25)

set(longest 600)

# Room -> rooms it may include besides itself. Order matters nowhere; nested rooms are named by their full path.
set(rooms base calibrate/profile calibrate/import calibrate/fit calibrate/device topologies topologies/exchange pricing
  sim/workload sim/network sim/engine sim/goodput sim/serving sim/search sim/study sim/report sim/app)
set(below_base)
set(below_calibrate/profile base)
foreach(room import fit device)
  set(below_calibrate/${room} base calibrate/profile)
endforeach()
set(below_topologies base)
set(below_topologies/exchange base topologies)
set(below_pricing base topologies)
set(below_sim/workload base calibrate/profile)
set(below_sim/network base calibrate/profile topologies sim/workload)
set(below_sim/engine ${below_sim/network} sim/network)
foreach(room goodput serving search)
  set(below_sim/${room} ${below_sim/engine} sim/engine)
endforeach()
set(below_sim/study ${below_sim/engine} sim/engine sim/goodput sim/serving sim/search pricing calibrate/import
  calibrate/fit)
set(below_sim/report ${below_sim/study} sim/study topologies/exchange)
set(below_sim/app ${rooms})

# Regular expression of a foreign package's includes => regular expression of the files that may use it.
set(doors
  "yaml-cpp/ => ^base/"
  "boost/(graph|property_map|pending)/ => ^topologies/([^/]+[.]cpp|(fabric_graph|max_flow)[.]h)$"
  "expat[.]h => ^topologies/exchange/"
  "Eigen/ => ^calibrate/(fit|device)/"
  "CLI/ => ^sim/app/"
  "nlohmann/ => ^sim/report/"
  "xlsxwriter => ^sim/report/"
  "(tbb|oneapi)/ => ^sim/study/"
  "mpi[.]h => ^sim/study/"
  "(cuda|cublas|nccl|hip/|rccl|nvml) => ^calibrate/device/")

# Headers that only their own room includes: they show what the room keeps behind its door.
set(private_headers base/yaml_tree.h topologies/fabric_graph.h topologies/max_flow.h
  topologies/exchange/graphml_fields.h topologies/exchange/xml_reader.h topologies/exchange/csv_table.h
  topologies/exchange/remarks.h topologies/exchange/topo_reader.h)

set(violations)
function(violation place text)
  list(APPEND violations "${place}: ${text}")
  set(violations "${violations}" PARENT_SCOPE)
endfunction()

# The room a path belongs to: the longest room name that starts it; empty when none does.
function(room_of path result)
  set(found "")
  foreach(room IN LISTS rooms)
    string(FIND "${path}" "${room}/" at)
    if(at EQUAL 0)
      set(found ${room})
    endif()
  endforeach()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

function(check_include file room include)
  set(place "${file}: #include ${include}")
  string(REGEX REPLACE "^[<\"]|[>\"]$" "" target "${include}")
  foreach(door IN LISTS doors)
    string(REGEX MATCH "^(.*) => (.*)$" parts "${door}")
    set(package "${CMAKE_MATCH_1}")
    set(allowed "${CMAKE_MATCH_2}")
    if(target MATCHES "^${package}" AND NOT file MATCHES "${allowed}")
      violation("${place}" "this package is used only in files matching ${allowed}")
    endif()
  endforeach()
  if(include MATCHES "^\"")
    room_of("${target}" target_room)
    if(target MATCHES "^tests/")
      violation("${place}" "a room never includes tests")
    elseif(target_room STREQUAL "")
      violation("${place}" "include from the root, by room: \"base/units.h\"")
    elseif(NOT target_room STREQUAL room AND NOT target_room IN_LIST below_${room})
      violation("${place}" "${room} may not include ${target_room}")
    elseif(NOT target_room STREQUAL room AND target IN_LIST private_headers)
      violation("${place}" "this header is private to ${target_room}")
    endif()
  endif()
  set(violations "${violations}" PARENT_SCOPE)
endfunction()

file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/base/* ${ROOT}/calibrate/* ${ROOT}/topologies/* ${ROOT}/pricing/*
  ${ROOT}/sim/* ${ROOT}/tests/* ${ROOT}/examples/*)
list(FILTER files INCLUDE REGEX "[.](h|cpp|cu|cuh|hip)$")
list(LENGTH files count)
if(count EQUAL 0)
  message(FATAL_ERROR "no source files under ${ROOT}")
endif()
foreach(file IN LISTS files)
  file(READ ${ROOT}/${file} text)
  string(REGEX REPLACE "[^\n]" "" newlines "${text}")
  string(LENGTH "${newlines}" length)
  if(length GREATER longest)
    violation("${file}" "${length} lines, more than ${longest}")
  endif()
  room_of(${file} room)
  if(file MATCHES "^(tests|examples)/")
    continue()
  elseif(room STREQUAL "")
    violation("${file}" "this folder is no room: add it to cmake/layering.cmake")
    continue()
  endif()
  string(REGEX MATCHALL "(^|\n)[ \t]*#[ \t]*include[ \t]*[<\"][^>\"\n]+[>\"]" includes "${text}")
  foreach(include IN LISTS includes)
    string(REGEX MATCH "[<\"].*" include "${include}")
    check_include("${file}" "${room}" "${include}")
  endforeach()
endforeach()

if(violations)
  list(JOIN violations "\n" text)
  message(FATAL_ERROR "layering:\n${text}")
endif()
message(STATUS "layering: ${count} files keep to the rules")
