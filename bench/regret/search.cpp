// SPDX-License-Identifier: BSD-3-Clause
#include "search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace regret {
namespace {

using hgrid::TableKind;

// A side of exactly 2 R is a trap: through rounding it searches one row more on each side.
constexpr double sides[] = {2.02, 2.5, 3, 4, 5.5, 7.5, 10, 13, 20, 28, 40, 56, 80};
constexpr std::size_t usual_side = 3, stride = 3;
constexpr double usual_flatness = 0.25;
constexpr double powers[] = {1, 0.4};  // powers of the radius by which cells grow
constexpr int most_levels = 6;

// Factors over the best of first runs, which are compared with each other. A plan of the scan is run again if its first run is
// at most `worth_more` times slower than the best, and stopped if it is `hopeless` times slower. A way of sharing the radii is
// left if all its probes are `not_promising` times slower.
constexpr double worth_more = 1.3, hopeless = 2, not_promising = 1.6;
constexpr double patience = 0.005;  // seconds more, so that small systems are not stopped by a trifle

// Returns sizes of cells as a power of the radii; `side` is the top level's.
Shape uniform(const std::vector<double>& bounds, double power, double side, double flat, TableKind table) {
  Shape shape{{}, table};
  for (const double bound : bounds) shape.levels.push_back({bound, side * std::pow(bounds.back() / bound, 1 - power), flat});
  return shape;
}

bool is_alike(const Shape& a, const Shape& b) {
  return a.table == b.table && std::ranges::equal(a.levels, b.levels, {}, &Shape::Level::bound, &Shape::Level::bound);
}

}  // namespace

Trial Shape::trial() const {
  Trial result{{}, table};
  for (const Level& level : levels) {
    const double s = level.bound * level.side;
    result.levels.push_back({level.bound, {s * level.flat, s, s}});
  }
  return result;
}

std::vector<long> Shape::key() const {
  std::vector<long> result{static_cast<long>(table)};
  for (const Level& level : levels) {
    for (const double value : {level.bound, level.side, level.flat}) result.push_back(std::lround(200 * std::log(value)));
  }
  return result;
}

// Levels, table and growth of cells, with the results for these sides.
struct Search::Config {
  std::vector<double> bounds;
  TableKind table;
  double power;
  std::size_t best_side = usual_side;
  double best = HUGE_VAL;  ///< of first runs
};

Search::Search(Worker& worker, std::vector<double> radii, Observer observer)
    : worker_(worker),
      radii_(std::move(radii)),
      particles_(static_cast<double>(radii_.size())),
      observer_(std::move(observer)) {
  std::ranges::sort(radii_);
  radii_.erase(std::unique(radii_.begin(), radii_.end()), radii_.end());
}

std::optional<Description> Search::start_from(const Trial& planner) {
  worker_.plan(0, planner);
  const std::optional<Times> first = worker_.run(0, Worker::patient / 10);
  if (!first) return std::nullopt;
  if (first->total() < best_first_) best_first_ = first->total(), best_whole_ = first->cold + first->total();
  const std::optional<Description> made = worker_.describe(0);
  if (!made) return std::nullopt;
  Shape shape{{}, made->dense ? TableKind::dense : TableKind::compacted};
  for (int h = 0; h < made->level_count; ++h) {
    const Description::Level& level = made->level[h];
    const double other = level.cell_size[1];
    shape.levels.push_back({level.radius_bound, other / level.radius_bound, level.cell_size[0] / other});
  }
  try_shape(shape);
  planned_.push_back(shape);
  return made;
}

void Search::try_shape(const Shape& shape) { measure(shape, worth_more * best_first_, hopeless); }

// Two more runs follow a first one within `worth`; it is stopped when it takes so many times the best with its cold build.
std::optional<Timed> Search::measure(const Shape& shape, double worth, double too_slow) {
  if (!seen_.insert(shape.key()).second) return std::nullopt;
  const Trial trial = shape.trial();
  worker_.plan(0, trial);
  const double limit = std::fmin(patience + too_slow * best_whole_ * particles_ * 1e-9, Worker::patient);
  const std::optional<Times> first = worker_.run(0, limit);
  ++timed_;
  std::optional<Timed> result;
  if (first) {
    result = {shape, *first, {}};
    if (first->total() < best_first_) best_first_ = first->total(), best_whole_ = first->cold + first->total();
    if (first->total() <= worth) result->warm = first;
    for (int run = 0; run < 2 && first->total() <= worth; ++run) {
      const std::optional<Times> warm = worker_.run(0);
      if (warm && warm->total() < result->warm->total()) result->warm = warm;
    }
    if (result->warm) results_.push_back(*result);
  } else {
    ++stopped_;
  }
  if (observer_) observer_(trial, result);
  return result;
}

double Search::radius_below(double bound) const {
  const auto above = std::ranges::upper_bound(radii_, bound);
  return above == radii_.begin() ? radii_.front() : *(above - 1);
}

// Bounds of levels: evenly in the logarithm of the radii, and at the widest gaps between these.
std::vector<std::vector<double>> Search::divisions() const {
  const double least = radii_.front(), most = radii_.back();
  std::vector<std::size_t> gaps;  // the radius below each, widest first
  for (std::size_t i = 0; i + 1 < radii_.size(); ++i) gaps.push_back(i);
  const auto wider = [&](std::size_t a, std::size_t b) { return radii_[a + 1] * radii_[b] > radii_[b + 1] * radii_[a]; };
  std::ranges::partial_sort(gaps, gaps.begin() + std::min<std::ptrdiff_t>(most_levels, std::ssize(gaps)), wider);
  std::vector<std::vector<double>> result;
  for (const int levels : {2, 1, 3, 4, 5, 6}) {
    std::vector<double> even, by_gaps{most};
    for (int h = 1; h < levels; ++h) even.push_back(radius_below(least * std::pow(most / least, 1.0 * h / levels)));
    even.push_back(most);
    for (std::size_t g = 0; g + 1 < static_cast<std::size_t>(levels) && g < gaps.size(); ++g)
      by_gaps.push_back(radii_[gaps[g]]);
    for (auto* bounds : {&even, &by_gaps}) {
      std::ranges::sort(*bounds);
      bounds->erase(std::unique(bounds->begin(), bounds->end()), bounds->end());
      if (std::ranges::find(result, *bounds) == result.end()) result.push_back(*bounds);
    }
  }
  return result;
}

std::optional<Timed> Search::measure_uniform(const Config& config, std::size_t side, double flat) {
  const Shape shape = uniform(config.bounds, config.power, sides[side], flat, config.table);
  return measure(shape, worth_more * best_first_, hopeless);
}

// Few sides, from the one that was best before upwards as long as they are faster, else downwards; none if two are stopped.
void Search::probe(Config& config, std::size_t start) {
  const auto faster = [&](std::size_t k) {
    const auto timed = measure_uniform(config, k, usual_flatness);
    if (!timed || timed->first.total() >= config.best) return false;
    config.best = timed->first.total(), config.best_side = k;
    return true;
  };
  faster(start);
  for (std::size_t k = start + stride; k < std::size(sides) && faster(k); k += stride) continue;
  if (config.best_side == start && std::isfinite(config.best) && start >= stride) faster(start - stride);
}

// Goes from the best probe to both sides as long as that is faster, then tries other flatness.
void Search::climb(Config& config) {
  const auto faster = [&](std::size_t side, double flat) {
    const auto timed = measure_uniform(config, side, flat);
    if (!timed || timed->first.total() >= config.best) return false;
    config.best = timed->first.total(), config.best_side = side;
    return true;
  };
  const std::size_t start = config.best_side;
  for (std::size_t k = start; k-- > 0 && faster(k, usual_flatness);) continue;
  if (config.best_side == start) {
    for (std::size_t k = start + 1; k < std::size(sides) && faster(k, usual_flatness); ++k) continue;
  }
  for (const double flat : {1.0, 0.5}) faster(config.best_side, flat);
}

// Returns ways of sharing the radii, best first, each probed. Which table is better, and whether cells should grow as the radii
// do, depends on where the particles are more than on the levels. So one division is probed in all ways, the others in the best
// of these, and the best of them in all ways again.
std::vector<Search::Config> Search::promising(double until) {
  std::vector<Config> configs;
  std::size_t side = usual_side;
  const auto try_out = [&](const std::vector<double>& bounds, TableKind table, double power) {
    const auto same = [&](const Config& c) { return c.bounds == bounds && c.table == table && c.power == power; };
    if ((worker_.spent() > until && !results_.empty()) || std::ranges::any_of(configs, same)) return;
    Config config{bounds, table, power};
    probe(config, side);
    if (config.best <= best_first_) side = config.best_side;
    configs.push_back(config);
  };
  const auto in_all_ways = [&](const std::vector<double>& bounds) {
    for (const double power : powers) {
      for (const TableKind table : {TableKind::dense, TableKind::compacted}) {
        if (bounds.size() > 1 || power == powers[0]) try_out(bounds, table, power);
      }
    }
    std::ranges::sort(configs, {}, &Config::best);
  };
  const auto all = divisions();
  in_all_ways(all.front());
  if (configs.empty()) return configs;  // no time is left
  const Config best = configs.front();
  for (const auto& bounds : all) try_out(bounds, best.table, bounds.size() > 1 ? best.power : powers[0]);
  std::ranges::sort(configs, {}, &Config::best);
  const std::vector<Config> first(configs.begin(), configs.begin() + std::min<std::ptrdiff_t>(2, std::ssize(configs)));
  for (const Config& config : first) in_all_ways(config.bounds);
  return configs;
}

void Search::scan(double until) {
  for (Config& config : promising(until)) {
    if (worker_.spent() > until || config.best > not_promising * best_first_) break;
    climb(config);
  }
}

std::vector<Shape> Search::best(std::size_t most) const {
  std::vector<Timed> sorted = results_;
  std::ranges::sort(sorted, {}, [](const Timed& t) { return t.warm->total(); });
  std::vector<Shape> result;
  for (const bool any : {false, true}) {
    for (const Timed& t : sorted) {
      const auto alike = [&](const Shape& s) { return any ? s.key() == t.shape.key() : is_alike(s, t.shape); };
      if (result.size() < most && std::ranges::none_of(result, alike)) result.push_back(t.shape);
    }
  }
  return result;
}

std::vector<Shape> Search::finalists(std::size_t most) const {
  std::vector<Shape> result = best(most);
  for (const Shape& planned : planned_) {
    const auto same = [&](const Shape& s) { return s.key() == planned.key(); };
    if (std::ranges::none_of(result, same)) result.push_back(planned);
  }
  return result;
}

}  // namespace regret
