// SPDX-License-Identifier: BSD-3-Clause
// The planner's choice against a scan of measured time over the number of levels, the size and shape of cells
// and the direction, and against the papers' rules: a million random centres, packing fraction 0.62, open
// box, one thread. Prints one JSON object a line. planning [WORKLOAD ...]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>

#include "hgrid/hgrid.hpp"
#include "hgrid/host/packing/packing.hpp"
#include "hgrid/host/packing/workloads.hpp"
#include "hgrid/host/planning/paper/size_rules.hpp"
#include "hgrid/host/planning/radius_histogram.hpp"

namespace {

constexpr std::int64_t particles = 1'000'000;

/// A plan under test, with the nanoseconds per particle that its runs took.
struct Candidate {
  std::string name;
  hgrid::GridOptions options;
  std::vector<double> times;

  double median() {
    std::ranges::sort(times);
    return times[times.size() / 2];
  }
};

class Bench {
 public:
  explicit Bench(const hgrid::SizeDistribution& sizes)
      : packing_(hgrid::random_packing({sizes, particles, hgrid::workload_fraction})) {
    bins_ = hgrid::radius_histogram(packing_.r, 1, *std::ranges::max_element(packing_.r));
  }

  /// Runs a candidate so many times, of which the first does not count; stops if that is far from the best.
  void time(Candidate& c, int runs) {
    hgrid::Grid grid{hgrid::SerialExec(), hgrid::Box3::open(), c.options};
    const auto& p = packing_;
    const auto view = hgrid::particles(p.x.data(), p.y.data(), p.z.data(), p.r.data(), particles);
    for (int run = 0; run <= runs; ++run) {
      const auto start = std::chrono::steady_clock::now();
      grid.build(view);
      grid.pairs(pairs_);
      const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
      const double each = taken.count() / particles;
      if (run > 0 || each > 3 * best_) c.times.push_back(each);
      if (each > 3 * best_) break;
      if (run > 0) best_ = std::fmin(best_, each);
    }
    levels_ = grid.levels().size();
  }

  std::size_t levels() const { return levels_; }

  /// Levels that share the logarithm of the radii evenly.
  Candidate even(int levels, double side, double flat, hgrid::Direction direction) const {
    char name[64];
    std::snprintf(name, sizeof name, "L=%d side=%.3g flat=%.3g %s", levels, side, flat,
                  direction == hgrid::Direction::top_down ? "top-down" : "bottom-up");
    Candidate c{name, {.direction = direction}, {}};
    const int bins = static_cast<int>(bins_.size());
    for (int h = 0; h < levels; ++h) {
      const double r = bins_[(h + 1) * bins / levels - 1].radius_max, s = side * r;
      c.options.levels.push_back({r, {flat * s, s, s}});
    }
    return c;
  }

  /// A rule of the papers as they use it: K = 0.2, cubic cells.
  Candidate paper(const char* name, hgrid::paper::Rule rule) const {
    const auto radii = hgrid::paper::from_radii(packing_.r);
    const hgrid::paper::CostModel model(*radii, {.packing = hgrid::workload_fraction});
    Candidate c{name, {.direction = hgrid::Direction::top_down}, {}};
    for (double s : hgrid::paper::choose_sizes(model, {.rule = rule}).sizes)
      c.options.levels.push_back({s / 2, {s, s, s}});
    return c;
  }

  int most_levels() const { return std::min<int>(7, static_cast<int>(bins_.size())); }

 private:
  hgrid::Packing packing_;
  std::vector<hgrid::RadiusBin> bins_;
  hgrid::PairList<hgrid::SerialExec> pairs_{hgrid::SerialExec()};
  double best_ = HUGE_VAL;
  std::size_t levels_ = 0;
};

/// The few best of the scan, best first: the least of noisy times is not the best plan.
std::vector<Candidate> best_of_scan(Bench& bench) {
  std::vector<Candidate> scanned;
  double least = HUGE_VAL;
  const auto consider = [&](Candidate c) {
    bench.time(c, 2);
    scanned.push_back(c);
    least = std::fmin(least, std::ranges::min(c.times));
    return std::ranges::min(c.times);
  };
  for (int levels = bench.most_levels(); levels > 0; --levels) {  // downwards: few levels may be very slow
    if (consider(bench.even(levels, 4, 0.25, hgrid::Direction::top_down)) > 2.5 * least) break;
    for (double side : {2.02, 2.5, 3.0, 4.0, 5.0, 6.5}) {
      for (double flat : {0.25, 0.5}) consider(bench.even(levels, side, flat, hgrid::Direction::top_down));
    }
    consider(bench.even(levels, 4, 0.25, hgrid::Direction::bottom_up));
  }
  std::ranges::sort(scanned, {}, [](Candidate& c) { return std::ranges::min(c.times); });
  scanned.resize(std::min<std::size_t>(scanned.size(), 3));
  for (Candidate& c : scanned) c.times.clear();
  return scanned;
}

/// What the planner could choose otherwise, and the papers' rules.
std::vector<Candidate> alternatives(const Bench& bench) {
  std::vector<Candidate> result{{"bottom-up", {.direction = hgrid::Direction::bottom_up}, {}},
                                {"morton", {.keys = hgrid::KeyOrder::morton}, {}},
                                {"compacted", {.table = hgrid::TableKind::compacted}, {}}};
  using hgrid::paper::Rule;
  for (auto [rule, word] : {std::pair{Rule::optimal, "optimal"}, {Rule::constant_ratio, "constant"},
                            {Rule::exponential, "exponential"}, {Rule::linear, "linear"}}) {
    result.push_back(bench.paper(word, rule));
  }
  return result;
}

void run(const hgrid::Workload& workload) {
  Bench bench(workload.sizes);
  Candidate planner{"planner", {}, {}};
  bench.time(planner, 3);  // also says what is slow
  planner.times.clear();
  const std::size_t levels = bench.levels();
  std::vector<Candidate> rounds{planner};
  std::ranges::move(best_of_scan(bench), std::back_inserter(rounds));
  const std::size_t scanned = rounds.size();
  std::ranges::move(alternatives(bench), std::back_inserter(rounds));
  for (int round = 0; round < 7; ++round) {
    for (Candidate& c : rounds) bench.time(c, 1);
  }
  const auto best = std::ranges::min_element(rounds.begin() + 1, rounds.begin() + static_cast<std::ptrdiff_t>(scanned),
                                             {}, [](Candidate& c) { return c.median(); });
  std::printf("{\"workload\": \"%s\", \"levels\": %zu, \"planner\": %.1f, \"best\": %.1f, \"best_plan\": \"%s\"",
              std::string(workload.name).c_str(), levels, rounds[0].median(), best->median(), best->name.c_str());
  for (std::size_t k = scanned; k < rounds.size(); ++k)
    std::printf(", \"%s\": %.1f", rounds[k].name.c_str(), rounds[k].median());
  std::printf("}\n");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  for (const hgrid::Workload& workload : hgrid::workloads) {
    if (argc == 1 || std::find(argv + 1, argv + argc, workload.name) != argv + argc) run(workload);
  }
}
