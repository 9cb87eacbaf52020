// SPDX-License-Identifier: BSD-3-Clause
#include "report.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace hgrid::tool {
namespace {

double per(double value, std::int64_t n) { return n > 0 ? value / static_cast<double>(n) : 0; }

double mebibytes(std::int64_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

std::string level_table(const Report& report) {
  std::string out = fmt::format("  {:>12}  {:<32}  {:>13}\n", "radius_max", "cell_size", "particles");
  for (const LevelReport& level : report.levels) {
    std::string sizes;
    for (int k = 0; k < report.dimension; ++k)
      sizes += fmt::format("{}{:.6g}", k > 0 ? " " : "", level.cell_size[k]);
    out += fmt::format("  {:>12.6g}  {:<32}  {:>13}\n", level.radius_max, sizes, grouped(level.particles));
  }
  return out;
}

}  // namespace

std::string grouped(std::int64_t n) {
  std::string digits = std::to_string(n);
  const std::size_t first = n < 0 ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3; digits.insert(at, 1, ',')) at -= 3;
  return digits;
}

std::int64_t peak_memory() {
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  return std::int64_t{1024} * use.ru_maxrss;
}

std::string Report::text() const {
  std::string out =
      fmt::format("particles  {} in {} dimensions, from {}\n", grouped(particles), dimension, source);
  if (skipped_rows > 0) {
    out += fmt::format("skipped    {} bad row{}\n", grouped(skipped_rows),
                       skipped_rows == 1 ? " was" : "s were");
  }
  if (!note.empty()) out += "note       " + note + "\n";
  if (algorithm == "grid") {
    out += fmt::format("levels     {}, {}, {} keys\n{}", levels.size(), direction, keys, level_table(*this));
  } else {
    out += fmt::format("algorithm  {}: {}\n", algorithm, algorithm_source);
    for (const reference::Counter& c : counters) out += fmt::format("  {:>16}  {:>16}\n", c.name, grouped(c.value));
  }
  out += fmt::format("pairs      {}, {:.3g} per particle\n", grouped(pairs),
                     per(static_cast<double>(pairs), particles));
  if (facets >= 0) {
    out += fmt::format("walls      {} facets, {} pairs of ball and facet\n", grouped(facets), grouped(wall_pairs));
  }
  out += fmt::format("seconds    read {:.3g}, plan {:.3g}, build {:.3g}, search {:.3g}{}{}, total {:.3g}\n",
                     seconds.read, seconds.plan, seconds.build, seconds.search,
                     facets >= 0 ? fmt::format(", walls {:.3g}", seconds.walls) : "",
                     seconds.write > 0 ? fmt::format(", write {:.3g}", seconds.write) : "", seconds.total);
  out += fmt::format("           {:.0f} ns per particle for build and search\n",
                     1e9 * per(seconds.build + seconds.search, particles));
  out += fmt::format("backend    {}{}, {} thread{}, {}\n", backend, backend_chosen ? " (chosen by auto)" : "",
                     threads, threads == 1 ? "" : "s", real);
  out += fmt::format("memory     grid and list {:.1f} MiB, process at most {:.1f} MiB\n", mebibytes(bytes),
                     mebibytes(peak_bytes));
  return out + "next       " + next + "\n";
}

std::string Report::json() const {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  for (const LevelReport& level : levels) {
    list.push_back({{"radius_max", level.radius_max},
                    {"radius_bound", level.radius_bound},
                    {"cell_size", std::vector<double>(level.cell_size, level.cell_size + dimension)},
                    {"particles", level.particles}});
  }
  Json counted = Json::object();
  for (const reference::Counter& c : counters) counted[c.name] = c.value;
  Json object = {{"particles", particles},
                       {"pairs", pairs},
                       {"dimension", dimension},
                       {"algorithm", algorithm},
                       {"counters", counted},
                       {"levels", list},
                       {"level_count", levels.size()},
                       {"direction", direction},
                       {"keys", keys},
                       {"order", order},
                       {"real", real},
                       {"backend", backend},
                       {"threads", threads},
                       {"bytes", bytes},
                       {"peak_bytes", peak_bytes},
                       {"skipped_rows", skipped_rows},
                       {"note", note},
                       {"seconds",
                        {{"read", seconds.read},
                         {"plan", seconds.plan},
                         {"build", seconds.build},
                         {"search", seconds.search},
                         {"write", seconds.write},
                         {"total", seconds.total}}}};
  if (facets >= 0) {
    object["facets"] = facets;
    object["wall_pairs"] = wall_pairs;
    object["seconds"]["walls"] = seconds.walls;
  }
  return object.dump(2) + "\n";
}

}  // namespace hgrid::tool
