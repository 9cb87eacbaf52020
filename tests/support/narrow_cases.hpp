// SPDX-License-Identifier: BSD-3-Clause
// Lists of the contacts that a predicate confirms, on random systems, against the contacts of the oracle that it confirms.
#pragma once

#include <algorithm>

#include "support/run_case.hpp"

namespace support {

/// A predicate that looks drawn, but depends on ids and image alone.
struct Drawn {
  std::uint64_t seed;

  HGRID_HD bool operator()(hgrid::index_t i, hgrid::index_t j, const hgrid::Image& image) const {
    std::uint64_t h = seed ^ (static_cast<std::uint64_t>(i) << 32 | static_cast<std::uint32_t>(j));
    for (int k = -1; k < 3; ++k) {
      if (k >= 0) h ^= static_cast<std::uint32_t>(image[k]);
      h = (h ^ h >> 31) * 0x9e3779b97f4a7c15u;
    }
    return h >> 62 != seed % 4;  // three of four
  }
  bool operator()(const oracle::Contact& c) const {
    return (*this)(static_cast<hgrid::index_t>(c.i), static_cast<hgrid::index_t>(c.j), image_of(c));
  }

 private:
  static hgrid::Image image_of(const oracle::Contact& c) {
    return {{static_cast<std::int32_t>(c.m[0]), static_cast<std::int32_t>(c.m[1]), static_cast<std::int32_t>(c.m[2])}};
  }
};

/// Draws answers, and records its calls.
struct DrawnAndNoted {
  Drawn drawn;
  Collect asked;

  bool operator()(hgrid::index_t i, hgrid::index_t j, const hgrid::Image& image) const {
    asked(i, j, image);
    return drawn(i, j, image);
  }
};

/// Returns the contact as the particle with the smaller id has it.
inline oracle::Contact in_order(const oracle::Contact& c) {
  const oracle::Contact other{c.j, c.i, {-c.m[0], -c.m[1], -c.m[2]}};
  return c.i < c.j || (c.i == c.j && c.m > other.m) ? c : other;
}

template <class Confirms>
Contacts those(const Contacts& contacts, const Confirms& confirms) {
  Contacts kept;
  std::ranges::copy_if(contacts, std::back_inserter(kept), [&](const oracle::Contact& c) { return confirms(in_order(c)); });
  return kept;
}

/// The contacts, each once, from entries of lists.
inline Contacts each_once(Contacts contacts) {
  for (oracle::Contact& c : contacts) c = in_order(c);
  std::ranges::sort(contacts);
  contacts.erase(std::unique(contacts.begin(), contacts.end()), contacts.end());  // not std::ranges', for clang 14
  return contacts;
}

/// Checks one list, filled twice; the second time it has room. Hosts call once for each contact, devices at least once.
template <class Exec, int D, class List, class Fill>
std::string check_filled(hgrid::Grid<Exec, D>& grid, const std::string& what, List& list, const Drawn& drawn,
                         const Contacts& asked, const Contacts& expected, bool sorts, const Fill& fill) {
  std::string text;
  for (int time = 0; time < 2; ++time) {
    Contacts noted;
    std::mutex mutex;
    fill(list, DrawnAndNoted{drawn, {&noted, &mutex}});
    const Contacts listed = as_listed(grid.exec(), list);
    text += difference(what, sorts ? sorted(listed) : listed, expected);
    text += difference(what + ", asked", Exec::on_host ? sorted(noted) : each_once(noted), asked);
  }
  return text;
}

/// Checks what is enqueued with a predicate, and that a wait without it is refused.
template <class Exec, int D, class List>
std::string check_enqueued_by(hgrid::Grid<Exec, D>& grid, const std::string& what, List& list, const Drawn& drawn,
                              const Contacts& expected) {
  std::string text;
  for (int time = 0; time < 2; ++time) {
    grid.enqueue(list, hgrid::only(drawn));
    const auto found = static_cast<std::size_t>(copied(grid.exec(), list.found(), 1)[0]);
    if (time > 0 && found != expected.size()) text += what + ": another number is found\n";  // there is room by now
    try {
      grid.wait(list);
      text += what + ": waited for without its predicate\n";
    } catch (const hgrid::Error& error) {
      if (error.code() != hgrid::ErrorCode::invalid_argument) throw;
    }
    grid.wait(list, hgrid::only(drawn));
    text += difference(what + ", enqueued", sorted(as_listed(grid.exec(), list)), expected);
  }
  grid.enqueue(list);
  grid.wait(list, hgrid::only(drawn));
  return text + difference(what + ", confirmed later", sorted(as_listed(grid.exec(), list)), expected);
}

template <class Exec, int D>
std::string check_narrow_neighbours(hgrid::Grid<Exec, D>& grid, hgrid::ListKind kind, const Drawn& drawn, const Contacts& asked,
                                    const Contacts& expected) {
  const auto fill = [&](auto& list, const auto& touches) { grid.find(list, hgrid::only(touches)); };
  auto list = grid.make_list(kind);
  const std::string name = kind == hgrid::ListKind::half ? "half" : "full";
  std::string text = check_filled(grid, name, list, drawn, asked, expected, false, fill);
  text += check_enqueued_by(grid, name, list, drawn, expected);
  if (!hgrid::detail::fits_packed(grid.box(), grid.boxes())) return text;
  auto packed = grid.make_packed_list(kind);
  text += check_filled(grid, name + " packed", packed, drawn, asked, expected, false, fill);
  return text + check_enqueued_by(grid, name + " packed", packed, drawn, expected);
}

/// Checks all lists of a built grid. On hosts, Order::fixed keeps the order of the list without a predicate.
template <class Exec, int D>
std::string check_narrow(hgrid::Grid<Exec, D>& grid, const oracle::System& s, const Drawn& drawn) {
  const Contacts entries = oracle::neighbours(s), asked = each_once(entries);
  std::string text = check_narrow_neighbours(grid, hgrid::ListKind::full, drawn, asked, those(entries, drawn));
  if (s.rule == oracle::Rule::gather) return text;
  const Contacts expected = those(asked, drawn);
  text += check_narrow_neighbours(grid, hgrid::ListKind::half, drawn, asked, expected);
  auto list = grid.make_pairs(), in_order = grid.make_pairs();
  text += check_filled(grid, "pairs", list, drawn, asked, expected, Exec::on_host,
                       [&](auto& to, const auto& touches) { grid.find(to, hgrid::only(touches)); });
  text += check_filled(grid, "sorted pairs", in_order, drawn, asked, expected, false, [&](auto& to, const auto& touches) {
    grid.find(to, hgrid::only(touches), {.order = hgrid::Order::sorted});
  });
  if (Exec::on_host && as_listed(grid.exec(), list) != those(pairs_of(grid), drawn)) text += "pairs are in another order\n";
  text += check_enqueued_by(grid, "pairs", list, drawn, expected);
  text += difference("confirmed in columns", in_columns(grid, expected.size(), hgrid::only(drawn)), expected);
  if (grid.count(hgrid::only(drawn)) != static_cast<hgrid::offset_t>(expected.size())) text += "another number of contacts\n";
  return text;
}

template <class Real, int D, class Exec>
std::string check_narrow(const Exec& exec, const Case& c) {
  auto grid = grid_in<hgrid::Grid<Exec, D>>(exec, c.system, options_of(c));
  const UserArrays<Real, D> arrays(c.system, c.choice[layout], c.choice[exclusions]);
  grid.build(arrays.view(), {.skin = c.system.skin});
  return check_narrow(grid, c.system, Drawn{c.seed});
}

template <class Exec>
std::string check_narrow(const Exec& exec, const Case& c) {
  if (c.choice[dimension] == 0) return c.choice[real] == 0 ? check_narrow<double, 2>(exec, c) : check_narrow<float, 2>(exec, c);
  return c.choice[real] == 0 ? check_narrow<double, 3>(exec, c) : check_narrow<float, 3>(exec, c);
}

}  // namespace support
