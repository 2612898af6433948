// SPDX-License-Identifier: Apache-2.0
// Compiled programs as bytes: a magic number, the digest of the rest, then fields in the wire
// format of protocol buffers. Only the build that wrote them reads them, as the archive requires
// it.
#include <algorithm>
#include <cstring>
#include <utility>

#include "cache/archive.h"
#include "configs/base/digest.h"
#include "configs/base/error.h"
#include "configs/base/version.h"
#include "pjrt/core/compile/compiled.h"
#include "pjrt/core/compile/proto.h"

namespace understudy::pjrt {
namespace {

constexpr std::string_view kMagic = "understudy-pjrt/1\n";
constexpr std::size_t kDigest = 32;  // characters
constexpr int kHalf = 32;            // bits: a donation is two numbers in one

enum Field : std::uint32_t {
  kBuild = 1,
  kName,
  kFingerprint,
  kOptions,
  kArguments,
  kResults,
  kReplicas,
  kPartitions,
  kArchive,
  kConstants,
  kTemporaries,
  kHbm,
  kOpNames,
  kCode,
  kFormat,
  kFlops,
  kBytes,
  kTranscendentals,
  kPartitioned,
  kImage,
  kHostTemporaries,
  kDonations
};
enum ParameterField : std::uint32_t {
  kElement = 1,
  kShape,
  kMemory,
  kDonated,
  kSharding,
  kToken,
  kLayout
};

// The revision too: the archive inside has no version of its own between releases.
std::string build() { return std::string(version()) + " " + std::string(revision()); }

[[noreturn]] void refuse(const char* why) {
  throw Error(ErrorKind::input, std::string("a serialized executable cannot be used: ") + why);
}

std::string text_of(const CompiledParameter& parameter) {
  ProtoWriter out;
  out.bytes(kElement, program::mlir_name(parameter.type.element));
  out.packed(kShape, parameter.type.shape);
  out.number(kMemory, static_cast<std::uint64_t>(parameter.memory));
  out.number(kDonated, parameter.donated ? 1 : 0);
  out.bytes(kSharding, parameter.sharding);
  out.number(kToken, parameter.token ? 1 : 0);
  if (parameter.layout != nullptr) out.bytes(kLayout, parameter.layout->text());
  return out.take();
}

CompiledParameter parameter_in(std::string_view bytes) {
  CompiledParameter parameter;
  for (const ProtoField& field : proto_fields(bytes)) {
    if (field.number == kElement) {
      const auto element = program::element_type_of_mlir(field.bytes);
      if (!element) refuse("unknown element type");
      parameter.type.element = *element;
    }
    if (field.number == kMemory) {
      if (field.value >= kMemoryKinds) refuse("unknown memory kind");
      parameter.memory = static_cast<MemoryKind>(field.value);
    }
    if (field.number == kDonated) parameter.donated = field.value != 0;
    if (field.number == kToken) parameter.token = field.value != 0;
    if (field.number == kSharding) parameter.sharding = field.bytes;
  }
  parameter.type.shape = proto_integers(bytes, kShape);
  for (const ProtoField& field : proto_fields(bytes))
    if (field.number == kLayout)
      parameter.layout = ArrayLayout::of_mode(field.bytes, parameter.type.shape.size());
  return parameter;
}

// Costs are whole numbers but for fractions of large ones, which nobody needs.
std::uint64_t whole(double value) { return static_cast<std::uint64_t>(value); }

void read_image(const ProtoField& field, Compiled& out) {
  out.image.resize(field.bytes.size());
  if (!field.bytes.empty()) std::memcpy(out.image.data(), field.bytes.data(), field.bytes.size());
}

struct FieldReader {
  std::uint32_t number;
  void (*read)(const ProtoField& field, Compiled& out);
};
constexpr FieldReader kReaders[] = {
    {kName, [](const ProtoField& field, Compiled& out) { out.name = field.bytes; }},
    {kFingerprint, [](const ProtoField& field, Compiled& out) { out.fingerprint = field.bytes; }},
    {kOptions, [](const ProtoField& field,
                  Compiled& out) { out.options = read_compile_options(field.bytes); }},
    {kArguments, [](const ProtoField& field,
                    Compiled& out) { out.arguments.push_back(parameter_in(field.bytes)); }},
    {kResults, [](const ProtoField& field,
                  Compiled& out) { out.results.push_back(parameter_in(field.bytes)); }},
    {kReplicas, [](const ProtoField& field,
                   Compiled& out) { out.replicas = static_cast<std::int64_t>(field.value); }},
    {kPartitions, [](const ProtoField& field,
                     Compiled& out) { out.partitions = static_cast<std::int64_t>(field.value); }},
    {kArchive, [](const ProtoField& field, Compiled& out) { out.archive = field.bytes; }},
    {kImage, read_image},
    {kConstants, [](const ProtoField& field, Compiled& out) { out.constants_bytes = field.value; }},
    {kTemporaries,
     [](const ProtoField& field, Compiled& out) { out.temporary_bytes = field.value; }},
    {kHostTemporaries,
     [](const ProtoField& field, Compiled& out) { out.host_temporary_bytes = field.value; }},
    {kDonations,
     [](const ProtoField& field, Compiled& out) {
       out.donations.push_back({static_cast<std::uint32_t>(field.value >> kHalf),
                                static_cast<std::uint32_t>(field.value)});
     }},
    {kHbm, [](const ProtoField& field, Compiled& out) { out.hbm_bytes = field.value; }},
    {kCode, [](const ProtoField& field, Compiled& out) { out.code = field.bytes; }},
    {kFormat, [](const ProtoField& field, Compiled& out) { out.format = field.bytes; }},
    {kFlops, [](const ProtoField& field,
                Compiled& out) { out.cost.flops = static_cast<double>(field.value); }},
    {kBytes, [](const ProtoField& field,
                Compiled& out) { out.cost.bytes_accessed = static_cast<double>(field.value); }},
    {kPartitioned, [](const ProtoField& field, Compiled& out) { out.partitioned = field.bytes; }},
    {kTranscendentals,
     [](const ProtoField& field, Compiled& out) {
       out.cost.transcendentals = static_cast<double>(field.value);
     }},
};

// A field without a row is skipped; all fields that matter are written by the same build.
void read_field(const ProtoField& field, Compiled& compiled) {
  const auto* const row = std::ranges::find(kReaders, field.number, &FieldReader::number);
  if (row != std::end(kReaders)) row->read(field, compiled);
}

}  // namespace

std::string serialize(const Compiled& compiled) {
  ProtoWriter out;
  out.bytes(kBuild, build());
  out.bytes(kName, compiled.name);
  out.bytes(kFingerprint, compiled.fingerprint);
  out.bytes(kOptions, compiled.options.bytes);
  for (const CompiledParameter& one : compiled.arguments) out.bytes(kArguments, text_of(one));
  for (const CompiledParameter& one : compiled.results) out.bytes(kResults, text_of(one));
  out.number(kReplicas, static_cast<std::uint64_t>(compiled.replicas));
  out.number(kPartitions, static_cast<std::uint64_t>(compiled.partitions));
  out.bytes(kArchive, compiled.archive);
  out.bytes(kImage, {reinterpret_cast<const char*>(compiled.image.data()), compiled.image.size()});
  out.number(kConstants, compiled.constants_bytes);
  out.number(kTemporaries, compiled.temporary_bytes);
  out.number(kHostTemporaries, compiled.host_temporary_bytes);
  out.number(kHbm, compiled.hbm_bytes);
  for (const program::Donation& one : compiled.donations)
    out.number(kDonations, (std::uint64_t{one.argument} << kHalf) | one.result);
  for (const std::string& name : *compiled.op_names) out.bytes(kOpNames, name);
  out.bytes(kCode, compiled.code);
  out.bytes(kFormat, compiled.format);
  out.number(kFlops, whole(compiled.cost.flops));
  out.number(kBytes, whole(compiled.cost.bytes_accessed));
  out.number(kTranscendentals, whole(compiled.cost.transcendentals));
  out.bytes(kPartitioned, compiled.partitioned);
  const std::string rest = out.take();
  return std::string(kMagic) + digest_of(std::string_view(rest)) + rest;
}

CompiledRef deserialize(std::string_view bytes) {
  if (!bytes.starts_with(kMagic)) refuse("it was not written by understudy");
  bytes.remove_prefix(kMagic.size());
  if (bytes.size() < kDigest) refuse("it is cut short");
  const std::string_view rest = bytes.substr(kDigest);
  if (digest_of(rest) != bytes.substr(0, kDigest)) refuse("it is damaged");
  Compiled compiled;
  std::vector<std::string> op_names;
  for (const ProtoField& field : proto_fields(rest)) {
    if (field.number == kBuild && field.bytes != build()) refuse("another build wrote it");
    if (field.number == kOpNames) op_names.emplace_back(field.bytes);
    read_field(field, compiled);
  }
  for (const program::Donation& one : compiled.donations)
    if (one.argument >= compiled.arguments.size() || one.result >= compiled.results.size() ||
        compiled.arguments[one.argument].type.bytes() != compiled.results[one.result].type.bytes())
      refuse("a donated argument does not fit its result");
  compiled.op_names = std::make_shared<const std::vector<std::string>>(std::move(op_names));
  return std::make_shared<const Compiled>(std::move(compiled));
}

}  // namespace understudy::pjrt
