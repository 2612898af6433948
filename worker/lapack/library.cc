// SPDX-License-Identifier: Apache-2.0
#include "worker/lapack/library.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <fmt/format.h>
#include <string_view>

#include "configs/base/error.h"

namespace understudy::worker::lapack {

namespace {

constexpr const char* kPath = UNDERSTUDY_OPENBLAS;  // of CMake: the serial variant's file

Error missing(const std::string& why) {
  Error error(ErrorKind::system, fmt::format("could not load the linear algebra library: {}", why));
  return error.note("install the Debian package libopenblas0-serial");
}

constexpr const char* kCoreVariable = "OPENBLAS_CORETYPE";

// The library chooses kernels by the model of the CPU, and takes a model that is newer than itself
// for one without AVX. Returns the model whose kernels use the widest vectors of this CPU; nullptr
// if those of the chosen model do.
const char* model_with_vectors(std::string_view chosen) {
#if defined(__x86_64__)
  constexpr std::string_view kModelsWithAvx2[] = {"Haswell",    "Zen",       "SkylakeX",
                                                  "Cooperlake", "Excavator", "SapphireRapids"};
  if (std::ranges::find(kModelsWithAvx2, chosen) != std::end(kModelsWithAvx2)) return nullptr;
  if (__builtin_cpu_supports("avx512bf16") != 0) return "Cooperlake";
  if (__builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512dq") != 0)
    return "SkylakeX";
  if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0) return "Haswell";
#endif
  return nullptr;
}

void* load() {
  void* const library = dlopen(kPath, RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) throw missing(dlerror());
  return library;
}

void* open() {
  void* library = load();
  using Name = const char* (*)();
  const auto name = reinterpret_cast<Name>(dlsym(library, "openblas_get_corename"));
  const char* const model = name == nullptr ? nullptr : model_with_vectors(name());
  // It reads the variable while it is loaded. A user's own choice stays; ours goes again, as the
  // launch contract has fixed the environment of a worker.
  if (model != nullptr && std::getenv(kCoreVariable) == nullptr) {
    dlclose(library);
    setenv(kCoreVariable, model, 1);
    library = load();
    unsetenv(kCoreVariable);
  }
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
