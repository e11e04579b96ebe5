# hydra_kernels(TARGET): linalg/kernels/set.cpp and lanes/set.cpp of core, compiled into TARGET once for every instruction set. Products and sums
# become fused multiply-adds wherever the instruction set has them, in tiles of every width: a number has the same bits in
# all. Neither precompiled headers nor units: what the compiler makes of a header for one instruction set must not be
# linked in the place of another's. In builds for debugging they are optimised as well; clang's sanitizers stay out, for the
# checks that it puts between a product and its sum keep it from fusing them, in some tiles and not in others.
set(HYDRA_KERNEL_SETS plain)
set(HYDRA_KERNEL_FLAGS_plain "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND HYDRA_KERNEL_SETS avx2 avx512)  # choice.cpp asks the processor for just these
  set(HYDRA_KERNEL_FLAGS_avx2 -mavx2 -mfma)
  set(HYDRA_KERNEL_FLAGS_avx512 -mavx512f -mavx512vl -mfma)
endif()

function(hydra_kernels target)
  foreach(set IN LISTS HYDRA_KERNEL_SETS)
    add_library(hydra_kernels_${set} OBJECT linalg/kernels/set.cpp lanes/set.cpp)
    target_link_libraries(hydra_kernels_${set} PRIVATE hydra_flags)
    target_compile_definitions(hydra_kernels_${set} PRIVATE HYDRA_KERNEL_SET=${set})
    target_compile_options(hydra_kernels_${set} PRIVATE -O3 -ffp-contract=fast -fno-exceptions -fno-math-errno ${HYDRA_KERNEL_FLAGS_${set}})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
      target_compile_options(hydra_kernels_${set} PRIVATE --param=avoid-fma-max-bits=0)  # no tuning may do without
    endif()
    if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
      target_compile_options(hydra_kernels_${set} PRIVATE -fno-sanitize=all)
    endif()
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:hydra_kernels_${set}>)
  endforeach()
  list(LENGTH HYDRA_KERNEL_SETS count)
  if(count GREATER 1)
    set_source_files_properties(linalg/kernels/choice.cpp lanes/choice.cpp PROPERTIES COMPILE_DEFINITIONS HYDRA_WIDE_KERNELS)
  endif()
endfunction()
