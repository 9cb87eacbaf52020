// SPDX-License-Identifier: BSD-3-Clause
// A long run of the example's DEM under watch: settling with friction, checked against a fresh build, a hash map and the list's
// own promise; and the cost of detection per step, against a build at each step. Prints JSON.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"  // GCC 12 inlines one half of counting_new.hpp
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "../examples/dem/cases.hpp"
#include "../tests/support/counting_new.hpp"
#include "hgrid/loop.hpp"

namespace {

using Clock = std::chrono::steady_clock;
using Exec = hgrid::OpenMPExec;
using dem::offset_t;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

struct PairKey {
  hgrid::index_t i, j;
  hgrid::Image m;
  bool operator==(const PairKey&) const = default;
};
struct HashPair {
  std::size_t operator()(const PairKey& k) const {
    std::size_t h = static_cast<std::size_t>(k.i) * 0x9e3779b97f4a7c15u + static_cast<std::size_t>(k.j);
    for (const int m : k.m.m) h = (h ^ static_cast<std::size_t>(m + 3)) * 0xbf58476d1ce4e5b9u;
    return h ^ h >> 29;
  }
};

template <class F>
void for_each_entry(const hgrid::NeighbourList<Exec>& list, const F& f) {
  for (hgrid::index_t i = 0; i < list.lists(); ++i) {
    for (offset_t k = list.offsets()[i]; k < list.offsets()[i + 1]; ++k) {
      f(k, PairKey{i, list.neighbours()[k], list.has_images() ? list.images()[k] : hgrid::Image{}});
    }
  }
}

struct Findings {
  offset_t checks = 0, contacts = 0, missing = 0, history_checks = 0, history_wrong = 0, history_kept = 0, beyond_promise = 0;
  double closest = 0;  ///< largest share of half a skin that a particle had used when the list was used
};

class Watch {
 public:
  Watch(dem::Simulation<Exec, 3>& simulation, const hgrid::Box3& box) : simulation_(simulation), fresh_(Exec{}, box) {}

  /// Checks by plain arithmetic, at each step: has any particle moved more than half the skin since the list was made?
  void promise(bool rebuilt) {
    const auto* x = simulation_.particles().x.data();
    const auto n = static_cast<std::size_t>(simulation_.particles().count);
    if (rebuilt || built_at_.empty()) built_at_.assign(x, x + n);
    double furthest = 0;
#pragma omp parallel for reduction(max : furthest)
    for (std::size_t i = 0; i < n; ++i) {
      double squared = 0;
      for (int k = 0; k < 3; ++k) squared += (x[i][k] - built_at_[i][k]) * (x[i][k] - built_at_[i][k]);
      furthest = std::max(furthest, squared);
    }
    const double share = std::sqrt(furthest) / (0.5 * simulation_.grid().view().skin);
    found.closest = std::max(found.closest, share);
    found.beyond_promise += share > 1;
  }

  /// Each contact of a fresh build stands in the list.
  void contacts() {
    auto list = fresh_.make_list(hgrid::ListKind::full);
    fresh_.build(simulation_.spheres());
    fresh_.find(list);
    hgrid::History<Exec> places(fresh_.exec());
    places.remap(simulation_.list().neighbours(), list);
    found.missing += std::count(places.from(), places.from() + places.size(), -1);
    // The merge is tested elsewhere, so the rows are searched here by the standard library as well.
    const auto& watched = simulation_.list().neighbours();
    for_each_entry(list, [&](offset_t, const PairKey& key) {
      const auto* row = watched.neighbours() + watched.offsets()[key.i];
      const auto* end = watched.neighbours() + watched.offsets()[key.i + 1];
      found.missing += !std::binary_search(row, end, key.j);
    });
    found.contacts = list.size() / 2;
    ++found.checks;
  }

  /// Expects that the merge gives the result of a hash map.
  void history() {
    std::unordered_map<PairKey, offset_t, HashPair> before;
    before.reserve(static_cast<std::size_t>(simulation_.list().before().size()));
    for_each_entry(simulation_.list().before(), [&](offset_t k, const PairKey& key) { before.emplace(key, k); });
    for_each_entry(simulation_.list().neighbours(), [&](offset_t k, const PairKey& key) {
      const auto at = before.find(key);
      const offset_t expected = at == before.end() ? -1 : at->second, found_at = simulation_.list().history().from()[k];
      found.history_wrong += expected != found_at;
      found.history_kept += expected >= 0;
    });
    ++found.history_checks;
  }

  Findings found;

 private:
  dem::Simulation<Exec, 3>& simulation_;
  hgrid::Grid<Exec, 3> fresh_;
  std::vector<hgrid::Vec<double, 3>> built_at_;
};

template <class F>
double median_seconds(const F& f) {
  std::vector<double> seconds;
  for (int turn = 0; turn < 9; ++turn) {
    const auto start = Clock::now();
    f();
    if (turn > 1) seconds.push_back(since(start));
  }
  std::nth_element(seconds.begin(), seconds.begin() + 3, seconds.end());
  return seconds[3];
}

/// Seconds of a build and its full list, with the skin of the run or, as a loop without it would take at each step, none.
double build_seconds(dem::Simulation<Exec, 3>& simulation, const hgrid::Box3& box, double skin) {
  hgrid::Grid<Exec, 3> grid(Exec{}, box);
  auto list = grid.make_list(hgrid::ListKind::full);
  return median_seconds([&] {
    grid.build(simulation.spheres(), {.skin = skin});
    grid.find(list);
  });
}

double remap_seconds(const dem::Simulation<Exec, 3>& simulation) {
  hgrid::History<Exec> history(Exec{});
  return median_seconds([&] { history.remap(simulation.list().before(), simulation.list().neighbours()); });
}

double check_seconds(dem::Simulation<Exec, 3>& simulation) {
  return median_seconds([&] { simulation.grid().valid(simulation.spheres()); });
}

std::int64_t allocations() { return support::Allocations::get().count; }

int run(const dem::Options& options) {
  const dem::Start<3> start = dem::settling<3>(options);
  const auto n = static_cast<offset_t>(start.x.size()), steps = static_cast<offset_t>(options.number("steps"));
  const auto every = static_cast<offset_t>(options.number("report"));
  dem::Simulation<Exec, 3> simulation(Exec{}, start.world, n,
                                      {.skin = options.number("skin"), .choose_skin = options.is("choose", "yes")});
  dem::fill(simulation, start);
  simulation.sort();
  Watch watch(simulation, start.world.box);
  std::int64_t taken = 0, at_third = 0;
  const double first_energy = simulation.energy().total();
  const dem::Seconds before = simulation.seconds();
  const offset_t builds_before = simulation.list().counters().builds;
  for (offset_t step = 1; step <= steps; ++step) {
    const std::int64_t count = allocations();
    const bool rebuilt = simulation.step();
    taken += allocations() - count;
    const offset_t builds = simulation.list().counters().builds - builds_before;
    if (rebuilt && builds == 3) at_third = taken;
    watch.promise(rebuilt);
    if (rebuilt && builds % 10 == 1) watch.history();
    if (step % every == 0) {
      watch.contacts();
      fmt::print(stderr, "step {} of {}: {} builds, {} contacts, {} missing\n", step, steps, builds, watch.found.contacts,
                 watch.found.missing);
    }
  }
  const dem::Seconds& s = simulation.seconds();
  const hgrid::VerletCounters& c = simulation.list().counters();
  const Findings& f = watch.found;
  const double builds = static_cast<double>(c.builds - builds_before),
               per_step = (s.detection - before.detection) / double(steps);
  const double each = build_seconds(simulation, start.world.box, 0), remap = remap_seconds(simulation);
  const double with_skin = build_seconds(simulation, start.world.box, simulation.grid().view().skin),
               check = check_seconds(simulation);
  fmt::print(R"({{
 "particles": {}, "steps": {}, "threads": {}, "skin": {:.4g}, "chosen": {}, "builds": {}, "dangerous": {},
 "checks_against_a_fresh_build": {}, "contacts": {}, "entries": {}, "missing": {},
 "steps_beyond_the_promise": {}, "largest_share_of_half_the_skin": {:.6f},
 "history_checks": {}, "history_pairs_kept": {}, "history_wrong": {}, "allocations_after_the_third_build": {},
 "energy_before": {:.9g}, "energy_after": {:.9g},
 "seconds_per_step": {{"detection": {:.5g}, "forces": {:.5g}, "motion": {:.5g}}},
 "seconds_per_build_at_each_step": {:.5g}, "detection_share_of_that": {:.4f},
 "seconds_per_check": {:.5g}, "seconds_per_build_with_the_skin": {:.5g}, "seconds_per_remap": {:.5g},
 "remap_share_of_that_build": {:.4f}
}}
)",
             n, steps, Exec{}.concurrency(), simulation.list().skin(), options.is("choose", "yes"), builds, c.dangerous,
             f.checks, f.contacts, simulation.list().neighbours().size(), f.missing, f.beyond_promise, f.closest,
             f.history_checks, f.history_kept, f.history_wrong, taken - at_third, first_energy, simulation.energy().total(),
             per_step, (s.forces - before.forces) / double(steps), (s.motion - before.motion) / double(steps), each,
             per_step / each, check, with_skin, remap, remap / with_skin);
  return f.missing + f.beyond_promise + f.history_wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char* argv[]) {
  try {
    return run(dem::Options(argc, argv));
  } catch (const std::exception& e) {
    fmt::print(stderr, "settling: {}\n", e.what());
    return 2;
  }
}
