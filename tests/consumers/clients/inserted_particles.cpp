// SPDX-License-Identifier: BSD-3-Clause
// A client like MercuryDPM and LIGGGHTS: an insertion boundary that at each step tries particles at random places until many in
// a row touched another one, which may have just been inserted.
#include <hgrid/hgrid.hpp>
#include <hgrid/queries.hpp>

#include "system.hpp"

namespace {

// [docs: inserted_particles]
struct InsertionBoundary {
  double lo, hi;  // a cube
  int max_failed;
  std::mt19937 random{5};

  /// Once a step, when the grid is built of all particles as they are.
  template <class Grid>
  void insert(const Grid& grid, std::vector<double>& x, std::vector<double>& r) {
    hgrid::Insertions insertions{grid};
    std::uniform_real_distribution<double> place(lo, hi), exponent(-1, 0);
    for (int failed = 0; failed < max_failed;) {
      const hgrid::Vec<double, 3> at{place(random), place(random), place(random)};
      const double radius = std::pow(10, exponent(random));
      if (insertions.insert_if_free(at, radius)) {
        x.insert(x.end(), {at[0], at[1], at[2]}), r.push_back(radius);  // its id is its place here
        failed = 0;
      } else {
        ++failed;
      }
    }
  }
};
// [docs: end]

}  // namespace

int main() {
  System system(300);
  InsertionBoundary boundary{2, 14, 50};
  hgrid::Grid grid{hgrid::OpenMPExec{}, hgrid::Box3::open()};
  for (int step = 0; step < 5; ++step) {
    const int before = system.size();
    grid.build(system.x, system.r);
    boundary.insert(grid, system.x, system.r);
    const auto touching = system.contacts([before](int, int j) { return j >= before; });
    require(touching.empty(), "an inserted particle touches another one");
    require(step > 0 ? system.size() > before : system.size() > before + 200, "there was room");
  }
}
