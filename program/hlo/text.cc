// SPDX-License-Identifier: Apache-2.0
// HLO text as XLA dumps it: the header, the tables of stack frames, computations, instructions.
#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

#include "program/hlo/text_parts.h"

namespace understudy::program::hlo {
namespace {

constexpr std::string_view kHeader = "HloModule";

class TextReader {
 public:
  TextReader(const Source& source, HloModule& out)
      : in_(source, 0, source.text().size()), out_(out) {
    // Callbacks, as attributes name computations and frames that only this reader knows.
    context_.computation = [this](std::string_view name, Scanner& at) {
      return computation_named(name, at);
    };
    context_.frame = [this](std::int64_t frame) { return place_of_frame(frame); };
    context_.files = &files_;
  }

  void read() {
    header();
    while (table()) {
    }
    bool has_entry = false;
    while (!in_.done()) computation(has_entry);
    if (out_.computations.empty()) in_.fail("the module has no computation");
    // Without the word ENTRY the last computation is the entry, as callees come first.
    if (!has_entry) out_.entry = static_cast<std::uint32_t>(out_.computations.size()) - 1;
    auto files = files_.take();
    out_.sources.insert(out_.sources.end(), files.begin(), files.end());
  }

 private:
  // HloModule NAME, key=value, key=value
  void header() {
    if (!in_.accept_word(kHeader)) in_.unexpected("HloModule");
    out_.name = in_.percent_name("the name of the module");
    while (in_.accept(",")) {
      const std::string_view key = in_.name("an attribute of the module");
      in_.expect("=", "after the attribute");
      // raw() first, so an error inside of a value cannot run over into the next attribute.
      Scanner value = in_.raw();
      if (key == "num_partitions")
        out_.partitions = count_in(value);
      else if (key == "replica_count")
        out_.replicas = count_in(value);
      else if (key == "frontend_attributes")
        out_.frontend = words_in(value);
      else if (key == "is_scheduled")
        out_.facts.push_back({std::string(key), true});
      else
        // Facts are compared and printed, never interpreted.
        out_.facts.push_back({std::string(key), std::string(value.text())});
    }
  }

  std::int64_t count_in(Scanner& value) {
    const std::int64_t count = value.integer("a number");
    // A count of 0 would read as "not said" later (HloModule).
    if (count < 1) value.fail("must be at least 1");
    return count;
  }

  // The tables that metadata refer to; each ends where the next word is no number.
  bool table() {
    if (in_.accept_word("FileNames")) {
      while (in_.at_integer()) {
        in_.integer("a number");
        file_names_.push_back(in_.quoted("a file"));
      }
    } else if (in_.accept_word("FunctionNames")) {
      // Function names appear in no message.
      while (in_.at_integer()) in_.line();
    } else if (in_.accept_word("FileLocations")) {
      while (in_.at_integer()) locations_.push_back(numbered_row());
    } else if (in_.accept_word("StackFrames")) {
      while (in_.at_integer()) frames_.push_back(numbered_row());
    } else {
      return false;
    }
    return true;
  }

  using NumberedRow = std::unordered_map<std::string_view, std::int64_t>;
  // 3 {file_name_id=1 line=26}
  NumberedRow numbered_row() {
    NumberedRow out;
    in_.integer("a number");
    in_.expect("{", "before a row");
    while (!in_.accept("}")) {
      const std::string_view key = in_.name("a key");
      in_.expect("=", "after the key");
      out[key] = in_.integer("a number");
      // Newer text separates the pairs by commas, older by blanks.
      in_.accept(",");
    }
    return out;
  }

  static std::int64_t number_in(const NumberedRow& row, std::string_view key) {
    const auto found = row.find(key);
    return found == row.end() ? 0 : found->second;
  }

  // Ids count from 1. One that is out of range gives no location, as locations are optional.
  Location place_of_frame(std::int64_t frame) {
    const auto row_of = [](const auto& rows, std::int64_t id) {
      return id >= 1 && static_cast<std::uint64_t>(id) <= rows.size()
                 ? &rows[static_cast<std::size_t>(id) - 1]
                 : nullptr;
    };
    const NumberedRow* of_frame = row_of(frames_, frame);
    if (of_frame == nullptr) return {};
    const NumberedRow* place = row_of(locations_, number_in(*of_frame, "file_location_id"));
    if (place == nullptr) return {};
    const std::string* file = row_of(file_names_, number_in(*place, "file_name_id"));
    if (file == nullptr) return {};
    return files_.line(*file, number_in(*place, "line"), number_in(*place, "column"));
  }

  std::uint32_t computation_named(std::string_view name, Scanner& at) {
    const auto found = computations_.find(name);
    if (found == computations_.end())
      at.fail_at(at.at(), fmt::format("computation '{}' is not defined before its use", name));
    return found->second;
  }

  // [ENTRY] [%]NAME [(parameters) -> shape] { instructions } [, execution_thread="..."]
  void computation(bool& has_entry) {
    const bool is_entry = in_.accept_word("ENTRY");
    Computation out;
    out.written = {&in_.source(), in_.at()};
    const std::string_view name = in_.percent_name("the name of a computation");
    out.name = name;
    if (in_.accept("(")) {
      in_.skip_to(")");
      in_.expect(")", "after the parameters");
      in_.expect("->", "after the parameters");
      // The signature repeats what parameters and root say; it is read to check its form, and
      // dropped.
      shape_in(in_);
    }
    in_.expect("{", "before the instructions");
    names_.clear();
    bool has_root = false;
    while (!in_.accept("}")) instruction(out, has_root);
    // execution_thread and other trailing attributes.
    while (in_.accept(",")) in_.raw();
    if (out.instructions.empty()) in_.fail(fmt::format("computation '{}' is empty", name));
    // Text without the word ROOT has the root last, as XLA's parser has it.
    if (!has_root) out.root = static_cast<std::uint32_t>(out.instructions.size()) - 1;
    const auto index = static_cast<std::uint32_t>(out_.computations.size());
    if (is_entry && has_entry) in_.fail_at(out.written.offset, "the module has two entries");
    if (is_entry) out_.entry = index;
    has_entry = has_entry || is_entry;
    if (!computations_.try_emplace(name, index).second)
      in_.fail_at(out.written.offset, fmt::format("computation '{}' is defined twice", name));
    out_.computations.push_back(std::move(out));
  }

  // [ROOT] [%]NAME = SHAPE OPCODE(OPERANDS), key=value, ...
  void instruction(Computation& computation, bool& has_root) {
    Instruction out;
    if (in_.accept_word("ROOT")) {
      has_root = true;
      computation.root = static_cast<std::uint32_t>(computation.instructions.size());
    }
    out.written = out.location = {&in_.source(), in_.at()};
    const std::string_view name = in_.percent_name("the name of an instruction");
    out.name = name;
    in_.expect("=", "after the name");
    out.shape = shape_in(in_);
    out.opcode = in_.name("an opcode");
    in_.expect("(", "after the opcode");
    arguments(out);
    in_.expect(")", "after the operands");
    while (in_.accept(",")) {
      const std::string_view key = in_.name("an attribute");
      in_.expect("=", "after the attribute");
      field_in(key, in_.raw(), context_, out);
    }
    // Entered after the operands were read, so an instruction cannot use itself.
    if (!names_.try_emplace(name, static_cast<std::uint32_t>(computation.instructions.size()))
             .second)
      in_.fail_at(out.written.offset, fmt::format("instruction '{}' is defined twice", name));
    computation.instructions.push_back(std::move(out));
  }

  // Constants and parameters hold no operands, but their value.
  void arguments(Instruction& out) {
    if (out.opcode == "constant") {
      // Values left out ("{...}") make the constant unusable, not the file: diff and schedule still
      // work.
      if (!literals_in(in_, out.shape, out.literals)) {
        out.literals.clear();
        in_.skip_to(")");
      }
      return;
    }
    if (out.opcode == "parameter") {
      out.set("parameter_number", in_.integer("the number of the parameter"));
      return;
    }
    for (bool more = in_.peek() != ')'; more; more = in_.accept(",")) {
      // Older dumps print the shape of each operand before its name.
      if (at_shape(in_)) shape_in(in_);
      const std::uint64_t begin = in_.at();
      const std::string_view name = in_.percent_name("an operand");
      const auto found = names_.find(name);
      if (found == names_.end())
        in_.fail_at(begin, fmt::format("'{}' is not defined before its use", name));
      out.operands.push_back(found->second);
    }
  }

  Scanner in_;
  HloModule& out_;
  TextContext context_;
  UserFiles files_;
  std::vector<std::string> file_names_;
  std::vector<NumberedRow> locations_, frames_;
  std::unordered_map<std::string_view, std::uint32_t> computations_;
  std::unordered_map<std::string_view, std::uint32_t> names_;  // of the current computation
};

}  // namespace

bool is_text(std::string_view bytes) {
  // Only the beginning is looked at, so that a large file of another kind is not copied.
  // 64 KiB: dumps may begin with long licence or flag comments.
  constexpr std::size_t kLooked = 1 << 16;
  const Source source("", bytes.substr(0, kLooked));
  Scanner in(source, 0, source.text().size());
  return in.accept_word(kHeader);
}

HloModule read_text(std::shared_ptr<const Source> source) {
  HloModule out;
  out.sources.push_back(source);
  TextReader(*source, out).read();
  return out;
}

}  // namespace understudy::program::hlo
