// SPDX-License-Identifier: BSD-3-Clause
// Every result of a grid that is queried with another grid's particles, against the contacts of an oracle.
#pragma once

#include "hgrid/queries.hpp"
#include "support/narrow_cases.hpp"

namespace support {

/// Checks lists in the user's own memory, as columns and as a matrix.
template <class Exec, int D, class Asker>
std::string check_own_memory(hgrid::Grid<Exec, D>& grid, Asker&& asker, hgrid::offset_t askers, const Contacts& expected) {
  const Exec& exec = grid.exec();
  std::string text = difference("columns", in_columns(grid, expected.size(), asker), expected);
  std::vector<hgrid::index_t> lengths(static_cast<std::size_t>(askers));
  for (const oracle::Contact& c : expected) ++lengths[static_cast<std::size_t>(c.i)];
  const hgrid::offset_t width = askers == 0 ? 0 : *std::ranges::max_element(lengths);
  typename Exec::template Buffer<hgrid::index_t> neighbours(exec, askers * width + 1), counts(exec, askers + 1);
  typename Exec::template Buffer<hgrid::Image> of_matrix(exec, askers * width + 1);
  const hgrid::NeighbourMatrix<hgrid::index_t> matrix{neighbours.data(), askers, width, counts.data(), of_matrix.data()};
  if (grid.find(matrix, asker) != width) return text + "a matrix has another width\n";
  if (copied(exec, static_cast<const hgrid::index_t*>(counts.data()), askers) != lengths) text += "lines have other lengths\n";
  const auto line = copied(exec, static_cast<const hgrid::index_t*>(neighbours.data()), askers * width);
  const auto moved = copied(exec, static_cast<const hgrid::Image*>(of_matrix.data()), askers * width);
  Contacts found;
  for (hgrid::offset_t k = 0; k < askers * width; ++k) {
    const auto at = static_cast<std::size_t>(k);
    if (k % width < lengths[static_cast<std::size_t>(k / width)]) {
      found.push_back(contact(k / width, line[at], &moved[at]));
    } else if (line[at] != -1) {
      text += "a line is not padded\n";
    }
  }
  return text + difference("matrix", found, expected);
}

/// Checks all results, with a predicate and without where that needs no compiler of its own, and enqueued ones. `expected` is
/// sorted by query particle, id and image.
template <class Exec, int D, class Asker>
std::string check_answers(hgrid::Grid<Exec, D>& grid, Asker&& asker, hgrid::offset_t askers, const Contacts& expected,
                          std::uint64_t seed) {
  const Exec& exec = grid.exec();
  auto list = grid.make_list(hgrid::ListKind::full);
  auto pairs = grid.make_pairs();
  grid.find(list, asker), grid.find(pairs, asker);
  std::string text = difference("answer in a list", as_listed(exec, list), expected);
  text += difference("answer in pairs", as_listed(exec, pairs), expected);
  auto packed = grid.make_packed_list(hgrid::ListKind::full);
  const bool fits = std::ranges::all_of(expected, [](const oracle::Contact& c) {
    return std::ranges::all_of(c.m, [](std::int64_t n) { return std::abs(n) <= hgrid::PackedNeighbour::most_periods; });
  });
  if (fits) {
    grid.find(packed, asker);
    text += difference("answer in a packed list", as_listed(exec, packed), expected);
  } else {
    try {
      grid.find(packed, asker);
      text += "a packed list of images that are too large\n";
    } catch (const hgrid::Error& error) {
      if (error.code() != hgrid::ErrorCode::unsupported) text += error.what();
    }
  }
  if (grid.count(asker) != static_cast<hgrid::offset_t>(expected.size())) text += "answer: another number\n";
  text += check_own_memory(grid, asker, askers, expected);
  grid.enqueue(list, asker);
  for (int time = 0; time < 2; ++time) {
    grid.wait(list, asker);
    text += difference("answer in stream order", as_listed(exec, list), expected);
  }

  if constexpr (is_host_code<Exec>) {
    const Drawn drawn{seed};
    Contacts confirmed;
    std::ranges::copy_if(expected, std::back_inserter(confirmed), drawn);
    grid.find(list, asker, hgrid::only(drawn)), grid.find(pairs, asker, hgrid::only(drawn));
    text += difference("answer of those confirmed", as_listed(exec, list), confirmed);
    if (fits) grid.find(packed, asker, hgrid::only(drawn));
    if (fits) text += difference("answer of those confirmed in a packed list", as_listed(exec, packed), confirmed);
    text += difference("answer in pairs of those confirmed", as_listed(exec, pairs), confirmed);
    if (grid.count(asker, hgrid::only(drawn)) != static_cast<hgrid::offset_t>(confirmed.size()))
      text += "answer: another number confirmed\n";
    grid.enqueue(list, asker, hgrid::only(drawn));
    grid.wait(list, asker, hgrid::only(drawn));
    text += difference("answer of those confirmed in stream order", as_listed(exec, list), confirmed);
    Contacts visited;
    std::mutex mutex;
    grid.for_each_partner(Collect{&visited, &mutex}, asker);
    exec.wait();
    text += difference("answer by a functor", sorted(visited), expected);
  }
  return text;
}

}  // namespace support
