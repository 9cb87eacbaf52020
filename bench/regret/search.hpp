// SPDX-License-Identifier: BSD-3-Clause
// Looks for the plan that takes the least measured time. It knows nothing of the planner's model.
#pragma once

#include <functional>
#include <set>
#include <string_view>

#include "worker.hpp"

namespace regret {

/// A plan as it is varied: sides of cells are in units of the level's bound, that along x by the others.
struct Shape {
  struct Level {
    double bound, side, flat;
  };
  std::vector<Level> levels;
  hgrid::TableKind table = hgrid::TableKind::dense;

  Trial trial() const;

  /// Returns a key that is equal for two plans that hardly differ.
  std::vector<long> key() const;
};

/// The measured times of a plan: the first run, and the fastest of three if it was worth them.
struct Timed {
  Shape shape;
  Times first = {};
  std::optional<Times> warm = {};
};

/// Called with each plan that was timed. A plan that was stopped has no times.
using Observer = std::function<void(const Trial&, const std::optional<Timed>&)>;

class Search {
 public:
  /// `radii` in any order. Grids are made in slot 0 of the worker.
  Search(Worker& worker, std::vector<double> radii, Observer observer);

  /// Times the plan of a planner, and tries it as levels by hand. Nothing if it was stopped.
  std::optional<Description> start_from(const Trial& planner);

  /// Times a plan that is given as levels.
  void try_shape(const Shape& shape);

  /// Times uniform shapes of cells on 1 to 6 levels, in two ways of sharing the radii, in both tables: a few of each, and then
  /// more of the promising ones until the worker has spent so many seconds.
  void scan(double until);

  /// Varies the best of the scan, one thing at a time, as long as variations make them faster; each has its share of the
  /// worker's time.
  void descend(int starts, double until);

  /// Returns that many of the fastest, no two with equal bounds and table unless there are too few.
  std::vector<Shape> best(std::size_t most) const;

  /// Returns the best, and the levels of all planners: times are noisy, and no winner shall be slower than these.
  std::vector<Shape> finalists(std::size_t most) const;

  int timed() const { return timed_; }
  int stopped() const { return stopped_; }

 private:
  struct Config;

  std::optional<Timed> measure(const Shape& shape, double worth, double too_slow);
  std::vector<std::vector<double>> divisions() const;
  std::optional<Timed> measure_uniform(const Config& config, std::size_t side, double flat);
  std::vector<Config> promising(double until);
  void probe(Config& config, std::size_t start);
  void climb(Config& config);
  void descend_from(Timed from, double until);
  std::optional<Shape> moved(const Shape& from, std::size_t move, double step) const;
  std::optional<Shape> moved_bound(Shape from, std::size_t h, double factor) const;
  std::optional<Shape> split(Shape from, std::size_t h) const;
  double radius_below(double bound) const;

  Worker& worker_;
  std::vector<double> radii_;  ///< ascending, each once
  double particles_;
  Observer observer_;
  std::set<std::vector<long>> seen_;
  std::vector<Timed> results_;  ///< results with warm runs
  std::vector<Shape> planned_;
  double best_first_ = HUGE_VAL, best_whole_ = HUGE_VAL;  ///< the latter with the cold build
  int timed_ = 0, stopped_ = 0;
};

}  // namespace regret
