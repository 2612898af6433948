// SPDX-License-Identifier: Apache-2.0
// 128-bit xxHash digests of bytes: content names, not security.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace understudy {

// 32 lower-case hexadecimal digits of XXH3-128.
std::string digest_of(std::span<const std::byte> bytes);
std::string digest_of(std::string_view text);

// Incremental form, for streams. Thread-compatible.
class Digester {
 public:
  Digester();
  ~Digester();
  Digester(const Digester&) = delete;
  Digester& operator=(const Digester&) = delete;
  void add(std::span<const std::byte> bytes);
  void add(std::string_view text);  // length first, so that fields do not run together
  std::string hex() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace understudy
