// SPDX-License-Identifier: BSD-3-Clause
// A wall of triangles: balls slide and roll over a floor, and have one contact with it where several triangles touch them.
// Forces between balls are left out; examples/dem_loop.cpp has them.
#include <hgrid/hgrid.hpp>
#include <hgrid/queries.hpp>
#include <hgrid/loop.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

using Vec3 = hgrid::Vec<double, 3>;

namespace {

constexpr double stiffness = 1e4, tangential = 3e3, friction = 0.3, gravity = 10, dt = 5e-4;

struct Ball {
  Vec3 x, v, spin, force, torque;
};

double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
void add(double s, const Vec3& a, Vec3& to) {
  for (int k = 0; k < 3; ++k) to[k] += s * a[k];
}

// A spring against the wall, and one along it that slips.
void touch(Ball& ball, double radius, const Vec3& point, Vec3& spring) {
  Vec3 normal = ball.x;
  add(-1, point, normal);
  const double distance = std::sqrt(dot(normal, normal)), overlap = radius - distance;
  if (overlap <= 0 || distance == 0) return;
  for (double& part : normal.v) part /= distance;
  Vec3 arm{}, slip = ball.v;
  add(-radius, normal, arm);
  add(1, cross(ball.spin, arm), slip);
  add(dt, slip, spring);
  add(-dot(spring, normal), normal, spring);  // the wall may have another direction than a step before
  const double most = friction * stiffness * overlap / tangential, stretch = std::sqrt(dot(spring, spring));
  if (stretch > most) add(most / stretch - 1, Vec3(spring), spring);
  add(stiffness * overlap, normal, ball.force);
  add(-tangential, spring, ball.force);
  add(-tangential, cross(arm, spring), ball.torque);
}

}  // namespace

int main() {
  const hgrid::OpenMPExec exec;
  std::vector<Vec3> points;  // as a file of STL has them: three for each triangle, and most of them six times
  constexpr int side = 12;
  for (int i = 0; i < side * side; ++i) {
    const double u = i % side, w = i / side;
    for (const Vec3& p : {Vec3{u, w, 0}, Vec3{u + 1, w, 0}, Vec3{u, w + 1, 0}}) points.push_back(p);
    for (const Vec3& p : {Vec3{u + 1, w, 0}, Vec3{u + 1, w + 1, 0}, Vec3{u, w + 1, 0}}) points.push_back(p);
  }
  std::vector<Ball> balls;
  std::vector<double> r;
  for (int i = 0; i < 16; ++i) {
    r.push_back(0.3 + 0.05 * (i % 4));
    balls.push_back({{1.5 + 2 * (i % 4), 1.5 + 2.0 * (i / 4), r.back()}, {1.5, 0.7, 0}, {}, {}, {}});
  }
  const auto count = static_cast<hgrid::offset_t>(balls.size());

  hgrid::Grid grid{exec, hgrid::Box3::open()};
  hgrid::VerletList list{grid, {.skin = 0.1}};
  // [docs: mesh-members]
  hgrid::Mesh mesh{exec, hgrid::welded(points)};  // or vertices and the three of each triangle
  auto contacts = grid.make_list(hgrid::ListKind::full), before = grid.make_list(hgrid::ListKind::full);
  hgrid::History history{exec};
  hgrid::PairArray<hgrid::OpenMPExec, Vec3> springs{exec};
  // [docs: end]
  hgrid::offset_t most = 0, touching = 0;
  for (int step = 0; step < 4000; ++step) {
    auto grains = hgrid::particles<3>(balls[0].x.v, r.data(), count);
    grains.stride = sizeof(Ball) / sizeof(double);
    for (Ball& ball : balls) ball.force = {0, 0, -gravity}, ball.torque = {};
    // [docs: mesh-step]
    list.update(grains);
    std::swap(before, contacts);
    grid.find(contacts, hgrid::OnMesh{mesh, grains, 0.5 * list.skin()});  // by then none has moved farther
    history.remap(before, contacts, mesh.view());
    springs.follow(history);
    for (hgrid::index_t t = 0; t < contacts.lists(); ++t) {
      for (auto k = contacts.offsets()[t]; k < contacts.offsets()[t + 1]; ++k) {
        const auto i = static_cast<std::size_t>(contacts.neighbours()[k]);
        touch(balls[i], r[i], mesh.view().nearest(t, balls[i].x), springs.data()[k]);
      }
    }
    // [docs: end]
    most = std::max(most, contacts.size());
    if (step == 3999) touching = grid.count(hgrid::Regions{mesh.boxes(), mesh.size()});
    for (std::size_t i = 0; i < balls.size(); ++i) {
      Ball& ball = balls[i];
      add(dt, ball.force, ball.v), add(dt / (0.4 * r[i] * r[i]), ball.torque, ball.spin), add(dt, ball.v, ball.x);
    }
  }
  std::printf("%d balls: %d contacts with the floor at most, and %d boxes of triangles that they touch in the end\n",
              static_cast<int>(count), static_cast<int>(most), static_cast<int>(touching));
  return most == count ? 0 : 1;
}
