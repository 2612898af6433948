// SPDX-License-Identifier: Apache-2.0
#include "program/compare/listing.h"

#include "configs/base/digest.h"
#include "program/compare/lister.h"
#include "program/hlo/hlo.h"
#include "program/read.h"

namespace understudy::program::compare {

std::string Listing::digest() const {
  Digester digester;
  for (const Fact& fact : facts) {
    digester.add(fact.name);
    digester.add(fact.value);
  }
  for (const Entry& entry : entries) {
    digester.add(entry.name);
    digester.add(entry.types);
    digester.add(entry.attributes);
    // The padding-free pairs of numbers as bytes. The digest is compared within one process only.
    digester.add(std::string_view(reinterpret_cast<const char*>(entry.uses.data()),
                                  entry.uses.size() * sizeof(Use)));
  }
  return digester.hex();
}

void Listing::keep_common_facts() {
  std::erase_if(facts, [](const Fact& fact) { return fact.text_only; });
}

Form form_of(const Source& source) {
  return hlo::is_proto(source.text()) || hlo::is_text(source.text()) ? Form::hlo : Form::stablehlo;
}

Listing listing_of(std::shared_ptr<const Source> source, Form form) {
  // HLO on both sides is compared as HLO; if one side is StableHLO, both are converted.
  if (form == Form::hlo && form_of(*source) == Form::hlo) {
    const bool is_proto = hlo::is_proto(source->text());
    auto module = std::make_shared<hlo::HloModule>(is_proto ? hlo::read_proto(*source)
                                                            : hlo::read_text(source));
    Listing out = list(*module);
    out.is_proto = is_proto;
    // Locations in the listing point into the module's sources.
    out.owner = std::move(module);
    return out;
  }
  std::shared_ptr<const Module> module = parse(std::move(source));
  Listing out = list(*module);
  out.owner = std::move(module);
  return out;
}

}  // namespace understudy::program::compare
