// SPDX-License-Identifier: BSD-3-Clause
// The planner's choice against a scan of measured time over the number of levels, the size and shape of cells
// and the direction, and against the papers' rules: a million random centres, packing fraction 0.62, open
// box, one thread. Prints one JSON object a line. planning [WORKLOAD ...]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>

#include "hgrid/hgrid.hpp"
#include "hgrid/host/packing/packing.hpp"
#include "hgrid/host/planning/paper/size_rules.hpp"
#include "hgrid/host/planning/radius_histogram.hpp"

namespace {

using Kind = hgrid::SizeDistribution::Kind;
constexpr std::int64_t particles = 1'000'000;

const std::map<std::string, hgrid::SizeDistribution> workloads = {
    {"mono", {Kind::mono}},
    {"pl10", {Kind::power_law, 10, -3}},
    {"pl50", {Kind::power_law, 50, -3}},
    {"pl100", {Kind::power_law, 100, -3}},
    {"pl1000", {Kind::power_law, 1000, -3}},
    {"bi10", {Kind::bidisperse, 10}},
    {"us50", {Kind::power_law, 50, 0}},
    {"ln100", {Kind::log_normal, 100}},
};

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
      : packing_(hgrid::random_packing({sizes, particles, 0.62})) {
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
    const hgrid::paper::CostModel model(*radii, {.packing = 0.62});
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

Candidate best_of_scan(Bench& bench) {
  Candidate best;
  const auto consider = [&](Candidate c) {
    bench.time(c, 2);
    if (best.times.empty() || c.median() < best.median()) best = c;
  };
  for (int levels = bench.most_levels(); levels > 0; --levels) {  // downwards: few levels may be very slow
    for (double side : {2.02, 2.5, 3.0, 4.0, 5.0, 6.5, 8.0}) {
      for (double flat : {0.25, 0.5}) consider(bench.even(levels, side, flat, hgrid::Direction::top_down));
    }
    for (double side : {2.02, 4.0}) consider(bench.even(levels, side, 0.25, hgrid::Direction::bottom_up));
  }
  best.times.clear();
  return best;
}

void run(const std::string& name) {
  Bench bench(workloads.at(name));
  Candidate planner{"planner", {}, {}};
  bench.time(planner, 3);  // also says what is slow
  planner.times.clear();
  std::vector<Candidate> final{planner, best_of_scan(bench)};
  using hgrid::paper::Rule;
  for (auto [rule, word] : {std::pair{Rule::optimal, "optimal"},
                            {Rule::constant_ratio, "constant"},
                            {Rule::exponential, "exponential"},
                            {Rule::linear, "linear"}}) {
    final.push_back(bench.paper(word, rule));
  }
  std::size_t levels = 0;
  for (int round = 0; round < 5; ++round) {
    for (Candidate& c : final) {
      bench.time(c, 1);
      if (&c == final.data()) levels = bench.levels();
    }
  }
  std::printf(
      "{\"workload\": \"%s\", \"levels\": %zu, \"planner\": %.1f, \"best\": %.1f, \"best_plan\": \"%s\"",
      name.c_str(), levels, final[0].median(), final[1].median(), final[1].name.c_str());
  for (std::size_t k = 2; k < final.size(); ++k)
    std::printf(", \"%s\": %.1f", final[k].name.c_str(), final[k].median());
  std::printf("}\n");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  for (int k = 1; k < argc; ++k) run(argv[k]);
  for (const auto& [name, sizes] : workloads) {
    if (argc == 1) run(name);
  }
}
