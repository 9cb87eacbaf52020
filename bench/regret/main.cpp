// SPDX-License-Identifier: BSD-3-Clause
// The planner's regret on drawn systems: how much longer its plan takes than the best that a scan and a descent, both by
// measured time, can find. One JSON object per line and system, nanoseconds and counts per particle, one thread, build and list
// of pairs, warm; --help lists the options. `regret` is the median of the ratio planner / winner, less 1.
#include <csignal>
#include <cstdio>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <functional>
#include <string>

#include "hgrid/packing/drawn.hpp"
#include "report.hpp"
#include "search.hpp"
#include "tests/support/counted_work.hpp"
#include "tests/support/shaped_systems.hpp"

namespace {

using namespace regret;

constexpr int most_finalists = 3;

struct Options {
  std::uint64_t first = 1;
  std::uint64_t count = 1;
  std::int64_t n = 200000;
  double seconds = 8;
  bool named = false, shapes = false, runs = false, text = false, counted = false;
  std::vector<double> costs = {};  ///< of the steps, for a second planner
};

std::vector<Trial> planners_of(const Options& o) {
  std::vector<Trial> planners{{}};
  const auto& c = o.costs;
  if (!c.empty()) planners.push_back({.costs = hgrid::SearchCosts{c[0], c[1], c[2], c[3], c[4], c[5], c[6]}});
  return planners;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

void print(const Json& line) {
  std::puts(line.dump().c_str());
  std::fflush(stdout);
}

// Returns plans made by hand for the named systems, whose least radius is 1.
std::vector<Shape> by_hand(const std::string& name) {
  using enum hgrid::TableKind;
  if (name == "two-sizes") return {{{{1, 60, 1}, {100, 3.5, 0.25}}, dense}};
  if (name == "cluster-10") return {{{{3, 4, 0.25}, {10, 3, 0.25}}, compacted}};
  return {};
}

/// Runs of plans in turns, in the slots of a worker.
class Finals {
 public:
  Finals(Worker& worker, const std::vector<Trial>& trials) : worker_(worker), times_(trials.size()) {
    for (std::size_t slot = 0; slot < trials.size(); ++slot) {
      worker_.plan(static_cast<int>(slot), trials[slot]);
      worker_.run(static_cast<int>(slot));
    }
  }

  /// False if a plan could not be run to its end.
  bool play(const std::vector<std::size_t>& slots, int rounds) {
    for (int round = 0; round < rounds; ++round) {
      for (const std::size_t slot : slots) {
        const std::optional<Times> taken = worker_.run(static_cast<int>(slot));
        if (!taken) return false;
        times_[slot].push_back(*taken);
      }
    }
    return true;
  }

  double median_total(std::size_t slot) const { return median_of(slot, &Times::total); }

  Json report(std::size_t slot, double particles) {
    Json line{{"ns", brief(median_total(slot))}};
    line["build_ns"] = brief(median_of(slot, &Times::build));
    line["list_ns"] = brief(median_of(slot, &Times::list));
    if (const auto made = worker_.describe(static_cast<int>(slot))) line.update(to_json(*made, particles));
    return line;
  }

  /// The median over the last rounds of one's time over the other's.
  double ratio(std::size_t a, std::size_t b, std::size_t rounds) const {
    std::vector<double> ratios;
    for (std::size_t k = 1; k <= rounds; ++k)
      ratios.push_back((times_[a].end() - static_cast<std::ptrdiff_t>(k))->total() /
                       (times_[b].end() - static_cast<std::ptrdiff_t>(k))->total());
    return median(ratios);
  }

 private:
  template <class Part>
  double median_of(std::size_t slot, const Part& part) const {
    std::vector<double> values;
    for (const Times& t : times_[slot]) values.push_back(std::invoke(part, t));
    return median(values);
  }

  Worker& worker_;
  std::vector<std::vector<Times>> times_;
};

/// Adds the planner, the winner and the regret to the line.
void decide(Worker& worker, std::vector<Trial> trials, const std::vector<Shape>& best, double particles, Json& line) {
  const std::size_t planners = trials.size();
  std::vector<std::size_t> finalists, last;
  for (std::size_t slot = 0; slot < planners; ++slot) last.push_back(slot);
  for (const Shape& shape : best) finalists.push_back(trials.size()), trials.push_back(shape.trial());
  Finals finals(worker, trials);
  if (!finals.play(finalists, 3)) return;
  const std::size_t winner =
      *std::ranges::min_element(finalists, {}, [&](std::size_t slot) { return finals.median_total(slot); });
  for (const std::size_t slot : finalists) {
    if (slot != winner) worker.drop(static_cast<int>(slot));
  }
  if (!finals.play(last, 1)) return;
  // A plan that is far behind need not be timed often.
  const int rounds = finals.median_total(0) > 4 * finals.median_total(winner) ? 3 : 9;
  last.push_back(winner);
  if (!finals.play(last, rounds)) return;
  const auto regret = [&](std::size_t slot) { return brief(finals.ratio(slot, winner, static_cast<std::size_t>(rounds)) - 1); };
  line["regret"] = regret(0);
  line["rounds"] = rounds;
  line["planner"] = finals.report(0, particles);
  line["winner"] = finals.report(winner, particles);
  if (planners < 2) return;
  line["with_costs"] = Json{{"regret", regret(1)}};
  line["with_costs"].update(finals.report(1, particles));
}

void run(const std::string& name, const std::string& text, const hgrid::PackedSystem& system, const Options& options) {
  if (options.counted) {
    static const support::CountedWork one_size[] = {support::work_of_one_size(2, options.n),
                                                    support::work_of_one_size(3, options.n)};
    const support::CountedWork work = support::counted_work(system);
    return print({{"system", name},
                  {"n", options.n},
                  {"over_one_size", brief(work.over(one_size[system.dimension - 2]))},
                  {"contacts", brief(work.contacts / work.particles)},
                  {"table", work.compacted ? "compacted" : "dense"}});
  }
  const auto start = std::chrono::steady_clock::now();
  const auto particles = static_cast<double>(options.n);
  const std::vector<Trial> planners = planners_of(options);
  Json line{{"system", name}, {"n", options.n}, {"text", text}};
  Worker worker(system);
  Observer observer;
  if (options.runs) {
    observer = [&](const Trial& trial, const std::optional<Timed>& timed) {
      Json run{{"run_of", name}, {"n", options.n}};
      run.update(to_json(trial, timed, timed ? worker.describe(0) : std::nullopt, particles));
      print(run);
    };
  }
  Search search(worker, system.r, observer);
  bool planned = true;
  for (const Trial& planner : planners) planned = search.start_from(planner).has_value() && planned;
  const double begin = worker.spent();
  for (const Shape& shape : by_hand(name)) search.try_shape(shape);
  search.scan(begin + 0.5 * options.seconds);
  search.descend(3, begin + options.seconds);
  if (planned) decide(worker, planners, search.finalists(most_finalists), particles, line);
  line["timed"] = search.timed(), line["stopped"] = search.stopped();
  line["searched_s"] = brief(worker.spent());
  line["seconds"] = brief(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  print(line);
}

void run(const std::string& name, const hgrid::Recipe& recipe, std::uint64_t seed, const Options& options) {
  if (options.text) return print({{"system", name}, {"n", options.n}, {"text", to_text(recipe)}});
  run(name, to_text(recipe), make_system(recipe, options.n, seed), options);
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a child may have ended when it gets a request
  Options o;
  CLI::App app("The planner's regret on drawn systems: its time over that of the best plan found, less 1.");
  app.add_option("--first", o.first, "seed of the first system")->capture_default_str();
  app.add_option("--count", o.count, "drawn systems, of consecutive seeds")->capture_default_str();
  app.add_option("--n", o.n, "particles")->check(CLI::Range(std::int64_t{4}, std::int64_t{1} << 31))->capture_default_str();
  app.add_option("--seconds", o.seconds,
                 "of the processor, for the search of one system; its making and the last runs come on top")
      ->capture_default_str();
  app.add_flag("--named", o.named, "the systems known to be hard, before drawn ones that are asked for");
  app.add_flag("--shapes", o.shapes,
               "the systems of tests/support/shaped_systems.hpp, drawn by the first seed, before drawn systems");
  app.add_option("--costs", o.costs,
                 "costs of the steps, in the order of SearchCosts: a planner with these is measured in turn with the usual one")
      ->expected(7);
  app.add_flag("--runs", o.runs, "print each plan that was timed, too, with its counts, which take a part of the seconds");
  app.add_flag("--text", o.text, "only say what the systems are");
  app.add_flag("--counted", o.counted,
               "only count the work of a search, over that of one size with as many particles and contacts");
  CLI11_PARSE(app, argc, argv);
  if (o.named) {
    for (const auto& [name, recipe] : hgrid::named_recipes()) run(std::string(name), recipe, 1, o);
  }
  if (o.shapes) {
    for (const support::shapes::Shaped& s : support::shapes::shaped_systems(o.n, o.first)) run(s.name, s.text, s.system, o);
  }
  if ((o.named || o.shapes) && app.count("--count") == 0) return 0;
  for (std::uint64_t seed = o.first; seed < o.first + o.count; ++seed)
    run(std::to_string(seed), hgrid::drawn_recipe(seed), seed, o);
}
