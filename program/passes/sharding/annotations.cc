// SPDX-License-Identifier: Apache-2.0
#include "program/passes/sharding/annotations.h"

#include <algorithm>
#include <fmt/format.h>

#include "program/read.h"

namespace understudy::program::passes {

namespace {

constexpr std::string_view kFrontend = "mhlo.frontend_attributes";
constexpr std::string_view kGspmd = "mhlo.sharding";
constexpr std::string_view kAnother = "it requires a different sharding";

const DialectAttribute* sharding_in(const Attribute& attribute) {
  const DialectAttribute* found = attribute.dialect();
  const bool is = found != nullptr && found->dialect == "sdy" && found->mnemonic == "sharding" &&
                  found->parameters.size() > 1;
  return is ? found : nullptr;
}

// A sharding, or the one of that index in a list with one per value.
const DialectAttribute* sharding_of_value(const Attribute& attribute, std::size_t index) {
  if (const DialectAttribute* one = sharding_in(attribute)) return one;
  const ArrayAttribute* list = attribute.array();
  if (list == nullptr || index >= list->elements.size()) return nullptr;
  return sharding_in(list->elements[index]);
}

// Shardings of the operands and results of a manual computation, which Placer compares itself.
bool is_of_computation(std::string_view name) {
  return name == "in_shardings" || name == "out_shardings";
}

struct Axes {
  bool open = true;      // every dimension may be sharded further
  bool divides = false;  // some axis, or part of one, has more than one device
  bool parts = false;
};

// Shardy writes a dimension as a list of axis names; a trailing "?" leaves it open to further
// sharding, a sub-axis is a dialect attribute. Axes of size 1 divide nothing.
void add_axes(const Mesh& mesh, const Attribute& dimension, Axes& axes) {
  bool open = false;
  const ArrayAttribute* const list = dimension.array();
  if (list == nullptr) return;
  for (const Attribute& element : list->elements) {
    const auto* mark = element.get<EnumAttribute>();
    if (mark != nullptr && mark->word == "?") open = true;
    // A sub-axis counts as dividing, whatever its size.
    if (element.dialect() != nullptr) axes.parts = axes.divides = true;
    if (const auto* name = element.get<StringAttribute>()) {
      const auto found =
          std::ranges::find(mesh.axes, name->value, [](const auto& axis) { return axis.first; });
      // An axis that the mesh lacks counts as dividing, so it is not overlooked.
      axes.divides = axes.divides || found == mesh.axes.end() || found->second > 1;
    }
  }
  axes.open = axes.open && open;
}

// Frontend attributes are strings that contain Shardy text. Some writers escape it twice, so that
// quotes still have a backslash after the reader has unescaped the string.
std::string unescaped(std::string text) {
  for (std::size_t at = 0; (at = text.find("\\\"", at)) != std::string::npos; ++at)
    text.erase(at, 1);
  return text;
}

const DictionaryAttribute* frontend_of(const std::vector<NamedAttribute>& attributes) {
  const Attribute* const found = find_in(attributes, kFrontend);
  return found == nullptr ? nullptr : found->dictionary();
}

std::string text_in(const DictionaryAttribute& entries, std::string_view name) {
  const Attribute* const found = entries.find(name);
  const auto* const text = found == nullptr ? nullptr : found->get<StringAttribute>();
  return text == nullptr ? "" : unescaped(text->value);
}

// Parses an attribute given as text with the program reader: as the only attribute of an empty
// module.
std::unique_ptr<Module> module_with(const std::string& attribute) {
  return parse(
      std::make_shared<const Source>("", "module attributes {written = " + attribute + "} {\n}\n"));
}

}  // namespace

const Attribute* find_in(const std::vector<NamedAttribute>& attributes, std::string_view name) {
  for (const auto& [key, value] : attributes)
    if (key == name) return &value;
  return nullptr;
}

std::vector<Mesh> meshes_of(const Module& module) {
  std::vector<Mesh> all = module.meshes;
  const DictionaryAttribute* const entries = frontend_of(module.attributes);
  const std::string text = entries == nullptr ? "" : text_in(*entries, "xla.sdy.meshes");
  if (text.empty()) return all;
  const auto listed = module_with(text);
  const DictionaryAttribute* const meshes = listed->attributes.at(0).second.dictionary();
  if (meshes == nullptr) throw Error(ErrorKind::input, "expected meshes by name");
  for (const auto& [name, mesh] : meshes->entries) {
    const DialectAttribute* const axes = mesh.dialect();
    const auto* const inside = axes == nullptr || axes->parameters.size() != 1
                                   // parameters[0] is the text between < and >.
                                   ? nullptr
                                   : axes->parameters[0].second.get<StringAttribute>();
    if (inside == nullptr) throw Error(ErrorKind::input, "expected #sdy.mesh<...>");
    const auto made = parse(std::make_shared<const Source>(
        "", "module {\nsdy.mesh @written = <" + inside->value + ">\n}\n"));
    all.push_back(made->meshes.at(0));
    all.back().name = name;
  }
  return all;
}

// GSPMD marks the kinds of the trailing tile dimensions: "last_tile_dims={manual, replicated}". A
// replicated part beside a manual one means that the partitioner may still shard over it.
bool is_partly_manual(std::string_view gspmd) {
  const std::size_t kinds = gspmd.find("last_tile_dims={");
  return kinds != std::string_view::npos &&
         gspmd.substr(kinds).find("replicated") != std::string_view::npos;
}

// ---- one annotation ----------------------------------------------------------------------------

std::string Annotations::objection(const std::vector<NamedAttribute>& attributes, std::size_t index,
                                   const Type& type, const Place& place, const Location& where) {
  for (const auto& [name, attribute] : attributes) {
    std::string why;
    const DialectAttribute* const sharding =
        is_of_computation(name) ? nullptr : sharding_of_value(attribute, index);
    const auto* const text = attribute.get<StringAttribute>();
    const DictionaryAttribute* const entries = attribute.dictionary();
    if (sharding != nullptr) {
      why = of_shardy(module_, *sharding, type, place, where);
    } else if (name == kGspmd && text != nullptr) {
      why = of_gspmd(text->value, index, type, place, where);
    } else if (name == kFrontend && entries != nullptr) {
      why = of_frontend(*entries, index, type, place, where);
    }
    // The first objection is enough: one operation gives one line.
    if (!why.empty()) return why;
  }
  return "";
}

std::string Annotations::of_shardy(const Module& module, const DialectAttribute& sharding,
                                   const Type& type, const Place& place,
                                   const Location& where) const {
  const Mesh& mesh = mesh_of(module, sharding, where);
  // A mesh without axes but with a device id is Shardy's form of "maximal": one device computes.
  if (mesh.axes.empty() && !mesh.device_ids.empty() && partitions_ > 1)
    return "it requires a single device";
  Axes unreduced;
  if (const Attribute* axes = sharding.find("unreduced")) add_axes(mesh, *axes, unreduced);
  if (unreduced.divides) return "it leaves values unreduced over the mesh";
  Axes axes;
  const ArrayAttribute* const dimensions = sharding.parameters[1].second.array();
  if (dimensions != nullptr)
    for (const Attribute& dimension : dimensions->elements) add_axes(mesh, dimension, axes);
  if (axes.parts) return "it requires a sharding over part of a mesh axis";
  // No axis divides the array: every chip must hold all of it, or the dimensions must be open.
  const bool is_whole_here = place.local || is_whole(place.sharding);
  // An open sharding demands nothing.
  if (!axes.divides) return is_whole_here || axes.open ? "" : std::string(kAnother);
  if (place.local || !type.is_tensor()) return std::string(kAnother);
  return same(place.sharding, sharding_of(module, sharding, type.tensor, partitions_, where))
             ? ""
             : std::string(kAnother);
}

std::string Annotations::of_gspmd(std::string_view text, std::size_t index, const Type& type,
                                  const Place& place, const Location& where) const {
  const std::string_view part = element_of(text, index);
  // "manual" values are local already, and "unknown" requires nothing.
  if (is_manual(part) || part.starts_with("{unknown")) return "";
  if (part.starts_with("{maximal")) return partitions_ > 1 ? "it requires a single device" : "";
  // Tokens and tuples have no tiles.
  if (!type.is_tensor()) return "";
  const Sharding wanted = sharding_of(part, type.tensor, partitions_, where);
  const bool holds = place.local ? is_whole(wanted) : same(place.sharding, wanted);
  return holds ? "" : std::string(kAnother);
}

// The form that Shardy's exporter writes into mhlo.frontend_attributes: its attributes as text. On
// one partition no sharding divides anything, so it is accepted.
std::string Annotations::of_frontend(const DictionaryAttribute& entries, std::size_t index,
                                     const Type& type, const Place& place, const Location& where) {
  for (const char* name : {"xla.sdy.in_shardings", "xla.sdy.out_shardings", "xla.sdy.manual_axes"})
    if (partitions_ > 1 && entries.find(name) != nullptr)
      return fmt::format("manual computations stored as text ({}) are not supported", name);
  const std::string text = text_in(entries, "xla.sdy.sharding");
  if (text.empty()) return "";
  const Module& module = written(text, where);
  const Attribute& attribute = module.attributes.at(0).second;
  const DialectAttribute* const sharding = sharding_of_value(attribute, index);
  const bool is_list = attribute.array() != nullptr;
  if (sharding == nullptr && !is_list)
    throw error_at(where, ErrorKind::input, "xla.sdy.sharding: expected #sdy.sharding<...>");
  return sharding == nullptr ? "" : of_shardy(module, *sharding, type, place, where);
}

const Module& Annotations::written(const std::string& text, const Location& where) {
  // The same text is on many operations: parse it once.
  std::unique_ptr<Module>& found = written_[text];
  if (found != nullptr) return *found;
  try {
    found = module_with(text);
    // The text refers to meshes by name, so it needs those of the program.
    found->meshes = meshes_of(module_);
  } catch (const Error& error) {
    throw error_at(where, ErrorKind::input,
                   fmt::format("cannot read xla.sdy.sharding: {}", error.message()));
  }
  return *found;
}

}  // namespace understudy::program::passes
