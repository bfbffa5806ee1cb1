# The CPU kernels: one source, compiled once a level of the instruction set; which one runs is decided by cpuid.
set(BOUQUET_X86_SOURCES src/rose/device/cpu/isa_x86.cc src/rose/kernels/cpu/levels_x86.cc src/rose/kernels/cpu/level_avx2.cc
    src/rose/kernels/cpu/level_avx512.cc)
set(BOUQUET_PORTABLE_SOURCES src/rose/device/cpu/isa_portable.cc src/rose/kernels/cpu/levels_portable.cc)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(BOUQUET_OTHER_PROCESSORS ${BOUQUET_PORTABLE_SOURCES})
else()
  set(BOUQUET_OTHER_PROCESSORS ${BOUQUET_X86_SOURCES})
endif()
set_source_files_properties(src/rose/device/cpu/isa_portable.cc PROPERTIES
  COMPILE_DEFINITIONS BOUQUET_PROCESSOR="${CMAKE_SYSTEM_PROCESSOR}")
set_source_files_properties(src/rose/kernels/cpu/level_avx2.cc PROPERTIES COMPILE_OPTIONS "-O3;-mavx2;-mfma;-mf16c")
set_source_files_properties(src/rose/kernels/cpu/level_avx512.cc PROPERTIES COMPILE_OPTIONS
  "-O3;-mavx2;-mfma;-mf16c;-mavx512f;-mavx512bw;-mavx512vl;-mavx512dq;-Wno-uninitialized;-Wno-maybe-uninitialized")  # g++ 12 warns inside its own header
set_source_files_properties(src/rose/kernels/cpu/level_portable.cc PROPERTIES COMPILE_OPTIONS "-O3")
# Other flags than the precompiled headers were made with.
set_source_files_properties(src/rose/kernels/cpu/level_avx2.cc src/rose/kernels/cpu/level_avx512.cc
  src/rose/kernels/cpu/level_portable.cc src/rose/device/cpu/isa_portable.cc PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
