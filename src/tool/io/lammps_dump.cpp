// SPDX-License-Identifier: BSD-3-Clause
#include "io/lammps_dump.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "hgrid/core/error.hpp"
#include "io/printable.hpp"
#include "io/row_parser.hpp"

namespace hgrid::io {
namespace {

using Fields = std::vector<std::string_view>;

/// The head of a frame, before its rows. Only the frame chosen is judged, so the box and columns stay text here.
struct DumpHeader {
  std::int64_t count = -1;  // not seen yet
  std::optional<std::int64_t> step;
  std::optional<double> time;
  bool tilted = false, general = false;  // restricted and general triclinic
  std::optional<BoxBounds> box;
  std::string periodic;
  std::int64_t box_line = 0;
  std::string columns;  // after "ITEM: ATOMS"
  std::int64_t columns_line = 0;
};

class DumpFrames final : public FrameSource {
 public:
  DumpFrames(ByteSource& source, const ReadOptions& options) : lines_(source, options.max_line), options_(options) {}

  bool pass(bool keep) override;
  ParticleTable parse() override { return parse_frame(chosen_); }

 private:
  bool read_frame(DumpHeader& header, bool keep);
  void read_box(std::string_view what, DumpHeader& header);
  void read_vectors(BoxBounds& box);
  void read_step(DumpHeader& header);
  void read_time(DumpHeader& header);
  std::string_view value_line(const char* section);
  ColumnMap columns_of(const DumpHeader& header, bool& scaled) const;
  ParticleTable parse_frame(const DumpHeader& header) const;

  LineReader lines_;
  ReadOptions options_;
  FrameRows rows_;
  DumpHeader chosen_;
};

std::string_view DumpFrames::value_line(const char* section) {
  std::string_view line;
  if (!lines_.next(line)) {
    fail_at_line(lines_.name(), lines_.number(), fmt::format("the file ends within section {}", section));
  }
  return trim(line);
}

// Neither is needed, so what is no number is passed over.
void DumpFrames::read_step(DumpHeader& header) {
  std::int64_t step;
  header.step = parse_count(value_line("TIMESTEP"), step) ? std::optional(step) : std::nullopt;
}

void DumpFrames::read_time(DumpHeader& header) {
  double time;
  header.time = parse_number(value_line("TIME"), time) == Number::good ? std::optional(time) : std::nullopt;
}

void DumpFrames::read_box(std::string_view what, DumpHeader& header) {
  header.box_line = lines_.number();
  // "xy xz yz" stands before the boundary flags of a tilted box, "abc origin" before those of a general one.
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
  if (!header.tilted) return;
  // The bounds are those of all that the tilted box covers (LAMMPS, Howto_triclinic).
  auto& [lo, hi, tilt, vectors] = *header.box;
  const auto [xy, xz, yz] = tilt;
  lo[0] -= std::min({0.0, xy, xz, xy + xz}), hi[0] -= std::max({0.0, xy, xz, xy + xz});
  lo[1] -= std::min(0.0, yz), hi[1] -= std::max(0.0, yz);
}

// A line for each vector, and after it a component of where the box begins (LAMMPS, Howto_triclinic).
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

/// Reads up to the end of a frame's rows; false at the end of the file.
bool DumpFrames::read_frame(DumpHeader& header, bool keep) {
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

ColumnMap DumpFrames::columns_of(const DumpHeader& header, bool& scaled) const {
  Fields names;
  split_fields(header.columns, ' ', names);
  const auto place = [&](std::string_view name) {
    const auto at = std::ranges::find(names, name);
    return at == names.end() ? -1 : static_cast<int>(at - names.begin());
  };
  ColumnMap map;
  for (const std::string_view suffix : {"", "u", "s", "su"}) {
    map.x = place(fmt::format("x{}", suffix));
    map.y = place(fmt::format("y{}", suffix));
    map.z = place(fmt::format("z{}", suffix));
    scaled = suffix.starts_with('s');
    if (map.x >= 0 && map.y >= 0) break;
  }
  if (map.x < 0 || map.y < 0) {
    fail_at_line(lines_.name(), header.columns_line,
                 "no positions (x y z, xu yu zu, xs ys zs or xsu ysu zsu); the columns found are: " + list_of(names));
  }
  map.r = place("radius");
  if (map.r < 0 && (map.r = place("diameter")) >= 0) map.radius_scale = 0.5;
  map.id = place("id");
  for (const NamedColumn& wanted : options_.more) map.more.push_back(place(wanted.name));
  map.count = static_cast<int>(names.size());
  map.found = list_of(names);
  describe(names, map);
  map.declared_by = "ITEM: ATOMS names";
  return map;
}

ParticleTable DumpFrames::parse_frame(const DumpHeader& header) const {
  bool scaled = false;
  const ColumnMap columns = columns_of(header, scaled);
  if (scaled && !header.box) {
    fail_at_line(lines_.name(), header.columns_line, "positions are scaled by a box, but BOX BOUNDS is missing");
  }
  RowParser rows(lines_.name(), options_, columns);
  rows_.for_each([&](std::string_view line, std::int64_t number) { rows.add(line, number); });
  ParticleTable table = rows.finish();
  table.box = header.box;
  table.periodic = header.periodic;
  table.step = header.step;
  table.time = header.time;
  for (std::size_t i = 0; scaled && i < table.x.size(); ++i) {
    const auto& [lo, hi, tilt, vectors] = *header.box;
    const std::array<std::array<double, 3>, 3> restricted{
        {{hi[0] - lo[0], 0, 0}, {tilt[0], hi[1] - lo[1], 0}, {tilt[1], tilt[2], hi[2] - lo[2]}}};
    const auto v = vectors.value_or(restricted);
    const double x = table.x[i], y = table.y[i], z = table.z[i];  // z is 0 in two dimensions
    table.x[i] = lo[0] + x * v[0][0] + y * v[1][0] + z * v[2][0];
    table.y[i] = lo[1] + x * v[0][1] + y * v[1][1] + z * v[2][1];
    if (table.dimension == 3) table.z[i] = lo[2] + x * v[0][2] + y * v[1][2] + z * v[2][2];
  }
  if (table.size() > 0) apply_radius(table, lines_.name(), options_);
  return table;
}

bool DumpFrames::pass(bool keep) {
  DumpHeader header;
  if (!read_frame(header, keep)) return false;
  if (keep) chosen_ = std::move(header);
  return true;
}

}  // namespace

std::unique_ptr<FrameSource> lammps_frames(ByteSource& source, const ReadOptions& options) {
  return std::make_unique<DumpFrames>(source, options);
}

}  // namespace hgrid::io
