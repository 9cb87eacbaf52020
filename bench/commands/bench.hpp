// SPDX-License-Identifier: BSD-3-Clause
// The objects of hgrid bench: codes, rows of results.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/peers/peers.hpp"
#include "src/tool/search_grid.hpp"

namespace hgrid::tool {

class Record;

struct BenchOptions {
  std::string workloads = "all";
  Order order = Order::fixed;
  std::int64_t n = 1'000'000;
  int threads = 0, repeat = 5;
  bool relaxed = false, peers = false, json = false, overwrite = false;
  std::string page;  ///< where --report writes
};

/// One code on one workload; times in nanoseconds per particle.
struct BenchRow {
  std::string workload, code;
  int threads = 1;
  std::int64_t n = 0;
  double least = 0, median = 0, most = 0;
  Stages stages;  ///< medians, in nanoseconds per particle
  std::int64_t pairs = 0;
  std::int64_t bytes = -1;  ///< beside input and pairs; -1: not known
  double ratio = 1;         ///< this code's median over hgrid's median on as many threads
};

struct BenchReport {
  std::string machine;
  std::vector<BenchRow> rows;
  std::vector<std::string> absent;   ///< peers that this build lacks
  std::vector<std::string> skipped;  ///< peers that were not run, and why
  std::vector<std::string> differ;   ///< codes whose pairs differ from hgrid's: should be empty
};

Record record_of(const BenchReport& report);

/// Returns the report as HTML, beside the figures of the documents.
std::string page_of(const BenchReport& report, const BenchOptions& options);

/// Seconds to build and list, ascending, of so many steps after one that warms up.
std::vector<double> step_seconds(SearchGrid& grid, int steps);

/// Name of the processor, cores, instruction set, compiler.
std::string describe_machine();

}  // namespace hgrid::tool
