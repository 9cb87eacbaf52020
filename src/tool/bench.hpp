// SPDX-License-Identifier: BSD-3-Clause
// What hgrid bench measures: codes, rows of results.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hgrid/core/types.hpp"
#include "packing/packing.hpp"
#include "packing/workloads.hpp"

namespace hgrid::tool {

/// Parts of one run in order, in seconds.
using Stages = std::vector<std::pair<std::string, double>>;

/// From unsorted particles in an open box to the list of all pairs (i < j in any order).
struct Peer {
  std::string name;
  std::function<Stages(const Packing&, std::vector<Pair>&)> find;
  /// Why it is not run for these particles, if it would take forever.
  std::function<std::optional<std::string>(const Packing&)> declines = [](const Packing&) { return std::nullopt; };
  bool threaded = false;  ///< runs on as many threads as hgrid does, else on one
};

/// What peers need around them, once a process: Kokkos on so many threads, and a heap that keeps what is freed, so that
/// those who allocate at each call do not pay for fresh pages each time.
class PeerRuntime {
 public:
  explicit PeerRuntime(int threads);

 private:
  std::shared_ptr<const void> kokkos_;
};

/// Peers of this build, and what others would need.
std::vector<Peer> found_peers();
std::vector<std::string> absent_peers();

/// The contact condition of the contract, each operation rounded once, without grid or view.
inline bool touches(const Packing& p, std::size_t i, std::size_t j) {
  const double x = p.x[i] - p.x[j], y = p.y[i] - p.y[j], z = p.z[i] - p.z[j], r = p.r[i] + p.r[j];
  return (x * x + y * y) + z * z <= r * r;
}

struct BenchOptions {
  std::string workloads = "all", order = "fixed";
  std::int64_t n = 1'000'000;
  int threads = 0, repeat = 5;
  bool relaxed = false, peers = false, json = false;
};

/// One code on one workload; times in nanoseconds per particle.
struct BenchRow {
  std::string workload, code;
  int threads = 1;
  std::int64_t n = 0;
  double least = 0, median = 0, most = 0;
  Stages stages;           ///< medians, in nanoseconds per particle
  std::int64_t pairs = 0;
  std::int64_t bytes = -1; ///< beside input and pairs; -1: not known
  double ratio = 1;        ///< this code's median over that of hgrid on as many threads
};

struct BenchReport {
  std::string machine;
  std::vector<BenchRow> rows;
  std::vector<std::string> absent;   ///< peers that this build lacks
  std::vector<std::string> skipped;  ///< peers that were not run, and why
  std::vector<std::string> differ;   ///< codes whose pairs differ from hgrid's: none, or something is wrong

  std::string text() const;
  std::string json() const;
};

/// Name of the processor, cores, instruction set, compiler.
std::string describe_machine();

}  // namespace hgrid::tool
