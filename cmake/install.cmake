# SPDX-License-Identifier: Apache-2.0
# The installed tree is relocatable: understudy finds its worker in its own folder, and chip specs
# and profiles are embedded in the binaries.
include(GNUInstallDirs)
install(TARGETS understudy understudy-worker understudy-cache-stress
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS understudy-listen LIBRARY DESTINATION lib/understudy)
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATADIR}/understudy)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DATADIR}/understudy)
install(DIRECTORY configs/chips configs/schema DESTINATION ${CMAKE_INSTALL_DATADIR}/understudy
        FILES_MATCHING PATTERN *.json)

install(DIRECTORY configs/ladders/ DESTINATION ${CMAKE_INSTALL_DATADIR}/understudy/ladder
        PATTERN *.py EXCLUDE)

install(DIRECTORY python/understudy_partitioner
        DESTINATION ${CMAKE_INSTALL_DATADIR}/understudy/partitioner
        FILES_MATCHING PATTERN *.py PATTERN requirements.txt PATTERN __pycache__ EXCLUDE)
install(PROGRAMS deploy/install-partitioner
        DESTINATION ${CMAKE_INSTALL_DATADIR}/understudy/partitioner)

configure_file(cmake/uninstall.cmake.in uninstall.cmake @ONLY)
add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -P ${CMAKE_BINARY_DIR}/uninstall.cmake VERBATIM)
