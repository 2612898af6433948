// SPDX-License-Identifier: Apache-2.0
// The matrix unit against oneDNN called directly, one thread each: same shapes, layouts and
// results. Prints one JSON document: per product GFLOP/s of both and the ratio of the times
// (oneDNN / ours, above 1: ours is faster), with operands from memory (each call has its own) and
// reused (the same at each call). Both run in the order A B B A and their processor time counts, so
// that other load matters little. Results are compared first.
//
// usage: OMP_NUM_THREADS=1 bench_products [PAIRS]   (9; with 1, small products only)
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "dnnl.hpp"
#include "fmt/format.h"
#include "nlohmann/json.hpp"

#include "bench/paired.h"
#include "program/kernels/kernels.h"
#include "worker/chip/mxu/mxu.h"

namespace understudy::bench {
namespace {

using program::ElementType;
using worker::MatrixView;
using worker::Product;

struct Shape {
  std::string_view name;
  std::int64_t m, n, k;
  // Whether the operand lies along its columns in memory.
  bool left_columns = false, right_columns = false;
};

// Squares, and what a chip of the transformer of large_programs.py multiplies: forward, gradient of
// the activations, gradient of the weights.
constexpr std::array kShapes = {
    Shape{"square", 256, 256, 256},
    Shape{"square", 512, 512, 512},
    Shape{"square", 1024, 1024, 1024},
    Shape{"square", 2048, 2048, 2048},
    Shape{"square", 4096, 4096, 4096},
    Shape{"forward", 128, 3072, 768},
    Shape{"forward", 128, 768, 3072},
    Shape{"activations", 128, 768, 3072, false, true},
    Shape{"activations", 128, 3072, 768, false, true},
    Shape{"weights", 768, 3072, 128, true, false},
    Shape{"weights", 3072, 768, 128, true, false},
};
constexpr std::int64_t kSmall = 512;  // sides of the products of a short run

struct Types {
  ElementType operands, result;
};
constexpr std::array kTypes = {Types{ElementType::bf16, ElementType::bf16},
                               Types{ElementType::bf16, ElementType::f32},
                               Types{ElementType::f32, ElementType::f32}};

// Operands of so many bytes leave every cache but a very large one between two uses.
constexpr std::size_t kBeyondCache = std::size_t{128} << 20;
constexpr double kSecondsOfSide = 0.02;  // at least, of one measurement

double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

std::size_t bytes_of(ElementType type) {
  return static_cast<std::size_t>(program::byte_size(type));
}

// `copies` matrices of normal numbers of a tenth, of which the bits are the same in each.
std::vector<std::byte> matrices(std::int64_t elements, ElementType type, std::size_t copies) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal(0, 0.1F);
  const std::size_t bytes = static_cast<std::size_t>(elements) * bytes_of(type);
  std::vector<std::byte> made(bytes * copies);
  for (std::int64_t i = 0; i < elements; ++i) {
    const auto bits = std::bit_cast<std::uint32_t>(normal(random));
    if (type == ElementType::f32) {
      std::memcpy(made.data() + i * 4, &bits, 4);
    } else {
      const auto half = static_cast<std::uint16_t>(bits >> 16);
      std::memcpy(made.data() + i * 2, &half, 2);
    }
  }
  for (std::size_t i = 1; i < copies; ++i)
    std::copy_n(made.begin(), bytes, made.begin() + static_cast<std::ptrdiff_t>(i * bytes));
  return made;
}

class Contest {
 public:
  Contest(const Shape& s, const Types& types, std::size_t copies)
      : product_{product(s, types)},
        copies_(copies),
        left_bytes_(static_cast<std::size_t>(s.m * s.k) * bytes_of(types.operands)),
        right_bytes_(static_cast<std::size_t>(s.k * s.n) * bytes_of(types.operands)),
        left_(matrices(s.m * s.k, types.operands, copies)),
        right_(matrices(s.k * s.n, types.operands, copies)),
        out_bytes_((static_cast<std::size_t>(s.m * s.n) * bytes_of(types.result) + 63) / 64 * 64),
        out_(out_bytes_ * copies + 64),
        matmul_(dnnl::matmul::primitive_desc(
            dnnl::matmul::desc(describe(product_.lhs, s.m, s.k), describe(product_.rhs, s.k, s.n),
                               describe({types.result, s.n, 1}, s.m, s.n)),
            engine_)) {}

  void ours(std::size_t i) { unit_.multiply(product_, left(i), right(i), out(i), vmem_); }
  void rival(std::size_t i) {
    const auto memory = [&](const MatrixView& view, std::int64_t rows, std::int64_t columns,
                            const std::byte* at) {
      return dnnl::memory(describe(view, rows, columns), engine_, const_cast<std::byte*>(at));
    };
    const Product& p = product_;
    matmul_.execute(stream_, {{DNNL_ARG_SRC, memory(p.lhs, p.m, p.k, left(i))},
                              {DNNL_ARG_WEIGHTS, memory(p.rhs, p.k, p.n, right(i))},
                              {DNNL_ARG_DST, memory({p.out, p.n, 1}, p.m, p.n, out(i))}});
    stream_.wait();
  }

  // *Throws* where an element differs by more than two units of the result's last place and the
  // rounding of the sums: k roundings by 2^-24 of partial sums, which grow to sqrt(k), and of which
  // sqrt(k) add up; twice that, as there are millions of elements.
  void compare() {
    ours(0);
    const std::vector<std::byte> mine(out(0), out(0) + out_bytes_);
    rival(0);
    const Product& p = product_;
    for (std::int64_t i = 0; i < p.m * p.n; ++i) {
      const float a = value(mine.data(), i), b = value(out(0), i);
      const double last_place = p.out == ElementType::bf16 ? 1.0 / 128 : 1e-6;
      if (!(std::abs(double{a} - double{b}) <=
            2 * last_place * std::abs(double{b}) + 0x1p-23 * static_cast<double>(p.k)))
        throw std::runtime_error(fmt::format("element {} is {}, oneDNN has {}", i, a, b));
    }
  }

  nlohmann::json measure(int pairs) {
    const auto side = [&](auto&& call) {
      const double start = processor_seconds();
      std::size_t calls = 0;
      double seconds = 0;
      do {
        for (std::size_t i = 0; i < copies_; ++i, ++calls) call(i);
        seconds = processor_seconds() - start;
      } while (seconds < kSecondsOfSide);
      return seconds / static_cast<double>(calls);
    };
    const auto run_ours = [&] { return side([&](std::size_t i) { ours(i); }); };
    const auto run_rival = [&] { return side([&](std::size_t i) { rival(i); }); };
    std::vector<Pair> found;
    std::vector<double> our_rates, rival_rates;
    const double work = 2e-9 * static_cast<double>(product_.m * product_.n * product_.k);
    for (int i = 0; i < pairs; ++i) {
      Pair pair;
      if (i % 2 == 0) pair.ours_seconds = run_ours();
      pair.rival_seconds = run_rival();
      if (i % 2 != 0) pair.ours_seconds = run_ours();
      found.push_back(pair);
      our_rates.push_back(work / pair.ours_seconds);
      rival_rates.push_back(work / pair.rival_seconds);
    }
    const Ratio ratio = ratio_of(found);
    return {{"ratio", ratio.median},
            {"low", ratio.low},
            {"high", ratio.high},
            {"ours_gflops", median_of(our_rates)},
            {"onednn_gflops", median_of(rival_rates)}};
  }

 private:
  static Product product(const Shape& s, const Types& types) {
    Product p;
    p.m = s.m;
    p.n = s.n;
    p.k = s.k;
    p.lhs = {types.operands, s.left_columns ? 1 : s.k, s.left_columns ? s.m : 1};
    p.rhs = {types.operands, s.right_columns ? 1 : s.n, s.right_columns ? s.k : 1};
    p.out = types.result;
    p.passes = types.operands == ElementType::f32 ? worker::Passes::full : worker::Passes::one;
    return p;
  }
  static dnnl::memory::desc describe(const MatrixView& view, std::int64_t rows,
                                     std::int64_t columns) {
    using Type = dnnl::memory::data_type;
    return {{rows, columns},
            view.element == ElementType::bf16 ? Type::bf16 : Type::f32,
            {view.row_stride, view.column_stride}};
  }
  const std::byte* left(std::size_t i) const { return left_.data() + i * left_bytes_; }
  const std::byte* right(std::size_t i) const { return right_.data() + i * right_bytes_; }
  std::byte* out(std::size_t i) {
    const auto start = reinterpret_cast<std::uintptr_t>(out_.data());
    return out_.data() + (64 - start % 64) % 64 + i * out_bytes_;
  }
  float value(const std::byte* at, std::int64_t i) const {
    std::uint32_t bits = 0;
    if (product_.out == ElementType::f32) {
      std::memcpy(&bits, at + i * 4, 4);
    } else {
      std::uint16_t half = 0;
      std::memcpy(&half, at + i * 2, 2);
      bits = std::uint32_t{half} << 16;
    }
    return std::bit_cast<float>(bits);
  }

  Product product_;
  std::size_t copies_, left_bytes_, right_bytes_;
  std::vector<std::byte> left_, right_;
  std::size_t out_bytes_;
  std::vector<std::byte> out_;
  worker::Mxu unit_{program::kernels::select("")};
  worker::Vmem vmem_{std::uint64_t{128} << 20};
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  dnnl::matmul matmul_;
};

// Whether oneDNN multiplies these types on this CPU; it has no bf16 on many.
bool has_rival(const Types& types) {
  try {
    const Contest contest(kShapes.front(), types, 1);
    return true;
  } catch (const dnnl::error& refusal) {
    if (refusal.status != dnnl_unimplemented) throw;
    return false;
  }
}

nlohmann::json row_of(const Shape& s, const Types& types, int pairs) {
  const std::size_t bytes =
      static_cast<std::size_t>(s.m * s.k + s.k * s.n) * bytes_of(types.operands) +
      static_cast<std::size_t>(s.m * s.n) * bytes_of(types.result);
  const std::size_t copies = std::max<std::size_t>(1, kBeyondCache / bytes);
  nlohmann::json row = {{"product", s.name},
                        {"m", s.m},
                        {"n", s.n},
                        {"k", s.k},
                        {"operands", program::mlir_name(types.operands)},
                        {"result", program::mlir_name(types.result)}};
  Contest reused(s, types, 1);
  reused.compare();
  row["reused"] = reused.measure(pairs);
  Contest from_memory(s, types, copies);
  from_memory.compare();
  row["from_memory"] = from_memory.measure(pairs);
  return row;
}

}  // namespace
}  // namespace understudy::bench

int main(int count, char** words) {
  using namespace understudy::bench;
  const char* const threads = std::getenv("OMP_NUM_THREADS");
  if (threads == nullptr || std::string_view(threads) != "1") {
    fmt::print(stderr, "bench_products: OMP_NUM_THREADS must be 1, or oneDNN uses all cores\n");
    return 2;
  }
  const int pairs = count > 1 ? std::max(1, std::atoi(words[1])) : 9;
  nlohmann::json rows = nlohmann::json::array(), refused = nlohmann::json::array();
  try {
    for (const Types& types : kTypes) {
      if (!has_rival(types)) {
        const auto name = understudy::program::mlir_name(types.operands);
        fmt::print(stderr, "{}: oneDNN has no such product on this CPU, not compared\n", name);
        refused.push_back(
            {{"operands", name}, {"result", understudy::program::mlir_name(types.result)}});
        continue;
      }
      for (const Shape& s : kShapes) {
        if (pairs == 1 && std::max({s.m, s.n, s.k}) > kSmall) continue;
        rows.push_back(row_of(s, types, pairs));
        const auto& row = rows.back();
        fmt::print(stderr, "{:12} {:5} x {:5} x {:5} {:>4} -> {:4}  reused {:.2f}  memory {:.2f}\n",
                   s.name, s.m, s.n, s.k, row["operands"].get<std::string>(),
                   row["result"].get<std::string>(), row["reused"]["ratio"].get<double>(),
                   row["from_memory"]["ratio"].get<double>());
      }
    }
  } catch (const std::exception& failure) {
    fmt::print(stderr, "bench_products: {}\n", failure.what());
    return 1;
  }
  fmt::print("{}\n", nlohmann::json{{"products", rows}, {"not_compared", refused}}.dump(1));
  return 0;
}
