// SPDX-License-Identifier: BSD-3-Clause
// The papers' own algorithm: it finds the contacts, and its counts follow the papers' cost model.
#include "papers/systems/hgrid_2012.hpp"

#include "hgrid/hgrid.hpp"
#include "hgrid/packing/packing.hpp"
#include "paper_support.hpp"
#include "support/random_suite.hpp"

namespace {

using hgrid::reference::Hgrid2012;
using hgrid::reference::Hgrid2012Work;

/// Sizes that ascend to the largest diameter of a view by equal ratios.
template <int D>
std::vector<double> drawn_sizes(const hgrid::GridView<D>& g, support::Random& random) {
  double largest = 0, smallest = HUGE_VAL;
  for (hgrid::index_t p = 0; p < g.slots(); ++p) {
    const double diameter = 2 * g.radius[p] + g.skin;
    largest = std::fmax(largest, diameter);
    if (diameter > 0) smallest = std::fmin(smallest, diameter);
  }
  if (!(largest > 0)) return {random.log_real(1e-3, 1e3)};
  if (random.chance(0.1)) largest *= random.real(1, 5);
  std::vector<double> sizes;
  const int levels = random.integer(1, 6);
  for (int h = 1; h < levels; ++h) sizes.push_back(smallest * std::pow(largest / smallest, h / double(levels)));
  sizes.push_back(largest);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

template <class Real, int D>
support::Outcome run_case(const support::Case& c) {
  const support::UserArrays<Real, D> arrays(c.system, c.choice[support::layout]);
  hgrid::Grid<hgrid::SerialExec, D> grid(hgrid::SerialExec{}, support::box_of<D>(c.system), support::options_of(c));
  grid.build(arrays.view(), {.skin = c.system.skin});
  const hgrid::GridView<D> g = grid.view();
  support::Random random(c.seed);
  const Hgrid2012<D> historical(g, g.slots(), {drawn_sizes(g, random), g.direction});
  support::Contacts found;
  const Hgrid2012Work work = historical.search(
      [&](hgrid::index_t i, hgrid::index_t j, const hgrid::Image& m) { found.push_back(support::contact(i, j, &m)); });
  const support::Contacts expected = oracle::contacts(c.system);
  support::Outcome outcome{support::difference("hgrid-2012", support::sorted(found), expected), expected.size(),
                           support::occupied_cells(support::HostMemory{}, g)};
  const bool ordered = work.contacts <= work.box_hits && work.box_hits <= work.tests;
  if (!ordered || work.contacts != static_cast<std::int64_t>(found.size())) outcome.difference += "counts disagree\n";
  return outcome;
}

support::Outcome run(const support::Case& any) {
  const support::Case c = support::case_for_papers(any);
  try {
    if (c.choice[support::dimension] == 0) {
      return c.choice[support::real] == 0 ? run_case<double, 2>(c) : run_case<float, 2>(c);
    }
    return c.choice[support::real] == 0 ? run_case<double, 3>(c) : run_case<float, 3>(c);
  } catch (const hgrid::Error& e) {
    return {std::string("unexpected error: ") + e.what() + "\n"};
  }
}

TEST(Hgrid2012, FindsWhatAllPairsFind) { support::expect_random_systems(2500, run); }

/// A million random centres in a periodic box against the model of infinitely many: T, T^cd and T^ca.
template <int D>
void expect_model(double ratio, double packing) {
  constexpr int n = 1000000;
  const hgrid::Packing p = hgrid::random_packing({{hgrid::SizeDistribution::Kind::power_law, ratio, -3}, n, packing, D});
  hgrid::Box<D> box{};
  hgrid::Particles<double, D> particles{{p.x.data(), p.y.data()}, 1, p.r.data(), 1, n};
  if constexpr (D == 3) particles.position[2] = p.z.data();
  for (int k = 0; k < D; ++k) box.hi[k] = p.length, box.wraps[k] = true;
  hgrid::Grid<hgrid::OpenMPExec, D> library{hgrid::OpenMPExec(2), box};
  library.build(particles);
  const hgrid::GridView<D> g = library.view();  // in an order that suits caches
  const auto radii = hgrid::paper::from_radii(p.r);
  for (hgrid::Direction direction : {hgrid::Direction::top_down, hgrid::Direction::bottom_up}) {
    const hgrid::paper::CostModel model(*radii, {D, packing, 0.2, direction});
    const auto plan = hgrid::paper::choose_sizes(model, {.fewest = true});
    const Hgrid2012<D> grid(g, g.slots(), {plan.sizes, direction});
    const Hgrid2012Work work = grid.search();
    const hgrid::paper::Work expected = model.work(grid.sides());
    const std::string what = std::to_string(ratio) + (direction == hgrid::Direction::top_down ? " down" : " up");
    paper_test::expect_relative(work.total(0.2) / n, expected.total, 0.005, what);
    paper_test::expect_relative(static_cast<double>(work.tests) / n, expected.tests, 0.005, what);
    paper_test::expect_relative(work.cells / n, expected.cells, 0.005, what);
  }
}

TEST(Hgrid2012, CountsWhatTheModelPredictsForRatio10) { expect_model<3>(10, 0.62); }
TEST(Hgrid2012, CountsWhatTheModelPredictsForRatio50) { expect_model<3>(50, 0.62); }
TEST(Hgrid2012, CountsWhatTheModelPredictsForRatio100) { expect_model<3>(100, 0.62); }
TEST(Hgrid2012, CountsWhatTheModelPredictsInTwoDimensions) { expect_model<2>(20, 0.4); }

TEST(Hgrid2012, RefusesSizesThatCannotHoldTheParticles) {
  const std::vector<double> x{0, 1}, r{1, 2};
  hgrid::Grid<hgrid::SerialExec, 2> grid{hgrid::SerialExec{}};
  grid.build(hgrid::particles(x.data(), x.data(), r.data(), 2));
  for (const std::vector<double>& sizes : std::vector<std::vector<double>>{{}, {3}, {2, 2, 4}, {-1, 4}, {1, NAN}, {HUGE_VAL}}) {
    paper_test::expect_error(hgrid::ErrorCode::invalid_levels, [&] { Hgrid2012<2>(grid.view(), 2, {sizes}); });
  }
  EXPECT_EQ(Hgrid2012<2>(grid.view(), 2, {{2, 4}}).search().contacts, 1);
}

}  // namespace
