// SPDX-License-Identifier: BSD-3-Clause
// contacts --walls: particles against the triangles of a file.
#include "io/walls.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "columns.hpp"
#include "contacts.hpp"
#include "papers/systems/walls.hpp"
#include "seconds.hpp"

namespace hgrid::tool {
namespace {

std::vector<reference::Triangle> facets_of(std::span<const io::WallTriangle> walls) {
  std::vector<reference::Triangle> facets;
  for (const io::WallTriangle& w : walls) {
    reference::Triangle& facet = facets.emplace_back();
    for (std::size_t k = 0; k < 9; ++k) facet.vertex[k / 3][static_cast<int>(k % 3)] = w[k];
  }
  return facets;
}

void write_rows(io::AtomicFile& file, const std::vector<reference::WallContact>& contacts, const io::ParticleTable& table,
                const io::FrameColumn& column) {
  fmt::memory_buffer text;
  const std::string first = column.begin("ball,facet,overlap", text);
  for (const reference::WallContact& c : contacts) {
    fmt::format_to(std::back_inserter(text), FMT_COMPILE("{}{},{},{}\n"), first, table.id_of(c.ball), c.facet, c.overlap);
    file.write_when_full(text);
  }
  file.write({text.data(), text.size()});
}

}  // namespace

void search_walls(std::span<const io::WallTriangle> walls, const io::ParticleTable& table, const SearchOptions& options,
                  const TableOutput& out, Progress& progress, Report& report) {
  if (options.dimension == 2) throw Error(ErrorCode::unsupported, "--walls are triangles in 3-D; --dim 2 has none");
  progress.step("searching at the walls");
  const std::vector<reference::Triangle> facets = facets_of(walls);
  const double start = now();
  const reference::Bodies<3> bodies(particles_of<3>(table), options.box, options.skin);
  reference::CellSpaceOptions<3> space;
  space.threads = options.threads;
  const auto contacts = reference::wall_contacts(bodies, facets, space);
  report.seconds.walls = now() - start;
  report.facets = static_cast<std::int64_t>(facets.size());
  report.wall_pairs = static_cast<std::int64_t>(contacts.size());
  std::vector<bool> touches(table.x.size());
  for (const auto& c : contacts)
    touches[static_cast<std::size_t>(c.ball)] = touches[static_cast<std::size_t>(c.ball)] || c.overlap >= 0;
  report.wall_balls = std::ranges::count(touches, true);
  if (out.file) write_rows(*out.file, contacts, table, out.column);
}

}  // namespace hgrid::tool
