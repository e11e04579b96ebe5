# What cmake --install writes. The program carries its shaders and examples itself and reads nothing from here: the example
# documents are installed for people to open and copy.
include(GNUInstallDirs)
configure_file("${PROJECT_SOURCE_DIR}/packaging/hydrascope.1.in" "${PROJECT_BINARY_DIR}/hydrascope.1" @ONLY)
install(TARGETS hydrascope RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES "${PROJECT_SOURCE_DIR}/packaging/hydrascope.desktop"
  DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES "${PROJECT_SOURCE_DIR}/assets/icon/hydrascope.svg"
  DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
install(FILES "${PROJECT_BINARY_DIR}/hydrascope.1" DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/assets/documents" DESTINATION ${CMAKE_INSTALL_DATADIR}/hydrascope
  FILES_MATCHING PATTERN "*.json")
