# SPDX-License-Identifier: Apache-2.0
# The installed tree is relocatable: understudy finds its worker in its own folder, and chip specs
# and profiles are embedded in the binaries.
include(GNUInstallDirs)
install(TARGETS understudy understudy-worker understudy-worker-start understudy-cache-stress
        understudy-tpu-compiler
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS understudy-listen understudy-pjrt LIBRARY DESTINATION lib/understudy)
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

# Completion scripts and the man page come from the built program itself.
set(scripts ${CMAKE_BINARY_DIR}/completion)
foreach(shell bash zsh fish man)
  add_custom_command(
    OUTPUT ${scripts}/${shell}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${scripts}
    COMMAND understudy completion ${shell} > ${scripts}/${shell}
    DEPENDS understudy)
  list(APPEND completion_files ${scripts}/${shell})
endforeach()
add_custom_target(completion ALL DEPENDS ${completion_files})
install(FILES ${scripts}/bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
        RENAME understudy)
install(FILES ${scripts}/zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions
        RENAME _understudy)
install(FILES ${scripts}/fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
        RENAME understudy.fish)
install(FILES ${scripts}/man DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 RENAME understudy.1)
install(DIRECTORY python/understudy_partitioner
        DESTINATION ${CMAKE_INSTALL_DATADIR}/understudy/partitioner
        FILES_MATCHING PATTERN *.py PATTERN requirements.txt PATTERN __pycache__ EXCLUDE)
install(PROGRAMS deploy/install-partitioner
        DESTINATION ${CMAKE_INSTALL_DATADIR}/understudy/partitioner)

configure_file(cmake/uninstall.cmake.in uninstall.cmake @ONLY)
add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -P ${CMAKE_BINARY_DIR}/uninstall.cmake VERBATIM)
