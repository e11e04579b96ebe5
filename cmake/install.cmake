# What cmake --install writes. The program carries its shaders and examples itself and reads nothing from here: the example
# documents are installed for people to open and copy, under names that say what they are (packaging/hydrascope.xml).
include(GNUInstallDirs)
configure_file("${PROJECT_SOURCE_DIR}/packaging/hydrascope.1.in" "${PROJECT_BINARY_DIR}/hydrascope.1" @ONLY)
set(hydra_share "${CMAKE_INSTALL_DATADIR}")
install(TARGETS hydrascope RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES "${PROJECT_BINARY_DIR}/hydrascope.1" DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/packaging/copyright" DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES "${PROJECT_SOURCE_DIR}/packaging/hydrascope.desktop" DESTINATION ${hydra_share}/applications)
install(FILES "${PROJECT_SOURCE_DIR}/packaging/hydrascope.xml" DESTINATION ${hydra_share}/mime/packages)
install(FILES "${PROJECT_SOURCE_DIR}/packaging/org.hydrascope.Hydrascope.metainfo.xml"
  DESTINATION ${hydra_share}/metainfo)
install(FILES "${PROJECT_SOURCE_DIR}/assets/icon/hydrascope.svg"
  DESTINATION ${hydra_share}/icons/hicolor/scalable/apps)
# A new one is in app/CMakeLists.txt too, so this is read again.
file(GLOB documents "${PROJECT_SOURCE_DIR}/assets/documents/*.json")
foreach(document IN LISTS documents)
  get_filename_component(name "${document}" NAME_WE)
  install(FILES "${document}" DESTINATION ${hydra_share}/hydrascope/documents RENAME ${name}.hydra.json)
endforeach()
