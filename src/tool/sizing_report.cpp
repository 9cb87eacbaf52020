// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "io/printable.hpp"
#include "record.hpp"
#include "report.hpp"
#include "sizing.hpp"

namespace hgrid::tool {
namespace {

void add_sized_levels(Record& out, const SizingInput& input, const Sizing& sizing) {
  out.row().say("  {:>12}  {:<32}  {:>11}  {:>11}", "radius_max", "cell_size", "particles", "per cell");
  std::vector<double> occupancy;
  for (const SizedLevel& level : sizing.levels) {
    Record row;
    add_level_columns(row, level.spec.radius_max, level.spec.cell_size, input.dimension);
    row.add("share", level.share, "  {:>9.4g} %", 100 * level.share).say("  {:>11.4g}", level.occupancy);
    out.add_row("levels", row);
    occupancy.push_back(level.occupancy);
  }
  out.add("occupancy", occupancy);
}

// Explains the levels by the costs of their steps.
void add_calibrated(Record& out, const Sizing& sizing) {
  const detail::SearchWork& n = sizing.steps;
  const SearchCosts& c = sizing.costs;
  const bool dense = sizing.table == TableKind::dense;
  const auto add = [&](const std::string& name, double cost, double count, const char* words) {
    out.add("steps/" + name, count).say("{:.4g} of {:.4g} {}", cost, count, words);
  };
  out.line("");
  add("setups", c.setup * n.setups, n.setups, "levels searched, ");
  add("candidates", c.candidate * n.candidates, n.candidates, "candidates, ");
  add("rows", c.row * n.rows + c.compacted_row * n.compacted_rows, n.rows + n.compacted_rows, "rows looked up, ");
  if (dense) {
    add("cells", c.cell * n.cells, n.cells, "cells");
  } else {
    out.add("steps/cells", n.cells).say("{:.4g} of the table", c.compacted_slot * n.compacted_slots);
  }
}

// Adds the costs of the best levels with either table.
void add_tables(Record& out, const Sizing& sizing) {
  const auto [dense, compacted] = sizing.table_work;
  const bool skipped = sizing.table == TableKind::dense;
  out.line("table").add("table", name_of(*sizing.table), "{}");
  out.add("table_work/dense", dense, ": {:.4g} ns per particle with a dense one");
  out.add("table_work/compacted", compacted,
          skipped ? ", at least {:.4g} with a compacted one" : ", {:.4g} with a compacted one");
}

void add_work(Record& out, const Sizing& sizing) {
  out.line("work").add("work", sizing.work, "{:.6g}").add("work_unit", sizing.table ? "ns" : "pair tests", " {} per particle");
  out.add("work_tests", nullptr).add("work_cells", nullptr);
  if (sizing.tests) {
    out.add("work_tests", *sizing.tests, ", of {:.6g} tests").add("work_cells", *sizing.cells, " and {:.6g} cell accesses");
  }
  if (sizing.table) add_calibrated(out, sizing);
  out.line("").add("single_level_work", sizing.single_level_work, "{:.6g} with one level");
  out.add("speedup", sizing.speedup(), ", so {:.4g} times as much");
  if (sizing.table) add_tables(out, sizing);
}

void add_measured(Record& out, const SizingOptions& o, const Measurement& m) {
  out.line("measured").say("{} box, per particle", any(o.periodic) ? "periodic" : "open");
  out.row().say("  {:<14}{:>12}{:>12}", "", "predicted", "counted");
  for (const Compared& q : m.quantities) {
    const std::string name = "measured/" + q.what;
    out.row().say("  {:<14}", q.what).add(name + "/predicted", q.predicted, "{:>12.6g}");
    out.add(name + "/counted", q.counted, "{:>12.6g}");
    out.say("{:>+9.2f} %", q.predicted > 0 ? 100 * (q.counted / q.predicted - 1) : 0);
  }
  out.row().say("  {:<14}", "contacts").add("measured/contacts", m.contacts, "{:>24.6g}");
  if (m.papers_ns > 0)
    out.row().say("  {:<28}", "the papers' algorithm").add("measured/papers_ns", m.papers_ns, "{:>10.3g} ns");
  out.row().say("  {:<28}", "hgrid contacts, one thread").add("measured/library_ns", m.library_ns, "{:>10.3g} ns");
}

}  // namespace

Record record_of(const SizingOptions& o, const SizingInput& input, const Sizing& sizing) {
  Record out;
  out.line("radii").say("{}", input.source).add("dimension", input.dimension, ", in {} dimensions");
  out.add("packing", input.packing, ", packing fraction {:.4g}");
  out.line("levels").add("level_count", sizing.levels.size(), "{}").add("direction", name_of(sizing.direction), ", {}");
  out.add("method", name_of(o.method), ", by the method {}");
  out.line("rule", o.rule != Rule::sum).add("rule", name_of(o.rule), "{}");
  add_sized_levels(out, input, sizing);
  add_work(out, sizing);
  if (sizing.measured) add_measured(out, o, *sizing.measured);
  out.add_lines("warnings", "warning", sizing.warnings);
  const std::string file = o.file.empty() ? "FILE" : io::printable_path(o.file);
  const std::string rule = o.rule == Rule::sum ? "" : fmt::format(" --rule {}", name_of(o.rule));
  out.line("next").say("hgrid plan ... --json > plan.json; hgrid contacts {} --plan plan.json{}", file, rule);
  return out;
}

}  // namespace hgrid::tool
