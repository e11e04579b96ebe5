include(GNUInstallDirs)
install(TARGETS hydrascope RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
