// SPDX-License-Identifier: BSD-3-Clause
#include "report.hpp"

#include <fmt/ranges.h>
#include <sys/resource.h>

#include "record.hpp"

namespace hgrid::tool {
namespace {

double per(double value, std::int64_t n) { return n > 0 ? value / static_cast<double>(n) : 0; }

double mebibytes(std::int64_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

void add_levels(Record& out, const Report& r) {
  out.line("levels", r.algorithm == "grid").add("level_count", r.levels.size(), "{}");
  out.add("direction", r.direction, ", {}").add("keys", r.keys, ", {} keys");
  out.row().say("  {:>12}  {:<32}  {:>13}", "radius_max", "cell_size", "particles").add("levels", Record::Json::array());
  for (const LevelReport& level : r.levels) {
    Record row;
    add_level_columns(row, level.radius_max, std::span(level.cell_size).first(static_cast<std::size_t>(r.dimension)),
                      r.dimension);
    row.add("radius_bound", level.radius_bound).add("particles", level.particles, "  {:>13}");
    out.add_row("levels", row);
  }
}

void add_algorithm(Record& out, const Report& r) {
  out.line("algorithm", r.algorithm != "grid").add("algorithm", r.algorithm, "{}").say(": {}", r.algorithm_source);
  out.add("counters", Record::Json::object());
  for (const reference::Counter& c : r.counters) {
    out.row().say("  {:>16}", c.name).add(fmt::format("counters/{}", c.name), c.value, "  {:>16}");
  }
}

void add_seconds(Record& out, const Report& r) {
  const Seconds& s = r.seconds;
  out.line("seconds").add("seconds/read", s.read, "read {:.3g}").add("seconds/plan", s.plan, ", plan {:.3g}");
  out.add("seconds/build", s.build, ", build {:.3g}").add("seconds/search", s.search, ", search {:.3g}");
  if (r.facets >= 0) out.add("seconds/walls", s.walls, ", walls {:.3g}");
  out.add("seconds/write", s.write, s.write > 0 ? ", write {:.3g}" : "").add("seconds/total", s.total, ", total {:.3g}");
  out.line("").say("{:.0f} ns per particle for build and search", 1e9 * per(s.build + s.search, r.particles));
}

}  // namespace

Record record_of(const Report& r) {
  Record out;
  out.line("particles").add("particles", r.particles, "{}").add("dimension", r.dimension, " in {} dimensions, ");
  out.say("from {}", r.source);
  out.line("skipped", r.skipped_rows > 0);
  out.add("skipped_rows", r.skipped_rows, r.skipped_rows == 1 ? "{} bad row was" : "{} bad rows were");
  out.line("note", !r.note.empty()).add("note", r.note, "{}");
  add_levels(out, r);
  add_algorithm(out, r);
  out.line("pairs").add("pairs", r.pairs, "{}").add("order", r.order);
  out.say(", {:.3g} per particle", per(static_cast<double>(r.pairs), r.particles));
  out.line("rule", r.rule != "sum").add("rule", r.rule, "{}");
  if (r.worlds >= 0) out.line("worlds").add("worlds", r.worlds, r.worlds == 1 ? "{}, so all particles may pair" : "{}");
  if (r.excluded >= 0) out.line("excluded").add("excluded", r.excluded, r.excluded == 1 ? "{} pair" : "{} pairs");
  if (r.facets >= 0) {
    out.line("walls").add("facets", r.facets, "{} facets").add("wall_pairs", r.wall_pairs, ", {} pairs of ball and facet");
  }
  add_seconds(out, r);
  out.line("backend").add("backend", r.backend, r.backend_chosen ? "{} (chosen by auto)" : "{}");
  out.add("threads", r.threads, r.threads == 1 ? ", {} thread" : ", {} threads").add("real", r.real, ", {}");
  out.line("memory").add("bytes", r.bytes, "grid and list {:.1f} MiB", mebibytes(r.bytes));
  out.add("peak_bytes", r.peak_bytes, ", process at most {:.1f} MiB", mebibytes(r.peak_bytes));
  out.line("next").say("{}", r.next);
  return out;
}

Record& add_level_columns(Record& row, double radius_max, std::span<const double> cell_size, int dimension) {
  const auto sizes = cell_size.first(static_cast<std::size_t>(dimension));
  row.add("radius_max", radius_max, "  {:>12.6g}");
  return row.add("cell_size", cell_size, "  {:<32}", fmt::format("{:.6g}", fmt::join(sizes, " ")));
}

std::int64_t peak_memory() {
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  return std::int64_t{1024} * use.ru_maxrss;
}

}  // namespace hgrid::tool
