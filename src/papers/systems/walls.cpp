// SPDX-License-Identifier: BSD-3-Clause
#include "papers/systems/walls.hpp"

#include <algorithm>

namespace hgrid::reference {
namespace {

using Vector = Vec<double, 3>;

Vector operator-(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double squared_distance_from_edge(const Vector& point, const Vector& a, const Vector& b) {
  const Vector edge = b - a, to_point = point - a;
  const double length = dot(edge, edge);
  const double t = length > 0 ? std::clamp(dot(to_point, edge) / length, 0.0, 1.0) : 0;
  const Vector d = {to_point[0] - t * edge[0], to_point[1] - t * edge[1], to_point[2] - t * edge[2]};
  return dot(d, d);
}

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

// The nearest point lies inside, if the point's projection does, or else on an edge.
double squared_distance(const Vec<double, 3>& point, const Triangle& triangle) {
  const auto& v = triangle.vertex;
  const Vector normal = cross(v[1] - v[0], v[2] - v[0]);
  double nearest = HUGE_VAL;
  bool inside = dot(normal, normal) > 0;
  for (int k = 0; k < 3; ++k) {
    const Vector &a = v[k], &b = v[(k + 1) % 3];
    nearest = std::fmin(nearest, squared_distance_from_edge(point, a, b));
    inside = inside && dot(cross(b - a, point - a), normal) >= 0;
  }
  if (!inside) return nearest;
  const double height = dot(point - v[0], normal);
  return std::fmin(nearest, height * height / dot(normal, normal));
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
