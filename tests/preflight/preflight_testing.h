// SPDX-License-Identifier: Apache-2.0
// The fake library (fake_libtpu.cc), a cache of its own, and programs for it.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

#include "configs/launch/topology.h"
#include "launcher/preflight/compiler.h"
#include "launcher/process/environment.h"

namespace understudy::launcher {

inline const std::string kFake =
    UNDERSTUDY_BINARY_DIR "/tests/preflight/libunderstudy_fake_libtpu.so";
inline const std::string kCompiler = UNDERSTUDY_BINARY_DIR "/bin/understudy-tpu-compiler";
inline const std::string kScheduled =
    UNDERSTUDY_SOURCE_DIR "/tests/program/hlo/scheduled/dense_data_parallel_v6e.hlo.pb";

inline configs::Slice slice_named(const std::string& name) {
  configs::SliceRequest request;
  request.slice = name;
  return configs::make_slice(request);
}

// A folder that is removed, and the variables of the fake library.
class World {
 public:
  explicit World(const std::string& fault = "") {
    std::string name = std::filesystem::temp_directory_path() / "understudy-preflight-XXXXXX";
    folder_ = ::mkdtemp(name.data());
    ::setenv("UNDERSTUDY_FAKE_LIBTPU", fault.c_str(), 1);
    ::setenv("UNDERSTUDY_FAKE_HLO", kScheduled.c_str(), 1);
    ::unsetenv("TPU_LIBRARY_PATH");
  }
  ~World() {
    std::filesystem::remove_all(folder_);
    ::unsetenv("UNDERSTUDY_FAKE_LIBTPU");
    ::unsetenv("UNDERSTUDY_FAKE_HLO");
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  const std::string& folder() const { return folder_; }
  CacheChoice cache() const { return {folder_ + "/cache"}; }
  TpuCompiler compiler(CompilerLimits limits = {}, OnWait on_wait = nullptr) const {
    return TpuCompiler(kCompiler, {kFake, "test", "", build_id_of(kFake)}, cache(), limits,
                       std::move(on_wait));
  }
  std::string write(const std::string& name, const std::string& text) const {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path) << text;
    return path;
  }
  // As the launcher of the build tree sees it, with folders of this test.
  Environment environment() const {
    Environment environment = read_environment();
    environment.self = UNDERSTUDY_BINARY_DIR "/bin";
    environment.cache_home = folder_ + "/cache";
    environment.state_home = folder_ + "/state";
    return environment;
  }

 private:
  std::string folder_;
};

// A program of one chip; the word asks the fake library for a fault.
inline std::string program_that_says(const std::string& word) {
  return "// " + word +
         "\nfunc.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {\n"
         "  %b = stablehlo.add %a, %a : tensor<8xf32>\n  return %b : tensor<8xf32>\n}\n";
}

}  // namespace understudy::launcher
