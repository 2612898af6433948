// SPDX-License-Identifier: Apache-2.0
// Checks whether values have the sharding that annotations require: Shardy shardings, GSPMD
// strings, and the frontend attributes in which exported programs carry Shardy's. Annotations may
// be on any operation, argument or result, in any function or region. Thread-compatible.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "program/passes/sharding/sharding.h"

namespace understudy::program::passes {

// The distribution of a value: whole on every chip, in tiles, or local to a chip (inside manual
// computations).
struct Place {
  bool local = false;
  Sharding sharding;  // of values that are not local; one entry per partition
};

// An annotation that only a partitioner can follow.
struct UnsupportedAnnotation {
  Location location;
  std::string name;  // of the operation or function
  std::string why;
};

class Annotations {
 public:
  // The module must outlive it.
  Annotations(const Module& module, std::int64_t partitions)
      : module_(module), partitions_(partitions) {}

  // Why result (or argument) `index`, which has these attributes, does not satisfy one of them;
  // empty if it does. Throws Error{input} for a sharding that does not fit its array.
  std::string objection(const std::vector<NamedAttribute>& attributes, std::size_t index,
                        const Type& type, const Place& place, const Location& where);

  // Everything below the operations of `main` and of `followed`: their regions, and the other
  // functions that they refer to, where all values count as whole (or as local, which no sharding
  // may divide further).
  std::vector<UnsupportedAnnotation> below(const Function& main,
                                           const std::set<const Function*>& followed);

 private:
  class Walk;
  std::string of_shardy(const Module& module, const DialectAttribute& sharding, const Type& type,
                        const Place& place, const Location& where) const;
  std::string of_gspmd(std::string_view text, std::size_t index, const Type& type,
                       const Place& place, const Location& where) const;
  std::string of_frontend(const DictionaryAttribute& entries, std::size_t index, const Type& type,
                          const Place& place, const Location& where);
  const Module& written(const std::string& text, const Location& where);

  const Module& module_;
  std::int64_t partitions_;
  std::map<std::string, std::unique_ptr<Module>> written_;  // by the text of a frontend attribute
};

// Whether a call of a GSPMD program makes local values of which some mesh axes are left to the
// partitioner.
bool is_partly_manual(std::string_view gspmd);

// The meshes of a module, then those that exported programs keep as text: the module attribute
// xla.sdy.meshes, a dictionary of #sdy.mesh<...>. Throws Error{input} if that text is none.
std::vector<Mesh> meshes_of(const Module& module);

const Attribute* find_in(const std::vector<NamedAttribute>& attributes, std::string_view name);

}  // namespace understudy::program::passes
