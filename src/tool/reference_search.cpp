// SPDX-License-Identifier: BSD-3-Clause
#include "reference_search.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

#include "columns.hpp"
#include "hgrid/host/reference/find_contacts.hpp"

namespace hgrid::tool {
namespace {

using reference::AlgorithmInfo;
using reference::Contacts;

const AlgorithmInfo& info_of(const std::string& name) {
  const auto* found = std::ranges::find(reference::algorithms, name, &AlgorithmInfo::name);
  if (found != reference::algorithms.end()) return *found;
  throw Error(ErrorCode::invalid_argument, "no algorithm is called " + name, {.argument = "algorithm"});
}

// By i, j, image: contract C6.
void sort(Contacts& contacts) {
  const auto key = [&](std::size_t k) {
    const auto [i, j, m] = contacts.columns()[static_cast<offset_t>(k)];
    return std::tuple(i, j, m[0], m[1], m[2]);
  };
  std::vector<std::size_t> order(contacts.pairs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, key);
  const auto permute = [&](auto& list) {
    auto sorted = list;
    for (std::size_t k = 0; k < list.size(); ++k) sorted[k] = list[order[k]];
    list.swap(sorted);
  };
  permute(contacts.pairs);
  permute(contacts.images);
}

template <int D>
void search_with(const io::ParticleTable& table, const SearchOptions& options, const PairWriter& write,
                 Progress& progress, Report& report) {
  const AlgorithmInfo& info = info_of(options.algorithm);
  const Box<D> box = box_of<D>(options);

  progress.step("preparing");
  const double start = now();
  const reference::Bodies<D> bodies(particles_of<D>(table), box, options.skin);
  report.seconds.build = now() - start;

  progress.step("searching");
  const double searching = now();
  Contacts found = reference::find_contacts(info.algorithm, bodies);
  report.seconds.search = now() - searching;
  report.pairs = static_cast<std::int64_t>(found.pairs.size());
  report.counters = found.counters;
  report.bytes =
      static_cast<std::int64_t>(found.pairs.size() * sizeof(Pair) + found.images.size() * sizeof(Image));
  report.algorithm_source = info.source;
  if (!write) return;

  progress.step("writing");
  const double writing = now();
  if (options.order == Order::sorted) sort(found);
  write(io::pair_source(found.columns(), Overlap<D>{particles_of<D>(table), box}));
  report.seconds.write = now() - writing;
}

}  // namespace

std::vector<std::string> algorithm_names() {
  std::vector<std::string> names = {"grid"};
  for (const AlgorithmInfo& info : reference::algorithms) names.emplace_back(info.name);
  return names;
}

void reference_search(const io::ParticleTable& table, const SearchOptions& options, const PairWriter& write,
                      Progress& progress, Report& report) {
  options.dimension == 2 ? search_with<2>(table, options, write, progress, report)
                         : search_with<3>(table, options, write, progress, report);
}

}  // namespace hgrid::tool
