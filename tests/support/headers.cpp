// Nothing: its target has the headers that all tests read precompiled (tests/CMakeLists.txt).
