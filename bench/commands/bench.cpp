// SPDX-License-Identifier: BSD-3-Clause
// hgrid bench: build and list on the workloads of the field, against other codes in one process.
#include "bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "hgrid/packing/drawn.hpp"
#include "hgrid/packing/relax.hpp"
#include "hgrid/packing/workloads.hpp"
#include "io/atomic_file.hpp"
#include "io/distinct_files.hpp"
#include "src/tool/commands.hpp"
#include "src/tool/exits.hpp"
#include "src/tool/progress.hpp"
#include "src/tool/record.hpp"
#include "src/tool/seconds.hpp"
#include "src/tool/values.hpp"

namespace hgrid::tool {
namespace {

struct BenchSystem {
  std::string name;
  std::function<Packing(std::int64_t n)> make;
};

std::vector<BenchSystem> usual_systems() {
  std::vector<BenchSystem> systems;
  for (const Workload& w : workloads) {
    systems.push_back({std::string(w.name), [w](std::int64_t n) { return random_packing({w.sizes, n, workload_fraction}); }});
  }
  return systems;
}

/// Systems on which levels are hard to choose, all in open cubes.
std::vector<BenchSystem> hard_systems() {
  std::vector<BenchSystem> systems;
  for (const NamedRecipe& named : named_recipes()) {
    systems.push_back({std::string(named.name), [named](std::int64_t n) {
                         PackedSystem made = make_system(named.recipe, n, 1);
                         return Packing{
                             3, made.length[0], std::move(made.x), std::move(made.y), std::move(made.z), std::move(made.r)};
                       }});
  }
  return systems;
}

std::vector<BenchSystem> asked_for(const std::string& names) {
  if (names == "all") return usual_systems();
  if (names == "hard") return hard_systems();
  std::vector<BenchSystem> known = usual_systems(), asked;
  std::ranges::move(hard_systems(), std::back_inserter(known));
  std::istringstream in(names);
  for (std::string name; std::getline(in, name, ',');) {
    const auto at = std::ranges::find(known, name, &BenchSystem::name);
    if (at == known.end()) refuse("--workloads: there is no workload " + name);
    asked.push_back(*at);
  }
  return asked;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

/// Runs `once` and returns its times; the first `warm` runs do not count.
BenchRow measure(const BenchOptions& o, int warm, const std::function<Stages()>& once) {
  const double unit = 1e9 / static_cast<double>(o.n);
  std::vector<double> totals;
  std::vector<std::vector<double>> parts;
  BenchRow row;
  row.n = o.n;
  for (int k = -warm; k < o.repeat; ++k) {
    row.stages = once();
    if (k < 0) continue;
    parts.resize(row.stages.size());
    double total = 0;
    for (std::size_t s = 0; s < parts.size(); ++s) {
      parts[s].push_back(row.stages[s].second * unit);
      total += parts[s].back();
    }
    totals.push_back(total);
  }
  for (std::size_t s = 0; s < parts.size(); ++s) row.stages[s].second = median(parts[s]);
  row.least = std::ranges::min(totals), row.median = median(totals), row.most = std::ranges::max(totals);
  return row;
}

BenchRow measure_hgrid(const BenchOptions& o, const Packing& p, int threads, std::vector<Pair>& pairs) {
  SearchGrid grid({.threads = threads});
  grid.take(particles(p.x.data(), p.y.data(), p.z.data(), p.r.data(), o.n));
  BenchRow row = measure(o, 2, [&] {
    const double start = now();
    grid.build();
    const double built = now();
    grid.list(o.order);
    return Stages{{"build", built - start}, {"list", now() - built}};
  });
  row.code = "hgrid", row.threads = threads, row.bytes = grid.plan().bytes;
  const auto found = grid.found();
  row.pairs = found.size;
  pairs.resize(static_cast<std::size_t>(found.size));
  for (offset_t k = 0; k < found.size; ++k) pairs[static_cast<std::size_t>(k)] = {found[k].i, found[k].j};
  return row;
}

void sort_pairs(std::vector<Pair>& pairs) {
  std::ranges::sort(pairs, [](const Pair& a, const Pair& b) { return a.i != b.i ? a.i < b.i : a.j < b.j; });
}

void run_system(const BenchOptions& o, const BenchSystem& system, Progress& progress, BenchReport& report) {
  const std::string& name = system.name;
  progress.step(name + ": generating");
  Packing packing = system.make(o.n);
  if (o.relaxed) relax(packing);
  std::vector<Pair> expected, pairs;
  std::vector<int> counts{usable_threads(o.threads)};
  if ((o.peers || !o.page.empty()) && counts[0] != 1) counts.push_back(1);  // most peers are serial
  std::map<int, double> medians;
  const auto add = [&](BenchRow row) {
    row.workload = name;
    report.rows.push_back(std::move(row));
  };
  for (int threads : counts) {
    progress.step(fmt::format("{}: hgrid on {} threads", name, threads));
    BenchRow row = measure_hgrid(o, packing, threads, expected);
    medians[threads] = row.median;
    add(row);
  }
  if (!o.peers) return;
  sort_pairs(expected);
  for (const Peer& peer : found_peers()) {
    if (const auto why = peer.declines(packing)) {
      report.skipped.push_back(fmt::format("{} on {}: {}", peer.name, name, *why));
      continue;
    }
    progress.step(name + ": " + peer.name);
    BenchRow row = measure(o, 1, [&] { return pairs.clear(), peer.find(packing, pairs); });
    row.code = peer.name, row.pairs = static_cast<std::int64_t>(pairs.size());
    row.threads = peer.threaded ? counts[0] : 1;
    row.ratio = row.median / medians.at(row.threads);
    add(row);
    sort_pairs(pairs);
    if (pairs != expected) report.differ.push_back(peer.name + " on " + name);
  }
}

void run(const BenchOptions& o) {
  std::unique_ptr<io::AtomicFile> page;  // before the work, which is of no use if the file cannot be written
  if (!o.page.empty()) page = std::make_unique<io::AtomicFile>(o.page, o.overwrite);
  BenchReport report;
  report.machine = describe_machine();
  if (o.peers) report.absent = absent_peers();
  const std::vector<BenchSystem> asked = asked_for(o.workloads);
  {
    std::optional<PeerRuntime> runtime;
    if (o.peers) runtime.emplace(usable_threads(o.threads));
    Progress progress;
    for (const BenchSystem& system : asked) run_system(o, system, progress, report);
  }
  const Record record = record_of(report);
  print(io::is_standard_output(o.page), o.json ? record.json() : record.text());
  if (!report.differ.empty()) {
    throw std::logic_error(fmt::format("pairs differ from hgrid's: {}", fmt::join(report.differ, "; ")));
  }
  if (page) page->write(page_of(report, o)), page->commit();
}

}  // namespace

std::vector<double> step_seconds(SearchGrid& grid, int steps) {
  std::vector<double> seconds;
  for (int step = 0; step <= steps; ++step) {
    const double start = now();
    grid.build();
    grid.list();
    if (step > 0) seconds.push_back(now() - start);
  }
  std::ranges::sort(seconds);
  return seconds;
}

void add_bench(CLI::App& app, Action& action) {
  const auto o = std::make_shared<BenchOptions>();
  CLI::App* command = app.add_subcommand("bench", "Measure build and list, also beside other codes");
  command
      ->add_option("--workloads", o->workloads,
                   "mono: one size; pl10, pl50, pl100, pl1000: power law r^-3 up to that ratio; "
                   "bi10: two sizes 1:10; us50: uniform radii; ln100: log-normal; "
                   "hard, or one of them: two-sizes 1:100, cluster-1 and cluster-10 in a gas, "
                   "dilute-2 to dilute-5 of packing fraction 1e-2 to 1e-5 (default: all, the first eight)")
      ->option_text("LIST");
  command->add_flag("--relaxed", o->relaxed, "Push the overlaps of the random packings apart first");
  command->add_option("--n", o->n, "Number of particles (default: 1000000)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{most_particles}))
      ->option_text("N");
  command->add_option("--threads", o->threads, "Of hgrid and of peers that are parallel (default: all cores)")
      ->check(CLI::Range(1, 100'000))
      ->option_text("T");
  command->add_option("--repeat", o->repeat, "Measured runs, of which the median counts (default: 5)")
      ->check(CLI::Range(1, 1000))
      ->option_text("R");
  add_choice(*command, "--order", o->order, "Of the pairs (default: fixed)");
  command->add_flag("--peers", o->peers, "Also the other codes of this build, whose pairs must be the same (else exit 70)");
  command->add_flag("--json", o->json, "One JSON object");
  add_file(*command, "--report", o->page,
           "A page for browsers: these times, on one thread and all, beside those of the documents", "FILE.html");
  add_overwrite(*command, o->overwrite, "FILE.html");
  command->footer("Example: hgrid bench --workloads mono,pl10 --n 200000 --peers");
  command->callback([o, &action] { action = [o] { run(*o); }; });
}

}  // namespace hgrid::tool
