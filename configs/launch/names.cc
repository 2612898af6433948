// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/names.h"

#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "configs/json/reader.h"

namespace understudy::configs {
namespace {

std::vector<std::string> read_list(const JsonReader& in) {
  std::vector<std::string> names;
  for (const JsonReader& item : in.items()) {
    constexpr std::array<std::string_view, 4> kKeys = {"name", "dtype", "shape", "prng_key"};
    item.only_keys(kKeys);
    names.push_back(item.at("name").text());
  }
  return names;
}

}  // namespace

std::optional<Names> read_names(const std::string& folder) {
  constexpr std::array<std::string_view, 4> kKeys = {"schema", "args", "results", "unused"};
  Names names;
  names.path = (std::filesystem::path(folder) / "names.json").string();
  std::error_code code;
  if (!std::filesystem::exists(names.path, code)) return std::nullopt;
  const JsonReader in = JsonReader::read(names.path);
  in.expect_schema("understudy/names/1");
  in.only_keys(kKeys);
  names.args = read_list(in.at("args"));
  names.results = read_list(in.at("results"));
  return names;
}

}  // namespace understudy::configs
