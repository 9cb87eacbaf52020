// SPDX-License-Identifier: BSD-3-Clause
// The planner's choice against a scan of measured time over the number of levels, the size and shape of cells
// and the direction, and against the papers' rules: a million random centres, packing fraction 0.62, open
// box, one thread. Prints one JSON object a line, nanoseconds per particle: the scan's levels with
// [share, side, flatness, direction, time] each (see Shape), then the comparison. planning [WORKLOAD ...]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>

#include "hgrid/core/names.hpp"
#include "hgrid/hgrid.hpp"
#include "hgrid/packing/packing.hpp"
#include "hgrid/packing/workloads.hpp"
#include "host/planning/cost_model.hpp"
#include "host/planning/radius_histogram.hpp"
#include "papers/levels/size_rules.hpp"

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

/// Levels of the scan: the first takes a share of the particles, the others share the logarithm of the rest
/// of the radii evenly; share 0: all evenly. Sides of cells are in units of the level's largest radius, that
/// along x by the others.
struct Shape {
  double share, side, flat;
  hgrid::Direction direction;

  /// Returns it as JSON.
  std::string text() const {
    char out[64];
    std::snprintf(out, sizeof out, "%.3g, %.3g, %.3g, \"%s\"", share, side, flat, hgrid::name_of(direction));
    return out;
  }
};

/// Returns shapes of one share, a good one first: it shows whether others are worth their time.
std::vector<Shape> shapes(double share) {
  using enum hgrid::Direction;
  std::vector<Shape> result{{share, 4, 0.5, top_down}, {share, 2.5, 0.5, top_down}, {share, 4, 0.25, bottom_up}};
  for (double side : {2.02, 2.5, 3.0, 4.0, 5.0, 6.5}) result.push_back({share, side, 0.25, top_down});
  return result;
}

class Bench {
 public:
  explicit Bench(const hgrid::SizeDistribution& sizes)
      : packing_(hgrid::random_packing({sizes, particles, hgrid::workload_fraction})) {
    bins_ = hgrid::detail::radius_histogram(packing_.r, 1, *std::ranges::max_element(packing_.r));
  }

  /// Runs a candidate so many times after a warm run; stops, and counts that one, if it is far from the best.
  void time(Candidate& c, int runs) {
    hgrid::Grid grid{hgrid::SerialExec(), hgrid::Box3::open(), c.options};
    const auto& p = packing_;
    const auto view = hgrid::particles(p.x.data(), p.y.data(), p.z.data(), p.r.data(), particles);
    for (int run = 0; run <= runs; ++run) {
      const auto start = std::chrono::steady_clock::now();
      grid.build(view);
      grid.find(pairs_);
      const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
      const double each = taken.count() / particles;
      if (run > 0 || each > hopeless * best_) c.times.push_back(each);
      if (each > hopeless * best_) break;
      if (run > 0) best_ = std::fmin(best_, each);
    }
    levels_ = grid.levels().size();
  }

  std::size_t levels() const { return levels_; }
  double best() const { return best_; }

  /// Returns nothing if there are fewer classes of radii than levels, or if a run would take more than about a second.
  std::optional<Candidate> levels_of(int levels, const Shape& shape) const {
    Candidate c{std::to_string(levels) + ", " + shape.text(), {.direction = shape.direction}, {}};
    const int bins = static_cast<int>(bins_.size());
    int first = bins / levels;
    double held = 0;
    if (shape.share > 0) {
      for (first = 0; held < shape.share * particles; ++first) held += bins_[first].moment[0];
    }
    if (bins - first < levels - 1) return std::nullopt;
    const double length = packing_.length;
    const hgrid::detail::SearchSpace space{
        hgrid::detail::PairDensity(bins_, length * length * length, 3), {length, length, length}, 3};
    const hgrid::detail::CostModel model(bins_, space, 0, {.direction = shape.direction}, {});
    double cost = 0;  // ns
    for (int h = 0, begin = 0; h < levels; ++h) {
      const int last = h == 0 ? first : first + h * (bins - first) / (levels - 1);
      cost += model.cost(std::exchange(begin, last), last, {shape.flat * shape.side, shape.side});
      const double r = bins_[last - 1].radius_max, s = shape.side * r;
      c.options.levels.push_back({r, {shape.flat * s, s, s}});
    }
    if (cost > 1e9) return std::nullopt;
    return c;
  }

  /// A rule of the papers as they use it: K = 0.2, cubic cells.
  Candidate paper(const char* name, hgrid::paper::Rule rule) const {
    const auto radii = hgrid::paper::from_radii(packing_.r);
    const hgrid::paper::CostModel model(*radii, {.packing = hgrid::workload_fraction});
    Candidate c{name, {.direction = hgrid::Direction::top_down}, {}};
    for (double s : hgrid::paper::choose_sizes(model, {.rule = rule}).sizes) c.options.levels.push_back({s / 2, {s, s, s}});
    return c;
  }

  int most_levels() const { return std::min<int>(7, static_cast<int>(bins_.size())); }

 private:
  static constexpr double hopeless = 3;  // times the best; a first run is slower than others, by less

  hgrid::Packing packing_;
  std::vector<hgrid::detail::RadiusBin> bins_;
  hgrid::PairList<hgrid::SerialExec> pairs_{hgrid::SerialExec()};
  double best_ = HUGE_VAL;
  std::size_t levels_ = 0;
};

/// Times all shapes of one number of levels and share, and prints them: just the first where that is far from
/// the best, and then returns false.
bool scan(Bench& bench, int levels, double share, std::vector<Candidate>& scanned, std::size_t printed_from) {
  bool first = true, worthwhile = false;
  for (const Shape& shape : shapes(share)) {
    std::optional<Candidate> c = bench.levels_of(levels, shape);
    if (!c || !(first || worthwhile)) break;
    bench.time(*c, 1);
    std::printf("%s[%s, %.1f]", scanned.size() == printed_from ? "" : ", ", shape.text().c_str(), c->median());
    if (first) worthwhile = c->median() < 2.5 * bench.best();
    scanned.push_back(std::move(*c));
    first = false;
  }
  return worthwhile;
}

/// The few best of the scan, best first: the least of noisy times is not the best plan.
std::vector<Candidate> best_of_scan(Bench& bench, const char* workload, int planned) {
  std::vector<Candidate> scanned;
  for (int levels = bench.most_levels(); levels > 0; --levels) {  // downwards: few levels may be very slow
    std::printf("{\"workload\": \"%s\", \"levels\": %d, \"scan\": [", workload, levels);
    const std::size_t before = scanned.size();
    bool worthwhile = scan(bench, levels, 0, scanned, before);
    for (double share : {0.5, 0.9}) {
      if (levels > 1) worthwhile = scan(bench, levels, share, scanned, before) || worthwhile;
    }
    std::printf("]}\n");
    if (levels < planned && !worthwhile) break;
  }
  std::ranges::sort(scanned, {}, &Candidate::median);
  scanned.resize(std::min<std::size_t>(scanned.size(), 4));
  for (Candidate& c : scanned) c.times.clear();
  return scanned;
}

/// Returns plans that the planner could choose otherwise, and the papers' rules.
std::vector<Candidate> alternatives(const Bench& bench) {
  std::vector<Candidate> result{{"bottom-up", {.direction = hgrid::Direction::bottom_up}, {}},
                                {"morton", {.keys = hgrid::KeyOrder::morton}, {}},
                                {"compacted", {.table = hgrid::TableKind::compacted}, {}}};
  using hgrid::paper::Rule;
  for (auto [rule, word] : {std::pair{Rule::optimal, "optimal"},
                            {Rule::constant_ratio, "constant"},
                            {Rule::exponential, "exponential"},
                            {Rule::linear, "linear"}}) {
    result.push_back(bench.paper(word, rule));
  }
  return result;
}

void run(const hgrid::Workload& workload) {
  const std::string name(workload.name);
  Bench bench(workload.sizes);
  Candidate planner{"planner", {}, {}};
  bench.time(planner, 3);  // also shows whether it is slow
  planner.times.clear();
  const std::size_t levels = bench.levels();
  std::vector<Candidate> rounds{planner};
  std::ranges::move(best_of_scan(bench, name.c_str(), static_cast<int>(levels)), std::back_inserter(rounds));
  const auto scanned = static_cast<std::ptrdiff_t>(rounds.size());
  std::ranges::move(alternatives(bench), std::back_inserter(rounds));
  for (int round = 0; round < 7; ++round) {
    for (Candidate& c : rounds) bench.time(c, 1);
  }
  const auto best = std::ranges::min_element(rounds.begin() + 1, rounds.begin() + scanned, {}, &Candidate::median);
  std::printf("{\"workload\": \"%s\", \"levels\": %zu, \"planner\": %.1f, \"best\": %.1f, \"best_plan\": [%s]", name.c_str(),
              levels, rounds[0].median(), best->median(), best->name.c_str());
  for (auto c = rounds.begin() + scanned; c != rounds.end(); ++c) std::printf(", \"%s\": %.1f", c->name.c_str(), c->median());
  std::printf("}\n");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  for (const hgrid::Workload& workload : hgrid::workloads) {
    if (argc == 1 || std::find(argv + 1, argv + argc, workload.name) != argv + argc) run(workload);
  }
}
