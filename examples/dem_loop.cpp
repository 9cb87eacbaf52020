// SPDX-License-Identifier: BSD-3-Clause
// A DEM in one file: grains of many sizes fall on a floor, periodic sideways. Springs and dashpots, no friction; examples/dem
// has all that a real one needs.
// [docs: loop]
#include <hgrid/hgrid.hpp>
#include <hgrid/loop.hpp>

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

using Vec3 = hgrid::Vec<double, 3>;

int main() {
  constexpr int n = 1000, steps = 3000;
  constexpr double length = 9.8, stiffness = 1e4, damping = 20, gravity = 10, dt = 5e-4;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> size(0.2, 1);
  std::vector<double> x(3 * n), v(3 * n), f(3 * n), r(n), mass(n);
  for (int i = 0; i < n; ++i) {
    r[i] = 0.2 / std::cbrt(size(random));  // to 0.34, many small ones
    const double place[3] = {0.7 * (i % 14), 0.7 * (i / 14 % 14), 0.7 * (i / 196) + 0.4};
    for (int k = 0; k < 3; ++k) x[3 * i + k] = place[k] + (0.35 - r[i]) * (size(random) - 0.6);
    mass[i] = 4 * r[i] * r[i] * r[i];
  }

  const auto box = hgrid::Box3::periodic({0, 0, 0}, {length, length, 0}, {true, true, false});
  hgrid::Grid grid{hgrid::OpenMPExec{}, box};
  hgrid::VerletList list{grid, {.kind = hgrid::ListKind::full, .skin = 0.1}};
  const auto grains = hgrid::particles<3>(x.data(), r.data(), n);  // a view: it follows the arrays

  const auto force_on = [&](int i) {
    Vec3 sum{0, 0, -gravity * mass[i]};
    const auto push = [&](const Vec3& normal, double overlap, const Vec3& velocity) {
      double along = 0;
      for (int k = 0; k < 3; ++k) along += velocity[k] * normal[k];
      const double force = std::fmax(0, stiffness * overlap - damping * along);  // grains do not stick
      for (int k = 0; k < 3; ++k) sum[k] += force * normal[k];
    };
    const auto& rows = list.neighbours();
    for (auto e = rows.offsets()[i]; e < rows.offsets()[i + 1]; ++e) {
      const int j = rows.neighbours()[e];
      const Vec3 d = hgrid::separation(box, &x[3 * i], &x[3 * j], rows.images()[e]);  // x_i - x_j - m L
      const double distance = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), overlap = r[i] + r[j] - distance;
      if (overlap <= 0 || distance == 0) continue;  // merely within the skin
      push({d[0] / distance, d[1] / distance, d[2] / distance}, overlap,
           {v[3 * i] - v[3 * j], v[3 * i + 1] - v[3 * j + 1], v[3 * i + 2] - v[3 * j + 2]});
    }
    if (x[3 * i + 2] < r[i]) push({0, 0, 1}, r[i] - x[3 * i + 2], {v[3 * i], v[3 * i + 1], v[3 * i + 2]});
    for (int k = 0; k < 3; ++k) f[3 * i + k] = sum[k];
  };

  for (int step = 0; step < steps; ++step) {
    list.update(grains);  // checks the list, and builds it again where a particle has used up the skin
#pragma omp parallel for
    for (int i = 0; i < n; ++i) force_on(i);
    for (int k = 0; k < 3 * n; ++k) v[k] += dt * f[k] / mass[k / 3], x[k] += dt * v[k];
  }
  // [docs: end]

  double energy = 0, weight = 0, lowest = length;
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) energy += 0.5 * mass[i] * v[3 * i + k] * v[3 * i + k];
    weight += mass[i];
    lowest = std::fmin(lowest, x[3 * i + 2] / r[i]);
  }
  std::printf("%ld builds in %d steps; kinetic energy %.3g a mass, lowest centre at %.2f radii\n",
              long(list.counters().builds), steps, energy / weight, lowest);
  return list.counters().builds < steps / 10 && energy < 0.2 * weight && lowest > 0.5 ? 0 : 1;
}
