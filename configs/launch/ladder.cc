// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/ladder.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <set>

#include "configs/json/reader.h"
#include "configs/launch/fault.h"

namespace understudy::configs {
namespace {

constexpr std::string_view kLadderSchema = "understudy/ladder/1";
constexpr std::string_view kChips = "{chips}";

std::string text_or(const JsonReader& in, std::string_view key, const std::string& otherwise) {
  const auto found = in.find(key);
  return found ? found->text() : otherwise;
}

std::string path_in(const std::string& folder, const std::string& path) {
  return path.empty() ? path : (std::filesystem::path(folder) / path).string();
}

std::vector<std::string> texts_in(const JsonReader& in, std::string_view key) {
  std::vector<std::string> texts;
  if (const auto list = in.find(key))
    for (const JsonReader& item : list->items()) texts.push_back(item.text());
  return texts;
}

std::optional<double> tolerance_in(const JsonReader& in, std::string_view key) {
  const auto found = in.find(key);
  if (!found) return std::nullopt;
  if (found->number() < 0) found->fail("expected a non-negative tolerance");
  return found->number();
}

// A program name with {chips} needs the list of numbers, and only such a name has one.
void read_chips(const JsonReader& in, Rung& rung) {
  const auto chips = in.find("chips");
  if (chips)
    for (const JsonReader& item : chips->items()) rung.chips.push_back(item.positive());
  std::ranges::sort(rung.chips);
  const bool is_pattern = rung.program.find(kChips) != std::string::npos;
  if (is_pattern && rung.chips.empty())
    in.at("program").fail("a program name with {chips} needs the key \"chips\"");
  if (!is_pattern && !rung.chips.empty()) chips->fail("the program name does not contain {chips}");
}

void read_carry(const JsonReader& in, Rung& rung) {
  const auto carry = in.find("carry");
  if (!carry) return;
  for (const JsonReader& item : carry->items()) {
    const std::vector<JsonReader> pair = item.items();
    if (pair.size() != 2) item.fail("expected a pair of result and argument");
    rung.carry.emplace_back(static_cast<std::int64_t>(pair[0].whole()),
                            static_cast<std::int64_t>(pair[1].whole()));
  }
}

// Parsed here already, so that a wrong fault is reported with its place in the ladder and before
// the first rung runs.
void read_faults(const JsonReader& in, Rung& rung) {
  const auto faults = in.find("faults");
  if (!faults) return;
  for (const JsonReader& item : faults->items()) {
    rung.faults.push_back(item.text());
    try {
      static_cast<void>(parse_fault(rung.faults.back()));
    } catch (const Error& error) {
      item.fail(error.message());
    }
  }
}

// Everything optional has a default in Rung; programs, arguments and expectations are found
// relative to the ladder's folder.
Rung read_rung(const JsonReader& in, const std::string& folder) {
  constexpr std::array<std::string_view, 14> kKeys = {
      "name", "adds", "program", "chips",    "steps",      "carry",   "args",
      "fill", "rtol", "atol",    "numerics", "algorithms", "metrics", "expect"};
  static const std::vector<std::string> kNumerics = {"tpu", "ieee"};
  static const std::vector<std::string> kMetrics = {"full", "static", "off"};
  std::vector<std::string_view> keys(kKeys.begin(), kKeys.end());
  keys.emplace_back("faults");
  in.only_keys(keys);
  Rung rung;
  rung.name = in.at("name").text();
  if (rung.name.empty()) in.at("name").fail("expected a name");
  rung.adds = text_or(in, "adds", "");
  rung.program = path_in(folder, in.at("program").text());
  rung.place = in.at("program").place();
  read_chips(in, rung);
  if (const auto steps = in.find("steps")) rung.steps = steps->positive();
  read_carry(in, rung);
  rung.args = path_in(folder, text_or(in, "args", ""));
  rung.expect = path_in(folder, text_or(in, "expect", ""));
  rung.fill = text_or(in, "fill", "");
  rung.rtol = tolerance_in(in, "rtol");
  rung.atol = tolerance_in(in, "atol");
  if (const auto numerics = in.find("numerics"))
    rung.numerics = numerics->one_of(kNumerics, "a numerics mode");
  rung.algorithms = texts_in(in, "algorithms");
  if (const auto metrics = in.find("metrics"))
    rung.metrics = metrics->one_of(kMetrics, "a metrics mode");
  read_faults(in, rung);
  return rung;
}

}  // namespace

Ladder read_ladder(const std::string& path) {
  constexpr std::array<std::string_view, 4> kKeys = {"schema", "name", "about", "rungs"};
  const JsonReader in = JsonReader::read(path);
  in.expect_schema(kLadderSchema);
  in.only_keys(kKeys);
  Ladder ladder;
  ladder.path = path;
  ladder.name = in.at("name").text();
  ladder.about = text_or(in, "about", "");
  const std::string folder = std::filesystem::path(path).parent_path().string();
  std::set<std::string> names;
  for (const JsonReader& item : in.at("rungs").items()) {
    ladder.rungs.push_back(read_rung(item, folder));
    if (!names.insert(ladder.rungs.back().name).second) item.at("name").fail("duplicate rung name");
  }
  if (ladder.rungs.empty()) in.at("rungs").fail("expected at least one rung");
  return ladder;
}

// The numbers are sorted, so the last one that fits is the largest.
std::optional<std::int64_t> chips_of(const Rung& rung, std::int64_t slice_chips) {
  if (rung.chips.empty()) return slice_chips;
  std::optional<std::int64_t> best;
  for (const std::int64_t chips : rung.chips)
    if (chips <= slice_chips) best = chips;
  return best;
}

std::string program_of(const Rung& rung, std::int64_t chips) {
  std::string path = rung.program;
  const std::size_t at = path.find(kChips);
  if (at != std::string::npos) path.replace(at, kChips.size(), fmt::format("{}", chips));
  return path;
}

}  // namespace understudy::configs
