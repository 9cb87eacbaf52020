// SPDX-License-Identifier: BSD-3-Clause
// hgrid calibrate: measures what the elementary steps of a search cost on this machine.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "commands.hpp"
#include "exits.hpp"
#include "hgrid/hgrid.hpp"
#include "hgrid/host/io/atomic_file.hpp"
#include "hgrid/host/io/distinct_files.hpp"
#include "hgrid/host/io/printable.hpp"
#include "hgrid/host/packing/packing.hpp"
#include "hgrid/host/planning/cost_model.hpp"
#include "progress.hpp"
#include "values.hpp"

namespace hgrid::tool {
namespace {

struct CalibrateOptions {
  std::string out = "-";
  bool overwrite = false;
  int threads = 0;
  std::int64_t particles = 1000000;
};

using Kind = SizeDistribution::Kind;
constexpr SizeDistribution systems[] = {{Kind::mono}, {Kind::power_law, 10, -3}, {Kind::power_law, 100, -3}};
constexpr CellShape shapes[] = {{2.02, 2.02}, {0.5, 2.02}, {1.5, 3}, {1, 4}, {1.6, 6.5}, {8, 8}};

/// Levels that share the bins evenly, all with cells of one shape; what they cost by the model and by the
/// clock.
template <class Exec>
class Calibration {
 public:
  Calibration(Exec exec, const Packing& packing) : exec_(exec), packing_(packing) {
    const double largest = *std::ranges::max_element(packing.r);
    bins_ = radius_histogram(packing.r, 1, largest);
  }

  int most_levels() const { return std::min<int>(static_cast<int>(bins_.size()), 6); }
  /// One level for sizes this different would take minutes.
  int least_levels() const { return bins_.size() > 30 ? 3 : 1; }

  CalibrationRun run(int levels, CellShape shape) const {
    const double n = static_cast<double>(packing_.r.size());
    const CostModel model(bins_, std::pow(packing_.length, 3), 3, 0, Direction::top_down, {});
    CalibrationRun result;
    GridOptions options;
    const int bins = static_cast<int>(bins_.size());
    for (int h = 0; h < levels; ++h) {
      const int first = h * bins / levels, last = (h + 1) * bins / levels;
      const double radius = bins_[last - 1].radius_max;
      options.levels.push_back({radius, {shape.x * radius, shape.other * radius, shape.other * radius}});
      const SearchWork work = model.work(first, last, shape);
      result.work.setups += work.setups / n, result.work.rows += work.rows / n;
      result.work.candidates += work.candidates / n, result.work.cells += work.cells / n;
    }
    Grid grid{exec_, Box3::open(), options};
    const auto view = hgrid::particles(packing_.x.data(), packing_.y.data(), packing_.z.data(),
                                       packing_.r.data(), static_cast<std::int64_t>(packing_.r.size()));
    auto pairs = grid.make_pairs();
    std::vector<double> seconds;
    for (int repeat = 0; repeat < 4; ++repeat) {
      const double start = now();
      grid.build(view);
      grid.pairs(pairs);
      if (repeat > 0) seconds.push_back(now() - start);
    }
    std::ranges::sort(seconds);
    result.time = 1e9 * seconds[1] / n;
    result.contacts = static_cast<double>(pairs.size()) / n;
    return result;
  }

 private:
  Exec exec_;
  const Packing& packing_;
  std::vector<RadiusBin> bins_;
};

/// The constants, and how far the model is off with them.
template <class Exec>
std::string calibrated(Exec exec, const CalibrateOptions& o, Progress& progress) {
  std::vector<CalibrationRun> runs;
  for (const SizeDistribution& sizes : systems) {
    progress.step(std::string("measuring ") + exec.name());
    const Packing packing = random_packing({sizes, o.particles, 0.62});
    const Calibration<Exec> calibration(exec, packing);
    for (int levels = calibration.least_levels(); levels <= calibration.most_levels();
         levels += 1 + levels / 3) {
      progress.detail(fmt::format("run {}", runs.size() + 1));
      for (const CellShape& shape : shapes) runs.push_back(calibration.run(levels, shape));
    }
  }
  const SearchCosts costs = fit_costs(runs);
  return fmt::format("{:<8} {:.4g} {:.4g} {:.4g} {:.4g}\n", exec.name(), costs.setup, costs.row,
                     costs.candidate, costs.cell);
}

void run(const CalibrateOptions& o) {
  io::AtomicFile file(o.out, o.overwrite);  // what cannot be written is known before the work
  std::string text = fmt::format(
      "# Costs of hgrid's search in nanoseconds, measured by hgrid calibrate on {} particles\n"
      "# executor setup row candidate cell\n",
      o.particles);
  {
    Progress progress;
    text += calibrated(SerialExec(), o, progress);
    text += calibrated(OpenMPExec(usable_threads(o.threads)), o, progress);
  }
  file.write(text);
  const std::string next = fmt::format("next       export HGRID_CALIBRATION={}\n", io::printable_path(o.out));
  if (o.out != "-") print(io::is_standard_output(o.out), next);
  file.commit();
}

}  // namespace

void add_calibrate(CLI::App& app, Action& action) {
  const auto o = std::make_shared<CalibrateOptions>();
  CLI::App* command =
      app.add_subcommand("calibrate", "Measure what the steps of a search cost on this machine");
  add_file(*command, "--out", o->out, "File to write, for $HGRID_CALIBRATION (default: standard output)", "FILE");
  command->add_flag("--overwrite", o->overwrite, "Replace FILE if it exists, with its permissions, unless it is read-only");
  command->add_option("--threads", o->threads, "OpenMP threads (default: as OpenMP chooses)")
      ->check(CLI::Range(0, 1 << 20))
      ->option_text("N");
  command->add_option("--n", o->particles, "Particles of each system (default: 1000000)")
      ->check(CLI::Range(1000, 100000000))
      ->option_text("N");
  command->footer("Example: hgrid calibrate --out ~/.hgrid-costs; export HGRID_CALIBRATION=~/.hgrid-costs");
  command->callback([o, &action] { action = [o] { run(*o); }; });
}

}  // namespace hgrid::tool
