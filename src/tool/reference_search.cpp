// SPDX-License-Identifier: BSD-3-Clause
// contacts --algorithm: the papers' other systems instead of the grid.
#include <algorithm>
#include <numeric>
#include <tuple>

#include "columns.hpp"
#include "papers/systems/find_contacts.hpp"
#include "search.hpp"
#include "seconds.hpp"

namespace hgrid::tool {
namespace {

using reference::Contacts;

// Sorts by i, j, image: contract C6.
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
void search_with(const io::ParticleTable& table, const SearchOptions& options, const PairTaker& take, Progress& progress,
                 Report& report) {
  progress.step("preparing");
  const double start = now();
  const reference::Bodies<D> bodies(particles_of<D>(table), Box<D>::of_axes(options.box), options.skin);
  report.seconds.build = now() - start;

  progress.step("searching");
  const double searching = now();
  Contacts found = reference::find_contacts(*options.algorithm, bodies);
  report.seconds.search = now() - searching;
  report.pairs = static_cast<std::int64_t>(found.pairs.size());
  report.counters = found.counters;
  report.bytes = static_cast<std::int64_t>(found.pairs.size() * sizeof(Pair) + found.images.size() * sizeof(Image));
  report.algorithm = name_of(*options.algorithm), report.algorithm_source = source_of(*options.algorithm);
  if (!take) return;
  if (options.order == Order::sorted) sort(found);
  take(io::pair_source(found.columns(), Overlap<D>{particles_of<D>(table), Box<D>::of_axes(options.box)}));
}

}  // namespace

void reference_search(const io::ParticleTable& table, const SearchOptions& options, const PairTaker& take, Progress& progress,
                      Report& report) {
  options.dimension == 2 ? search_with<2>(table, options, take, progress, report)
                         : search_with<3>(table, options, take, progress, report);
}

}  // namespace hgrid::tool
