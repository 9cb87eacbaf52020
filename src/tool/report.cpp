// SPDX-License-Identifier: BSD-3-Clause
#include "report.hpp"

#include <fmt/ranges.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "contacts.hpp"
#include "io/printable.hpp"
#include "record.hpp"

namespace hgrid::tool {
namespace {

double per(double value, std::int64_t n) { return n > 0 ? value / static_cast<double>(n) : 0; }

double mebibytes(std::int64_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

std::string numbers(std::span<const double> values) { return fmt::format("{:.6g}", fmt::join(values, " ")); }

void add_levels(Record& out, const Report& r) {
  out.line("levels", r.algorithm == "grid" && r.ranks == 1).add("level_count", r.levels.size(), "{}");
  out.add("direction", r.direction, ", {}").add("keys", r.keys, ", {} keys");
  const auto axes = static_cast<std::size_t>(r.dimension);
  out.row()
      .say("  {:>12}  {:<32}", "radius_max", "cell_size")
      .say("{}", r.sizes.boxes ? fmt::format("  {:<32}", "extent_max") : "");
  out.say("  {:>13}", "particles").add("levels", Record::Json::array());
  for (const LevelReport& level : r.levels) {
    Record row;
    add_level_columns(row, level.radius_max, std::span(level.cell_size).first(axes), r.dimension);
    if (r.sizes.boxes) {
      const auto extents = std::span(level.extent_max).first(axes);
      row.add("extent_max", extents, "  {:<32}", numbers(extents));
    }
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

void add_input(Record& out, const Report& r) {
  out.line("particles").add("particles", r.particles, "{}").add("dimension", r.dimension, " in {} dimensions, ");
  out.say("from {}", r.source).add("source", r.source);
  out.add("frame", r.frame);
  if (r.step) out.add("step", *r.step, ", step {}");
  if (r.time) out.add("time", *r.time, ", time {:.6g}");
  out.line("columns", !r.columns.empty()).add("columns", r.columns, "{}");
  const Sizes& s = r.sizes;
  const auto axes = static_cast<std::size_t>(r.dimension);
  const auto lo = std::span(s.lo).first(axes), hi = std::span(s.hi).first(axes);
  if (s.boxes) {
    const auto least = std::span(s.half_min).first(axes), most = std::span(s.half_max).first(axes);
    out.line("boxes")
        .add("extent_min", least, "half extents {}", numbers(least))
        .add("extent_max", most, " to {}", numbers(most));
  } else {
    out.line("radii").add("radius_min", s.half_min[0], "{:.6g}").add("radius_max", s.half_max[0], " to {:.6g}");
  }
  if (s.packing_fraction) out.add("packing_fraction", *s.packing_fraction, ", packing fraction {:.3g}");
  out.line("centres").add("centre_min", lo, "{}", numbers(lo)).add("centre_max", hi, " to {}", numbers(hi));
  out.line("skipped", r.skipped_rows > 0);
  out.add("skipped_rows", r.skipped_rows, r.skipped_rows == 1 ? "{} bad row was" : "{} bad rows were");
}

void add_analysis(Record& out, const Report& r) {
  if (!r.analysis) return;
  const Analysis& a = *r.analysis;
  out.line("contacts").add("contacts", a.contacts, "{}").add("coordination", a.coordination, ", coordination number {:.4g}");
  out.add("rattlers", a.rattlers, a.rattlers == 1 ? ", without the {} rattler" : ", without the {} rattlers");
  out.add("coordination_without_rattlers", a.coordination_without_rattlers, " {:.4g}");
  if (r.rule != "sum") return;
  out.line("overlaps").add("overlap_mean", a.overlap_mean, "{:.3g} % of the ", 100 * a.overlap_mean);
  out.say("{} on average", r.sizes.boxes ? "least width" : "smaller diameter");
  out.add("overlap_max", a.overlap_max, ", {:.3g} % at most", 100 * a.overlap_max);
}

void add_seconds(Record& out, const Report& r) {
  const Seconds& s = r.seconds;
  out.line("seconds").add("seconds/read", s.read, "read {:.3g}").add("seconds/plan", s.plan, ", plan {:.3g}");
  out.add("seconds/build", s.build, ", build {:.3g}").add("seconds/search", s.search, ", search {:.3g}");
  if (r.facets >= 0) out.add("seconds/walls", s.walls, ", walls {:.3g}");
  if (r.analysis) out.add("seconds/analysis", s.analysis, ", analysis {:.3g}");
  out.add("seconds/write", s.write, s.write > 0 ? ", write {:.3g}" : "").add("seconds/total", s.total, ", total {:.3g}");
  out.line("").say("{:.0f} ns per particle for build and search", 1e9 * per(s.build + s.search, r.particles));
}

const char* name_of_sizes(bool boxes) { return boxes ? "half extents" : "radii"; }

/// Returns a note on a file that has other units for sizes than for positions; empty if `radius_scale` corrects it.
std::string note_on_units(const std::string& length, const std::string& size, std::optional<double> radius_scale,
                          const char* sizes) {
  static const std::map<std::string, double> metres = {{"km", 1e3},  {"m", 1},     {"dm", 1e-1}, {"cm", 1e-2},
                                                       {"mm", 1e-3}, {"um", 1e-6}, {"µm", 1e-6}, {"nm", 1e-9}};
  if (length.empty() || size.empty() || length == size) return "";
  const auto of_length = metres.find(length), of_size = metres.find(size);
  const bool known = of_length != metres.end() && of_size != metres.end();
  const double needed = known ? of_size->second / of_length->second : 0;
  if (radius_scale && (!known || std::fabs(*radius_scale / needed - 1) < 1e-9)) return "";
  return fmt::format("positions are in {}, {} in {}: give --radius-scale{}", length, sizes, size,
                     known ? fmt::format(" {:.9g}", needed) : "");
}

/// Returns a sentence with the options that search with the periods of the file; empty if it has none along the searched axes.
/// A flat system, whose third period is shorter than its largest particle, is searched in two dimensions.
std::string note_on_periods(const io::ParticleTable& table, int dimension) {
  std::string axes = table.periods_unstated ? "xyz" : table.periodic;
  bool flat = false;
  if (dimension == 3 && table.box && table.size() > 0) {
    const auto& [lo, hi, tilt, vectors] = *table.box;
    const bool in_plane = !vectors || ((*vectors)[0][2] == 0 && (*vectors)[1][2] == 0);
    const double depth = vectors ? (*vectors)[2][2] : hi[2] - lo[2];
    const auto [low, high] = std::ranges::minmax(table.z);
    flat = in_plane && low == high && table.has_sizes() && depth <= 2 * std::ranges::max(table.half(2));
  }
  if (dimension == 2 || flat) std::erase(axes, 'z');
  if (axes.empty()) return "";
  if (table.periods_unstated) {
    return fmt::format("the file has a box and does not say which axes are periodic, the search took none: {}--periodic {}",
                       flat ? "--dim 2 " : "", axes);
  }
  return fmt::format("the file says that {} is periodic, the search was not: {}--periodic {}{}", table.periodic,
                     flat ? "--dim 2 " : "", axes, table.box ? "" : " beside --box or --cell");
}

/// Adds notes if numbers are suspicious: radii in another unit than positions, or diameters.
void add_notes(Report& r) {
  const bool fits = r.rule == "sum" && r.analysis;
  if (fits && r.analysis->overlap_mean > 0.1) {
    r.notes.push_back(
        r.sizes.boxes
            ? "contacts overlap by more than a tenth of the least width on average: are the half extents whole widths "
              "(--radius-scale 0.5), or in another unit than the positions?"
            : "contacts overlap by more than a tenth of the smaller diameter on average: are the radii diameters "
              "(--radius-scale 0.5), or in another unit than the positions?");
  }
  if (r.sizes.packing_fraction.value_or(0) > 1) {
    r.notes.push_back(
        fmt::format("the particles have more volume than the space that they are in: are the {} in another unit than the "
                    "positions (--radius-scale)?",
                    name_of_sizes(r.sizes.boxes)));
  }
  if (fits && r.particles > 1 && r.analysis->contacts == 0) {
    r.notes.push_back(fmt::format(
        "no particles touch: are the {} in the unit of the positions, and not halved (--radius-scale)? --skin LENGTH "
        "also takes pairs with a gap",
        name_of_sizes(r.sizes.boxes)));
  }
}

std::string next_step(const ContactsOptions& o) {
  const std::string out = io::printable_path(o.out);
  if (o.demo) return "hgrid contacts FILE finds the contacts of your particles";
  if (o.out.empty()) return "--out pairs.vtp writes the contacts for ParaView, --out pairs.csv as a table";
  if (out.ends_with(".vtp") || out.ends_with(".pvd")) return "open " + out + " in ParaView";
  if (out.ends_with(".npy")) return "numpy.load('" + out + "') gives i, j, ix, iy, iz and overlap";
  return "--out pairs.vtp writes the contacts for ParaView";
}

std::int64_t peak_memory() {
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  return std::int64_t{1024} * use.ru_maxrss;
}

}  // namespace

Record record_of(const Report& r) {
  Record out;
  add_input(out, r);
  out.add_lines("notes", "note", r.notes);
  add_levels(out, r);
  add_algorithm(out, r);
  out.line("pairs").add("pairs", r.pairs, "{}").add("order", r.order);
  out.say(", {:.3g} per particle", per(static_cast<double>(r.pairs), r.particles));
  add_analysis(out, r);
  out.line("rule", r.rule != "sum").add("rule", r.rule, "{}");
  for (const auto& [column, count] : r.optional) {
    const std::string name = column->role + std::string("s");
    out.line(name).add(name, count, count == 1 ? std::string("{}") + column->if_one : "{}");
  }
  if (r.excluded >= 0) out.line("excluded").add("excluded", r.excluded, r.excluded == 1 ? "{} pair" : "{} pairs");
  if (r.facets >= 0) {
    out.line("walls").add("facets", r.facets, r.facets == 1 ? "{} facet" : "{} facets");
    out.add("wall_pairs", r.wall_pairs, r.wall_pairs == 1 ? ", {} pair of ball and facet" : ", {} pairs of ball and facet");
    out.add("wall_balls", r.wall_balls, r.wall_balls == 1 ? ", {} ball touches" : ", {} balls touch");
  }
  add_seconds(out, r);
  out.line("backend").add("backend", r.backend, r.backend_chosen ? "{} (chosen by auto)" : "{}");
  if (r.ranks > 1) out.add("ranks", r.ranks, ", {} ranks of");
  if (r.parts > 1) out.add("parts", r.parts);
  out.add("threads", r.threads, fmt::format("{} {{}} thread{}", r.ranks > 1 ? "" : ",", r.threads == 1 ? "" : "s"));
  out.add("real", r.real, ", {}");
  out.line("memory").add("bytes", r.bytes, "grid and list {:.1f} MiB", mebibytes(r.bytes));
  out.add("peak_bytes", r.peak_bytes, ", process at most {:.1f} MiB", mebibytes(r.peak_bytes));
  out.line("next").say("{}", r.next);
  return out;
}

Report report_on_input(const ContactsOptions& o, const io::ParticleTable& table, const SearchOptions& s) {
  Report report;
  report.source = o.demo ? "the demo" : table.source;
  report.frame = table.frame, report.step = table.step, report.time = table.time;
  report.columns = table.taken;
  report.sizes = sizes_of(table, s.box, s.dimension);
  report.dimension = s.dimension;
  report.excluded = o.exclude.empty() ? -1 : static_cast<std::int64_t>(s.excluded.size());
  for (const OptionalArray& array : s.optional) report.optional.emplace_back(array.column, array.count);
  report.particles = table.size();
  report.skipped_rows = table.skipped_rows;
  report.notes = table.notes;
  const std::string units = note_on_units(table.length_unit, table.size_unit, o.radius_scale, name_of_sizes(table.boxes));
  if (!units.empty()) report.notes.push_back(units);
  const std::string periods = any(o.periodic) ? "" : note_on_periods(table, s.dimension);
  if (!periods.empty()) report.notes.push_back(periods);
  report.order = name_of(s.order);
  report.rule = name_of(o.rule);
  report.real = o.single_precision ? "float" : "double";
  report.backend = name_of(s.backend);
  report.backend_chosen = !o.backend && !o.algorithm;
  return report;
}

void complete(Report& report, const ContactsOptions& o, double seconds) {
  add_notes(report);
  report.seconds.total = seconds;
  report.peak_bytes = peak_memory();
  report.next = next_step(o);
}

Record& add_level_columns(Record& row, double radius_max, std::span<const double> cell_size, int dimension) {
  const auto sizes = cell_size.first(static_cast<std::size_t>(dimension));
  row.add("radius_max", radius_max, "  {:>12.6g}");
  return row.add("cell_size", cell_size, "  {:<32}", fmt::format("{:.6g}", fmt::join(sizes, " ")));
}

}  // namespace hgrid::tool
