// SPDX-License-Identifier: Apache-2.0
// Programs from text, for the tests of the passes.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "program/compile.h"
#include "program/executable/listing.h"
#include "program/read.h"

namespace understudy::program {

inline std::unique_ptr<Module> module_of(std::string text) {
  return parse(std::make_shared<const Source>("test.mlir", std::move(text)));
}

// Most tests of lowering and of passes look at single instructions.
inline CompileOptions unfused() {
  CompileOptions options;
  options.disabled_passes = {"fuse-elementwise", "compose-copies"};
  return options;
}

inline Executable compiled(std::string text, const CompileOptions& options = unfused()) {
  return compile(*module_of(std::move(text)), options);
}

// @main with that signature and body, compiled.
inline Executable compiled_main(const std::string& signature, const std::string& body) {
  return compiled("func.func public @main" + signature + " {\n" + body + "\n}\n");
}

// %0:3, a loop of %n rounds over (i, x, y) with that body: from (0, %a, %b), of i32 and tensors of
// 4 f32. The body continues with %2, the next i.
inline std::string loop_text(const std::string& body) {
  return "%z = stablehlo.constant dense<0> : tensor<i32>\n"
         "%one = stablehlo.constant dense<1> : tensor<i32>\n"
         "%0:3 = stablehlo.while(%i = %z, %x = %a, %y = %b) : tensor<i32>, tensor<4xf32>, "
         "tensor<4xf32>\n cond {\n"
         "  %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
         "  stablehlo.return %1 : tensor<i1>\n } do {\n"
         "  %2 = stablehlo.add %i, %one : tensor<i32>\n" +
         body + " }\n";
}

// A column of %x from before an update of it, and one from after it, side by side.
inline const std::string kConcatenatedAroundUpdate =
    "func.func public @main(%x: tensor<4x3xf32>, %u: tensor<1x3xf32>, %i: tensor<i32>) -> "
    "(tensor<4x2xf32>, tensor<4x3xf32>) {\n"
    "%a = stablehlo.slice %x [0:4, 2:3] : (tensor<4x3xf32>) -> tensor<4x1xf32>\n"
    "%y = stablehlo.dynamic_update_slice %x, %u, %i, %i : (tensor<4x3xf32>, tensor<1x3xf32>, "
    "tensor<i32>, tensor<i32>) -> tensor<4x3xf32>\n"
    "%b = stablehlo.slice %y [0:4, 0:1] : (tensor<4x3xf32>) -> tensor<4x1xf32>\n"
    "%0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<4x1xf32>, tensor<4x1xf32>) -> "
    "tensor<4x2xf32>\nreturn %0, %y : tensor<4x2xf32>, tensor<4x3xf32>\n}\n";

// One line per instruction of the outermost code.
inline std::vector<std::string> lines(const Executable& executable) {
  std::vector<std::string> all;
  for (const Instruction& instruction : executable.code) all.push_back(list(instruction));
  return all;
}

// The error that `work` throws, whole; empty where it throws none.
inline std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.text();
  }
  return "";
}

}  // namespace understudy::program
