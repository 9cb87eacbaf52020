// SPDX-License-Identifier: BSD-3-Clause
// Plans are run in a child process, so that one that takes far too long can be killed.
#pragma once

#include <sys/types.h>
#include <time.h>

#include <optional>

#include "hgrid/core/types.hpp"
#include "hgrid/packing/recipe.hpp"
#include "host/planning/plan.hpp"

namespace regret {

/// A plan to be timed; no levels: the planner's own.
struct Trial {
  std::vector<hgrid::LevelSpec> levels = {};
  std::optional<hgrid::TableKind> table = {};
  std::optional<hgrid::SearchCosts> costs = {};  ///< that the planner weighs plans by; else the usual ones
};

/// Nanoseconds of the processor per particle, for one build and one list of pairs. Before the first run a grid is built once
/// more, `cold`: planned, and with fresh memory from the system.
struct Times {
  double cold = 0, build = 0, list = 0;
  std::int64_t pairs = 0;
  double total() const { return build + list; }
};

/// Counts of a built grid and its search, for all particles together.
struct Description {
  struct Level {
    double radius_max, radius_bound, cell_size[3];  ///< cells as they were laid out
    double cells;
    hgrid::index_t particles;
  };
  int level_count;
  Level level[hgrid::max_levels];
  bool dense, islands;
  double candidates, rows;  ///< of one search
  double setups;            ///< particles, each times the levels that it searches on
  double cells;             ///< of all levels
  double segments;          ///< for a compacted table: groups of 64 cells with an occupied one; 0 for a dense table
  double pairs, bytes;
};

/// Holds a system and some grids of it in a child process. A call that takes more than that number of seconds of the processor,
/// or fails, ends the child and returns nothing: the grids are gone, and the next `plan` starts another child. Neither the
/// seconds nor the times include other programs on the machine.
class Worker {
 public:
  static constexpr int slots = 7;         ///< for grids
  static constexpr double patient = 600;  ///< seconds

  /// The system must outlive the worker.
  explicit Worker(const hgrid::PackedSystem& system) : system_(system) {}
  Worker(const Worker&) = delete;
  ~Worker() { stop(); }

  /// Makes the grid of a slot with this plan, yet to be built. Throws std::system_error if there is no process to be had.
  void plan(int slot, const Trial& trial);
  void drop(int slot);

  /// Builds and lists once.
  std::optional<Times> run(int slot, double seconds = patient);
  std::optional<Description> describe(int slot, double seconds = patient);

  /// Seconds of the processor that all children have used.
  double spent() const;

 private:
  struct Request;
  template <int D>
  class Child;

  void start();
  void stop();
  void send(const Request& request);
  template <class Answer>
  std::optional<Answer> ask(const Request& request, double seconds);

  const hgrid::PackedSystem& system_;
  pid_t child_ = 0;
  clockid_t clock_ = 0;  ///< of the child
  double spent_ = 0;     ///< spent by earlier children
  int to_ = -1, from_ = -1;
  std::int64_t pairs_ = 0;  ///< size of a list of all pairs, once it is known
};

}  // namespace regret
