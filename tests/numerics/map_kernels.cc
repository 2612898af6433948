// SPDX-License-Identifier: Apache-2.0
// map_kernels ISA FUNCTION TYPE < arguments > results: one element-wise kernel over raw elements.
// FUNCTION is StableHLO's or CHLO's name without the dialect, TYPE MLIR's ("f32", "complex<f64>").
// Of functions of two arguments, all first ones come before all second ones.
#include <cstdio>
#include <fmt/format.h>
#include <vector>

#include "configs/base/error.h"
#include "program/ir/element_type.h"
#include "program/kernels/kernels.h"
#include "program/lowering/lowering.h"

namespace {

using namespace understudy;
using Bytes = std::vector<std::byte>;

Bytes read_all() {
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  Bytes bytes;
  for (std::size_t got = kPiece; got == kPiece;) {
    const std::size_t have = bytes.size();
    bytes.resize(have + kPiece);
    got = std::fread(bytes.data() + have, 1, kPiece, stdin);
    bytes.resize(have + got);
  }
  return bytes;
}

Bytes mapped(const program::kernels::KernelTable& table, const std::string& function,
             program::ElementType type, const Bytes& in) {
  const std::size_t width = program::byte_size(type);
  const std::size_t n = in.size() / width;
  if (const auto unary = program::passes::unary_op_of(function)) {
    Bytes out(in.size());
    if (const auto kernel = table.unary(*unary, type)) return kernel(in.data(), out.data(), n), out;
  }
  if (const auto binary = program::passes::binary_op_of(function)) {
    Bytes out(in.size() / 2);
    if (const auto kernel = table.binary(*binary, type)) {
      kernel(in.data(), in.data() + n / 2 * width, out.data(), n / 2);
      return out;
    }
  }
  throw Error(ErrorKind::usage, fmt::format("no kernel {} of {}", function, mlir_name(type)));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return std::fprintf(stderr, "usage: map_kernels ISA FUNCTION TYPE\n"), 2;
  try {
    const auto type = program::element_type_of_mlir(argv[3]);
    if (!type) throw Error(ErrorKind::usage, fmt::format("no type {}", argv[3]));
    const Bytes out = mapped(program::kernels::select(argv[1]), argv[2], *type, read_all());
    return std::fwrite(out.data(), 1, out.size(), stdout) == out.size() ? 0 : 71;
  } catch (const Error& error) {
    return std::fprintf(stderr, "%s\n", error.text().c_str()), exit_code_of(error.kind());
  }
}
