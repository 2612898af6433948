# SPDX-License-Identifier: Apache-2.0
# Everything comes from Debian packages; deploy/packages lists them.
set(MPI_CXX_SKIP_MPICXX ON)
find_package(MPI REQUIRED COMPONENTS CXX)
find_package(Boost 1.74 REQUIRED COMPONENTS serialization)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
# oneDNN's package file requires OpenCL headers, which its CPU engine does not need.
find_path(DNNL_INCLUDE oneapi/dnnl/dnnl.hpp REQUIRED)
find_library(DNNL_LIBRARY dnnl REQUIRED)
# Loaded by workers at run time (worker/lapack/library.h), not linked: the serial variant by its own
# path, whatever variant the alternatives system has chosen.
find_file(OPENBLAS_SERIAL libopenblas.so.0 REQUIRED NO_DEFAULT_PATH
  PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-serial)
add_library(DNNL::dnnl SHARED IMPORTED)
set_target_properties(DNNL::dnnl PROPERTIES
  IMPORTED_LOCATION ${DNNL_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${DNNL_INCLUDE})
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)
find_package(ZLIB REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_path(NLOHMANN_JSON_INCLUDE nlohmann/json.hpp REQUIRED)
find_path(CLI11_INCLUDE CLI/CLI.hpp REQUIRED)
if(BUILD_TESTING OR NOT DEFINED BUILD_TESTING)
  find_package(GTest REQUIRED)
endif()
