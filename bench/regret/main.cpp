// SPDX-License-Identifier: BSD-3-Clause
// The planner's regret on drawn systems: how much longer its plan takes than the best that a scan and a descent, both by
// measured time, can find. One JSON object a line and system, nanoseconds and counts per particle, one thread, build and
// list of pairs, warm; --help says what may be asked for. `regret` is the median of the ratio planner / winner, less 1.
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

namespace {

using namespace regret;

struct Options {
  std::uint64_t first = 1;
  std::uint64_t count = 1;
  std::int64_t n = 200000;
  double seconds = 8;
  bool named = false, runs = false, text = false;
};

struct Case {
  std::string name;  ///< or the seed
  hgrid::Recipe recipe;
  std::uint64_t seed;
};

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

void print(const Json& line) {
  std::puts(line.dump().c_str());
  std::fflush(stdout);
}

// Plans by hand for the named systems, whose least radius is 1.
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
void decide(Worker& worker, const std::vector<Shape>& best, double particles, Json& line) {
  std::vector<Trial> trials{{}};  // the planner's
  std::vector<std::size_t> finalists;
  for (const Shape& shape : best) finalists.push_back(trials.size()), trials.push_back(shape.trial());
  Finals finals(worker, trials);
  if (!finals.play(finalists, 3)) return;
  const std::size_t winner =
      *std::ranges::min_element(finalists, {}, [&](std::size_t slot) { return finals.median_total(slot); });
  for (const std::size_t slot : finalists) {
    if (slot != winner) worker.drop(static_cast<int>(slot));
  }
  if (!finals.play({0}, 1)) return;
  // Far behind is far behind: what is slow need not be timed so often.
  const int rounds = finals.median_total(0) > 4 * finals.median_total(winner) ? 3 : 9;
  if (!finals.play({0, winner}, rounds)) return;
  line["regret"] = brief(finals.ratio(0, winner, static_cast<std::size_t>(rounds)) - 1);
  line["rounds"] = rounds;
  line["planner"] = finals.report(0, particles);
  line["winner"] = finals.report(winner, particles);
}

void run(const Case& which, const Options& options) {
  const auto start = std::chrono::steady_clock::now();
  const hgrid::PackedSystem system = make_system(which.recipe, options.n, which.seed);
  const auto particles = static_cast<double>(options.n);
  Json line{{"system", which.name}, {"n", options.n}, {"text", to_text(which.recipe)}};
  if (options.text) return print(line);
  Worker worker(system);
  Observer observer;
  if (options.runs) {
    observer = [&](const Trial& trial, const std::optional<Timed>& timed) {
      Json run{{"run_of", which.name}, {"n", options.n}};
      run.update(to_json(trial, timed, timed ? worker.describe(0) : std::nullopt, particles));
      print(run);
    };
  }
  Search search(worker, system.r, observer);
  const bool planned = search.start_from_planner().has_value();
  const double begin = worker.spent();
  for (const Shape& shape : by_hand(which.name)) search.try_shape(shape);
  search.scan(begin + 0.5 * options.seconds);
  search.descend(3, begin + options.seconds);
  if (planned) decide(worker, search.finalists(Worker::slots - 1), particles, line);
  line["timed"] = search.timed(), line["stopped"] = search.stopped();
  line["searched_s"] = brief(worker.spent());
  line["seconds"] = brief(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  print(line);
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a child may be gone when it is asked
  Options o;
  CLI::App app("The planner's regret on drawn systems: its time over that of the best plan found, less 1.");
  app.add_option("--first", o.first, "seed of the first system")->capture_default_str();
  app.add_option("--count", o.count, "drawn systems, of consecutive seeds")->capture_default_str();
  app.add_option("--n", o.n, "particles")->check(CLI::Range(std::int64_t{4}, std::int64_t{1} << 31))->capture_default_str();
  app.add_option("--seconds", o.seconds,
                 "of the processor, for the search of one system; its making and the last runs come on top")
      ->capture_default_str();
  app.add_flag("--named", o.named, "the systems known to be hard, before drawn ones that are asked for");
  app.add_flag("--runs", o.runs, "print each plan that was timed, too, with its counts, which take a part of the seconds");
  app.add_flag("--text", o.text, "only say what the systems are");
  CLI11_PARSE(app, argc, argv);
  if (o.named) {
    for (const auto& [name, recipe] : hgrid::named_recipes()) run({std::string(name), recipe, 1}, o);
    if (app.count("--count") == 0) return 0;
  }
  for (std::uint64_t seed = o.first; seed < o.first + o.count; ++seed)
    run({std::to_string(seed), hgrid::drawn_recipe(seed), seed}, o);
}
