# Included by app/CMakeLists.txt, whose paths these are: the window is a canvas of a page, OpenGL its WebGL 2, words of any
# script are drawn by the browser. There is no command line, and no picture without a window.
target_sources(hydra_platform PRIVATE
  platform/web/files.cpp
  platform/web/loop.cpp
  platform/web/page.cpp
  platform/web/system_fonts.cpp
  platform/web/window.cpp
  platform/web/${HYDRA_WORK}/stacks.cpp)
target_link_libraries(hydra_platform PRIVATE hydra_opengl)
