// SPDX-License-Identifier: Apache-2.0
#include "tests/worker/self_checking.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <optional>

#include "configs/base/error.h"
#include "configs/base/file.h"
#include "program/compile.h"
#include "program/kernels/kernels.h"
#include "program/read.h"
#include "worker/executor.h"

namespace understudy::worker {
namespace {

using program::ElementType;
using program::TensorType;
using Bytes = std::vector<std::byte>;

// What one check demands of two results that lie next to each other.
struct Check {
  std::string how;         // "expect_eq", "expect_close", ...
  std::size_t result = 0;  // of the first operand
  double tolerance = 1e-4;
  double least_ulps = 0, most_ulps = 3;
  SourcePlace place;
};

double number_of(const program::Operation& op, std::string_view attribute, double fallback) {
  const program::Attribute* const found = op.find(attribute);
  if (found == nullptr) return fallback;
  if (const auto* whole = found->get<program::IntegerAttribute>()) {
    return static_cast<double>(whole->value);
  }
  const auto* real = found->get<program::FloatAttribute>();
  if (real == nullptr) throw Error(ErrorKind::input, fmt::format("{} is no number", attribute));
  return real->value;
}

// "expect_eq" of `custom_call @check.expect_eq` and of `check.expect_eq`; empty for other
// operations.
std::string check_name(const program::Operation& op) {
  constexpr std::string_view kPrefix = "check.";
  const program::Attribute* const attribute = op.find("call_target_name");
  const auto* const target =
      attribute == nullptr ? nullptr : attribute->get<program::StringAttribute>();
  const std::string& name = target == nullptr ? op.name : target->value;
  return name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : "";
}

// The expected value of a check.expect_..._const becomes a constant of the program.
std::unique_ptr<program::Operation> constant_of(const program::Operation& check) {
  auto constant = std::make_unique<program::Operation>();
  constant->name = "stablehlo.constant";
  constant->location = check.location;
  const program::Attribute* const value = check.find("value");
  if (value == nullptr) throw Error(ErrorKind::input, "a check without its value");
  constant->set("value", *value);
  auto result = std::make_unique<program::Value>();
  result->type = check.operands[0]->type;
  result->owner = constant.get();
  constant->results.push_back(std::move(result));
  return constant;
}

// Takes the checks out of a function and returns their operands instead. (The answer of a
// @check.eq is only ever returned, so nothing misses it.)
std::vector<Check> take_checks(program::Function& function) {
  constexpr std::string_view kConst = "_const";
  std::vector<Check> checks;
  std::vector<std::unique_ptr<program::Operation>> kept;
  auto& operations = function.block().operations;
  program::Operation* const last = function.block().terminator();
  last->operands.clear();
  last->operand_locations.clear();
  for (auto& op : operations) {
    std::string how = check_name(*op);
    if (how.empty()) {
      kept.push_back(std::move(op));
      continue;
    }
    Check check{how,
                last->operands.size(),
                number_of(*op, "tolerance", 1e-4),
                number_of(*op, "min_ulp_difference", 0),
                number_of(*op, "max_ulp_difference", 3),
                program::place_of(op->location)};
    if (op->name == "stablehlo.custom_call" && how != "eq") check.tolerance = 1e-3;
    last->operands.insert(last->operands.end(), op->operands.begin(), op->operands.end());
    if (how.ends_with(kConst)) {
      check.how.resize(how.size() - kConst.size());
      kept.push_back(constant_of(*op));
      last->operands.push_back(kept.back()->results[0].get());
    }
    checks.push_back(std::move(check));
  }
  std::stable_partition(kept.begin(), kept.end(), [&](const auto& op) { return op.get() != last; });
  operations = std::move(kept);
  function.result_types.clear();
  for (const program::Value* operand : last->operands) {
    function.result_types.push_back(operand->type);
  }
  function.result_attributes.assign(last->operands.size(), {});
  return checks;
}

// One chip's worth of everything; programs here have no arguments.
std::vector<Bytes> execute(const program::Executable& executable) {
  const auto& kernels = program::kernels::select("");
  Vmem vmem(128 << 20);
  Mxu mxu(kernels);
  Execution execution;
  std::vector<Bytes> results;
  for (const TensorType& type : executable.results) {
    results.emplace_back(static_cast<std::size_t>(type.bytes()) + 64);
  }
  for (Bytes& result : results) execution.results.push_back(result.data());
  Bytes temporaries(executable.temporary_bytes + 64);
  execution.temporaries = temporaries.data();
  execution.constants = executable.constants.data();
  execution.numerics = executable.numerics;
  execution.kernels = &kernels;
  execution.vmem = &vmem;
  execution.mxu = &mxu;
  run(executable.code, execution);
  return results;
}

// Elements as doubles (complex: real and imaginary parts one after the other).
std::vector<double> doubles_of(const TensorType& type, const Bytes& bytes) {
  const auto n = static_cast<std::size_t>(type.elements());
  const bool is_complex = program::is_complex(type.element);
  const ElementType wide = is_complex ? ElementType::c128 : ElementType::f64;
  std::vector<double> out(is_complex ? 2 * n : n);
  program::kernels::select("").convert(type.element, wide)(bytes.data(), out.data(), n);
  return out;
}

// Distance in units in the last place of the element type, across zero by the sum.
double ulps_between(double got, double want, ElementType type) {
  if (std::isnan(got) && std::isnan(want)) return 0;
  if (std::isnan(got) || std::isnan(want)) return INFINITY;
  if (std::isinf(got) || std::isinf(want)) return got == want ? 0 : INFINITY;
  const bool wide = type == ElementType::f64 || type == ElementType::c128;
  const bool one_side = std::signbit(got) == std::signbit(want);
  if (wide) {
    const auto a = std::bit_cast<std::int64_t>(std::fabs(got));
    const auto b = std::bit_cast<std::int64_t>(std::fabs(want));
    return one_side ? static_cast<double>(std::abs(a - b))
                    : static_cast<double>(a) + static_cast<double>(b);
  }
  const auto rank = [&](double value) {
    const auto bits = std::bit_cast<std::int32_t>(static_cast<float>(std::fabs(value)));
    const int dropped = type == ElementType::bf16 ? 16 : type == ElementType::f16 ? 13 : 0;
    return static_cast<double>(bits) / static_cast<double>(1 << dropped);
  };
  return one_side ? std::fabs(rank(got) - rank(want)) : rank(got) + rank(want);
}

bool holds(const Check& check, double got, double want, ElementType type) {
  if (check.how == "expect_eq") return got == want;
  if (check.how == "expect_close") {
    const double ulps = ulps_between(got, want, type);
    return ulps >= check.least_ulps && ulps <= check.most_ulps;
  }
  if (std::isnan(got) || std::isnan(want)) return std::isnan(got) && std::isnan(want);
  if (std::isinf(got) || std::isinf(want)) return got == want;
  return std::fabs(got - want) <= check.tolerance;
}

std::optional<std::string> violation(const Check& check, const program::Executable& executable,
                                     const std::vector<Bytes>& results) {
  constexpr std::string_view kKnown[] = {"expect_eq", "expect_close", "expect_almost_eq", "eq"};
  if (std::find(std::begin(kKnown), std::end(kKnown), check.how) == std::end(kKnown)) {
    return fmt::format("unknown check {}", check.how);
  }
  const TensorType& type = executable.results[check.result];
  const Bytes& got_bytes = results[check.result];
  const Bytes& want_bytes = results[check.result + 1];
  const bool exact_integers =
      program::byte_size(type.element) == 8 && program::is_integer(type.element);
  if (exact_integers && got_bytes != want_bytes) return "64-bit integers differ";
  const std::vector<double> got = doubles_of(type, got_bytes);
  const std::vector<double> want = doubles_of(type, want_bytes);
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (holds(check, got[i], want[i], type.element)) continue;
    return fmt::format("{}: {} [{}]: got {}, expected {}", check.how, program::text_of(type), i,
                       got[i], want[i]);
  }
  return std::nullopt;
}

// Runs one function of a program as its @main.
std::size_t run_function(const std::string& path, const std::string& text, std::size_t index) {
  const auto module = program::parse(std::make_shared<const program::Source>(path, text));
  program::verify(*module);
  program::Function& function = *module->functions[index];
  const std::vector<Check> checks = take_checks(function);
  if (checks.empty()) return 0;
  for (const auto& other : module->functions) {
    if (other.get() != &function && other->name == "main") other->name = "main_of_the_file";
  }
  function.name = "main";
  program::CompileOptions options;
  options.numerics = program::Numerics::ieee;
  const program::Executable executable = program::compile(*module, options);
  program::check_bounds(executable);
  const std::vector<Bytes> results = execute(executable);
  for (const Check& check : checks) {
    if (const auto why = violation(check, executable, results)) {
      throw Error(ErrorKind::check, check.place, *why);
    }
  }
  return checks.size();
}

// Every function that takes nothing and checks something is a test.
std::size_t run_one(const std::string& path, const std::string& text) {
  const auto module = program::parse(std::make_shared<const program::Source>(path, text));
  std::size_t checks = 0;
  for (std::size_t i = 0; i < module->functions.size(); ++i) {
    const program::Function& function = *module->functions[i];
    if (function.body.blocks.empty() || !function.block().arguments.empty()) continue;
    checks += run_function(path, text, i);
  }
  return checks;
}

}  // namespace

Verdict run_self_checking(const std::string& path) {
  constexpr std::string_view kSplit = "// -----\n";
  try {
    const std::string text = read_text_file(path);
    std::size_t checks = 0;
    std::size_t from = 0;
    for (std::size_t to = 0; to != std::string::npos; from = to + kSplit.size()) {
      to = text.find(kSplit, from);
      checks += run_one(path, text.substr(from, to == std::string::npos ? to : to - from));
    }
    if (checks == 0) return {Verdict::Kind::failed, "it checks nothing"};
    return {};
  } catch (const Error& error) {
    const bool refused = error.kind() == ErrorKind::unsupported;
    return {refused ? Verdict::Kind::unsupported : Verdict::Kind::failed, error.text()};
  }
}

std::vector<std::string> programs_in(const std::string& folder) {
  std::vector<std::string> paths;
  if (!std::filesystem::is_directory(folder)) return paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".mlir") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace understudy::worker
