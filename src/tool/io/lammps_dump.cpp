// SPDX-License-Identifier: BSD-3-Clause
#include "io/lammps_dump.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "io/fields.hpp"
#include "io/lammps_frame.hpp"
#include "io/printable.hpp"

namespace hgrid::io {
namespace {

using Fields = std::vector<std::string_view>;

class DumpFrames final : public FrameSource {
 public:
  DumpFrames(ByteSource& source, const ReadOptions& options) : lines_(source, options.max_line), options_(options) {}

  bool pass(bool keep) override;
  ParticleTable parse() override { return table_of(chosen_, rows_, lines_.name(), options_); }

 private:
  bool read_frame(LammpsHead& header, bool keep);
  void read_box(std::string_view what, LammpsHead& header);
  void read_vectors(BoxBounds& box);
  void read_step(LammpsHead& header);
  void read_time(LammpsHead& header);
  std::string_view value_line(const char* section);

  LineReader lines_;
  ReadOptions options_;
  FrameRows rows_;
  LammpsHead chosen_;
};

std::string_view DumpFrames::value_line(const char* section) {
  std::string_view line;
  if (!lines_.next(line)) {
    fail_at_line(lines_.name(), lines_.number(), fmt::format("the file ends within section {}", section));
  }
  return trim(line);
}

// Reads the step. It is not needed, so an invalid number is ignored.
void DumpFrames::read_step(LammpsHead& header) {
  std::int64_t step;
  header.step = parse_count(value_line("TIMESTEP"), step) ? std::optional(step) : std::nullopt;
}

void DumpFrames::read_time(LammpsHead& header) {
  double time;
  header.time = parse_number(value_line("TIME"), time) == Number::good ? std::optional(time) : std::nullopt;
}

void DumpFrames::read_box(std::string_view what, LammpsHead& header) {
  // "xy xz yz" comes before the boundary flags of a tilted box, "abc origin" before the flags of a general one.
  header.tilted = what.find("xy") != what.npos;
  header.general = what.find("abc") != what.npos;
  header.box.emplace();
  header.periodic.clear();
  Fields fields;
  split_fields(what, ' ', fields);  // BOX BOUNDS pp pp ff, or with more before the flags
  const std::size_t flags = fields.size() - std::min<std::size_t>(3, fields.size());
  for (std::size_t k = 0; k < 3 && flags >= 2; ++k) {
    if (fields[flags + k] == "pp") header.periodic += "xyz"[k];
  }
  if (header.general) return read_vectors(*header.box);
  for (std::size_t k = 0; k < 3; ++k) {
    split_fields(value_line("BOX BOUNDS"), ' ', fields);
    const bool right_count = fields.size() == (header.tilted ? 3 : 2);
    if (!right_count || parse_number(fields[0], header.box->lo[k]) != Number::good ||
        parse_number(fields[1], header.box->hi[k]) != Number::good ||
        (header.tilted && parse_number(fields[2], header.box->tilt[k]) != Number::good)) {
      fail_at_line(lines_.name(), lines_.number(),
                   header.tilted ? "expected three finite numbers, the bounds of the box along an axis and a tilt"
                                 : "expected two finite numbers, the bounds of the box along an axis");
    }
  }
  if (header.tilted) take_tilts_off(*header.box);
}

// Reads a line for each vector, followed by a component of the box's corner (LAMMPS, Howto_triclinic).
void DumpFrames::read_vectors(BoxBounds& box) {
  Fields fields;
  box.vectors.emplace();
  for (std::size_t j = 0; j < 3; ++j) {
    split_fields(value_line("BOX BOUNDS"), ' ', fields);
    bool good = fields.size() == 4 && parse_number(fields[3], box.lo[j]) == Number::good;
    for (std::size_t k = 0; k < 3 && good; ++k) good = parse_number(fields[k], (*box.vectors)[j][k]) == Number::good;
    if (!good) {
      fail_at_line(lines_.name(), lines_.number(), "expected four finite numbers, a vector of the box and where it begins");
    }
  }
}

/// Reads up to the end of a frame's rows; returns false at the end of the file.
bool DumpFrames::read_frame(LammpsHead& header, bool keep) {
  static constexpr std::string_view item = "ITEM: ";
  std::string_view line;
  bool any = false;
  while (lines_.next_filled(line)) {
    any = true;
    const std::string_view section = line.starts_with(item) ? trim(line.substr(item.size())) : std::string_view{};
    if (section.starts_with("TIMESTEP"))
      read_step(header);
    else if (section.starts_with("TIME"))
      read_time(header);
    else if (section.starts_with("UNITS"))
      value_line("UNITS");
    else if (section.starts_with("BOX BOUNDS"))
      read_box(section, header);
    else if (section.starts_with("NUMBER OF ATOMS")) {
      const std::string_view count = value_line("NUMBER OF ATOMS");
      if (!parse_count(count, header.count)) {
        fail_at_line(lines_.name(), lines_.number(), fmt::format("'{}' is no count of atoms", printable(count)));
      }
    } else if (section.starts_with("ATOMS")) {
      if (header.count < 0) fail_at_line(lines_.name(), lines_.number(), "ITEM: NUMBER OF ATOMS is missing");
      header.columns = section.substr(5);
      header.columns_line = lines_.number();
      rows_.take(lines_, header.count, keep, item);
      return true;
    } else if (section.starts_with("NUMBER OF ENTRIES") || section.starts_with("ENTRIES")) {
      fail_at_line(
          lines_.name(), lines_.number(),
          "a dump of pairs or bonds (dump local), not of particles; what is read is, in LAMMPS, dump 1 all custom 1000 "
          "particles.dump id x y z radius");
    } else {
      fail_at_line(lines_.name(), lines_.number(),
                   fmt::format("expected a section like ITEM: TIMESTEP, found '{}'; or the frame before has more rows "
                               "than it declares",
                               printable(line)));
    }
  }
  if (any) fail_at_line(lines_.name(), lines_.number(), "the file ends within a frame");
  return false;
}

bool DumpFrames::pass(bool keep) {
  LammpsHead header;
  if (!read_frame(header, keep)) return false;
  if (keep) chosen_ = std::move(header);
  return true;
}

}  // namespace

std::unique_ptr<FrameSource> lammps_frames(ByteSource& source, const ReadOptions& options) {
  return std::make_unique<DumpFrames>(source, options);
}

}  // namespace hgrid::io
