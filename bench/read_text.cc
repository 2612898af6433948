// SPDX-License-Identifier: Apache-2.0
// Throughput of the StableHLO text reader with verification, in MB/s: many operations, many splats,
// constants as lists of each kind of element and as hexadecimal blobs. With --file FILE it reads
// that file and prints the seconds of each repeat; with --print OUT it also writes the module as
// text. bench/read_text.py compares it with jaxlib's parser.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "bench/paired.h"
#include "configs/base/error.h"
#include "program/read.h"

namespace understudy::bench {
namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  std::string file;
  std::string print;          // file for the module as text
  std::string write_samples;  // folder for the sample texts; nothing is measured then
  std::size_t megabytes = 20;
  int repeats = 5;
};

Options read_options(std::span<char*> words) {
  Options options;
  for (std::size_t i = 1; i + 1 < words.size(); i += 2) {
    const std::string key = words[i], value = words[i + 1];
    if (key == "--file") {
      options.file = value;
    } else if (key == "--print") {
      options.print = value;
    } else if (key == "--write-samples") {
      options.write_samples = value;
    } else if (key == "--megabytes") {
      options.megabytes = std::stoul(value);
    } else if (key == "--repeats") {
      options.repeats = std::stoi(value);
    } else {
      throw Error(ErrorKind::usage, fmt::format("unknown option {}", key));
    }
  }
  return options;
}

std::string module_of(const std::string& body, const std::string& result, const std::string& type) {
  return fmt::format(
      "module @text {{\n  func.func public @main(%arg0: tensor<8xf32>) -> {1} {{\n{0}"
      "    return {2} : {1}\n  }}\n}}\n",
      body, type, result);
}

std::string operations(std::size_t bytes) {
  std::string body;
  std::string last = "%arg0";
  for (std::size_t i = 0; body.size() < bytes; ++i) {
    // Each operation uses the one before it, so no name can be skipped.
    body += fmt::format("    %{0} = stablehlo.add {1}, %arg0 : tensor<8xf32>\n", i, last);
    last = fmt::format("%{}", i);
  }
  return module_of(body, last, "tensor<8xf32>");
}

// One constant with a list of elements.
template <class Element>
std::string list_of(std::size_t bytes, const char* element_type, Element element) {
  std::string list;
  std::size_t n = 0;
  for (; list.size() < bytes; ++n) list += (n == 0 ? "" : ", ") + element(n);
  const std::string type = fmt::format("tensor<{}x{}>", n, element_type);
  return module_of(fmt::format("    %0 = stablehlo.constant dense<[{}]> : {}\n", list, type), "%0",
                   type);
}

std::string f32_decimal(std::size_t bytes) {
  return list_of(bytes, "f32", [](std::size_t n) {
    return fmt::format("{:.6e}", 1e-3 * static_cast<double>(n % 9973));
  });
}
std::string bf16_decimal(std::size_t bytes) {
  return list_of(bytes, "bf16", [](std::size_t n) {
    return fmt::format("{:.6e}", 0.0078125 * static_cast<double>(n % 251) - 1.0);
  });
}
std::string i32_decimal(std::size_t bytes) {
  return list_of(bytes, "i32", [](std::size_t n) {
    // Multiplication by a large odd number spreads the values over all bits.
    return std::to_string(static_cast<std::int32_t>(n * 2654435761U));
  });
}
std::string i1_words(std::size_t bytes) {
  return list_of(bytes, "i1",
                 [](std::size_t n) { return std::string(n % 7 < 3 ? "true" : "false"); });
}

std::string splats(std::size_t bytes) {
  std::string body;
  std::size_t n = 0;
  for (; body.size() < bytes; ++n)
    body += fmt::format("    %{} = stablehlo.constant dense<{:.6e}> : tensor<128x128xf32>\n", n,
                        0.5 * static_cast<double>(n));
  return module_of(body, "%0", "tensor<128x128xf32>");
}

std::string f32_hex(std::size_t bytes) {
  const std::size_t n = bytes / 8;
  std::string digits;
  digits.reserve(8 * n);
  for (std::size_t i = 0; i < n; ++i)
    // The last byte is the sign and most of the exponent: all values are from 0.5 to 2.
    digits += fmt::format("{:06X}3F", (i * 2654435761U) >> 8 & 0xffffff);
  const std::string type = fmt::format("tensor<{}xf32>", n);
  return module_of(fmt::format("    %0 = stablehlo.constant dense<\"0x{}\"> : {}\n", digits, type),
                   "%0", type);
}

double parse_seconds(const std::shared_ptr<const program::Source>& source) {
  const auto start = Clock::now();
  // The text is in memory already, so that no disk is measured.
  const auto module = program::parse(source);
  program::verify(*module);
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (module->functions.empty()) throw Error(ErrorKind::check, "the module is empty");
  return seconds;
}

void read_file(const Options& options) {
  const auto source = program::Source::read(options.file);
  // The reading for the output is not timed.
  if (!options.print.empty()) {
    std::ofstream(options.print) << program::print(*program::parse(source));
    return;
  }
  for (int i = 0; i < options.repeats; ++i) fmt::print("{:.9f}\n", parse_seconds(source));
}

struct Sample {
  const char* name;
  std::string (*text)(std::size_t bytes);
};
constexpr Sample kSamples[] = {{"operations", operations},     {"splats", splats},
                               {"f32_hex", f32_hex},           {"f32_decimal", f32_decimal},
                               {"bf16_decimal", bf16_decimal}, {"i32_decimal", i32_decimal},
                               {"i1_words", i1_words}};

void run(const Options& options) {
  if (!options.file.empty()) {
    read_file(options);
    return;
  }
  for (const Sample& sample : kSamples) {
    std::string text = sample.text(options.megabytes * 1'000'000);
    const double megabytes = static_cast<double>(text.size()) / 1e6;
    if (!options.write_samples.empty()) {
      std::ofstream(fmt::format("{}/{}.mlir", options.write_samples, sample.name)) << text;
      continue;
    }
    const auto source = std::make_shared<const program::Source>(sample.name, std::move(text));
    std::vector<double> seconds;
    for (int i = 0; i < options.repeats; ++i) seconds.push_back(parse_seconds(source));
    fmt::print("{:<12}{:8.1f} MB{:10.1f} MB/s\n", sample.name, megabytes,
               megabytes / median_of(seconds));
  }
}

}  // namespace
}  // namespace understudy::bench

int main(int argc, char** argv) {
  try {
    understudy::bench::run(understudy::bench::read_options({argv, static_cast<std::size_t>(argc)}));
    return EXIT_SUCCESS;
  } catch (const understudy::Error& error) {
    fmt::print(stderr, "{}\n", error.text());
    return understudy::exit_code_of(error.kind());
  }
}
