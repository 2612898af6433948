// SPDX-License-Identifier: Apache-2.0
// Chains that load and store elements that are a few elements apart give the bits of the plain
// program, as steps and as machine code.
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

#include "configs/base/error.h"
#include "program/kernels/chain/chain_kernels.h"
#include "tests/program/kernels/samples.h"
#include "tests/worker/ops/fused/same_bits.h"

namespace understudy::worker {
namespace {

// Channel c of an array of pixels as %c.
std::string channels(const std::string& array, const std::string& rows, int count,
                     const std::string& type) {
  std::string text;
  for (int c = 0; c < count; ++c)
    text += fmt::format(
        "%{0}{1}s = stablehlo.slice %{0} [{2}, {1}:{3}] : (tensor<{4}x{5}>) -> tensor<{6}x1x{7}>\n"
        "%{0}{1} = stablehlo.reshape %{0}{1}s : (tensor<{6}x1x{7}>) -> tensor<{6}x{7}>\n",
        array, c, fmt::format("0:{}", rows), c + 1, rows + "x" + std::to_string(count), type, rows,
        type);
  return text;
}

// Values side by side along a new last dimension.
std::string stacked(const std::vector<std::string>& values, const std::string& rows,
                    const std::string& type) {
  std::string text, names, types;
  for (const std::string& value : values) {
    text += fmt::format("%{0}u = stablehlo.reshape %{0} : (tensor<{1}x{2}>) -> tensor<{1}x1x{2}>\n",
                        value, rows, type);
    names += (names.empty() ? "%" : ", %") + value + "u";
    types += fmt::format("{}tensor<{}x1x{}>", types.empty() ? "" : ", ", rows, type);
  }
  return text + fmt::format("%all = stablehlo.concatenate {}, dim = 1 : ({}) -> tensor<{}x{}x{}>\n",
                            names, types, rows, values.size(), type);
}

// Every channel of each pixel, each combined with the next one, as pixels again; and their sum.
std::string pixels(int rows, int count, const std::string& type) {
  const std::string n = std::to_string(rows);
  std::string text = channels("x", n, count, type);
  std::vector<std::string> values;
  for (int c = 0; c < count; ++c) {
    text += fmt::format("%m{0} = stablehlo.multiply %x{0}, %x{1} : tensor<{2}x{3}>\n", c,
                        (c + 1) % count, n, type);
    text += fmt::format("%v{0} = stablehlo.subtract %m{0}, %y : tensor<{1}x{2}>\n", c, n, type);
    values.push_back(fmt::format("v{}", c));
  }
  std::string sum = "v0";
  for (int c = 1; c < count; ++c) {
    text += fmt::format("%t{0} = stablehlo.add %{1}, %v{0} : tensor<{2}x{3}>\n", c, sum, n, type);
    sum = fmt::format("t{}", c);
  }
  return fmt::format(
      "func.func public @main(%x: tensor<{0}x{1}x{2}>, %y: tensor<{0}x{2}>) -> "
      "(tensor<{0}x{1}x{2}>, tensor<{0}x{2}>) {{\n{3}{4}"
      "return %all, %{5} : tensor<{0}x{1}x{2}>, tensor<{0}x{2}>\n}}",
      n, count, type, text, stacked(values, n, type), sum);
}

TEST(StridedChains, PixelsKeepTheirBits) {
  for (const char* type : {"f32", "i32"})
    for (int count = 2; count <= 9; ++count)
      for (const int rows : {16, 640, 5000, 20011}) expect_same_bits(pixels(rows, count, type));
}

// All of them with NaN of several patterns, which are stored as they are loaded and combined.
TEST(StridedChains, TreatSpecialNumbersAsTheKernelsDo) {
  constexpr std::size_t kRows = 12288;
  std::vector<float> values{0.0F,  -0.0F,  1.0F,          -1.5F,
                            3e38F, 1e-45F, std::nanf(""), -std::nanf("5")};
  values.push_back(std::numeric_limits<float>::infinity());
  for (const int count : {2, 3, 4, 6, 8}) {
    std::vector<Bytes> arguments;
    for (const std::size_t n : {kRows * static_cast<std::size_t>(count), kRows}) {
      std::vector<float> numbers(n);
      for (std::size_t i = 0; i < n; ++i) numbers[i] = values[(i * 7 + i / 5) % values.size()];
      arguments.push_back(program::kernels::bytes_of(numbers));
      arguments.back().resize(arguments.back().size() + kSlack);
    }
    expect_bits_of_kernels(pixels(static_cast<int>(kRows), count, "f32"), arguments,
                           fmt::format("{} channels", count));
  }
}

// Pixels beside a value of each row and one of each column: the chain runs row by row, and some
// rows end within a piece.
TEST(StridedChains, RunByRows) {
  for (const int count : {2, 3, 4, 9})
    for (const auto& [rows, columns] : {std::pair{20, 512}, {33, 700}, {2, 40000}}) {
      std::string text;
      std::vector<std::string> values;
      for (int c = 0; c < count; ++c) {
        text += fmt::format(
            "%x{0}s = stablehlo.slice %x [0:{1}, 0:{2}, {0}:{3}] : (tensor<{1}x{2}x{4}xf32>) -> "
            "tensor<{1}x{2}x1xf32>\n"
            "%x{0} = stablehlo.reshape %x{0}s : (tensor<{1}x{2}x1xf32>) -> tensor<{1}x{2}xf32>\n"
            "%p{0} = stablehlo.multiply %x{0}, %rs : tensor<{1}x{2}xf32>\n"
            "%v{0} = stablehlo.add %p{0}, %cs : tensor<{1}x{2}xf32>\n"
            "%v{0}u = stablehlo.reshape %v{0} : (tensor<{1}x{2}xf32>) -> tensor<{1}x{2}x1xf32>\n",
            c, rows, columns, c + 1, count);
        values.push_back(fmt::format("%v{}u", c));
      }
      std::string types;
      for (int c = 0; c < count; ++c)
        types += fmt::format("{}tensor<{}x{}x1xf32>", c == 0 ? "" : ", ", rows, columns);
      expect_same_bits(fmt::format(
          R"(func.func public @main(%x: tensor<{0}x{1}x{2}xf32>, %r: tensor<{0}xf32>, %c: tensor<{1}xf32>) -> tensor<{0}x{1}x{2}xf32> {{
  %rs = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<{0}xf32>) -> tensor<{0}x{1}xf32>
  %cs = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<{1}xf32>) -> tensor<{0}x{1}xf32>
  {3}%all = stablehlo.concatenate {4}, dim = 2 : ({5}) -> tensor<{0}x{1}x{2}xf32>
  return %all : tensor<{0}x{1}x{2}xf32>
}})",
          rows, columns, count, text, fmt::join(values, ", "), types));
    }
}

// x[first::count] times y, of an array that ends `beyond` elements after the last of `n`.
std::string every(int count, int first, int beyond, int n) {
  const int last = first + (n - 1) * count;
  return fmt::format(
      R"(func.func public @main(%x: tensor<{0}xf32>, %y: tensor<{1}xf32>) -> tensor<{1}xf32> {{
  %a = stablehlo.slice %x [{2}:{3}:{4}] : (tensor<{0}xf32>) -> tensor<{1}xf32>
  %b = stablehlo.multiply %a, %y : tensor<{1}xf32>
  %c = stablehlo.add %b, %a : tensor<{1}xf32>
  return %c : tensor<{1}xf32>
}})",
      last + beyond, n, first, last + 1, count);
}

TEST(StridedChains, ReachTheEndOfTheArray) {
  for (const int count : {2, 3, 4, 9})
    for (const int first : {0, count - 1})
      for (const int beyond : {1, count})
        for (const int n : {512, 1000, 4099}) expect_same_bits(every(count, first, beyond, n));
}

// Numbers that end where memory does: a read beyond them ends the test.
class EndOfMemory {
 public:
  explicit EndOfMemory(const Bytes& bytes) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t usable = (bytes.size() + page - 1) / page * page;
    bytes_ = usable + page;
    at_ = static_cast<std::byte*>(
        mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    UNDERSTUDY_ASSERT(at_ != MAP_FAILED && mprotect(at_ + usable, page, PROT_NONE) == 0);
    first_ = at_ + usable - bytes.size();
    std::memcpy(first_, bytes.data(), bytes.size());
  }
  ~EndOfMemory() { munmap(at_, bytes_); }
  EndOfMemory(const EndOfMemory&) = delete;
  EndOfMemory& operator=(const EndOfMemory&) = delete;
  const std::byte* first() const { return first_; }

 private:
  std::byte *at_ = nullptr, *first_ = nullptr;
  std::size_t bytes_ = 0;
};

// With arguments that are the last numbers in memory. Returns how many chains were compiled.
std::uint64_t run_at_the_end(const std::string& text,
                             const program::kernels::KernelTable& kernels) {
  const program::Executable executable = compiled(text, true);
  OneChip chip(executable, kernels, Mxu::Make::portable);
  chip.execution.chains.hot_elements = 0;
  std::vector<std::unique_ptr<EndOfMemory>> arguments;
  for (const program::TensorType& type : executable.arguments) {
    Bytes bytes = random_values(type, 1);
    bytes.resize(static_cast<std::size_t>(type.bytes()));
    arguments.push_back(std::make_unique<EndOfMemory>(bytes));
    chip.execution.arguments.push_back(arguments.back()->first());
  }
  chip.run({});
  return chip.execution.chains.compiled;
}

// Machine code over whole pieces: of pixels, and of numbers of which the last one has no others
// after it.
TEST(StridedChains, ReadNothingBeyondTheArray) {
  constexpr int kRows = 16384;
  for (const int count : {2, 3, 4, 6, 8, 9})
    for (const auto* kernels : program::kernels::available()) {
      if (!ops::has_machine_code(*kernels)) continue;
      EXPECT_GT(run_at_the_end(pixels(kRows, count, "f32"), *kernels), 0U) << count;
      EXPECT_GT(run_at_the_end(every(count, 0, 1, kRows), *kernels), 0U) << count;
    }
}

// Halves of rows, and every second row and the others, that look like a rotation of one number.
TEST(StridedChains, TellViewsOfOneArrayApart) {
  for (const char* slices :
       {"[0:8, 0:4096] [0:8, 4096:8192] 8x4096", "[0:4, 0:8192] [4:8, 0:8192] 4x8192",
        "[0:8:2, 0:8192] [1:8:2, 0:8192] 4x8192", "[0:8, 0:8192:2] [0:8, 1:8192:2] 8x4096",
        "[0:8, 0:8190:3] [0:8, 2:8192:3] 8x2730"}) {
    const std::string all = slices;
    const std::size_t second = all.find('[', 1), shape = all.rfind(' ');
    expect_same_bits(fmt::format(
        R"(func.func public @main(%x: tensor<8x8192xui32>) -> tensor<{2}xui32> {{
  %l = stablehlo.constant dense<30> : tensor<{2}xui32>
  %r = stablehlo.constant dense<2> : tensor<{2}xui32>
  %a = stablehlo.slice %x {0} : (tensor<8x8192xui32>) -> tensor<{2}xui32>
  %b = stablehlo.slice %x {1} : (tensor<8x8192xui32>) -> tensor<{2}xui32>
  %c = stablehlo.shift_left %a, %l : tensor<{2}xui32>
  %d = stablehlo.shift_right_logical %b, %r : tensor<{2}xui32>
  %e = stablehlo.or %c, %d : tensor<{2}xui32>
  return %e : tensor<{2}xui32>
}})",
        all.substr(0, second - 1), all.substr(second, shape - second), all.substr(shape + 1)));
  }
}

TEST(StridedChains, HaveStridesOfTwosAndThrees) {
  std::vector<std::size_t> found;
  for (std::size_t step = 0; step < 40; ++step)
    if (program::kernels::is_chain_stride(step)) found.push_back(step);
  EXPECT_EQ(found, (std::vector<std::size_t>{2, 3, 4, 6, 8, 9}));
}

}  // namespace
}  // namespace understudy::worker
