# SPDX-License-Identifier: Apache-2.0
# Installs the rooms' libraries and headers, the program, and the data in the layout of the source tree.
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/railyard)
set(data_folder ${CMAKE_INSTALL_DATADIR}/railyard)

get_property(rooms GLOBAL PROPERTY RAILYARD_ROOMS)
install(TARGETS ${rooms} EXPORT railyardTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
foreach(room IN LISTS rooms)
  get_target_property(folder ${room} SOURCE_DIR)
  file(RELATIVE_PATH place ${PROJECT_SOURCE_DIR} ${folder})
  file(GLOB headers CONFIGURE_DEPENDS ${folder}/*.h)
  install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/railyard/${place})
endforeach()
if(TARGET railyard)
  install(TARGETS railyard RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

foreach(folder topologies/parts topologies/designs topologies/sites pricing/books pricing/owners calibrate/profiles
    sim/workload/models sim/goodput/reliability sim/report/schema sim/study/published sim/study/validation)
  if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/${folder})
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder}/ DESTINATION ${data_folder}/${folder}
      FILES_MATCHING PATTERN "*.yaml" PATTERN "*.json" PATTERN "*.csv")
  endif()
endforeach()
install(FILES LICENSE NOTICE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)

configure_package_config_file(cmake/railyard-config.cmake.in ${PROJECT_BINARY_DIR}/railyard-config.cmake
  INSTALL_DESTINATION ${package_folder} PATH_VARS data_folder)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/railyard-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/railyard-config.cmake ${PROJECT_BINARY_DIR}/railyard-config-version.cmake
  DESTINATION ${package_folder})
install(EXPORT railyardTargets NAMESPACE railyard:: DESTINATION ${package_folder})
