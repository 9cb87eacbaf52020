// SPDX-License-Identifier: BSD-3-Clause
// hgrid calibrate: measures the cost of the elementary steps of a search on this machine.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "bench.hpp"
#include "hgrid/grid.hpp"
#include "hgrid/packing/recipe.hpp"
#include "hgrid/threads/serial_exec.hpp"
#include "host/planning/cost_model.hpp"
#include "io/atomic_file.hpp"
#include "io/distinct_files.hpp"
#include "io/printable.hpp"
#include "src/tool/commands.hpp"
#include "src/tool/exits.hpp"
#include "src/tool/progress.hpp"
#include "src/tool/values.hpp"

namespace hgrid::tool {
namespace {

struct CalibrateOptions {
  std::string out = "-";
  bool overwrite = false;
  int threads = 0;
  std::int64_t particles = 1000000;
};

/// Packings of one size and of power laws, and a dense cluster in a thin gas, for which compacted tables are best.
std::vector<Recipe> systems() {
  std::vector<Recipe> recipes;
  for (const double ratio : {1, 10, 100}) {
    recipes.push_back({.fraction = 0.62, .populations = {{.sizes = {.ratio = ratio, .exponent = 3}}}});
  }
  recipes.push_back({.fraction = 2 * 0.62e-5, .dense_part = 1e-5, .populations = {{}, {.everywhere = true}}});
  return recipes;
}

constexpr detail::CellShape shapes[] = {{2.02, 2.02}, {0.5, 2.02}, {1.5, 3}, {1, 4}, {1.6, 6.5}, {8, 8}};

/// Levels that share the bins evenly, all with cells of one shape: the steps of their searches as counted, and their time.
class Calibration {
 public:
  Calibration(GridSpec spec, const PackedSystem& system) : spec_(std::move(spec)), system_(system) {
    bins_ = detail::radius_histogram(system.r, 1, *std::ranges::max_element(system.r));
  }

  int most_levels() const { return std::min<int>(static_cast<int>(bins_.size()), 6); }
  /// One level for sizes this different would take minutes.
  int least_levels() const { return bins_.back().radius_max > 30 * bins_.front().radius_max ? 3 : 1; }

  /// Returns nothing if a dense table would have more cells than are allowed.
  std::optional<detail::CalibrationRun> run(int levels, detail::CellShape shape, TableKind table) const {
    GridSpec spec = spec_;
    spec.options.table = table;
    const int bins = static_cast<int>(bins_.size());
    for (int h = 0; h < levels; ++h) {
      const double radius = bins_[static_cast<std::size_t>((h + 1) * bins / levels - 1)].radius_max,
                   other = shape.other * radius;
      spec.options.levels.push_back({radius, {shape.x * radius, other, other}});
    }
    const auto n = static_cast<std::int64_t>(system_.r.size());
    const Particles<double, 3> all = particles(system_.x.data(), system_.y.data(), system_.z.data(), system_.r.data(), n);
    detail::CalibrationRun result;
    if (!count(all, spec.options, result.work)) return std::nullopt;
    SearchGrid grid(spec);
    grid.take(all);
    result.time = 1e9 * step_seconds(grid, 3).front() / static_cast<double>(n);  // other work of the machine only adds time
    result.contacts = static_cast<double>(grid.found().size) / static_cast<double>(n);
    return result;
  }

 private:
  // Per particle, by the grid's view, which all host executors give alike; searches are Top-Down. False if the table is
  // dense, and its cells were made larger.
  static bool count(const Particles<double, 3>& all, const GridOptions& options, detail::SearchWork& work) {
    Grid<SerialExec, 3> grid(SerialExec(), Box3::open(), options);
    grid.build(all);
    const GridView<3> view = grid.view();
    const bool compacted = view.table.kind == TableKind::compacted;
    if (!compacted && view.level[0].cell_size[2] != options.levels[0].cell_size[2]) return false;
    const WorkCount counted = grid.work();
    const auto n = static_cast<double>(all.count);
    for (int h = 0; h < view.level_count; ++h) {
      const Vec<index_t, 3>& cells = view.level[h].cells;
      work.setups += (h + 1) * static_cast<double>(view.level_begin[h + 1] - view.level_begin[h]) / n;
      if (!compacted) work.cells += static_cast<double>(cells[0]) * cells[1] * cells[2] / n;
    }
    (compacted ? work.compacted_rows : work.rows) = static_cast<double>(counted.rows) / n;
    work.compacted_slots = compacted;
    work.candidates = static_cast<double>(counted.candidates) / n;
    return true;
  }

  GridSpec spec_;
  const PackedSystem& system_;
  std::vector<detail::RadiusBin> bins_;
};

/// The constants of one executor, as a line of the file.
std::string calibrated(const GridSpec& spec, const CalibrateOptions& o, Progress& progress) {
  std::vector<detail::CalibrationRun> runs;
  for (const Recipe& recipe : systems()) {
    progress.step(std::string("measuring ") + name_of(spec.backend));
    const PackedSystem system = make_system(recipe, o.particles, 1);
    const Calibration calibration(spec, system);
    for (int levels = calibration.least_levels(); levels <= calibration.most_levels(); levels += 1 + levels / 3) {
      for (const detail::CellShape& shape : shapes) {
        for (const TableKind table : {TableKind::dense, TableKind::compacted}) {
          progress.detail(fmt::format("run {}", runs.size() + 1));
          if (const auto run = calibration.run(levels, shape, table)) runs.push_back(*run);
        }
      }
    }
  }
  const SearchCosts c = detail::fit_costs(runs);
  return fmt::format("{:<8} {:.4g} {:.4g} {:.4g} {:.4g} {:.4g} {:.4g}\n", name_of(spec.backend), c.setup, c.row, c.candidate,
                     c.cell, c.compacted_row, c.compacted_slot);
}

void run(const CalibrateOptions& o) {
  io::AtomicFile file(o.out, o.overwrite);  // a file that cannot be written is found before the work
  std::string text = fmt::format(
      "# Costs of hgrid's search in nanoseconds, measured by hgrid calibrate on {} particles\n"
      "# executor setup row candidate cell compacted_row compacted_slot\n",
      o.particles);
  {
    Progress progress;
    text += calibrated({.backend = Backend::serial}, o, progress);
    text += calibrated({.threads = usable_threads(o.threads)}, o, progress);
  }
  file.write(text);
  const std::string next = fmt::format("next       export HGRID_CALIBRATION={}\n", io::printable_path(o.out));
  if (o.out != "-") print(io::is_standard_output(o.out), next);
  file.commit();
}

}  // namespace

void add_calibrate(CLI::App& app, Action& action) {
  const auto o = std::make_shared<CalibrateOptions>();
  CLI::App* command = app.add_subcommand("calibrate", "Measure what the steps of a search cost on this machine");
  add_file(*command, "--out", o->out, "File to write, for $HGRID_CALIBRATION (default: standard output)", "FILE");
  add_overwrite(*command, o->overwrite, "FILE");
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
