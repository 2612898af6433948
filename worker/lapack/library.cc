// SPDX-License-Identifier: Apache-2.0
#include "worker/lapack/library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "configs/base/error.h"

namespace understudy::worker::lapack {

namespace {

constexpr const char* kPath = UNDERSTUDY_OPENBLAS;  // of CMake: the serial variant's file

Error missing(const std::string& why) {
  Error error(ErrorKind::system, fmt::format("could not load the linear algebra library: {}", why));
  return error.note("install the Debian package libopenblas0-serial");
}

void* open() {
  void* const library = dlopen(kPath, RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) throw missing(dlerror());
  // 0 is a build without threads. Another one would make results depend on the number of cores.
  using Parallel = int (*)();
  const auto parallel = reinterpret_cast<Parallel>(dlsym(library, "openblas_get_parallel"));
  if (parallel == nullptr || parallel() != 0)
    throw missing(fmt::format("{} is not the serial variant of OpenBLAS", kPath));
  return library;
}

}  // namespace

void* symbol(const std::string& name) {
  static void* const library = open();
  void* const address = dlsym(library, name.c_str());
  if (address == nullptr) throw missing(fmt::format("{} has no routine {}", kPath, name));
  return address;
}

}  // namespace understudy::worker::lapack
