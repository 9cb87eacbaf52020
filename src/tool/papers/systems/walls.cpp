// SPDX-License-Identifier: BSD-3-Clause
#include "papers/systems/walls.hpp"

#include <algorithm>

#include "hgrid/core/triangle.hpp"

namespace hgrid::reference {
namespace {

using Vector = Vec<double, 3>;

void check(std::span<const Triangle> facets) {
  for (std::size_t f = 0; f < facets.size(); ++f) {
    for (const Vector& v : facets[f].vertex) {
      for (const double x : v.v) {
        if (std::fabs(x) <= largest_length) continue;
        throw Error(std::isfinite(x) ? ErrorCode::range_error : ErrorCode::nonfinite,
                    "vertices of facet " + std::to_string(f) + ": " + detail::to_text(x) + " is not within 1e15",
                    {.argument = "walls", .index = static_cast<std::int64_t>(f), .value = x});
      }
    }
  }
}

}  // namespace

double squared_distance(const Vec<double, 3>& point, const Triangle& triangle) {
  const auto& v = triangle.vertex;
  const Vector d = detail::difference(point, nearest_on_triangle(point, v[0], v[1], v[2]));
  return detail::inner_product(d, d);
}

std::vector<WallContact> wall_contacts(const Bodies<3>& bodies, std::span<const Triangle> facets, CellSpaceOptions<3> options) {
  if (bodies.box().any_periodic()) throw Error(ErrorCode::unsupported, "walls need a box that is open on all axes");
  check(facets);
  const GridView<3> slots = bodies.slots();
  const index_t balls = bodies.size();
  std::vector<Piece<3>> pieces;
  for (index_t b = 0; b < balls; ++b) pieces.push_back(ball(bodies.position(b), slots.radius[b]));
  for (const Triangle& f : facets) pieces.push_back(facet(f.vertex, 0));

  options.interaction = std::max(options.interaction, slots.skin);
  CellSpace<3> space(options);
  space.update(pieces);
  std::vector<WallContact> found;
  space.for_each_pair([&](index_t p, index_t q) {
    if (p >= balls || q < balls) return;
    const auto f = static_cast<std::size_t>(q - balls);
    const double squared = squared_distance(bodies.position(p), facets[f]), reach = slots.radius[p] + slots.skin;
    if (squared > reach * reach) return;
    found.push_back({slots.id[p], static_cast<index_t>(f), slots.radius[p] - std::sqrt(squared)});
  });
  std::sort(found.begin(), found.end(),
            [](const WallContact& a, const WallContact& b) { return a.ball != b.ball ? a.ball < b.ball : a.facet < b.facet; });
  return found;
}

}  // namespace hgrid::reference
