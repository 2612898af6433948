// SPDX-License-Identifier: Apache-2.0
#include "program/executable/numerics.h"

#include <fmt/format.h>

#include "configs/base/error.h"

namespace understudy::program {

std::string_view name_of(Numerics numerics) { return numerics == Numerics::tpu ? "tpu" : "ieee"; }

Numerics numerics_named(std::string_view name) {
  for (const Numerics numerics : {Numerics::tpu, Numerics::ieee})
    if (name == name_of(numerics)) return numerics;
  throw Error(ErrorKind::config, fmt::format("unknown numerics \"{}\"; known: tpu, ieee", name));
}

}  // namespace understudy::program
