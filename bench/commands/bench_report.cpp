// SPDX-License-Identifier: BSD-3-Clause
#include <fstream>
#include <thread>

#include "bench.hpp"
#include "hgrid/threads/simd_target.hpp"
#include "src/tool/record.hpp"

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

Record record_of(const BenchReport& report) {
  Record out;
  out.line("machine").add("machine", report.machine, "{}").add("rows", Record::Json::array());
  out.row().say("{:<12}{:<13}{:>8}{:>12}{:>9}{:>9}{:>9}{:>14}{:>8}  {}", "workload", "code", "threads", "n", "min", "median",
                "max", "pairs", "ratio", "stages, ns per particle");
  for (const BenchRow& r : report.rows) {
    Record row;
    row.add("workload", r.workload, "{:<12}")
        .add("code", r.code, "{:<13}")
        .add("threads", r.threads, "{:>8}")
        .add("n", r.n, "{:>12}");
    row.add("ns_per_particle/min", r.least, "{:>9.1f}").add("ns_per_particle/median", r.median, "{:>9.1f}");
    row.add("ns_per_particle/max", r.most, "{:>9.1f}").add("pairs", r.pairs, "{:>14}").add("ratio", r.ratio, "{:>8.2f}  ");
    const char* comma = "";
    for (const auto& [name, ns] : r.stages) row.say("{}{}", comma, name).add("stages/" + name, ns, " {:.1f}"), comma = ", ";
    row.add("bytes", r.bytes < 0 ? Record::Json() : Record::Json(r.bytes));
    out.add_row("rows", row);
  }
  out.add_lines("skipped", "skipped", report.skipped).add_lines("absent", "absent", report.absent).add("differ", report.differ);
  return out;
}

}  // namespace hgrid::tool
