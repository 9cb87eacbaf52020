// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "backends.hpp"
#include "columns.hpp"
#include "contacts.hpp"
#include "io/excluded_pairs.hpp"
#include "io/printable.hpp"

namespace hgrid::tool {
namespace {

io::BoxBounds box_bounds(const ContactsOptions& o, const io::ParticleTable& table, int dimension) {
  if (o.box.empty() && !table.box) {
    refuse("--periodic needs a box, and the file states none; give --box x0,y0,z0,x1,y1,z1 or --cell");
  }
  if (o.box.empty()) return *table.box;
  const std::vector<double>& b = o.box;
  const std::size_t half = b.size() / 2;
  if (b.size() != 6 && !(b.size() == 4 && dimension == 2)) {
    refuse(fmt::format("--box has {}; it takes x0,y0,z0,x1,y1,z1{}", detail::counted(b.size(), "number"),
                       dimension == 2 ? " or x0,y0,x1,y1" : ""));
  }
  io::BoxBounds box;
  std::copy_n(b.begin(), half, box.lo.begin());
  std::copy_n(b.begin() + static_cast<std::ptrdiff_t>(half), half, box.hi.begin());
  return box;
}

std::array<double, 3> tilts(const std::vector<double>& given, int dimension) {
  if (given.size() != (dimension == 2 ? 1 : 3)) {
    refuse(
        fmt::format("--tilt has {}; it takes {}", detail::counted(given.size(), "number"), dimension == 2 ? "xy" : "xy,xz,yz"));
  }
  std::array<double, 3> tilt{};
  std::copy(given.begin(), given.end(), tilt.begin());
  return tilt;
}

io::BoxBounds box_of_cell(const ContactsOptions& o, int dimension) {
  if (!o.box.empty() || !o.tilt.empty()) refuse("--cell is the whole box; give no --box and --tilt beside it");
  const auto d = static_cast<std::size_t>(o.cell.size() == 4 ? 2 : 3);
  if (o.cell.size() != d * d || (d == 2 && dimension == 3)) {
    refuse(fmt::format("--cell has {}; it takes ax,ay,az,bx,by,bz,cx,cy,cz{}", detail::counted(o.cell.size(), "number"),
                       dimension == 2 ? " or ax,ay,bx,by" : ""));
  }
  io::BoxBounds box;
  box.vectors.emplace();
  for (std::size_t k = 0; k < d * d; ++k) (*box.vectors)[k / d][k % d] = o.cell[k];
  return box;
}

OptionalArray numbered(const ChosenColumn& chosen, const std::vector<std::int64_t>& values) {
  // LAMMPS gives the molecule 0 to atoms without a molecule.
  const bool of_molecules = chosen.name.starts_with("mol") || chosen.name.starts_with("Mol");
  const std::int64_t none = !chosen.column->negative_is_none ? INT64_MIN : of_molecules ? 1 : 0;
  std::vector<std::int64_t> there = values;
  std::erase_if(there, [&](std::int64_t value) { return value < none; });
  std::ranges::sort(there);
  there.erase(std::unique(there.begin(), there.end()), there.end());
  OptionalArray array{chosen.column, {}, static_cast<index_t>(there.size())};
  for (const std::int64_t value : values) {
    array.numbers.push_back(value < none ? -1 : static_cast<index_t>(std::ranges::lower_bound(there, value) - there.begin()));
  }
  return array;
}

void require_grid_options_absent(const ContactsOptions& o, const std::string& algorithm) {
  const auto require_absent = [&](const std::string& option, bool given) {
    if (given) refuse(fmt::format("{} belongs to the grid, not to --algorithm {}", option, algorithm));
  };
  require_absent("--plan", !o.plan.empty());
  require_absent("--cells", !o.cells.empty());
  require_absent("--exclude", !o.exclude.empty());
  for (const ChosenColumn& chosen : o.chosen) require_absent(chosen.column->option(), true);
  require_absent("--rule", o.rule != Rule::sum);
  require_absent("--direction", o.direction.has_value());
  require_absent("--keys", o.keys.has_value());
  if (o.backend.value_or(Backend::serial) != Backend::serial) {
    refuse(fmt::format("--algorithm {} is serial; --backend {} belongs to the grid", algorithm, name_of(*o.backend)));
  }
}

void require_options_of_spheres_absent(const ContactsOptions& o, Backend backend) {
  const auto require_absent = [](const std::string& option, bool given, const char* why = "") {
    if (given) refuse(fmt::format("{} is for spheres, and the particles of FILE are boxes, with half extents{}", option, why));
  };
  if (o.algorithm) require_absent(fmt::format("--algorithm {}", name_of(*o.algorithm)), true);
  require_absent("--rule", o.rule != Rule::sum);
  require_absent("--plan", !o.plan.empty());
  require_absent("--cells", !o.cells.empty());
  require_absent("--walls", !o.walls.empty());
  require_absent("--backend mpi", backend == Backend::mpi, "; --backend openmp searches on one rank");
}

io::ReadOptions read_options(const ContactsOptions& o) {
  io::ReadOptions options{.bad_rows = o.bad_rows, .radius = o.radius, .columns = o.columns, .frames = o.frames};
  for (const auto& [column, name] : o.chosen) options.more.push_back({column->role, name});
  return options;
}

void adapt(io::ParticleTable& table, const ContactsOptions& o) {
  if (!table.has_sizes() && table.size() > 0) {
    refuse(fmt::format(
        "{}: no column of radii, nor of half extents along all axes; give --radius R for all{}; the columns found are: {}",
        table.source, table.has_other_columns ? ", or name the columns with --columns" : "", table.columns));
  }
  for (auto* column : {&table.r, &table.extent[0], &table.extent[1], &table.extent[2]}) {
    for (double& size : *column) size *= o.radius_scale.value_or(1);
  }
  if (!o.single_precision) return;
  table.for_each_length([](std::vector<double>& column) {
    for (double& value : column) value = static_cast<float>(value);
  });
}

/// Notes that names come as a shell sorts them, 10 before 2.
void add_note_on_order(const std::vector<std::string>& files, io::ParticleTable& table) {
  const auto next = std::ranges::adjacent_find(
      files, [](const std::string& a, const std::string& b) { return strverscmp(a.c_str(), b.c_str()) > 0; });
  if (next == files.end() || !std::ranges::is_sorted(files)) return;
  table.notes.push_back(fmt::format("{} comes before {}, as letters sort names; $(ls -v FILES) sorts them by their numbers",
                                    io::printable_path(next[0]), io::printable_path(next[1])));
}

}  // namespace

std::optional<io::ParticleTable> read_part(const ContactsOptions& o, const io::FilePart& part) {
  std::optional<io::ParticleTable> table = io::read_particles_part(o.files[0], read_options(o), part);
  if (table) adapt(*table, o);
  return table;
}

ContactsInput::ContactsInput(const ContactsOptions& o)
    : walls(o.walls.empty() ? std::vector<io::WallTriangle>{} : io::read_walls(o.walls)), o_(o) {
  for (const ChosenColumn& chosen : o.chosen) {
    if (o.demo) refuse(chosen.column->option() + " names a column of a file, and the demo is none");
  }
  if (o.demo) return;
  reader_ = std::make_unique<io::ParticleReader>(o.files, read_options(o));
}

std::optional<io::ParticleTable> ContactsInput::next() {
  if (!reader_) return std::exchange(demo_given_, true) ? std::nullopt : std::optional(demo_particles());
  std::optional<io::ParticleTable> table = reader_->next();
  if (table) adapt(*table, o_);
  if (table && table->frame == 0) add_note_on_order(o_.files, *table);
  return table;
}

SearchOptions search_options(const ContactsOptions& o, const io::ParticleTable& table) {
  SearchOptions s;
  s.dimension = o.dimension.value_or(table.dimension);
  if (any(o.periodic)) {
    io::BoxBounds box = o.cell.empty() ? box_bounds(o, table, s.dimension) : box_of_cell(o, s.dimension);
    if (!o.tilt.empty()) box.tilt = tilts(o.tilt, s.dimension);
    s.given = {box, o.periodic};
    s.box = box_of(s.given, s.dimension);
  }
  s.skin = o.skin;
  if (!o.exclude.empty()) s.excluded = io::read_excluded_pairs(o.exclude, table);
  for (std::size_t k = 0; k < o.chosen.size(); ++k) s.optional.push_back(numbered(o.chosen[k], table.more[k]));
  if (!o.plan.empty()) s.grid = read_plan(o.plan, s.dimension);
  for (const double cell : o.cells) s.grid.levels.push_back({cell / 2, {cell, cell, cell}});
  if (o.direction) s.grid.direction = o.direction;
  if (o.keys) s.grid.keys = o.keys;
  s.grid.rule = o.rule;
  s.algorithm = o.algorithm;
  if (o.algorithm) require_grid_options_absent(o, name_of(*o.algorithm));
  s.backend = o.algorithm ? Backend::serial : choose_backend(o.backend);
  s.order = o.out.empty() ? Order::fixed : pair_format(o) == io::OutputFormat::csv ? Order::sorted : o.order;
  if (s.backend == Backend::mpi) s.order = Order::sorted;  // contacts of ranks come only in this order
  if (table.boxes) require_options_of_spheres_absent(o, s.backend);
  s.threads = usable_threads(o.threads);
  s.single_precision = o.single_precision;
  return s;
}

}  // namespace hgrid::tool
