# Included by app/CMakeLists.txt, whose paths these are: the program as two files, hydrascope.js and hydrascope.wasm, which
# the page in platform/web/page begins (start.js). scripts/web puts it all into one folder.
add_executable(hydrascope platform/web/main.cpp platform/web/inquiry.cpp)
target_link_libraries(hydrascope PRIVATE hydra_app)
target_link_options(hydrascope PRIVATE
  -sMODULARIZE=1 -sEXPORT_NAME=hydrascope -sENVIRONMENT=web,worker
  -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=67108864 -sMAXIMUM_MEMORY=2147483648 -sSTACK_OVERFLOW_CHECK=0
  -sTOTAL_STACK=1048576
  -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2
  -sBINARYEN_EXTRA_PASSES=--merge-similar-functions  # 4 % less to fetch
  --emit-symbol-map  # functions in the order of their names, the like beside the like: 3 % less
  -sFORCE_FILESYSTEM=1 -sEXIT_RUNTIME=0 -sSUPPORT_LONGJMP=0
  "-sEXPORTED_RUNTIME_METHODS=FS,GL,stringToUTF8,UTF8ToString,lengthBytesUTF8"
  "-sEXPORTED_FUNCTIONS=_main,_malloc,_free"
  --js-library "${CMAKE_CURRENT_SOURCE_DIR}/platform/web/bridge.js")
set_property(TARGET hydrascope APPEND PROPERTY LINK_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/platform/web/bridge.js")
if(HYDRA_THREADS)
  # The first threads are there before main; more are made when they are asked for.
  target_link_options(hydrascope PRIVATE -sPTHREAD_POOL_SIZE=8)
endif()
