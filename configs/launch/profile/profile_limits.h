// SPDX-License-Identifier: Apache-2.0
// Which values a profile may have, for documents and for --set. Internal to configs. Pure
// functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace understudy::configs {

// What is wrong with a value of the key, "" if it is valid.
std::string invalid_reason(std::string_view key, const std::string& value);
std::string invalid_reason(std::string_view key, double value);
std::string invalid_reason(std::string_view key, std::int64_t value);
// Values of other types are limited by their type only.
template <class T>
std::string invalid_reason(std::string_view /*key*/, const T& /*value*/) {
  return "";
}

}  // namespace understudy::configs
