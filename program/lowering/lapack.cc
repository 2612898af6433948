// SPDX-License-Identifier: Apache-2.0
#include "program/lowering/lapack.h"

#include <algorithm>
#include <fmt/format.h>

#include "program/executable/lapack.h"
#include "program/passes/attributes.h"

namespace understudy::program::passes {

namespace {

// Where the flags of a target are.
enum class Form : std::uint8_t {
  attributes,  // mhlo.backend_config = {uplo = 76 : ui8}
  operands,    // scalars before the matrices, as before typed calls
  text,        // backend_config = "1,1,100,1e-6"
  none,
};

// `settings`: of attributes "NAME=FLAG", of operands a FLAG for each scalar, in order ("." is a
// size or a count, which the shapes give as well). `results`: the routine's result for each result
// of the call, '-' is scratch memory or an info of a routine that does not fail: zeros. Empty: the
// routine's results in order.
struct Target {
  std::string_view name;     // '?' is the letter of the element type
  std::string_view letters;  // empty: any float or complex type
  Routine routine;
  Form form;
  std::string_view settings, results;
};

// clang-format off
constexpr Target kTargets[] = {
    {"lapack_?potrf_ffi", "sdcz", Routine::potrf, Form::attributes, "uplo=lower", ""},
    {"lapack_?getrf_ffi", "sdcz", Routine::getrf, Form::attributes, "", ""},
    {"lapack_?geqrf_ffi", "sdcz", Routine::geqrf, Form::attributes, "", ""},
    {"lapack_?geqp3_ffi", "sdcz", Routine::geqp3, Form::attributes, "", ""},
    {"lapack_?orgqr_ffi", "sd", Routine::orgqr, Form::attributes, "", ""},
    {"lapack_?ungqr_ffi", "cz", Routine::orgqr, Form::attributes, "", ""},
    {"lapack_?ormqr_ffi", "sd", Routine::ormqr, Form::attributes, "left=left transpose=transpose", ""},
    {"lapack_?unmqr_ffi", "cz", Routine::ormqr, Form::attributes, "left=left transpose=transpose", ""},
    {"lapack_?syevd_ffi", "sd", Routine::syevd, Form::attributes, "mode=vectors uplo=lower", ""},
    {"lapack_?heevd_ffi", "cz", Routine::syevd, Form::attributes, "mode=vectors uplo=lower", ""},
    {"lapack_?gesdd_ffi", "sdcz", Routine::gesdd, Form::attributes, "mode=vectors", ""},
    {"lapack_?gesvd_ffi", "sdcz", Routine::gesvd, Form::attributes, "mode=vectors", ""},
    {"lapack_?geev_ffi", "sdcz", Routine::geev, Form::attributes, "compute_left=left compute_right=right", ""},
    {"lapack_?gees_ffi", "sdcz", Routine::gees, Form::attributes, "mode=vectors sort=never", ""},
    {"lapack_?gehrd_ffi", "sdcz", Routine::gehrd, Form::attributes, "low=first high=last", ""},
    {"lapack_?sytrd_ffi", "sd", Routine::sytrd, Form::attributes, "uplo=lower", ""},
    {"lapack_?hetrd_ffi", "cz", Routine::sytrd, Form::attributes, "uplo=lower", ""},
    {"lapack_?gtsv_ffi", "sdcz", Routine::gtsv, Form::attributes, "", ""},
    {"tridiagonal_solve_perturbed_ffi", "", Routine::gtsv_perturbed, Form::attributes, "", ""},
    {"Qr", "", Routine::geqrf, Form::none, "", ""},
    {"ProductOfElementaryHouseholderReflectors", "", Routine::orgqr, Form::none, "", ""},
    {"LuDecomposition", "", Routine::lu, Form::none, "", ""},
    {"Eigh", "", Routine::eigh, Form::text, "", ""},
    {"lapack_?potrf", "sdcz", Routine::potrf, Form::operands, "lower . .", "01"},
    {"lapack_?getrf", "sdcz", Routine::getrf, Form::operands, ". . .", "012"},
    {"lapack_?geqrf", "sdcz", Routine::geqrf, Form::operands, ". . . .", "01--"},
    {"lapack_?orgqr", "sd", Routine::orgqr, Form::operands, ". . . . .", "0--"},
    {"lapack_?ungqr", "cz", Routine::orgqr, Form::operands, ". . . . .", "0--"},
    {"lapack_?syevd", "sd", Routine::syevd, Form::operands, "lower . .", "012--"},
    {"lapack_?heevd", "cz", Routine::syevd, Form::operands, "lower . .", "012---"},
    {"lapack_?gesdd", "sd", Routine::gesdd, Form::operands, ". vectors . . . .", "01234--"},
    {"lapack_?gesdd", "cz", Routine::gesdd, Form::operands, ". vectors . . . .", "01234---"},
    {"lapack_?geev", "sd", Routine::geev, Form::operands, ". . left right", "---01234"},
    {"lapack_?geev", "cz", Routine::geev, Form::operands, ". . left right", "--0123"},
    {"lapack_?gees", "sd", Routine::gees, Form::operands, ". . vectors never", "023145"},
    {"lapack_?gees", "cz", Routine::gees, Form::operands, ". . vectors never", "0-2134"},
    {"lapack_?gehrd", "sdcz", Routine::gehrd, Form::operands, ". first last . . .", "012-"},
    {"lapack_?sytrd", "sd", Routine::sytrd, Form::operands, ". lower . . .", "01234-"},
    {"lapack_?hetrd", "cz", Routine::sytrd, Form::operands, ". lower . . .", "01234-"},
};
// clang-format on
constexpr std::string_view kSolve = "lapack_?trsm_ffi";  // a triangular solve
constexpr std::string_view kOldSolve = "blas_?trsm";

std::string target_name(const Operation& op) { return string_of(op, "call_target_name", ""); }

Error wrong(const Operation& op, std::string_view text) {
  return error_at(op.location, ErrorKind::input, fmt::format("@{}: {}", target_name(op), text));
}

char letter_of(ElementType element) {
  constexpr std::pair<ElementType, char> kLetters[] = {{ElementType::f32, 's'},
                                                       {ElementType::f64, 'd'},
                                                       {ElementType::c64, 'c'},
                                                       {ElementType::c128, 'z'}};
  for (const auto& [type, letter] : kLetters)
    if (type == element) return letter;
  return ' ';
}

// Whether a target is a name with a letter in the place of '?'; `letter` is that letter.
bool matches(std::string_view name, std::string_view letters, std::string_view target,
             char& letter) {
  const std::size_t at = name.find('?');
  if (at == std::string_view::npos) return name == target;
  if (target.size() != name.size() || !target.starts_with(name.substr(0, at)) ||
      !target.ends_with(name.substr(at + 1)))
    return false;
  letter = target[at];
  return letters.find(letter) != std::string_view::npos;
}

void expect_letter(const Operation& op, char letter, const TensorType& type) {
  if (letter != '\0' && letter_of(type.element) != letter)
    throw wrong(op, fmt::format("an operand is {}, which is not the type '{}' of the name",
                                text_of(type), letter));
}

// The number under a name of mhlo.backend_config, or of a typed call's backend_config.
std::int64_t setting(const Operation& op, std::string_view name) {
  const Attribute* config = op.find("mhlo.backend_config");
  if (config == nullptr) config = op.find("backend_config");
  const DictionaryAttribute* entries = config == nullptr ? nullptr : config->dictionary();
  const Attribute* value = entries == nullptr ? nullptr : entries->find(name);
  if (value == nullptr || value->get<IntegerAttribute>() == nullptr)
    throw wrong(op, fmt::format("expected a number or flag '{}' in mhlo.backend_config", name));
  return value->get<IntegerAttribute>()->value;
}

std::int64_t scalar_setting(Lowering& lowering, const Operation& op, std::size_t index) {
  const auto value = index < op.operands.size() ? lowering.known_operand(op, index) : std::nullopt;
  if (!value || value->size() != 1)
    throw wrong(op, fmt::format("operand {} must be a constant number", index));
  return value->front();
}

// Flags are 0 or 1, or letters of LAPACK.
bool flag(const Operation& op, std::int64_t value) {
  constexpr std::string_view kYes = "VLAS", kNo = "NU";
  if (value == 0 || value == 1) return value == 1;
  if (value > 0 && value < 128) {
    if (kYes.find(static_cast<char>(value)) != std::string_view::npos) return true;
    if (kNo.find(static_cast<char>(value)) != std::string_view::npos) return false;
  }
  throw wrong(op, fmt::format("{} is not a flag of LAPACK", value));
}

void apply(const Operation& op, Lapack& work, std::string_view name, std::int64_t value,
           std::int64_t n) {
  if (name == "first" && value != 1) throw wrong(op, "expected low = 1: the whole matrix");
  if (name == "last" && value != n) throw wrong(op, "expected high = n: the whole matrix");
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

// "LOWER,SORT,ITERATIONS,EPSILON": the triangle counts; the last two are of an iteration that LAPACK
// does not need, and sorted eigenvalues satisfy a caller who wants them in any order.
void read_text(const Operation& op, Lapack& work) {
  const std::string text = string_of(op, "backend_config", "");
  const bool fits = text.size() >= 4 && (text[0] == '0' || text[0] == '1') && text[1] == ',' &&
                    (text[2] == '0' || text[2] == '1') && text[3] == ',';
  if (!fits)
    throw wrong(op, fmt::format("expected backend_config = \"LOWER,SORT,ITERATIONS,EPSILON\", "
                                "got \"{}\"",
                                text));
  work.lower = text[0] == '1';
  work.vectors = true;
}

// Reads all flags. Returns the number of operands that are scalars of the older form.
std::size_t read_settings(Lowering& lowering, const Operation& op, const Target& target,
                          Lapack& work) {
  if (target.form == Form::text) read_text(op, work);
  const auto words = words_of(target.settings);
  const std::size_t scalars = target.form == Form::operands ? words.size() : 0;
  if (op.operands.size() <= scalars) throw wrong(op, "an operand is missing");
  const Shape& shape = lowering.operand_type(op, scalars).shape;
  const std::int64_t n = shape.empty() ? 0 : shape.back();
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const std::size_t equals = word.find('=');
    if (target.form == Form::attributes)
      apply(op, work, word.substr(equals + 1), setting(op, word.substr(0, equals)), n);
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
  for (std::size_t d = ndims; d-- > 0;) wanted.push_back(static_cast<std::int64_t>(d));
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

std::size_t shape_operands(const Operation& op) {
  const Attribute* shapes = op.find("indices_of_shape_operands");
  return shapes == nullptr ? 0 : integers_of(*shapes).size();
}

// For each result of the routine, the result of the call; npos: the call does not have it.
std::vector<std::size_t> places_of(const Target& target, std::size_t outputs,
                                   std::size_t results) {
  std::vector<std::size_t> places(outputs, std::string_view::npos);
  for (std::size_t i = 0; i < results; ++i) {
    if (target.results.empty()) {
      if (i < outputs) places[i] = i;
    } else if (i < target.results.size() && target.results[i] != '-') {
      places.at(static_cast<std::size_t>(target.results[i] - '0')) = i;
    }
  }
  return places;
}

const Target* find_target(std::string_view name, char& letter) {
  for (const Target& target : kTargets)
    if (matches(target.name, target.letters, name, letter)) return &target;
  return nullptr;
}

std::vector<TensorType> types_of(const Parts& parts) {
  std::vector<TensorType> types;
  for (const Operand& part : parts) types.push_back(part.type);
  return types;
}

void expect_layouts(const Operation& op, const Target& target, const Lapack& work,
                    const Parts& inputs, std::size_t scalars, const Parts& outputs,
                    const std::vector<std::size_t>& places) {
  if (target.form == Form::none || target.form == Form::text) return;
  const RoutineRow& row = row_of(work.routine);
  const auto in = words_of(row.inputs);
  const auto out = words_of(outputs_of(row, inputs[0].type.element));
  for (std::size_t i = 0; i < in.size(); ++i)
    expect_layout(op, "operand_layouts", scalars + i, in[i].size() - 2,
                  inputs[i].type.shape.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    expect_layout(op, "result_layouts", places[i], out[i].size() - 2,
                  outputs[i].type.shape.size());
}

void lower_routine(Lowering& lowering, const Operation& op) {
  char letter = '\0';
  const Target& target = *find_target(target_name(op), letter);
  Lapack work{target.routine};
  const std::size_t scalars = read_settings(lowering, op, target, work);
  const std::size_t last = op.operands.size() - shape_operands(op);
  if (last <= scalars) throw wrong(op, "an operand is missing");
  const Parts inputs = lowering.parts(op, scalars, last - scalars);
  expect_letter(op, letter, inputs[0].type);
  const std::size_t expected = target.results.size();
  if (expected != 0 && op.results.size() != expected)
    throw wrong(op, fmt::format("{} results, expected {}", op.results.size(), expected));
  const auto words = words_of(outputs_of(row_of(work.routine), inputs[0].type.element));
  const std::size_t count = expected == 0 ? op.results.size() : words.size();
  const auto places = places_of(target, count, op.results.size());
  Parts outputs;
  for (const std::size_t place : places)
    outputs.push_back(lowering.make(lowering.result_type(op, place)));
  const std::string problem = misfit(work, types_of(inputs), types_of(outputs));
  if (!problem.empty()) throw wrong(op, problem);
  expect_layouts(op, target, work, inputs, scalars, outputs, places);
  lowering.emit(work, inputs, outputs);
  for (std::size_t i = 0; i < op.results.size(); ++i) {
    const auto found = std::ranges::find(places, i);
    lowering.bind(*op.results[i], found == places.end()
                                      ? lowering.splat(lowering.result_type(op, i), 0)
                                      : outputs[static_cast<std::size_t>(found - places.begin())]);
  }
}

// ---- triangular solves ------------------------------------------------------------------------

// The result is alpha * b, solved; alpha is a scalar operand where the call has one.
void solve(Lowering& lowering, const Operation& op, const TriangularSolve& work, std::size_t a,
           std::optional<std::size_t> alpha) {
  const Operand matrix = lowering.operand(op, a);
  Operand b = lowering.operand(op, a + 1);
  const TensorType& type = lowering.result_type(op);
  const std::size_t ndims = b.type.shape.size();
  const bool square = ndims >= 2 && matrix.type.shape.size() == ndims &&
                      matrix.type.shape[ndims - 1] == matrix.type.shape[ndims - 2];
  if (!square || b.type != type || matrix.type.element != type.element ||
      !std::equal(type.shape.begin(), type.shape.end() - 2, matrix.type.shape.begin()) ||
      matrix.type.shape.back() != type.shape[ndims - (work.left_side ? 2 : 1)])
    throw wrong(op, fmt::format("{} and {} do not make {}", text_of(matrix.type), text_of(b.type),
                                text_of(type)));
  for (std::size_t i = a; i < a + 2; ++i) expect_layout(op, "operand_layouts", i, 2, ndims);
  expect_layout(op, "result_layouts", 0, 2, ndims);
  if (alpha) {
    const Operand factor = lowering.operand(op, *alpha);
    if (factor.type != TensorType{type.element, {}})
      throw wrong(op, fmt::format("operand {} is {}, expected a scalar of the type of the matrices",
                                  *alpha, text_of(factor.type)));
    b = lowering.binary(BinaryOp::multiply, lowering.fill(factor, type), b);
  }
  lowering.emit_result(op, work, {matrix, b});
}

void lower_solve(Lowering& lowering, const Operation& op) {
  const auto is = [&](std::string_view name, char yes, char no) {
    const std::int64_t value = setting(op, name);
    if (value == yes) return true;
    if (value == no) return false;
    throw wrong(op, fmt::format("{} is not '{}' or '{}'", name, yes, no));
  };
  TriangularSolve work;
  work.left_side = is("side", 'L', 'R');
  work.lower = is("uplo", 'L', 'U');
  work.unit_diagonal = is("diag", 'U', 'N');
  work.conjugate = setting(op, "trans_x") == 'C';
  work.transpose = work.conjugate || is("trans_x", 'T', 'N');
  if (op.operands.size() < 2) throw wrong(op, "an operand is missing");
  char letter = '\0';
  matches(kSolve, "sdcz", target_name(op), letter);
  expect_letter(op, letter, lowering.operand_type(op, 0));
  solve(lowering, op, work, 0,
        op.operands.size() > 2 ? std::optional<std::size_t>(2) : std::nullopt);
}

// Operands: left, lower, transposed (2: and conjugated), unit, m, n, batch, alpha, a, b.
void lower_old_solve(Lowering& lowering, const Operation& op) {
  if (op.operands.size() < 10) throw wrong(op, "an operand is missing");
  TriangularSolve work;
  work.left_side = scalar_setting(lowering, op, 0) != 0;
  work.lower = scalar_setting(lowering, op, 1) != 0;
  const std::int64_t transposed = scalar_setting(lowering, op, 2);
  work.transpose = transposed != 0;
  work.conjugate = transposed == 2;
  work.unit_diagonal = scalar_setting(lowering, op, 3) != 0;
  char letter = '\0';
  matches(kOldSolve, "sdcz", target_name(op), letter);
  expect_letter(op, letter, lowering.operand_type(op, 8));
  solve(lowering, op, work, 8, 7);
}

}  // namespace

LowerFunction lapack_target(std::string_view target) {
  char letter = '\0';
  if (find_target(target, letter) != nullptr) return lower_routine;
  if (matches(kSolve, "sdcz", target, letter)) return lower_solve;
  return matches(kOldSolve, "sdcz", target, letter) ? lower_old_solve : nullptr;
}

std::vector<LapackTargetName> lapack_targets() {
  std::vector<LapackTargetName> names;
  const auto from = [](Form form) -> std::string_view {
    if (form == Form::operands) return "JAX 0.4 for CPUs";
    return form == Form::attributes ? "JAX for CPUs" : "JAX for TPUs";
  };
  for (const Target& target : kTargets)
    names.push_back({target.name, target.letters, from(target.form)});
  names.push_back({kSolve, "sdcz", from(Form::attributes)});
  names.push_back({kOldSolve, "sdcz", from(Form::operands)});
  return names;
}

}  // namespace understudy::program::passes
