// SPDX-License-Identifier: BSD-3-Clause
// The library from Kokkos: forces by a fused functor, and by a gather that sums in one fixed order.
#include <hgrid/kokkos.hpp>

#include <cmath>
#include <cstdio>

using Vectors = Kokkos::View<double* [3]>;
using Scalars = Kokkos::View<double*>;

KOKKOS_INLINE_FUNCTION double fraction(double v) { return v - static_cast<double>(static_cast<long>(v)); }

// A linear spring, its component along x only, to keep the example short.
KOKKOS_INLINE_FUNCTION double push(const Vectors& x, const Scalars& r, int i, int j, hgrid::Image m, const hgrid::Box3& box) {
  double d[3], squared = 0;
  for (int k = 0; k < 3; ++k) d[k] = hgrid::separation(box, k, x(i, k), x(j, k), m), squared += d[k] * d[k];
  const double distance = std::sqrt(squared);
  return distance > 0 ? (r(i) + r(j) - distance) * d[0] / distance : 0;
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  const int n = 20000;
  const double length = 40;
  Vectors x("x", n);
  Scalars r("r", n), force("force", n), gathered("gathered", n);
  Kokkos::parallel_for("fill", n, KOKKOS_LAMBDA(int i) {  // a low-discrepancy cloud
    const double a[3] = {0.819172513396, 0.671043606704, 0.549700477901};
    for (int k = 0; k < 3; ++k) x(i, k) = length * fraction(a[k] * i);
    r(i) = 0.3 + 0.9 * fraction(a[0] * i * i);
  });

  const auto box = hgrid::Box3::periodic({0, 0, 0}, {length, length, length});
  hgrid::Grid grid{hgrid::make_exec(Kokkos::DefaultExecutionSpace()), box};
  for (int step = 0; step < 3; ++step) {
    grid.build(x, r);
    Kokkos::deep_copy(force, 0.0);
    grid.for_each_contact(KOKKOS_LAMBDA(hgrid::index_t i, hgrid::index_t j, hgrid::Image m) {
      const double f = push(x, r, i, j, m, box);
      Kokkos::atomic_add(&force(i), f);
      Kokkos::atomic_add(&force(j), -f);
    });
    Kokkos::deep_copy(gathered, 0.0);
    grid.for_each_partner(KOKKOS_LAMBDA(hgrid::index_t i, hgrid::index_t j, hgrid::Image m) {
      gathered(i) += push(x, r, i, j, m, box);
    });
  }

  double difference = 0;
  Kokkos::parallel_reduce("compare", n, KOKKOS_LAMBDA(int i, double& worst) {
    const double d = force(i) - gathered(i);
    if (d * d > worst) worst = d * d;
  }, Kokkos::Max<double>(difference));
  std::printf("%lld contacts, squared difference of forces %.1e\n", static_cast<long long>(grid.count()), difference);
  return difference < 1e-18 ? 0 : 1;
}
