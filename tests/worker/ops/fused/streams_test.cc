// SPDX-License-Identifier: Apache-2.0
// Large results that chains store past the caches: the same bits where results begin with a line
// and where they do not, and with ends that are no whole piece.
#include <fmt/format.h>
#include <string_view>

#include "tests/worker/ops/fused/same_bits.h"
#include "worker/ops/chain_code/chain_code.h"

namespace understudy::worker {
namespace {

constexpr std::size_t kLine = 64;

program::Executable program_of(const std::string& text, bool fuses) {
  program::CompileOptions options;
  if (!fuses) options.disabled_passes = {"fuse-elementwise"};
  return compile(*program::parse(std::make_shared<const program::Source>("test.mlir", text)),
                 options);
}

// Each result `offset` bytes after the start of a line. `streaming`: how many chains store some of
// them past the caches.
std::vector<Bytes> results_at(const program::Executable& executable,
                              const program::kernels::KernelTable& kernels,
                              const std::vector<Bytes>& arguments, std::size_t offset,
                              std::uint64_t* streaming = nullptr) {
  OneChip chip(executable, kernels, Mxu::Make::portable);
  std::vector<Bytes> room;
  for (std::size_t i = 0; i < executable.results.size(); ++i) {
    const auto bytes = static_cast<std::size_t>(executable.results[i].bytes());
    room.emplace_back(bytes + 3 * kLine);
    const auto at = reinterpret_cast<std::uintptr_t>(room.back().data());
    chip.execution.results[i] = room.back().data() + (kLine - at % kLine) % kLine + offset;
  }
  chip.run(arguments);
  if (streaming != nullptr) *streaming = chip.execution.chains.streaming;
  std::vector<Bytes> results;
  for (std::size_t i = 0; i < executable.results.size(); ++i) {
    const std::byte* const at = chip.execution.results[i];
    results.emplace_back(at, at + executable.results[i].bytes());
  }
  return results;
}

// Compares the results where they begin with a line, and a little after it. `streaming`: of the
// chains of machine code, how many store some results past the caches.
void check_results(const std::string& text, std::uint64_t streaming) {
  const program::Executable fused = program_of(text, true), plain = program_of(text, false);
  std::vector<Bytes> arguments;
  for (std::size_t i = 0; i < fused.arguments.size(); ++i)
    arguments.push_back(random_values(fused.arguments[i], static_cast<unsigned>(i) + 1));
  const auto wanted = results_at(plain, program::kernels::select(""), arguments, 0);
  for (const auto* kernels : program::kernels::available()) {
    if (std::string_view(kernels->isa) == "portable") continue;  // which streams nothing
    for (const std::size_t offset : {0, 4}) {
      SCOPED_TRACE(fmt::format("{}, {}", kernels->isa, offset));
      std::uint64_t found = 0;
      EXPECT_TRUE(results_at(fused, *kernels, arguments, offset, &found) == wanted);
      EXPECT_EQ(found, ops::has_machine_code() ? streaming : 0U);
    }
  }
}

// Results of f32, bf16 and f16. `shape`: of all arrays; `bias`: of another argument; `dimensions`:
// its broadcast; `streams`: whether they are of the kind that is streamed.
void check_streams(const std::string& shape, const std::string& bias, const std::string& dimensions,
                   bool streams) {
  const std::string text = fmt::format(
      R"(func.func public @main(%x: tensor<{0}xf32>, %b: tensor<{1}f32>)
      -> (tensor<{0}xf32>, tensor<{0}xbf16>, tensor<{0}xf16>) {{
  %w = stablehlo.broadcast_in_dim %b, dims = [{2}] : (tensor<{1}f32>) -> tensor<{0}xf32>
  %s = stablehlo.add %x, %w : tensor<{0}xf32>
  %y = stablehlo.multiply %s, %x : tensor<{0}xf32>
  %h = stablehlo.convert %y : (tensor<{0}xf32>) -> tensor<{0}xbf16>
  %z = stablehlo.subtract %y, %s : tensor<{0}xf32>
  %n = stablehlo.convert %z : (tensor<{0}xf32>) -> tensor<{0}xf16>
  return %z, %h, %n : tensor<{0}xf32>, tensor<{0}xbf16>, tensor<{0}xf16>
}})",
      shape, bias, dimensions);
  SCOPED_TRACE(shape);
  check_results(text, streams ? 1 : 0);
}

TEST(Streams, KeepTheirBits) {
  check_streams("8388808", "", "", true);  // no whole pieces
  check_streams("4100x2048", "2048x", "1", true);
  check_streams("4100x1030", "1030x", "1", false);  // rows end within a piece
}

// Real and imaginary parts by turns, which are one store of both.
TEST(Streams, InterleavedValuesKeepTheirBits) {
  check_results(
      R"(func.func public @main(%x: tensor<3000001xf32>, %y: tensor<3000001xf32>) -> tensor<3000001x2xf32> {
  %a = stablehlo.multiply %x, %y : tensor<3000001xf32>
  %b = stablehlo.subtract %a, %x : tensor<3000001xf32>
  %c = stablehlo.reshape %a : (tensor<3000001xf32>) -> tensor<3000001x1xf32>
  %d = stablehlo.reshape %b : (tensor<3000001xf32>) -> tensor<3000001x1xf32>
  %e = stablehlo.concatenate %c, %d, dim = 1 : (tensor<3000001x1xf32>, tensor<3000001x1xf32>) -> tensor<3000001x2xf32>
  return %e : tensor<3000001x2xf32>
})",
      1);
}

// Arrays of several tiles, of which machine code asks for the next one: rows side by side, a row of
// many tiles, rows with an end that is no piece, and elements of two and eight bytes.
TEST(Streams, AskingForTheNextTileChangesNothing) {
  for (const char* shape : {"300x1024", "2x150000", "200x1500", "9x40000"})
    for (const std::string type : {"f32", "bf16", "complex<f32>"}) {
      const char* const wide = type == "complex<f32>" ? "complex<f64>" : "f64";
      std::string text = fmt::format(
          R"(func.func public @main(%x: tensor<{0}x{1}>, %y: tensor<{0}x{1}>) -> (tensor<{0}x{1}>, tensor<{0}x{1}>) {{
  %s0 = stablehlo.multiply %x, %y : tensor<{0}x{1}>
)",
          shape, type);
      for (int i = 0; i < 8; ++i)
        text += fmt::format("  %s{1} = stablehlo.subtract %s{0}, %{2} : tensor<{3}x{4}>\n", i,
                            i + 1, i % 2 == 0 ? "y" : "x", shape, type);
      // Chains have no f64: there are two.
      text += fmt::format(R"(  %d = stablehlo.convert %s8 : (tensor<{0}x{1}>) -> tensor<{0}x{2}>
  %e = stablehlo.multiply %d, %d : tensor<{0}x{2}>
  %f = stablehlo.convert %e : (tensor<{0}x{2}>) -> tensor<{0}x{1}>
  %g = stablehlo.add %f, %x : tensor<{0}x{1}>
  %h = stablehlo.multiply %g, %s3 : tensor<{0}x{1}>
  return %h, %s8 : tensor<{0}x{1}>, tensor<{0}x{1}>
}})",
                          shape, type, wide);
      expect_same_bits(text);
      const program::Executable executable = compiled(text, true);
      for (const auto* kernels : program::kernels::available()) {
        OneChip chip(executable, *kernels, Mxu::Make::portable);
        chip.execution.chains.hot_elements = 0;
        std::vector<Bytes> arguments;
        for (const program::TensorType& argument : executable.arguments)
          arguments.push_back(random_values(argument, 3));
        chip.run(arguments);
        EXPECT_EQ(chip.execution.chains.asking, ops::has_machine_code(*kernels) ? 2U : 0U)
            << shape << " " << type;
      }
    }
}

}  // namespace
}  // namespace understudy::worker
