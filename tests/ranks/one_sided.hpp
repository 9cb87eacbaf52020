// SPDX-License-Identifier: BSD-3-Clause
// One-sided searches (gather) on ranks, on hosts and devices: random systems against brute force.
#pragma once

#include "ranks/device_lists.hpp"
#include "support/random_suite.hpp"

namespace support {

/// Returns the difference in a system on this rank, or nothing. `there` is this rank's share, where the executor works, and
/// labels() returns its labels. All ranks make equal calls.
template <int D, class Exec, class There, class Labels>
std::string one_sided_difference(const Exec& exec, const oracle::System& s, std::uint64_t seed, There& there,
                                 const Labels& labels, std::size_t& entries) {
  hgrid::DistributedGrid<Exec, D> grid(exec, box_of<D>(s), MPI_COMM_WORLD, {.rule = hgrid::Rule::gather});
  grid.rebalance(there.x, there.sizes());
  const Contacts expected = sorted(numbered(oracle::neighbours(s), seed));
  entries += expected.size();
  std::string difference;
  const auto build = [&](const char* when) {
    grid.build(there.x, there.sizes(), there.id, {.skin = s.skin}, labels());
    hgrid::GlobalNeighbours list;
    grid.find(list);
    const auto ids = copied(exec, grid.ids().data(), grid.held());
    std::vector<hgrid::GlobalContact> mine;
    for (std::size_t i = 0; i + 1 < list.offsets.size(); ++i) {
      for (auto k = static_cast<std::size_t>(list.offsets[i]); k < static_cast<std::size_t>(list.offsets[i + 1]); ++k)
        mine.push_back({ids[i], list.ids[k], list.images[k]});
    }
    const auto differs = [&](const char* what) {
      Contacts all;
      for (const hgrid::GlobalContact& c : gathered(mine)) all.push_back(as_oracle(c));
      if (sorted(std::move(all)) != expected) difference += std::string(what) + when + "; ";
    };
    differs("neighbours ");
    if constexpr (Exec::on_host) {
      mine.clear();
      grid.for_each_partner([&](hgrid::index_t i, hgrid::index_t j, const hgrid::Image& image) {
        mine.push_back({ids[static_cast<std::size_t>(i)], ids[static_cast<std::size_t>(j)], image});
      });
      differs("visits ");
    }
  };
  build("where particles are anywhere");
  grid.migrate(there.x, there.sizes(), there.id, there.group, there.type, there.partners());
  build("after migration");
  grid.rebalance(there.x, there.sizes());
  grid.migrate(there.x, there.sizes(), there.id, there.group, there.type, there.partners());
  build("after another rebalance");
  return difference;
}

/// Compares drawn systems on an executor of one thread.
template <class Exec>
void expect_one_sided_systems(const Exec& exec, std::uint64_t systems) {
  const std::uint64_t seed = from_environment("HGRID_SEED", 20261130);
  std::size_t entries = 0;
  const auto compare = [&]<int D>(const oracle::System& s, std::uint64_t k) {
    Share<double, D> share = share_of<double, D>(s, k);
    if constexpr (Exec::on_host) {
      return one_sided_difference<D>(
          exec, s, k, share, [&] { return share.template labels<Exec>(s); }, entries);
    } else {
      DeviceShare<Exec, double, D> there(exec, share, s);
      return one_sided_difference<D>(
          exec, s, k, there, [&] { return there.labels(s); }, entries);
    }
  };
  for (std::uint64_t k = seed; k < seed + systems; ++k) {
    const oracle::System s = system_for_ranks(k, true, true);
    if (s.particles.size() > 300) continue;
    const std::string found = s.dimension == 2 ? compare.template operator()<2>(s, k) : compare.template operator()<3>(s, k);
    if (!everywhere(found.empty())) FAIL() << "seed " << k << ": " << found;
  }
  EXPECT_GT(entries, systems);
  if (this_rank() == 0) std::cout << systems << " systems, " << entries << " neighbours, on " << all_ranks() << " ranks\n";
}

}  // namespace support
