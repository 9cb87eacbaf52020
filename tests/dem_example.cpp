// SPDX-License-Identifier: BSD-3-Clause
// The DEM of examples/dem: its energy, and that neither skin nor threads nor the order of the particles change a bit.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "../examples/dem/run.hpp"

namespace {

template <int D>
struct State {
  std::vector<hgrid::Vec<double, D>> x;
  dem::Energy before, after;
  hgrid::offset_t builds = 0;
};

dem::Options options(std::initializer_list<const char*> list) {
  std::vector<char*> argv = {const_cast<char*>("dem")};
  for (const char* text : list) argv.push_back(const_cast<char*>(text));
  return dem::Options(static_cast<int>(argv.size()), argv.data());
}

template <int D, class Exec>
State<D> run(const Exec& exec, const dem::Start<D>& start, hgrid::VerletOptions list, int steps, bool sorted = false) {
  dem::Simulation<Exec, D> simulation(exec, start.world, static_cast<hgrid::offset_t>(start.x.size()), list);
  dem::fill(simulation, start);
  State<D> state;
  state.before = simulation.energy();
  for (int step = 0; step < steps; ++step) {
    if (simulation.step() && sorted) simulation.sort();
  }
  state.after = simulation.energy();
  state.x = simulation.particles().x.get();
  state.builds = simulation.list().counters().builds;
  return state;
}

TEST(DemExample, SkinAndThreadsDoNotChangeABit) {
  for (const dem::Start<3>& start : {dem::cooling<3>(options({"particles=400", "ratio=4"})),
                                     dem::settling<3>(options({"particles=400", "ratio=4", "fraction=0.5"})),
                                     dem::settling<3>(options({"particles=400", "ratio=4", "fraction=0.5", "bonds=4"})),
                                     dem::shearing<3>(options({"particles=400", "ratio=4", "shear=0.5"})),
                                     dem::cooling<3>(options({"particles=400", "ratio=4", "attraction=50"}))}) {
    const State<3> expected = run(hgrid::SerialExec{}, start, {}, 300);
    EXPECT_GT(expected.builds, 250);
    EXPECT_GT(expected.after.contacts, 50);
    for (const hgrid::VerletOptions& list :
         {hgrid::VerletOptions{.skin = 0.2}, hgrid::VerletOptions{.skin = 0.05, .choose_skin = true}}) {
      for (const int threads : {1, 3}) {
        const State<3> state = run(hgrid::OpenMPExec(threads), start, list, 300);
        EXPECT_LT(state.builds, 150);
        ASSERT_EQ(state.x, expected.x) << threads << " threads, skin " << list.skin;
      }
    }
  }
}

std::string file(const char* name) { return testing::TempDir() + "hgrid_dem_example_" + name; }

std::vector<char> content(const std::string& name) {
  std::ifstream in(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

template <int D, class Exec>
void run_to(const Exec& exec, const char* steps, const std::string& checkpoint, const std::string& restart,
            std::initializer_list<const char*> how) {
  const std::string to = "steps=" + std::string(steps), write = "checkpoint=" + checkpoint, read = "restart=" + restart;
  std::vector<char*> argv = {const_cast<char*>("dem"), const_cast<char*>(to.c_str()), const_cast<char*>(write.c_str()),
                             const_cast<char*>(read.c_str()), const_cast<char*>("report=500")};
  for (const char* text : how) argv.push_back(const_cast<char*>(text));
  dem::run<D>(exec, dem::Options(static_cast<int>(argv.size()), argv.data()));
}

// Restarts springs of pairs and of planes, the list, and the count of builds, from a file, with two numbers of threads.
TEST(DemExample, ARestartEndsInTheSameFile) {
  const std::string whole = file("whole"), half = file("half"), rest = file("rest");
  const auto expect_same = [&]<int D>(std::initializer_list<const char*> how) {
    run_to<D>(hgrid::SerialExec{}, "2000", whole, "", how);
    run_to<D>(hgrid::OpenMPExec(3), "1003", half, "", how);
    run_to<D>(hgrid::SerialExec{}, "2000", rest, half, how);
    EXPECT_GT(content(whole).size(), 1000u);
    EXPECT_TRUE(content(whole) == content(rest));
    EXPECT_FALSE(content(whole) == content(half));
  };
  expect_same.operator()<3>({"case=settling", "dimension=3", "particles=300", "skin=0.1", "sort=3"});
  expect_same.operator()<2>({"case=settling", "particles=300", "fraction=0.7", "skin=0.2"});
  expect_same.operator()<2>({"case=cooling", "particles=300", "skin=0.2"});
  expect_same.operator()<2>({"case=settling", "particles=200", "skin=0.2", "insert=250", "sort=3"});
  expect_same.operator()<2>({"case=settling", "particles=200", "skin=0.2", "insert=250", "sort=3", "bonds=5"});
  expect_same.operator()<2>({"case=cooling", "particles=200", "skin=0.3", "sort=3", "attraction=50"});
  expect_same.operator()<2>({"case=shearing", "particles=200", "skin=0.2", "shear=0.5", "sort=3", "bonds=3"});
}

TEST(DemExample, ARestartOfAnotherRunIsRefused) {
  const std::string saved = file("saved"), short_one = file("short"), next = file("next");
  run_to<2>(hgrid::SerialExec{}, "5", saved, "", {"particles=50"});
  const std::vector<char> whole = content(saved);
  const auto refused = [&](const std::string& restart, const char* particles) {
    EXPECT_THROW(run_to<2>(hgrid::SerialExec{}, "9", next, restart, {particles}), std::exception);
    EXPECT_TRUE(content(next).empty());
  };
  refused(saved, "particles=51"), refused(file("none"), "particles=50");
  for (std::size_t size = 1; size < whole.size(); size += 97) {
    std::ofstream(short_one, std::ios::binary).write(whole.data(), static_cast<std::streamsize>(size));
    refused(short_one, "particles=50");
  }
}

// Sorted particles sum their forces in another order, so the last bits differ, but not the springs of friction.
TEST(DemExample, SortingKeepsTheSprings) {
  const dem::Start<3> start = dem::settling<3>(options({"particles=400", "ratio=4", "fraction=0.6"}));
  const State<3> plain = run(hgrid::SerialExec{}, start, {.skin = 0.1}, 400);
  const State<3> sorted = run(hgrid::SerialExec{}, start, {.skin = 0.1}, 400, true);
  EXPECT_GT(plain.after.elastic, 0);
  EXPECT_NEAR(sorted.after.total(), plain.after.total(), 1e-6 * plain.after.total());
  EXPECT_NEAR(sorted.after.rotation, plain.after.rotation, 1e-3 * plain.after.rotation);
}

/// Counts the bonds of a run, from both sides alike, and finds the longest stretch of one.
template <class Exec, int D>
std::pair<std::size_t, double> look_at_bonds(dem::Simulation<Exec, D>& simulation, std::size_t most) {
  const auto x = simulation.particles().x.get();
  const auto& box = simulation.grid().view().box;
  const dem::HostBonds bonds = simulation.bonds().get();
  std::size_t ends = 0;
  double longest = 0;
  for (std::size_t i = 0; i < bonds.of.size(); ++i) {
    ends += bonds.of[i].size();
    EXPECT_LE(bonds.of[i].size(), 2u);
    std::size_t in_chain = 1;
    for (auto [before, at] = std::pair{i, i}; bonds.of[i].size() == 1 && in_chain <= most;) {
      const auto& next =
          bonds.of[at].front().first == static_cast<hgrid::index_t>(before) ? bonds.of[at].back() : bonds.of[at].front();
      if (next.first == static_cast<hgrid::index_t>(before)) break;
      before = at, at = static_cast<std::size_t>(next.first), ++in_chain;
    }
    EXPECT_LE(in_chain, most);
    for (const auto& [j, bond] : bonds.of[i]) {
      const auto d = hgrid::separation(box, x[i], x[j], bond.image);
      longest = std::fmax(longest, std::fabs(std::sqrt(dem::dot(d, d)) - bond.rest));
      const auto& list = simulation.list().neighbours();
      const auto* const row = list.neighbours();
      EXPECT_FALSE(std::binary_search(row + list.offsets()[i], row + list.offsets()[i + 1], j)) << i << " " << j;
    }
  }
  return {ends, longest};
}

TEST(DemExample, BondsHoldAndAreNoContacts) {
  const dem::Start<2> start = dem::settling<2>(options({"particles=300", "ratio=3", "fraction=0.7", "bonds=5"}));
  for (const bool sorted : {false, true}) {
    dem::Simulation<hgrid::OpenMPExec, 2> simulation(hgrid::OpenMPExec(2), start.world, 300, {.skin = 0.3});
    dem::fill(simulation, start);
    simulation.energy();
    const auto [ends, none] = look_at_bonds(simulation, 5);
    EXPECT_GT(ends, 300u);
    EXPECT_LT(none, 1e-12);
    for (int step = 0; step < 500; ++step) {
      if (simulation.step() && sorted) simulation.sort();
    }
    const auto [after, longest] = look_at_bonds(simulation, 5);
    EXPECT_EQ(after, ends);
    EXPECT_GT(longest, 1e-3);
    EXPECT_LT(longest, 0.5);
  }
  EXPECT_THROW(dem::settling<2>(options({"particles=30", "bonds=-1"})), std::invalid_argument);
}

// In a sheared box a particle may be passed in any period. A period up, it moves with the flow there.
TEST(DemExample, ShearMovesImagesWithTheirFlow) {
  const dem::Start<2> start = dem::shearing<2>(options({"particles=300", "ratio=3", "fraction=0.6", "shear=2"}));
  const double length = start.world.box.length(1), offset = start.world.shear * length * start.world.dt * 400;
  dem::Start<2> moved = start;
  for (std::size_t i = 0; i < moved.x.size(); i += 3) moved.x[i][1] -= length, moved.v[i][0] -= start.world.shear * length;
  const State<2> here = run(hgrid::SerialExec{}, start, {.skin = 0.2}, 400),
                 there = run(hgrid::SerialExec{}, moved, {.skin = 0.2}, 400);
  for (std::size_t i = 0; i < here.x.size(); ++i) {
    EXPECT_NEAR(here.x[i][0], there.x[i][0] + (i % 3 == 0 ? offset : 0), 1e-6) << i;
    EXPECT_NEAR(here.x[i][1], there.x[i][1] + (i % 3 == 0 ? length : 0), 1e-6) << i;
  }
  EXPECT_NEAR(here.after.total(), there.after.total(), 1e-6 * here.after.total());
  EXPECT_GT(here.after.total(), 1.5 * here.before.total());  // the flow heats
  EXPECT_GT(here.after.contacts, 20);
  EXPECT_THROW(dem::start_of<2>(options({"shear=1"})), std::invalid_argument);
  EXPECT_THROW(dem::start_of<2>(options({"case=shear"})), std::invalid_argument);
}

// The list holds the pairs within the larger of two ranges, and no others.
TEST(DemExample, AttractionIsWithinTheLargerRange) {
  const dem::Start<2> start = dem::settling<2>(options({"particles=300", "ratio=4", "attraction=50"}));
  dem::Simulation<hgrid::SerialExec, 2> simulation({}, start.world, 300, {});
  dem::fill(simulation, start);
  simulation.energy();
  hgrid::offset_t expected = 0;
  for (std::size_t i = 0; i < 300; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double x = std::remainder(start.x[i][0] - start.x[j][0], start.world.box.length(0)),
                   y = start.x[i][1] - start.x[j][1];
      expected += std::hypot(x, y) <= 2.5 * std::fmax(start.radius[i], start.radius[j]);
    }
  }
  EXPECT_EQ(simulation.list().neighbours().size(), 2 * expected);
  EXPECT_THROW(dem::inflow(start, options({"attraction=1"}), 0), std::invalid_argument);
}

/// Returns the least gap of particle i to the particles before it, in a box that is periodic sideways.
template <int D>
double least_gap(const std::vector<hgrid::Vec<double, D>>& x, const std::vector<double>& r, double length, std::size_t i) {
  double least = HUGE_VAL;
  for (std::size_t j = 0; j < i; ++j) {
    double squared = 0;
    for (int k = 0; k < D; ++k) {
      const double d = x[i][k] - x[j][k], nearest = k < D - 1 ? std::remainder(d, length) : d;
      squared += nearest * nearest;
    }
    least = std::fmin(least, std::sqrt(squared) - r[i] - r[j]);
  }
  return least;
}

// Inflows let in equal particles for any skin and any number of threads. None overlaps when it comes, and all fall.
template <int D, class Exec>
State<D> run_with_inflows(const Exec& exec, double skin) {
  const dem::Options how = options({"particles=200", "ratio=3", "fraction=0.5"});
  const dem::Start<D> start = dem::settling<D>(how);
  dem::Simulation<Exec, D> simulation(exec, start.world, 200, {.skin = skin});
  dem::fill(simulation, start);
  std::size_t before = 200;
  hgrid::offset_t refused = 0;
  for (int step = 0; step < 600; ++step) {
    if (step % 100 == 0) {
      const auto grains = dem::inflow(start, how, step);
      const hgrid::offset_t let_in = simulation.insert(grains);
      refused += static_cast<hgrid::offset_t>(grains.size()) - let_in;
      const auto x = simulation.particles().x.get();
      const auto r = simulation.particles().radius.get();
      EXPECT_EQ(x.size(), before + static_cast<std::size_t>(let_in));
      for (std::size_t i = before; i < x.size(); ++i) {
        EXPECT_GT(least_gap<D>(x, r, start.world.box.length(0), i), 0) << "particle " << i << " at step " << step;
      }
      before = x.size();
    }
    simulation.step();
  }
  EXPECT_GT(before, 220u);
  EXPECT_GT(refused, 0);
  const auto v = simulation.particles().v.get();
  for (std::size_t i = 200; i < v.size(); ++i) EXPECT_NE(v[i][D - 1], 0) << i;
  return {simulation.particles().x.get(), {}, simulation.energy()};
}

TEST(DemExample, InflowsLetInWhatTouchesNothing) {
  const State<3> state = run_with_inflows<3>(hgrid::SerialExec{}, 0);
  EXPECT_EQ(run_with_inflows<3>(hgrid::OpenMPExec(3), 0.3).x, state.x);
  const State<2> flat = run_with_inflows<2>(hgrid::SerialExec{}, 0);
  EXPECT_EQ(run_with_inflows<2>(hgrid::OpenMPExec(2), 0.3).x, flat.x);
}

// Without dashpots and friction velocity Verlet errs by dt^2 while particles touch: the root mean square over the run.
template <int D>
double energy_error(const char* ratio, const char* dt, int steps, const char* more = "seed=1") {
  const dem::Start<D> start = dem::cooling<D>(options({"particles=600", ratio, "damping=no", dt, more}));
  dem::Simulation<hgrid::OpenMPExec, D> simulation(hgrid::OpenMPExec(2), start.world,
                                                   static_cast<hgrid::offset_t>(start.x.size()), {.skin = 0.3});
  dem::fill(simulation, start);
  const double before = simulation.energy().total();
  double squares = 0;
  for (int step = 0; step < steps; ++step) {
    simulation.step();
    const double error = simulation.energy().total() / before - 1;
    squares += error * error;
  }
  return std::sqrt(squares / steps);
}

TEST(DemExample, EnergyErrsByTheSquareOfTheStep) {
  const double flat[] = {energy_error<2>("ratio=5", "dt=4", 200), energy_error<2>("ratio=5", "dt=1", 800)};
  EXPECT_GT(flat[0] / flat[1], 10) << flat[0] << " " << flat[1];
  EXPECT_LT(flat[0] / flat[1], 30) << flat[0] << " " << flat[1];
  const double full[] = {energy_error<3>("ratio=2", "dt=4", 200), energy_error<3>("ratio=2", "dt=2", 400)};
  EXPECT_NEAR(full[0] / full[1], 4, 1) << full[0] << " " << full[1];
  EXPECT_LT(flat[1], 1e-5);
  for (const char* more : {"bonds=6", "attraction=50"}) {
    const double coarse = energy_error<2>("ratio=5", "dt=4", 200, more), fine = energy_error<2>("ratio=5", "dt=1", 800, more);
    EXPECT_GT(coarse / fine, 10) << coarse << " " << fine << " " << more;
    EXPECT_LT(coarse / fine, 30) << coarse << " " << fine << " " << more;
  }
}

TEST(DemExample, FreeCoolingLosesEnergy) {
  const dem::Start<2> start = dem::cooling<2>(options({"particles=600"}));
  const State<2> state = run(hgrid::OpenMPExec(2), start, {.skin = 0.2}, 500);
  EXPECT_LT(state.after.total(), 0.99 * state.before.total());
  EXPECT_GT(state.after.total(), 0.5 * state.before.total());
}

}  // namespace
