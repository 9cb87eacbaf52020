// SPDX-License-Identifier: BSD-3-Clause
// contacts --walls: particles against the triangles of a file.
#include <algorithm>

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

}  // namespace

std::vector<reference::WallContact> search_walls(std::span<const io::WallTriangle> walls, const io::ParticleTable& table,
                                                 const SearchOptions& options, Progress& progress, Report& report) {
  if (options.dimension == 2) throw Error(ErrorCode::unsupported, "--walls are triangles in 3-D; --dim 2 has none");
  progress.step("searching at the walls");
  const std::vector<reference::Triangle> facets = facets_of(walls);
  const double start = now();
  const reference::Bodies<3> bodies(particles_of<3>(table), options.box, options.skin);
  reference::CellSpaceOptions<3> space;
  space.threads = options.threads;
  auto contacts = reference::wall_contacts(bodies, facets, space);
  report.seconds.walls = now() - start;
  report.facets = static_cast<std::int64_t>(facets.size());
  report.wall_pairs = static_cast<std::int64_t>(contacts.size());
  std::vector<bool> touches(table.x.size());
  for (const auto& c : contacts)
    touches[static_cast<std::size_t>(c.ball)] = touches[static_cast<std::size_t>(c.ball)] || c.overlap >= 0;
  report.wall_balls = std::ranges::count(touches, true);
  return contacts;
}

}  // namespace hgrid::tool
