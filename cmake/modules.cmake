include(GoogleTest)

# Precompiled once and used by every module: headers that nearly every source includes and that take seconds to parse.
set(BOUQUET_COMMON_HEADERS <algorithm> <atomic> <chrono> <filesystem> <functional> <memory> <mutex> <span> <string> <thread>
    <vector> <absl/status/statusor.h> <fmt/format.h> <simdjson.h>)

# bouquet_module(NAME LINK libraries... [EXCEPT files...]): a library of all sources under src/NAME, and NAME_tests of
# all *_test.cc there.
add_library(bouquet_options INTERFACE)
target_include_directories(bouquet_options INTERFACE ${CMAKE_SOURCE_DIR}/src ${CMAKE_BINARY_DIR}/generated)
target_compile_options(bouquet_options INTERFACE -Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers -Werror=return-type)
if(BOUQUET_FUZZ)
  target_compile_options(bouquet_options INTERFACE -fsanitize=fuzzer-no-link -fno-sanitize=function)
endif()
if(BOUQUET_SANITIZE MATCHES thread)
  target_compile_options(bouquet_options INTERFACE -Wno-tsan)
endif()
if(BOUQUET_SANITIZE)
  target_compile_options(bouquet_options INTERFACE -fsanitize=${BOUQUET_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(bouquet_options INTERFACE -fsanitize=${BOUQUET_SANITIZE})
endif()

function(bouquet_module name)
  cmake_parse_arguments(ARG "" "" "LINK;EXCEPT" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} src/${name}/*.cc)
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER sources EXCLUDE REGEX "_(test|bench)\\.cc$")
  if(ARG_EXCEPT)
    list(REMOVE_ITEM sources ${ARG_EXCEPT})
  endif()
  add_library(bouquet_${name} STATIC ${sources})
  target_link_libraries(bouquet_${name} PUBLIC bouquet_options ${ARG_LINK})
  if(name STREQUAL base)
    target_precompile_headers(bouquet_base PRIVATE ${BOUQUET_COMMON_HEADERS})
  elseif(name STREQUAL cli)
    target_compile_options(bouquet_cli PRIVATE -O1)  # nothing here is hot, and CLI11 takes long to optimise
    target_precompile_headers(bouquet_cli PRIVATE ${BOUQUET_COMMON_HEADERS} <CLI/CLI.hpp>)
  else()
    target_precompile_headers(bouquet_${name} REUSE_FROM bouquet_base)
  endif()
  if(BOUQUET_TESTS AND tests)
    add_executable(${name}_tests ${tests})
    target_link_libraries(${name}_tests PRIVATE bouquet_${name} GTest::gtest GTest::gmock GTest::gtest_main)
    if(name STREQUAL base)
      target_precompile_headers(base_tests PRIVATE ${BOUQUET_COMMON_HEADERS} <gtest/gtest.h> <gmock/gmock.h>)
    else()
      target_precompile_headers(${name}_tests REUSE_FROM base_tests)
    endif()
    target_compile_definitions(${name}_tests PRIVATE BOUQUET_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
    gtest_discover_tests(${name}_tests TEST_PREFIX ${name}: DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 300)
  endif()
endfunction()

# The protocol's messages and services, generated from proto/.
function(bouquet_protocol)
  set(out ${CMAKE_BINARY_DIR}/generated)
  file(MAKE_DIRECTORY ${out})
  set(sources)
  foreach(name bouquet/v1/tulip grpc/health/v1/health)
    set(generated ${out}/${name}.pb.cc ${out}/${name}.pb.h ${out}/${name}.grpc.pb.cc ${out}/${name}.grpc.pb.h)
    add_custom_command(
      OUTPUT ${generated}
      COMMAND protobuf::protoc --proto_path=${CMAKE_SOURCE_DIR}/proto --cpp_out=${out} --grpc_out=${out}
        --plugin=protoc-gen-grpc=${GRPC_CPP_PLUGIN} ${name}.proto
      DEPENDS ${CMAKE_SOURCE_DIR}/proto/${name}.proto)
    list(APPEND sources ${generated})
  endforeach()
  add_library(bouquet_proto STATIC ${sources})
  target_include_directories(bouquet_proto PUBLIC ${out})
  target_link_libraries(bouquet_proto PUBLIC bouquet_options protobuf::libprotobuf PkgConfig::grpc grpc++_reflection)
endfunction()
