// SPDX-License-Identifier: BSD-3-Clause
// Tests the candidates of a reference algorithm, and returns its results.
#pragma once

#include <string>
#include <vector>

#include "hgrid/core/search.hpp"
#include "papers/systems/bodies.hpp"

namespace hgrid::reference {

/// A number that an algorithm counted while it ran, under its name in the paper.
struct Counter {
  std::string name;
  std::int64_t value;
  friend bool operator==(const Counter&, const Counter&) = default;
};

/// The contacts of a search, in the algorithm's order, and its counters.
struct Contacts {
  std::vector<Pair> pairs;
  std::vector<Image> images;  ///< of each pair; empty in an open box
  std::vector<Counter> counters;

  void add(const Contact& c, bool with_image) {
    pairs.push_back({c.i, c.j});
    if (with_image) images.push_back(c.image);
  }
  PairColumns<const index_t> columns() const {
    return columns_of(pairs.data(), images.empty() ? nullptr : images.data(), static_cast<offset_t>(pairs.size()));
  }

  /// Returns the counter with this name; -1 if the algorithm has none.
  std::int64_t counted(const std::string& name) const {
    for (const Counter& c : counters) {
      if (c.name == name) return c.value;
    }
    return -1;
  }
};

/// Takes each unordered pair of candidates once, in any order, and keeps the contacts: the one predicate decides, so all
/// algorithms report one set.
template <int D>
class PairTester {
 public:
  PairTester(const Bodies<D>& bodies, Contacts& out) : bodies_(bodies), slots_(bodies.slots()), out_(out) {}

  /// Runs one test of the paper: whether bodies a and b touch.
  void test(index_t a, index_t b) {
    ++tests_;
    if (bodies_.is_image(a)) std::swap(a, b);
    if (bodies_.is_image(a)) return;  // two images: the pair also occurs as an original and an image
    detail::Shift<D> shift{};
    if (bodies_.is_image(b)) {
      shift = detail::shift_of(bodies_.box(), bodies_.periods(b));
      b = bodies_.original(b);
    }
    if (!detail::in_contact(slots_, a, b, shift) || !detail::reports(slots_, a, b, shift)) return;
    detail::report_contact(slots_, a, b, shift, [this](index_t i, index_t j, const Image& image) {
      out_.add({i, j, image}, slots_.periodic);
    });
  }

  std::int64_t tests() const { return tests_; }

 private:
  const Bodies<D>& bodies_;
  GridView<D> slots_;
  Contacts& out_;
  std::int64_t tests_ = 0;
};

}  // namespace hgrid::reference
