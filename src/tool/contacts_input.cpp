// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "backends.hpp"
#include "contacts.hpp"
#include "io/printable.hpp"
#include "io/read_particles.hpp"
#include "packing_table.hpp"
#include "plan_file.hpp"
#include "values.hpp"

namespace hgrid::tool {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::invalid_argument, why); }

io::BoxBounds periodic_box(const ContactsOptions& o, const io::ParticleTable& table, int dimension) {
  if (o.box.empty() && !table.box) {
    refuse("--periodic needs a box, and the file states none; give --box x0,y0,z0,x1,y1,z1");
  }
  if (o.box.empty()) return *table.box;
  const std::vector<double> b = parse_numbers(o.box);
  const std::size_t half = b.size() / 2;
  if (b.size() != 6 && !(b.size() == 4 && dimension == 2)) {
    refuse(fmt::format("--box has {} numbers; it takes x0,y0,z0,x1,y1,z1{}", b.size(),
                       dimension == 2 ? " or x0,y0,x1,y1" : ""));
  }
  io::BoxBounds box;
  std::copy_n(b.begin(), half, box.lo.begin());
  std::copy_n(b.begin() + static_cast<std::ptrdiff_t>(half), half, box.hi.begin());
  return box;
}

void require_grid_options_absent(const ContactsOptions& o) {
  for (const auto& [name, value] : {std::pair{"--plan", &o.plan}, {"--cells", &o.cells}, {"--direction", &o.direction},
                                    {"--keys", &o.keys}}) {
    if (!value->empty()) refuse(fmt::format("{} belongs to the grid, not to --algorithm {}", name, o.algorithm));
  }
  if (o.backend != "auto" && o.backend != "serial") {
    refuse(fmt::format("--algorithm {} is serial; --backend {} belongs to the grid", o.algorithm, o.backend));
  }
}

}  // namespace

io::ParticleTable read_input(const ContactsOptions& o) {
  if (o.demo) return demo_particles();
  io::ReadOptions options;
  options.bad_rows = o.bad_rows == "skip" ? io::BadRows::skip : io::BadRows::error;
  options.frame = o.frame;
  if (!o.radius.empty()) options.radius = parse_numbers(o.radius).front();
  io::ParticleTable table = io::read_particles(o.file, options);
  if (table.r.empty() && table.size() > 0) {
    refuse(fmt::format("{}: no column of radii; give --radius R for all; the columns found are: {}",
                       io::printable_path(o.file), table.columns));
  }
  if (o.real == "float") {
    for (auto* column : {&table.x, &table.y, &table.z, &table.r}) {
      for (double& value : *column) value = static_cast<float>(value);
    }
  }
  return table;
}

SearchOptions search_options(const ContactsOptions& o, const io::ParticleTable& table) {
  SearchOptions s;
  s.dimension = o.dimension.empty() ? table.dimension : o.dimension == "2" ? 2 : 3;
  if (!o.periodic.empty()) {
    s.periodic = parse_axes(o.periodic);
    s.box = periodic_box(o, table, s.dimension);
  }
  if (s.dimension == 2 && s.periodic[2]) refuse("--periodic z: two dimensions have no z axis");
  if (!o.skin.empty()) s.skin = parse_numbers(o.skin).front();
  if (!o.plan.empty()) s.grid = read_plan(o.plan, s.dimension);
  if (!o.cells.empty()) s.grid.levels = levels_of_cells(parse_numbers(o.cells));
  if (!o.direction.empty()) s.grid.direction = parse_direction(o.direction);
  if (!o.keys.empty()) s.grid.keys = parse_keys(o.keys);
  s.algorithm = o.algorithm;
  if (o.algorithm != "grid") require_grid_options_absent(o);
  s.order = o.order == "any" ? Order::any : o.order == "fixed" ? Order::fixed : Order::sorted;
  s.backend = o.algorithm == "grid" ? choose_backend(o.backend) : "serial";
  s.threads = usable_threads(o.threads);
  s.single_precision = o.real == "float";
  return s;
}

}  // namespace hgrid::tool
