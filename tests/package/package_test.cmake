# SPDX-License-Identifier: Apache-2.0
# Installs the build BUILD below FOLDER, then configures, builds and runs CONSUMER against it.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE ${FOLDER})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${FOLDER}/prefix --config ${CONFIG}
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
# The install must not lean on the tree it came from: it is used after a move.
file(RENAME ${FOLDER}/prefix ${FOLDER}/moved)
execute_process(COMMAND ${CMAKE_COMMAND} -G ${GENERATOR} -S ${CONSUMER} -B ${FOLDER}/build
    -DCMAKE_PREFIX_PATH=${FOLDER}/moved -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=${CONFIG}
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${FOLDER}/build COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${FOLDER}/build/consumer COMMAND_ERROR_IS_FATAL ANY)
# The program finds every kind of data where it was moved to.
foreach(kind designs sites parts profiles books owners models)
  execute_process(COMMAND ${FOLDER}/moved/bin/railyard list ${kind} OUTPUT_VARIABLE listed COMMAND_ERROR_IS_FATAL ANY)
  if(listed STREQUAL "")
    message(FATAL_ERROR "the installed program lists no ${kind}")
  endif()
endforeach()
