# Included by app/CMakeLists.txt, whose paths these are: the window by GLFW, OpenGL by libepoxy, which loads it, and EGL,
# when they are asked for, and words of any script by fontconfig, HarfBuzz and FreeType where they are.
target_sources(hydra_platform PRIVATE
  platform/desktop/end_signals.cpp
  platform/desktop/files.cpp
  platform/desktop/loop.cpp
  platform/desktop/offscreen.cpp
  platform/desktop/page.cpp
  platform/desktop/process.cpp
  platform/desktop/system_theme.cpp
  platform/desktop/window.cpp)
target_link_libraries(hydra_platform PRIVATE glfw hydra_opengl ${CMAKE_DL_LIBS})
if(TARGET PkgConfig::SYSTEM_FONTS)
  target_sources(hydra_platform PRIVATE
    platform/desktop/font_finder.cpp
    platform/desktop/glyph_canvas.cpp
    platform/desktop/system_fonts.cpp)
  target_link_libraries(hydra_platform PRIVATE PkgConfig::SYSTEM_FONTS)
else()
  target_sources(hydra_platform PRIVATE platform/system_fonts_none.cpp)
endif()
