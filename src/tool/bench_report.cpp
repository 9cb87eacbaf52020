// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "bench.hpp"
#include "hgrid/host/simd_target.hpp"
#include "report.hpp"

namespace hgrid::tool {
namespace {

std::string processor() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown processor";
}

}  // namespace

std::string describe_machine() {
  return fmt::format("{}, {} cores, {}, compiler {}", processor(), std::thread::hardware_concurrency(), simd_target(),
                     __VERSION__);
}

std::string BenchReport::text() const {
  std::string out = "machine    " + machine + "\n";
  out += fmt::format("{:<12}{:<13}{:>8}{:>12}{:>9}{:>9}{:>9}{:>14}{:>8}  {}\n", "workload", "code", "threads", "n", "min",
                     "median", "max", "pairs", "ratio", "stages, ns per particle");
  for (const BenchRow& r : rows) {
    std::string parts;
    for (const auto& [name, ns] : r.stages) parts += fmt::format("{}{} {:.1f}", parts.empty() ? "" : ", ", name, ns);
    out += fmt::format("{:<12}{:<13}{:>8}{:>12}{:>9.1f}{:>9.1f}{:>9.1f}{:>14}{:>8.2f}  {}\n", r.workload, r.code,
                       r.threads, grouped(r.n), r.least, r.median, r.most, grouped(r.pairs), r.ratio, parts);
  }
  for (const std::string& s : skipped) out += "skipped    " + s + "\n";
  for (const std::string& a : absent) out += "absent     " + a + "\n";
  return out;
}

std::string BenchReport::json() const {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  for (const BenchRow& r : rows) {
    Json parts = Json::object();
    for (const auto& [name, ns] : r.stages) parts[name] = ns;
    list.push_back({{"workload", r.workload},
                    {"code", r.code},
                    {"threads", r.threads},
                    {"n", r.n},
                    {"ns_per_particle", {{"min", r.least}, {"median", r.median}, {"max", r.most}}},
                    {"stages", parts},
                    {"pairs", r.pairs},
                    {"bytes", r.bytes < 0 ? Json() : Json(r.bytes)},
                    {"ratio", r.ratio}});
  }
  const Json object = {
      {"machine", machine}, {"rows", list}, {"absent", absent}, {"skipped", skipped}, {"differ", differ}};
  return object.dump(2) + "\n";
}

}  // namespace hgrid::tool
