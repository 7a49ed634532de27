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
