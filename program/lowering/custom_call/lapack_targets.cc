// SPDX-License-Identifier: Apache-2.0
#include "program/lowering/custom_call/lapack_targets.h"

#include <algorithm>
#include <fmt/format.h>

#include "program/lowering/custom_call/lapack.h"
#include "program/passes/module/attributes.h"

namespace understudy::program::passes {

namespace {

// clang-format off
constexpr LapackTarget kTargets[] = {
    {"lapack_?potrf_ffi", "sdcz", Routine::potrf, LapackForm::attributes, "uplo=lower", ""},
    {"lapack_?getrf_ffi", "sdcz", Routine::getrf, LapackForm::attributes, "", ""},
    {"lapack_?geqrf_ffi", "sdcz", Routine::geqrf, LapackForm::attributes, "", ""},
    {"lapack_?geqp3_ffi", "sdcz", Routine::geqp3, LapackForm::attributes, "", ""},
    {"lapack_?orgqr_ffi", "sd", Routine::orgqr, LapackForm::attributes, "", ""},
    {"lapack_?ungqr_ffi", "cz", Routine::orgqr, LapackForm::attributes, "", ""},
    {"lapack_?ormqr_ffi", "sd", Routine::ormqr, LapackForm::attributes, "left=left transpose=transpose", ""},
    {"lapack_?unmqr_ffi", "cz", Routine::ormqr, LapackForm::attributes, "left=left transpose=transpose", ""},
    {"lapack_?syevd_ffi", "sd", Routine::syevd, LapackForm::attributes, "mode=vectors uplo=lower", ""},
    {"lapack_?heevd_ffi", "cz", Routine::syevd, LapackForm::attributes, "mode=vectors uplo=lower", ""},
    {"lapack_?gesdd_ffi", "sdcz", Routine::gesdd, LapackForm::attributes, "mode=vectors", ""},
    {"lapack_?gesvd_ffi", "sdcz", Routine::gesvd, LapackForm::attributes, "mode=vectors", ""},
    {"lapack_?geev_ffi", "sdcz", Routine::geev, LapackForm::attributes, "compute_left=left compute_right=right", ""},
    {"lapack_?gees_ffi", "sdcz", Routine::gees, LapackForm::attributes, "mode=vectors sort=never", ""},
    {"lapack_?gehrd_ffi", "sdcz", Routine::gehrd, LapackForm::attributes, "low=first high=last", ""},
    {"lapack_?sytrd_ffi", "sd", Routine::sytrd, LapackForm::attributes, "uplo=lower", ""},
    {"lapack_?hetrd_ffi", "cz", Routine::sytrd, LapackForm::attributes, "uplo=lower", ""},
    {"lapack_?gtsv_ffi", "sdcz", Routine::gtsv, LapackForm::attributes, "", ""},
    {"tridiagonal_solve_perturbed_ffi", "", Routine::gtsv_perturbed, LapackForm::attributes, "", ""},
    {"Qr", "", Routine::geqrf, LapackForm::none, "", ""},
    {"ProductOfElementaryHouseholderReflectors", "", Routine::orgqr, LapackForm::none, "", ""},
    {"LuDecomposition", "", Routine::lu, LapackForm::none, "", ""},
    {"Eigh", "", Routine::eigh, LapackForm::text, "", ""},
    {"lapack_?potrf", "sdcz", Routine::potrf, LapackForm::operands, "lower . .", "01"},
    {"lapack_?getrf", "sdcz", Routine::getrf, LapackForm::operands, ". . .", "012"},
    {"lapack_?geqrf", "sdcz", Routine::geqrf, LapackForm::operands, ". . . .", "01--"},
    {"lapack_?orgqr", "sd", Routine::orgqr, LapackForm::operands, ". . . . .", "0--"},
    {"lapack_?ungqr", "cz", Routine::orgqr, LapackForm::operands, ". . . . .", "0--"},
    {"lapack_?syevd", "sd", Routine::syevd, LapackForm::operands, "lower . .", "012--"},
    {"lapack_?heevd", "cz", Routine::syevd, LapackForm::operands, "lower . .", "012---"},
    {"lapack_?gesdd", "sd", Routine::gesdd, LapackForm::operands, ". vectors . . . .", "01234--"},
    {"lapack_?gesdd", "cz", Routine::gesdd, LapackForm::operands, ". vectors . . . .", "01234---"},
    {"lapack_?geev", "sd", Routine::geev, LapackForm::operands, ". . left right", "---01234"},
    {"lapack_?geev", "cz", Routine::geev, LapackForm::operands, ". . left right", "--0123"},
    {"lapack_?gees", "sd", Routine::gees, LapackForm::operands, ". . vectors never", "023145"},
    {"lapack_?gees", "cz", Routine::gees, LapackForm::operands, ". . vectors never", "0-2134"},
    {"lapack_?gehrd", "sdcz", Routine::gehrd, LapackForm::operands, ". first last . . .", "012-"},
    {"lapack_?sytrd", "sd", Routine::sytrd, LapackForm::operands, ". lower . . .", "01234-"},
    {"lapack_?hetrd", "cz", Routine::sytrd, LapackForm::operands, ". lower . . .", "01234-"},
};
// clang-format on

char letter_of(ElementType element) {
  constexpr std::pair<ElementType, char> kLetters[] = {{ElementType::f32, 's'},
                                                       {ElementType::f64, 'd'},
                                                       {ElementType::c64, 'c'},
                                                       {ElementType::c128, 'z'}};
  for (const auto& [type, letter] : kLetters)
    if (type == element) return letter;
  return ' ';
}

// Flags are 0 or 1, or letters of LAPACK.
bool flag(const Operation& op, std::int64_t value) {
  constexpr std::string_view kYes = "VLAS", kNo = "NU";
  if (value == 0 || value == 1) return value == 1;
  if (value > 0 && value < 128) {
    if (kYes.find(static_cast<char>(value)) != std::string_view::npos) return true;
    if (kNo.find(static_cast<char>(value)) != std::string_view::npos) return false;
  }
  throw wrong_call(op, fmt::format("{} is not a flag of LAPACK", value));
}

// One setting of a call; `n` is the order of the matrix. Names that are no flag are only checked.
void apply(const Operation& op, Lapack& work, std::string_view name, std::int64_t value,
           std::int64_t n) {
  if (name == "first" && value != 1) throw wrong_call(op, "expected low = 1: the whole matrix");
  if (name == "last" && value != n) throw wrong_call(op, "expected high = n: the whole matrix");
  if (name == "never" && flag(op, value))
    throw error_at(op.location, ErrorKind::unsupported,
                   fmt::format("@{}: sorted eigenvalues are not supported", target_name(op)));
  constexpr std::pair<std::string_view, bool Lapack::*> kFlags[] = {
      {"lower", &Lapack::lower},
      {"vectors", &Lapack::vectors},
      {"left", &Lapack::left},
      {"right", &Lapack::right},
      {"transpose", &Lapack::transpose}};
  for (const auto& [known, member] : kFlags)
    if (known == name) work.*member = flag(op, value);
}

// "LOWER,SORT,ITERATIONS,EPSILON": the triangle counts; the last two are of an iteration that
// LAPACK does not need, and sorted eigenvalues satisfy a caller who wants them in any order.
void read_text(const Operation& op, Lapack& work) {
  const std::string text = string_of(op, "backend_config", "");
  const bool fits = text.size() >= 4 && (text[0] == '0' || text[0] == '1') && text[1] == ',' &&
                    (text[2] == '0' || text[2] == '1') && text[3] == ',';
  if (!fits)
    throw wrong_call(op, fmt::format("expected backend_config = \"LOWER,SORT,ITERATIONS,EPSILON\", "
                                     "got \"{}\"",
                                     text));
  work.lower = text[0] == '1';
  work.vectors = true;
}

}  // namespace

const LapackTarget* find_lapack_target(std::string_view name, char& letter) {
  for (const LapackTarget& target : kTargets)
    if (matches_letter(target.name, target.letters, name, letter)) return &target;
  return nullptr;
}

bool matches_letter(std::string_view name, std::string_view letters, std::string_view target,
                    char& letter) {
  const std::size_t at = name.find('?');
  if (at == std::string_view::npos) return name == target;
  // The same length and the same ends: only the letter can differ.
  if (target.size() != name.size() || !target.starts_with(name.substr(0, at)) ||
      !target.ends_with(name.substr(at + 1)))
    return false;
  letter = target[at];
  return letters.find(letter) != std::string_view::npos;
}

std::string target_name(const Operation& op) { return string_of(op, "call_target_name", ""); }

Error wrong_call(const Operation& op, std::string_view text) {
  return error_at(op.location, ErrorKind::input, fmt::format("@{}: {}", target_name(op), text));
}

void expect_letter(const Operation& op, char letter, const TensorType& type) {
  // Names without a letter ('\0') go with any element type.
  if (letter != '\0' && letter_of(type.element) != letter)
    throw wrong_call(op, fmt::format("an operand is {}, which is not the type '{}' of the name",
                                     text_of(type), letter));
}

std::int64_t setting_of(const Operation& op, std::string_view name) {
  // Portable artifacts and text have it under different names.
  const Attribute* config = op.find("mhlo.backend_config");
  if (config == nullptr) config = op.find("backend_config");
  const DictionaryAttribute* entries = config == nullptr ? nullptr : config->dictionary();
  const Attribute* value = entries == nullptr ? nullptr : entries->find(name);
  if (value == nullptr || value->get<IntegerAttribute>() == nullptr)
    throw wrong_call(op,
                     fmt::format("expected a number or flag '{}' in mhlo.backend_config", name));
  return value->get<IntegerAttribute>()->value;
}

std::int64_t scalar_setting(Lowering& lowering, const Operation& op, std::size_t index) {
  const auto value = index < op.operands.size() ? lowering.known_operand(op, index) : std::nullopt;
  if (!value || value->size() != 1)
    throw wrong_call(op, fmt::format("operand {} must be a constant number", index));
  return value->front();
}

std::size_t read_settings(Lowering& lowering, const Operation& op, const LapackTarget& target,
                          Lapack& work) {
  // The older call has no flag for vectors: it always computes them. A typed call has one.
  work.vectors = target.routine == Routine::syevd;
  if (target.form == LapackForm::text) read_text(op, work);
  const auto words = words_of(target.settings);
  const std::size_t scalars = target.form == LapackForm::operands ? words.size() : 0;
  // At least one matrix must follow the scalars.
  if (op.operands.size() <= scalars) throw wrong_call(op, "an operand is missing");
  const Shape& shape = lowering.operand_type(op, scalars).shape;
  const std::int64_t n = shape.empty() ? 0 : shape.back();
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const std::size_t equals = word.find('=');
    if (target.form == LapackForm::attributes)
      apply(op, work, word.substr(equals + 1), setting_of(op, word.substr(0, equals)), n);
    else if (word != ".")
      apply(op, work, word, scalar_setting(lowering, op, i), n);
  }
  return scalars;
}

// JAX asks for matrices in Fortran's order, [d-2, d-1, d-3, ..., 0], and vectors in the usual one.
// In any other layout the routine would see other matrices than the program has.
void expect_layout(const Operation& op, std::string_view attribute, std::size_t index,
                   std::size_t matrix_dimensions, std::size_t ndims) {
  Shape wanted;
  // Row-major: minor dimension first.
  for (std::size_t d = ndims; d-- > 0;) wanted.push_back(static_cast<std::int64_t>(d));
  // Column-major matrices have the rows as their minor dimension.
  if (matrix_dimensions == 2) std::swap(wanted[0], wanted[1]);
  const Attribute* found = op.find(attribute);
  const ArrayAttribute* layouts = found == nullptr ? nullptr : found->array();
  if (layouts != nullptr && index < layouts->elements.size() &&
      integers_of(layouts->elements[index]) == wanted)
    return;
  throw error_at(op.location, ErrorKind::unsupported,
                 fmt::format("@{}: expected {} {} to be [{}]: matrices in column-major order",
                             target_name(op), attribute, index, fmt::join(wanted, ", ")));
}

std::vector<LapackTargetName> lapack_targets() {
  std::vector<LapackTargetName> names;
  const auto from = [](LapackForm form) -> std::string_view {
    if (form == LapackForm::operands) return "JAX 0.4 for CPUs";
    return form == LapackForm::attributes ? "JAX for CPUs" : "JAX for TPUs";
  };
  for (const LapackTarget& target : kTargets)
    names.push_back({target.name, target.letters, from(target.form)});
  names.push_back({kSolveTarget, "sdcz", from(LapackForm::attributes)});
  names.push_back({kOldSolveTarget, "sdcz", from(LapackForm::operands)});
  return names;
}

}  // namespace understudy::program::passes
