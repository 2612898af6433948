// SPDX-License-Identifier: Apache-2.0
#include "program/file_kind.h"

#include <algorithm>

namespace understudy::program {
namespace {

using namespace std::string_view_literals;

// The beginning without blanks, line ends and // comments.
std::string_view trimmed(std::string_view bytes) {
  constexpr std::string_view kBlank = " \t\r\n";
  for (;;) {
    const std::size_t at = bytes.find_first_not_of(kBlank);
    if (at == std::string_view::npos) return "";
    bytes.remove_prefix(at);
    if (!bytes.starts_with("//")) return bytes;
    bytes.remove_prefix(std::min(bytes.find('\n'), bytes.size()));
  }
}

bool is_utf16(std::string_view bytes) {
  // XLA and JAX write ASCII only; eight bytes are enough to tell.
  if (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff")) return true;
  // Without a mark: ASCII text, where every other byte is zero.
  if (bytes.size() < 8) return false;
  for (const std::size_t zero : {0U, 1U}) {
    bool all = true;
    for (std::size_t i = 0; i < 8; ++i) all = all && (bytes[i] == '\0') == (i % 2 == zero);
    if (all) return true;
  }
  return false;
}
bool has_utf8_mark(std::string_view bytes) { return bytes.starts_with("\xef\xbb\xbf"); }
// "{ lambda ; a:f32[3]. let ..."
bool is_jaxpr(std::string_view bytes) {
  std::string_view rest = trimmed(bytes);
  if (rest.starts_with("jaxpr")) return true;
  if (!rest.starts_with('{')) return false;
  return trimmed(rest.substr(1)).starts_with("lambda");
}
// A dictionary is the only JSON that a user would pass here.
bool is_json(std::string_view bytes) {
  const std::string_view rest = trimmed(bytes);
  return rest.starts_with('{') && trimmed(rest.substr(1)).starts_with('"');
}
// Both ways to begin a message field in protobuf's text format.
bool is_proto_text(std::string_view bytes) {
  const std::string_view rest = trimmed(bytes);
  return rest.starts_with("hlo_module {") || rest.starts_with("hlo_module:");
}

template <std::size_t N>
bool begins_with(std::string_view bytes, const char (&magic)[N]) {
  return bytes.starts_with(std::string_view(magic, N - 1));
}
bool is_npy(std::string_view bytes) { return begins_with(bytes, "\x93NUMPY"); }
// The first local file header of an archive; an empty archive is no input anyway.
bool is_zip(std::string_view bytes) { return begins_with(bytes, "PK\x03\x04"); }
bool is_compressed(std::string_view bytes) {
  // gzip, Zstandard, bzip2, xz: in this order.
  return begins_with(bytes, "\x1f\x8b") || begins_with(bytes, "\x28\xb5\x2f\xfd") ||
         begins_with(bytes, "BZh") ||
         begins_with(bytes,
                     "\xfd"
                     "7zXZ");
}
bool is_pickle(std::string_view bytes) {
  // Protocols 2 to 5 begin with the opcode PROTO and their number; older ones have no magic.
  return bytes.size() > 2 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5;
}
bool is_elf(std::string_view bytes) {
  return begins_with(bytes,
                     "\x7f"
                     "ELF");
}
// "BC", then two bytes that no text has.
bool is_llvm_bitcode(std::string_view bytes) { return begins_with(bytes, "BC\xc0\xde"); }
bool is_python(std::string_view bytes) {
  const std::string_view rest = trimmed(bytes);
  // A shebang or an import is how scripts begin; other Python is not recognised.
  return rest.starts_with("import ") || rest.starts_with("from ") || rest.starts_with("#!/usr/bin");
}

struct Row {
  bool (*is)(std::string_view bytes);
  FileKind kind;
};

constexpr std::string_view kExportText =
    "write StableHLO with JAX: jax.jit(f).lower(...).as_text(), or jax.export and serialize()";

// In order: encodings first, as every text kind can be written in them.
constexpr Row kFileKinds[] = {
    {is_utf16, {"text in UTF-16", "convert it: iconv -f UTF-16 -t UTF-8 FILE >NEW"}},
    {has_utf8_mark,
     {"text with a byte-order mark", "remove the first three bytes: tail -c +4 FILE >NEW"}},
    {is_jaxpr, {"a jaxpr", kExportText}},
    {is_npy, {"a NumPy array", "pass arrays with --arg I=FILE.npy or --args DIR"}},
    {is_zip,
     {"a ZIP archive (.npz, .pt2, ...)",
      "pass arrays with --args FILE.npz; of a PyTorch export, "
      "write StableHLO with torch_xla"}},
    {is_compressed, {"a compressed file", "unpack it first"}},
    {is_pickle, {"a Python pickle", kExportText}},
    {is_elf, {"an executable", kExportText}},
    {is_llvm_bitcode, {"LLVM bitcode", kExportText}},
    {is_proto_text, {"an HLO protocol buffer as text", kExportText}},
    {is_json, {"JSON", "for a program folder, pass the folder instead of its manifest.json"}},
    {is_python, {"Python source", "understudy export MODULE:FACTORY writes its program"}},
};

}  // namespace

const FileKind* foreign_file_kind(std::string_view bytes) {
  for (const Row& row : kFileKinds)
    if (row.is(bytes)) return &row.kind;
  return nullptr;
}

}  // namespace understudy::program
