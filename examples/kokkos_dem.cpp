// SPDX-License-Identifier: BSD-3-Clause
// The DEM of cuda_dem.cu in Kokkos: spheres of many sizes fall onto a floor, in a box that is periodic sideways, on any
// execution space for which Kokkos was built.
#include <hgrid/kokkos.hpp>

#include <cmath>
#include <cstdio>

using Vectors = Kokkos::View<double* [3]>;
using Scalars = Kokkos::View<double*>;

constexpr double width = 30, gravity = 1, stiffness = 2e3, damping = 4, dt = 1e-3;

KOKKOS_INLINE_FUNCTION double mass(double r) { return r * r * r; }

struct Spheres {
  Vectors x, v, f;
  Scalars r;

  explicit Spheres(int n) : x("x", n), v("v", n), f("f", n), r("r", n) {}
  int size() const { return static_cast<int>(r.extent(0)); }
};

// A linear spring and dashpot along the line of centres; called once per contact, from many threads.
struct AddContactForce {
  Spheres s;
  hgrid::Box3 box;

  KOKKOS_INLINE_FUNCTION void operator()(hgrid::index_t i, hgrid::index_t j, hgrid::Image m) const {
    double d[3], distance = 0, approach = 0;
    for (int k = 0; k < 3; ++k) {
      d[k] = hgrid::separation(box, k, s.x(i, k), s.x(j, k), m);
      distance += d[k] * d[k];
    }
    distance = std::sqrt(distance);
    if (distance == 0) return;
    for (int k = 0; k < 3; ++k) approach += (s.v(i, k) - s.v(j, k)) * d[k] / distance;
    const double push = stiffness * (s.r(i) + s.r(j) - distance) - damping * approach;
    for (int k = 0; k < 3; ++k) {
      Kokkos::atomic_add(&s.f(i, k), push * d[k] / distance);
      Kokkos::atomic_add(&s.f(j, k), -push * d[k] / distance);
    }
  }
};

struct Fill {
  Spheres s;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const double a[3] = {0.819172513396, 0.671043606704, 0.549700477901};
    for (int k = 0; k < 3; ++k) {
      const double u = a[k] * i;
      s.x(i, k) = width * (u - std::floor(u)) * (k == 2 ? 2 : 1) + 1;
    }
    s.r(i) = i % 100 == 0 ? 1.0 : 0.2 + 0.2 * ((i * 37) % 100) / 100.0;
  }
};

struct Integrate {
  Spheres s;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const double m = mass(s.r(i)), into_floor = s.r(i) - s.x(i, 2);
    if (into_floor > 0) s.f(i, 2) += stiffness * into_floor - damping * s.v(i, 2);
    s.f(i, 2) -= m * gravity;
    for (int k = 0; k < 3; ++k) {
      s.v(i, k) += dt * s.f(i, k) / m;
      s.x(i, k) += dt * s.v(i, k);
      s.f(i, k) = 0;
    }
  }
};

struct AddHeight {
  Spheres s;
  KOKKOS_INLINE_FUNCTION void operator()(int i, double& sum) const { sum += s.x(i, 2); }
};

double mean_height(const Spheres& s) {
  double sum = 0;
  Kokkos::parallel_reduce("height", s.size(), AddHeight{s}, sum);
  return sum / s.size();
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  const Spheres s(5000);
  Kokkos::parallel_for("fill", s.size(), Fill{s});

  const auto box = hgrid::Box3::periodic({0, 0, 0}, {width, width, 1}, {true, true, false});
  hgrid::Grid grid{hgrid::make_exec(Kokkos::DefaultExecutionSpace()), box};
  const double before = mean_height(s);
  for (int step = 0; step < 500; ++step) {
    grid.build(s.x, s.r);
    grid.for_each_contact(AddContactForce{s, box});
    Kokkos::parallel_for("integrate", s.size(), Integrate{s});
  }
  const double after = mean_height(s);
  std::printf("mean height %.3f -> %.3f, %lld contacts\n", before, after, static_cast<long long>(grid.count()));
  return after < before && after > 0 ? 0 : 1;
}
