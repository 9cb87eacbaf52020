// SPDX-License-Identifier: BSD-3-Clause
// The contacts of all ranks between two sets, by each kind of query.
#pragma once

#include <mutex>

#include "ranks/shared_system.hpp"

namespace support {

/// Returns contacts of this rank between two sets, gathered from all ranks: i belongs to the query set.
inline Contacts of_all_ranks(const std::vector<hgrid::GlobalContact>& mine) {
  Contacts all;
  for (const hgrid::GlobalContact& c : gathered(mine)) all.push_back(as_oracle(c));
  return sorted(std::move(all));
}

template <class Grid>
Contacts visited(Grid& asking, Grid& asked) {
  std::vector<hgrid::GlobalContact> mine;
  std::mutex mutex;
  hgrid::DistributedQueries(asked).for_each(asking, [&](hgrid::index_t i, hgrid::index_t j, const hgrid::Image& image) {
    const std::lock_guard lock(mutex);
    mine.push_back({asking.ids()[static_cast<std::size_t>(i)], asked.ids()[static_cast<std::size_t>(j)], image});
  });
  return of_all_ranks(mine);
}

template <class Grid>
Contacts listed(Grid& asking, Grid& asked) {
  hgrid::DistributedQueries queries(asked);
  std::vector<hgrid::GlobalContact> mine;
  const hgrid::ListView list(queries.find(asking));
  for (hgrid::index_t i = 0; i < list.lists; ++i) {
    for (hgrid::offset_t k = list.offsets[i]; k < list.offsets[i + 1]; ++k) {
      const auto j = static_cast<std::size_t>(list.neighbour(k));
      mine.push_back({asking.ids()[static_cast<std::size_t>(i)], asked.ids()[j], list.image(k)});
    }
  }
  return of_all_ranks(mine);
}

/// Returns the contacts of the lists that owners get, which have to be sorted.
template <class Grid>
Contacts collected(Grid& asking, Grid& asked, const std::vector<std::int64_t>& own) {
  hgrid::GlobalNeighbours lists;
  hgrid::DistributedQueries(asked).find(asking, lists);
  std::vector<hgrid::GlobalContact> mine;
  bool in_order = lists.offsets.size() == own.size() + 1;
  for (std::size_t i = 0; in_order && i < own.size(); ++i) {
    for (auto k = static_cast<std::size_t>(lists.offsets[i]); k < static_cast<std::size_t>(lists.offsets[i + 1]); ++k) {
      mine.push_back({own[i], lists.ids[k], lists.images[k]});
      in_order = k == static_cast<std::size_t>(lists.offsets[i]) || !(mine.back() < mine[mine.size() - 2]);
    }
  }
  if (!everywhere(in_order)) return {{-1, -1, {}}};
  return of_all_ranks(mine);
}

}  // namespace support
