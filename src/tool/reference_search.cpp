// SPDX-License-Identifier: BSD-3-Clause
// contacts --algorithm: the papers' other systems in the place of the grid.
#include <algorithm>
#include <tuple>

#include "columns.hpp"
#include "papers/systems/find_contacts.hpp"
#include "search.hpp"
#include "seconds.hpp"

namespace hgrid::tool {
namespace {

using reference::Contacts;

// By i, j, image: contract C6.
void sort(Contacts& contacts) {
  std::vector<std::tuple<index_t, index_t, std::int32_t, std::int32_t, std::int32_t>> rows;
  rows.reserve(contacts.pairs.size());
  for (std::size_t k = 0; k < contacts.pairs.size(); ++k) {
    const auto [i, j] = contacts.pairs[k];
    const Image m = contacts.images.empty() ? Image{} : contacts.images[k];
    rows.emplace_back(i, j, m.m[0], m.m[1], m.m[2]);
  }
  std::ranges::sort(rows);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto [i, j, x, y, z] = rows[k];
    contacts.pairs[k] = {i, j};
    if (!contacts.images.empty()) contacts.images[k] = {{x, y, z}};
  }
}

template <int D>
void search_with(const io::ParticleTable& table, const SearchOptions& options, const PairWriter& write, Progress& progress,
                 Report& report) {
  progress.step("preparing");
  const double start = now();
  const reference::Bodies<D> bodies(particles_of<D>(table), box_in<D>(options.box), options.skin);
  report.seconds.build = now() - start;

  progress.step("searching");
  const double searching = now();
  Contacts found = reference::find_contacts(*options.algorithm, bodies);
  report.seconds.search = now() - searching;
  report.pairs = static_cast<std::int64_t>(found.pairs.size());
  report.counters = found.counters;
  report.bytes = static_cast<std::int64_t>(found.pairs.size() * sizeof(Pair) + found.images.size() * sizeof(Image));
  report.algorithm = name_of(*options.algorithm), report.algorithm_source = source_of(*options.algorithm);
  if (!write) return;

  progress.step("writing");
  const double writing = now();
  if (options.order == Order::sorted) sort(found);
  write(io::pair_source({found.pairs.data(), found.pairs.size()}, {found.images.data(), found.images.size()},
                        Overlap{table, options.box, D}));
  report.seconds.write = now() - writing;
}

}  // namespace

void reference_search(const io::ParticleTable& table, const SearchOptions& options, const PairWriter& write, Progress& progress,
                      Report& report) {
  options.dimension == 2 ? search_with<2>(table, options, write, progress, report)
                         : search_with<3>(table, options, write, progress, report);
}

}  // namespace hgrid::tool
