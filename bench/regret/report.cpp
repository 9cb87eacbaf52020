// SPDX-License-Identifier: BSD-3-Clause
#include "report.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "hgrid/core/names.hpp"

namespace regret {
namespace {

Json sizes(const double (&cell)[3]) {
  Json result = Json::array();
  for (const double s : cell) {
    if (s > 0) result.push_back(brief(s));
  }
  return result;
}

}  // namespace

double brief(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return std::strtod(text, nullptr);
}

Json to_json(const Description& made, double particles) {
  Json levels = Json::array();
  for (int h = 0; h < made.level_count; ++h) {
    const Description::Level& level = made.level[h];
    levels.push_back({{"radius_max", brief(level.radius_max)},
                      {"bound", brief(level.radius_bound)},
                      {"cell", sizes(level.cell_size)},
                      {"cells", level.cells},
                      {"particles", level.particles}});
  }
  const auto each = [&](double count) { return brief(count / particles); };
  return {{"levels", levels},          {"table", made.dense ? "dense" : "compacted"},
          {"islands", made.islands},   {"candidates", each(made.candidates)},
          {"rows", each(made.rows)},   {"setups", each(made.setups)},
          {"cells", each(made.cells)}, {"segments", each(made.segments)},
          {"pairs", each(made.pairs)}, {"bytes", each(made.bytes)}};
}

Json to_json(const Trial& trial, const std::optional<Timed>& timed, const std::optional<Description>& made, double particles) {
  Json asked = Json::array();
  for (const hgrid::LevelSpec& level : trial.levels)
    asked.push_back({{"bound", brief(level.radius_max)}, {"cell", sizes(level.cell_size)}});
  Json line{{"asked", asked}, {"asked_table", name_of(trial.table.value_or(hgrid::TableKind::dense))}, {"stopped", !timed}};
  const auto add = [&](const std::string& which, const Times& times) {
    line[which + "build_ns"] = brief(times.build), line[which + "list_ns"] = brief(times.list);
  };
  if (timed) add("first_", timed->first), line["cold_build_ns"] = brief(timed->first.cold);
  if (timed && timed->warm) add("", *timed->warm);
  if (made) line.update(to_json(*made, particles));
  return line;
}

}  // namespace regret
