// SPDX-License-Identifier: BSD-3-Clause
// Every way to get contacts out of a grid, turned into the oracle's sorted form.
#pragma once

#include <algorithm>
#include <mutex>
#include <vector>

#include "hgrid/grid.hpp"
#include "support/oracle.hpp"

namespace support {

using Contacts = std::vector<oracle::Contact>;

inline oracle::Contact contact(std::int64_t i, std::int64_t j, const hgrid::Image* image) {
  if (image == nullptr) return {i, j, {0, 0, 0}};
  return {i, j, {image->m[0], image->m[1], image->m[2]}};
}

inline Contacts sorted(Contacts contacts) {
  std::sort(contacts.begin(), contacts.end());
  return contacts;
}

/// Reads, for `copied`, memory that the host reads, when no work is under way that writes it.
struct HostMemory {
  template <class T>
  void copy_out(T* to, const T* from, hgrid::offset_t n) const {
    std::copy_n(from, n, to);
  }
};

/// n values from an executor's memory, as they are when the work enqueued before has run. None from a null pointer.
template <class Exec, class T>
std::vector<T> copied(const Exec& exec, const T* from, hgrid::offset_t n) {
  std::vector<T> values(from == nullptr ? 0 : static_cast<std::size_t>(n));
  if (!values.empty()) exec.copy_out(values.data(), from, n);
  return values;
}

/// Returns the pairs in the order of the list.
template <class Memory, class Exec>
Contacts as_listed(const Memory& memory, const hgrid::PairList<Exec>& list) {
  const auto pairs = copied(memory, list.pairs(), list.size());
  const auto images = copied(memory, list.images(), list.size());
  Contacts result;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    result.push_back(contact(pairs[k].i, pairs[k].j, images.empty() ? nullptr : &images[k]));
  }
  return result;
}

/// Returns the entries in the order of the list, rows first.
template <class Memory, class Exec, class Entry>
Contacts as_listed(const Memory& memory, const hgrid::NeighbourList<Exec, Entry>& list) {
  if (list.lists() == 0) return {};
  constexpr bool is_packed = std::is_same_v<Entry, hgrid::PackedNeighbour>;
  const auto offsets = copied(memory, list.offsets(), list.lists() + 1);
  const auto entries = copied(memory, list.neighbours(), list.size());
  std::vector<hgrid::Image> images;  // of entries, or periods of particles
  if constexpr (is_packed) {
    images = copied(memory, list.periods(), list.lists());
  } else {
    images = copied(memory, list.images(), list.size());
  }
  Contacts result;
  for (hgrid::index_t row = 0; row < list.lists(); ++row) {
    for (auto k = static_cast<std::size_t>(offsets[row]); k < static_cast<std::size_t>(offsets[row + 1]); ++k) {
      if constexpr (is_packed) {
        const hgrid::index_t j = entries[k].neighbour();
        hgrid::Image image = entries[k].inside();
        for (int a = 0; a < 3 && !images.empty(); ++a) image[a] += images[row][a] - images[j][a];
        result.push_back(contact(row, j, &image));
      } else {
        result.push_back(contact(row, entries[k], images.empty() ? nullptr : &images[k]));
      }
    }
  }
  return result;
}

/// Copies a list in host memory.
template <class List>
Contacts as_listed(const List& list) {
  return as_listed(HostMemory{}, list);
}

template <class Exec, int D>
Contacts pairs_of(hgrid::Grid<Exec, D>& grid, hgrid::Order order = hgrid::Order::fixed) {
  auto list = grid.make_pairs();
  grid.find(list, {.order = order});
  return as_listed(grid.exec(), list);
}

template <class Exec, int D>
Contacts rows_of(hgrid::Grid<Exec, D>& grid, hgrid::ListKind kind) {
  auto list = grid.make_list(kind);
  grid.find(list);
  return as_listed(grid.exec(), list);
}

template <class Exec, int D>
Contacts packed_rows_of(hgrid::Grid<Exec, D>& grid, hgrid::ListKind kind) {
  auto list = grid.make_packed_list(kind);
  grid.find(list);
  return as_listed(grid.exec(), list);
}

/// Returns the sorted contacts in the form that the grid's rule allows: pairs, or full lists of a one-sided (gather) search.
template <class Exec, int D>
Contacts listed_of(hgrid::Grid<Exec, D>& grid) {
  if (grid.view().rule == hgrid::Rule::gather) return rows_of(grid, hgrid::ListKind::full);
  return sorted(pairs_of(grid));
}

/// Returns the result that `listed_of` must give.
inline Contacts listed_in(const oracle::System& s) {
  return s.rule == oracle::Rule::gather ? oracle::neighbours(s) : oracle::contacts(s);
}

/// Returns the pairs of `find` into columns of the executor's memory that have room for n; `more` is passed on.
template <class Exec, int D, class... More>
Contacts in_columns(hgrid::Grid<Exec, D>& grid, std::size_t n, More&&... more) {
  const Exec& exec = grid.exec();
  const auto room = static_cast<hgrid::offset_t>(n);
  typename Exec::template Buffer<hgrid::index_t> ids(exec, 2 * room + 1);
  typename Exec::template Buffer<hgrid::Image> images(exec, room + 1);
  const hgrid::PairColumns<hgrid::index_t> columns{ids.data(), ids.data() + 1, 2, images.data(), room};
  const auto found = static_cast<std::size_t>(grid.find(columns, more...));
  const auto id = copied(exec, static_cast<const hgrid::index_t*>(ids.data()), 2 * room);
  const auto image = copied(exec, static_cast<const hgrid::Image*>(images.data()), grid.view().periodic ? room : 0);
  Contacts result;
  for (std::size_t k = 0; k < found; ++k)
    result.push_back(contact(id[2 * k], id[2 * k + 1], image.empty() ? nullptr : &image[k]));
  return result;
}

/// Lists through the user's own memory, with a stride and with marks after the end that must survive.
template <class Integer, class Exec, int D>
Contacts pairs_into_own_memory(hgrid::Grid<Exec, D>& grid) {
  const hgrid::offset_t n = grid.count();
  const std::size_t room = static_cast<std::size_t>(n);
  std::vector<Integer> ids(2 * room + 2, Integer{77});
  std::vector<hgrid::Image> images(room + 1, hgrid::Image{{77, 77, 77}});
  const hgrid::offset_t written = grid.find(hgrid::PairColumns<Integer>{ids.data(), ids.data() + 1, 2, images.data(), n});
  Contacts result;
  for (std::size_t k = 0; k < room; ++k) {
    result.push_back(contact(static_cast<std::int64_t>(ids[2 * k]), static_cast<std::int64_t>(ids[2 * k + 1]), &images[k]));
  }
  const bool intact = written == n && ids[2 * room] == 77 && ids[2 * room + 1] == 77 && images[room].m[0] == 77;
  if (!intact) result.push_back({-1, -1, {}});
  return result;
}

/// Collects its arguments as a functor, from any thread.
struct Collect {
  Contacts* contacts;
  std::mutex* mutex;

  void operator()(hgrid::index_t i, hgrid::index_t j, const hgrid::Image& image) const {
    const std::lock_guard lock(*mutex);
    contacts->push_back(contact(i, j, &image));
  }
};

template <class Exec, int D>
Contacts visited_contacts(const hgrid::Grid<Exec, D>& grid) {
  Contacts found;
  std::mutex mutex;
  grid.for_each_contact(Collect{&found, &mutex});
  return sorted(std::move(found));
}

template <class Exec, int D>
Contacts visited_partners(const hgrid::Grid<Exec, D>& grid) {
  Contacts found;
  std::mutex mutex;
  grid.for_each_partner(Collect{&found, &mutex});
  return sorted(std::move(found));
}

}  // namespace support
