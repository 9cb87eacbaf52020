// SPDX-License-Identifier: BSD-3-Clause
#include "io/lammps_yaml.hpp"

#include <fmt/format.h>

#include <utility>

#include "hgrid/core/error.hpp"
#include "io/fields.hpp"
#include "io/lammps_frame.hpp"
#include "io/line_reader.hpp"
#include "io/printable.hpp"

namespace hgrid::io {
namespace {

using Fields = std::vector<std::string_view>;

class YamlFrames final : public FrameSource {
 public:
  YamlFrames(ByteSource& source, const ReadOptions& options) : lines_(source, options.max_line), options_(options) {}

  bool pass(bool keep) override;
  ParticleTable parse() override { return table_of(chosen_, rows_, lines_.name(), options_); }

 private:
  [[noreturn]] void fail(const std::string& reason) const { fail_at_line(lines_.name(), lines_.number(), reason); }
  Fields list_of(std::string_view text) const;
  void read_key(std::string_view line, LammpsHead& head);
  void read_box(LammpsHead& head);
  void read_bounds(std::string_view line, std::size_t row, LammpsHead& head);

  LineReader lines_;
  const ReadOptions& options_;
  FrameRows rows_;
  LammpsHead chosen_;
  std::string ahead_;  // a line that was read too early
};

/// Returns the values of a list in one line, `[ a, b, ]`.
Fields YamlFrames::list_of(std::string_view text) const {
  const std::string_view inside = in_brackets(text);
  if (inside.data() == nullptr) fail(fmt::format("expected a list like [ a, b, ], found '{}'", printable(text)));
  Fields fields;
  split_fields(inside, ',', fields);
  if (inside.empty()) fields.clear();
  return fields;
}

void YamlFrames::read_bounds(std::string_view line, std::size_t row, LammpsHead& head) {
  const Fields fields = list_of(line);
  auto& [lo, hi, tilt, vectors] = *head.box;
  bool good = fields.size() == (row < 3 ? 2 : 3);
  for (std::size_t k = 0; k < fields.size() && good; ++k) {
    good = parse_number(fields[k], row == 3 ? tilt[k] : k == 0 ? lo[row] : hi[row]) == Number::good;
  }
  if (!good)
    fail(row < 3 ? "expected two finite numbers, the bounds of the box along an axis"
                 : "expected three finite numbers, the tilts");
}

/// Reads three rows of bounds, and the tilts of a tilted box.
void YamlFrames::read_box(LammpsHead& head) {
  head.box.emplace();
  std::string_view line;
  for (std::size_t row = 0; row < 4; ++row) {
    if (!lines_.next(line)) fail("the file ends within box");
    if (row == 3 && !trim(line).starts_with('-')) {
      ahead_ = line;
      return;
    }
    read_bounds(line, row, head);
  }
  head.tilted = true;
  take_tilts_off(*head.box);
}

void YamlFrames::read_key(std::string_view line, LammpsHead& head) {
  const std::size_t colon = line.find(':');
  const std::string_view key = line.substr(0, colon), value = colon == line.npos ? "" : trim(line.substr(colon + 1));
  if (colon == line.npos) fail(fmt::format("expected a key like timestep: or data:, found '{}'", printable(line)));
  if (std::int64_t step; key == "timestep" && parse_count(value, step)) head.step = step;
  if (double time; key == "time" && parse_number(value, time) == Number::good) head.time = time;
  if (key == "natoms" && !parse_count(value, head.count)) fail(fmt::format("'{}' is no count of atoms", printable(value)));
  if (key == "box") read_box(head);
  if (key == "boundary") {  // of both faces of each axis
    const Fields flags = list_of(value);
    for (std::size_t k = 0; k < 3 && flags.size() >= 6; ++k) {
      if (flags[2 * k] == "p" && flags[2 * k + 1] == "p") head.periodic += "xyz"[k];
    }
  }
  if (key != "keywords") return;
  head.columns_line = lines_.number();
  for (const std::string_view name : list_of(value)) head.columns.append(name).append(" ");
}

/// Reads up to the end of a frame's rows; returns false at the end of the file.
bool YamlFrames::pass(bool keep) {
  LammpsHead head;
  head.declared_by = "keywords: names", head.delimiter = ',', head.rows_in_brackets = true;
  std::string_view line;
  bool any = false;
  while (!ahead_.empty() || lines_.next_filled(line)) {
    const std::string kept = ahead_.empty() ? std::string(line) : std::exchange(ahead_, {});
    if (kept == "---" || kept == "...") continue;
    if (kept.starts_with("  - [")) fail("a row after the last; the frame has more rows than it declares");
    any = true;
    if (kept.starts_with(' ')) continue;  // below a key with other facts, such as thermo
    if (trim(kept) != "data:") {
      read_key(kept, head);
      continue;
    }
    if (head.count < 0 || head.columns.empty())
      fail(fmt::format("{} is missing before the data", head.count < 0 ? "natoms:" : "keywords:"));
    rows_.take(lines_, head.count, keep, "...");
    if (keep) chosen_ = std::move(head);
    return true;
  }
  if (any) fail("the file ends within a frame");
  return false;
}

}  // namespace

std::unique_ptr<FrameSource> lammps_yaml_frames(ByteSource& source, const ReadOptions& options) {
  return std::make_unique<YamlFrames>(source, options);
}

}  // namespace hgrid::io
