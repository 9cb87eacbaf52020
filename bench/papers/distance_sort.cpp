// SPDX-License-Identifier: BSD-3-Clause
// 003, section 3: sort by distance against the linked cell method, on uniformly random particles.
#include <random>
#include <string>

#include "experiments.hpp"

namespace papers {
namespace {

using namespace hgrid::reference;

struct Sizes {
  const char* name;
  double least, most;
};
constexpr Sizes packings[] = {{"A", 0.05, 0.1}, {"B", 0.02, 0.05}, {"C", 0.005, 0.02}};  // diameters, Eq. 4

template <int D>
Points<D> sample(int np, double nx, Sizes sizes) {
  std::mt19937_64 engine(12345);
  std::uniform_real_distribution<double> place(0, nx), diameter(sizes.least, sizes.most);
  Points<D> points;
  for (int i = 0; i < np; ++i) {
    for (int k = 0; k < D; ++k) points.x.push_back(place(engine));
    points.r.push_back(diameter(engine) / 2);
  }
  return points;
}

void row(const std::string& experiment, const std::string& method, int d, int np, double time, const Contacts& found) {
  std::printf("%s,%s,%d,%d,%.6g,%lld,%zu,%lld\n", experiment.c_str(), method.c_str(), d, np, time,
              static_cast<long long>(found.counted("tests")), found.pairs.size(),
              static_cast<long long>(found.counted("cells")));
  std::fflush(stdout);
}

// The new method and LCM-p for each p, on the box that the particles were drawn from.
template <int D>
void compare(const std::string& experiment, const Points<D>& points, double nx, const std::vector<double>& per_cell) {
  const Bodies<D> bodies = points.bodies();
  const int np = bodies.size(), runs = np > 20000 ? 3 : 7;
  Bounds<D> box{};
  for (int k = 0; k < D; ++k) box.hi[k] = nx;
  Contacts found;
  const double novel = seconds(runs, [&] { found = hgrid::reference::distance_sort(bodies); });
  row(experiment, "novel", D, np, novel, found);
  for (const double p : per_cell) {
    LinkedCellOptions<D> options;
    options.per_cell = p, options.space = box;
    const double time = seconds(runs, [&] { found = linked_cell(bodies, options); });
    row(experiment, "LCM" + std::to_string(static_cast<int>(p)), D, np, time, found);
  }
}

template <int D>
void figure_2() {
  for (const Sizes& sizes : packings) {
    for (const int np : {1000, 3162, 10000, 31623, 100000}) {
      const double nx = std::pow(np / (D == 2 ? 100.0 : 1000.0), 1.0 / D);
      compare(std::string("Fig. 2 ") + sizes.name, sample<D>(np, nx, sizes), nx, {1, 5, 10});
    }
  }
}

}  // namespace

void distance_sort() {
  std::puts("experiment,method,d,np,seconds,tests,contacts,cells");
  compare("Table 1", sample<2>(10000, 10, {"", 0.02, 1}), 10, {100, 204, 625, 1111});
  compare("Table 2", sample<2>(100, 8, {"", 0.1, 2}), 8, {11, 25, 100});  // the paper does not state the box
  Points<2> big = sample<2>(100, 5.64, {"", 0.1, 0.3});
  big.x.insert(big.x.end(), {2.82, 2.82}), big.r.push_back(2.82);
  compare("Table 3", big, 5.64, {101});
  figure_2<2>();
  figure_2<3>();
}

}  // namespace papers
