// SPDX-License-Identifier: Apache-2.0
// What the files of the converter share, private to program/hlo.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "program/hlo/convert.h"

namespace understudy::program::hlo {

// Sets a variable for the rest of the scope, also where an error leaves it.
template <class T>
class During {
 public:
  During(T& variable, T value) : variable_(variable), before_(std::exchange(variable, value)) {}
  ~During() { variable_ = before_; }
  During(const During&) = delete;
  During& operator=(const During&) = delete;

 private:
  T& variable_;
  T before_;
};

Values arguments_of(const Block& block);
void add_arguments(Block& block, const std::vector<Type>& types, const Location& where);
// Appends the types of the leaves. False where one cannot be expressed.
bool append_types(const HloShape& shape, std::vector<Type>& out);

}  // namespace understudy::program::hlo
