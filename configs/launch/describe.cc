// SPDX-License-Identifier: Apache-2.0
// The output of `understudy describe`.
#include <fmt/format.h>
#include <map>

#include "configs/base/units.h"
#include "configs/json/writer.h"
#include "configs/launch/joined_slices.h"
#include "configs/launch/mesh_fields.h"
#include "configs/launch/topology.h"

namespace understudy::configs {
namespace {

constexpr std::array<char, 3> kAxisNames = {'x', 'y', 'z'};

std::string counted(std::int64_t count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

std::string wrap_text(const Slice& slice) {
  std::string axes;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (slice.wraps[axis]) axes += fmt::format("{}{}", axes.empty() ? "" : ", ", kAxisNames[axis]);
  }
  return axes.empty() ? "mesh without wraparound" : fmt::format("wraparound along {}", axes);
}

// Numbers are those of the chip's specification, with their units; unknown ones are left out or
// shown as "unknown".
std::string chip_lines(const Slice& slice) {
  const ChipSpec& chip = slice.chip;
  std::string out;
  const auto line = [&](std::string_view name, const std::string& text) {
    out += fmt::format("  {:<7} {}\n", name, text);
  };
  line("chip", fmt::format("{} ({}): {}, {} of {}x{} per core", chip.name, chip.device_kind,
                           counted(chip.tensor_cores, "TensorCore"),
                           counted(chip.mxu_per_core, "MXU"), chip.mxu_rows, chip.mxu_columns));
  line("HBM", fmt::format("{} at {}", bytes_text(chip.hbm_bytes),
                          quantity_text(chip.hbm_bytes_per_second, "B/s")));
  line("VMEM", fmt::format("{} per core", bytes_text(chip.vmem_bytes)));
  line("peak", fmt::format("{} bf16, {} int8", quantity_text(chip.bf16_flops_per_second, "FLOP/s"),
                           quantity_text(chip.int8_ops_per_second, "OP/s")));
  const char* const each = slice.slices > 1 ? " in each slice" : "";
  if (slice.slices > 1)
    line("slices", fmt::format("{} of {}, joined by DCN", slice.slices, slice.name));
  line("shape", fmt::format("{}, {}{}", shape_text(chip, slice.shape), wrap_text(slice), each));
  line("ICI", fmt::format("{}{}, {} each (both directions)",
                          counted(static_cast<std::int64_t>(slice.links().size()), "link"), each,
                          quantity_text(chip.ici_link_bytes_per_second, "B/s")));
  line("DCN", chip.dcn_bytes_per_second
                  ? fmt::format("{} per host", quantity_text(*chip.dcn_bytes_per_second, "B/s"))
                  : "unknown");
  line("hosts",
       fmt::format("{} of {} ({}); {} of up to {}", counted(slice.hosts, "process host"),
                   counted(slice.chips_per_host(), "chip"), shape_text(chip, slice.host_shape),
                   counted(slice.machines(), "physical machine"),
                   counted(chip.physical_host_chips, "chip")));
  if (chip.devices_per_chip != 1) {
    line("devices", fmt::format("JAX lists {} per chip; understudy runs a chip as one device",
                                chip.devices_per_chip));
  }
  return out;
}

// Of all slices: no link leads from one slice to another.
std::vector<Link> all_links(const Slice& slice) {
  const std::vector<Link> first = slice.links();
  const auto chips = static_cast<std::int64_t>(slice.chips.size()) / slice.slices;
  std::vector<Link> links;
  for (std::int64_t i = 0; i < slice.slices; ++i)
    for (Link link : first) {
      link.from = ChipId(link.from.value + i * chips);
      link.to = ChipId(link.to.value + i * chips);
      links.push_back(link);
    }
  return links;
}

// "  x+ 1  y- ~4" for each chip: direction and neighbour, '~' if the link is a wraparound link.
std::map<ChipId, std::string> neighbours(const Slice& slice) {
  std::map<ChipId, std::array<std::string, 6>> parts;  // x-, x+, y-, y+, z-, z+
  for (const Link& link : all_links(slice)) {
    const auto axis = static_cast<std::size_t>(link.axis);
    const char* mark = link.wraps ? "~" : "";
    parts[link.from][2 * axis + 1] =
        fmt::format("  {}+ {}{}", kAxisNames[axis], mark, link.to.value);
    parts[link.to][2 * axis] = fmt::format("  {}- {}{}", kAxisNames[axis], mark, link.from.value);
  }
  std::map<ChipId, std::string> texts;
  for (const auto& [id, directions] : parts) {
    for (const std::string& part : directions) texts[id] += part;
  }
  return texts;
}

void write_numbers(JsonWriter& out, std::string_view key, const Coordinates& numbers) {
  out.key(key);
  out.begin_array(true);
  for (const std::int64_t number : numbers) out.integer(number);
  out.end_array();
}

// Keys have their units; null is unknown.
void write_chip_spec(JsonWriter& out, const ChipSpec& chip) {
  const auto number = [&](std::string_view key, double value) {
    out.key(key);
    out.number(value);
  };
  const auto integer = [&](std::string_view key, std::int64_t value) {
    out.key(key);
    out.integer(value);
  };
  out.key("chip");
  out.begin_object();
  out.key("name");
  out.text(chip.name);
  out.key("device_kind");
  out.text(chip.device_kind);
  integer("tensor_cores", chip.tensor_cores);
  integer("devices_per_chip", chip.devices_per_chip);
  integer("hbm_bytes", static_cast<std::int64_t>(chip.hbm_bytes));
  number("hbm_bytes_per_second", chip.hbm_bytes_per_second);
  integer("vmem_bytes_per_core", static_cast<std::int64_t>(chip.vmem_bytes));
  integer("mxu_per_core", chip.mxu_per_core);
  integer("mxu_rows", chip.mxu_rows);
  integer("mxu_columns", chip.mxu_columns);
  number("bf16_flops_per_second", chip.bf16_flops_per_second);
  number("int8_ops_per_second", chip.int8_ops_per_second);
  number("ici_link_bytes_per_second", chip.ici_link_bytes_per_second);
  integer("ici_ports", chip.ici_ports);
  out.key("dcn_bytes_per_second_per_host");
  chip.dcn_bytes_per_second ? out.number(*chip.dcn_bytes_per_second) : out.null();
  out.key("digest");
  out.text(chip.digest);
  out.end_object();
}

void write_chips(JsonWriter& out, const Slice& slice) {
  out.key("chips");
  out.begin_array();
  for (const Chip& chip : slice.chips) {
    out.begin_object();
    out.key("rank");
    out.integer(chip.rank.value);
    out.key("id");
    out.integer(chip.id.value);
    out.key("host");
    out.integer(chip.host.value);
    write_numbers(out, "coordinates", chip.at);
    out.end_object();
  }
  out.end_array();
}

void write_hosts(JsonWriter& out, const Slice& slice) {
  out.key("hosts");
  out.begin_array();
  for (std::int64_t host = 0; host < slice.hosts; ++host) {
    out.begin_object();
    out.key("id");
    out.integer(host);
    out.key("slice");
    out.integer(host / (slice.hosts / slice.slices));
    out.key("chips");
    out.begin_array(true);
    for (const Chip& chip : slice.chips) {
      if (chip.host == HostId(host)) out.integer(chip.id.value);
    }
    out.end_array();
    out.end_object();
  }
  out.end_array();
}

void write_links(JsonWriter& out, const Slice& slice) {
  out.key("links");
  out.begin_array();
  for (const Link& link : all_links(slice)) {
    out.begin_object();
    out.key("from");
    out.integer(link.from.value);
    out.key("to");
    out.integer(link.to.value);
    out.key("axis");
    out.text(std::string(1, kAxisNames[static_cast<std::size_t>(link.axis)]));
    out.key("wraps");
    out.boolean(link.wraps);
    out.end_object();
  }
  out.end_array();
}

}  // namespace

std::string shape_text(const ChipSpec& chip, const Coordinates& shape) {
  std::string text = fmt::format("{}x{}", shape[0], shape[1]);
  return chip.torus_ndims == 3 ? fmt::format("{}x{}", text, shape[2]) : text;
}

std::string describe_text(const Slice& slice, const std::vector<MeshAxisPlace>& mesh) {
  std::string out = fmt::format("{}: {} on {}\n", joined_name(slice.slices, slice.name),
                                counted(static_cast<std::int64_t>(slice.chips.size()), "chip"),
                                counted(slice.hosts, "host"));
  out += chip_lines(slice);
  if (!mesh.empty()) out += "\nmesh axes\n" + text_of(mesh);
  out += "\nrank  host  chip  coordinates  neighbours (axis, direction, chip; ~ for wraparound)\n";
  const std::map<ChipId, std::string> links = neighbours(slice);
  for (const Chip& chip : slice.chips) {
    const auto found = links.find(chip.id);
    const std::string at = fmt::format("({},{},{})", chip.at[0], chip.at[1], chip.at[2]);
    out += fmt::format("{:>4}  {:>4}  {:>4}  {:<11}{}\n", chip.rank.value, chip.host.value,
                       chip.id.value, at, found == links.end() ? "  none" : found->second);
  }
  return out;
}

std::string describe_json(const Slice& slice, const std::vector<MeshAxisPlace>& mesh) {
  JsonWriter out(JsonWriter::Layout::readable);
  out.begin_object();
  out.key("schema");
  out.text("understudy/slice/1");
  out.key("slice");
  out.text(joined_name(slice.slices, slice.name));
  out.key("slices");
  out.integer(slice.slices);
  write_chip_spec(out, slice.chip);
  write_numbers(out, "shape", slice.shape);
  out.key("wraps");
  out.begin_array(true);
  for (const bool wraps : slice.wraps) out.boolean(wraps);
  out.end_array();
  write_numbers(out, "host_shape", slice.host_shape);
  out.key("physical_machines");
  out.integer(slice.machines());
  write_chips(out, slice);
  write_hosts(out, slice);
  write_links(out, slice);
  if (!mesh.empty()) {
    out.key("mesh");
    write_value(out, mesh);
  }
  out.end_object();
  return out.take();
}

}  // namespace understudy::configs
