// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "io/printable.hpp"
#include "plan_file.hpp"
#include "sizing.hpp"

namespace hgrid::tool {
namespace {

bool in_nanoseconds(const SizingOptions& o) { return o.method == "calibrated"; }

std::string next_step(const SizingOptions& o) {
  const std::string file = o.file.empty() ? "FILE" : io::printable_path(o.file);
  return fmt::format("hgrid plan ... --json > plan.json; hgrid contacts {} --plan plan.json", file);
}

std::string text_of(const SizingOptions& o, const Measurement& m) {
  std::string out = fmt::format("measured   {} box, per particle\n  {:<14}{:>12}{:>12}\n",
                                o.periodic.empty() ? "open" : "periodic", "", "predicted", "counted");
  for (const Compared& q : m.quantities) {
    const double deviation = q.predicted > 0 ? 100 * (q.counted / q.predicted - 1) : 0;
    out += fmt::format("  {:<14}{:>12.6g}{:>12.6g}{:>+9.2f} %\n", q.what, q.predicted, q.counted, deviation);
  }
  out += fmt::format("  {:<14}{:>24.6g}\n", "contacts", m.contacts);
  if (m.papers_ns > 0) out += fmt::format("  {:<28}{:>10.3g} ns\n", "the papers' algorithm", m.papers_ns);
  return out + fmt::format("  {:<28}{:>10.3g} ns\n", "hgrid contacts, one thread", m.library_ns);
}

nlohmann::ordered_json json_of(const Measurement& m) {
  nlohmann::ordered_json object;
  for (const Compared& q : m.quantities)
    object[q.what] = {{"predicted", q.predicted}, {"counted", q.counted}};
  object["contacts"] = m.contacts, object["library_ns"] = m.library_ns;
  if (m.papers_ns > 0) object["papers_ns"] = m.papers_ns;
  return object;
}

const char* name(TableKind table) { return table == TableKind::dense ? "dense" : "compacted"; }

// Why these levels: what their steps cost.
std::string steps_of(const Sizing& sizing) {
  const SearchWork& n = sizing.steps;
  const SearchCosts& c = sizing.costs;
  std::string out = fmt::format("\n           {:.4g} of {:.4g} levels searched, {:.4g} of {:.4g} candidates", c.setup * n.setups,
                                n.setups, c.candidate * n.candidates, n.candidates);
  if (sizing.table == TableKind::dense) {
    out += fmt::format(", {:.4g} of {:.4g} rows looked up, {:.4g} of {:.4g} cells", c.row * n.rows, n.rows, c.cell * n.cells, n.cells);
  } else {
    out += fmt::format(", {:.4g} of {:.4g} rows looked up, {:.4g} of the table", c.compacted_row * n.compacted_rows,
                       n.compacted_rows, c.compacted_slot * n.compacted_slots);
  }
  return out;
}

// And what either table would.
std::string tables_of(const Sizing& sizing) {
  const bool skipped = sizing.table == TableKind::dense;
  return fmt::format("table      {}: {:.4g} ns per particle with a dense one, {}{:.4g} with a compacted one\n", name(*sizing.table),
                     sizing.table_work[0], skipped ? "at least " : "", sizing.table_work[1]);
}

}  // namespace

std::string text_of(const SizingOptions& o, const SizingInput& input, const Sizing& sizing) {
  std::string out = fmt::format("radii      {}, in {} dimensions, packing fraction {:.4g}\n", input.source,
                                input.dimension, input.packing);
  out += fmt::format("levels     {}, {}, by the method {}\n", sizing.levels.size(), name(sizing.direction),
                     o.method);
  out +=
      fmt::format("  {:>12}  {:<32}  {:>11}  {:>11}\n", "radius_max", "cell_size", "particles", "per cell");
  for (const SizedLevel& level : sizing.levels) {
    std::string sizes;
    for (int k = 0; k < input.dimension; ++k)
      sizes += fmt::format("{}{:.6g}", k > 0 ? " " : "", level.spec.cell_size[k]);
    out += fmt::format("  {:>12.6g}  {:<32}  {:>9.4g} %  {:>11.4g}\n", level.spec.radius_max, sizes,
                       100 * level.share, level.occupancy);
  }
  out +=
      fmt::format("work       {:.6g} {} per particle", sizing.work, in_nanoseconds(o) ? "ns" : "pair tests");
  if (sizing.tests)
    out += fmt::format(", of {:.6g} tests and {:.6g} cell accesses", *sizing.tests, *sizing.cells);
  if (sizing.table) out += steps_of(sizing);
  out += fmt::format("\n           {:.6g} with one level, so {:.4g} times as much\n",
                     sizing.single_level_work, sizing.speedup());
  if (sizing.table) out += tables_of(sizing);
  if (sizing.measured) out += text_of(o, *sizing.measured);
  for (const std::string& warning : sizing.warnings) out += "warning    " + warning + "\n";
  return out + "next       " + next_step(o) + "\n";
}

std::string json_of(const SizingOptions& o, const SizingInput& input, const Sizing& sizing) {
  using Json = nlohmann::ordered_json;
  Json levels = Json::array(), occupancy = Json::array();
  for (const SizedLevel& level : sizing.levels) {
    levels.push_back(
        {{"radius_max", level.spec.radius_max}, {"cell_size", level.spec.cell_size}, {"share", level.share}});
    occupancy.push_back(level.occupancy);
  }
  Json object = {{"levels", levels},
                 {"level_count", sizing.levels.size()},
                 {"method", o.method},
                 {"direction", name(sizing.direction)},
                 {"dimension", input.dimension},
                 {"packing", input.packing},
                 {"work", sizing.work},
                 {"work_unit", in_nanoseconds(o) ? "ns" : "pair tests"},
                 {"work_tests", nullptr},
                 {"work_cells", nullptr},
                 {"occupancy", occupancy},
                 {"single_level_work", sizing.single_level_work},
                 {"speedup", sizing.speedup()},
                 {"warnings", sizing.warnings}};
  if (sizing.table) {
    const SearchWork& n = sizing.steps;
    object["table"] = name(*sizing.table);
    object["table_work"] = {{"dense", sizing.table_work[0]}, {"compacted", sizing.table_work[1]}};
    object["steps"] = {{"setups", n.setups}, {"rows", n.rows + n.compacted_rows}, {"candidates", n.candidates}, {"cells", n.cells}};
  }
  if (sizing.tests) object["work_tests"] = *sizing.tests, object["work_cells"] = *sizing.cells;
  if (sizing.measured) object["measured"] = json_of(*sizing.measured);
  return object.dump(2) + "\n";
}

}  // namespace hgrid::tool
