// SPDX-License-Identifier: BSD-3-Clause
// A code that wraps its particles into a box in shear and copies particles near its faces, again at each step: the list of the
// particles is handed out with copies. Brute force over particles and copies gives the expected pairs.
#include <algorithm>
#include <cmath>

#include "all_pairs.hpp"

namespace {

using Pairs = std::vector<std::pair<std::int32_t, std::int32_t>>;

struct Code {
  static constexpr double length = 5, largest = 0.5, dt = 0.02, rate = 0.5;
  static constexpr std::size_t n = 60;

  std::vector<double> x, r, v;  // particles, then copies
  std::vector<std::int32_t> owner;
  std::vector<hgrid11::Image> image, periods;
  double offset = 0;

  Code() : x(3 * n), r(n), v(3 * n), periods(n, hgrid11::Image{{0, 0, 0}}) {
    Random random(8);
    for (double& c : x) c = random(0, length);
    for (double& c : v) c = random(-1, 1);
    for (double& a : r) a = random(0.2, largest);
  }

  hgrid11::Box3 box() const { return hgrid11::Box3::periodic({0, 0, 0}, {length, length, length}).tilted(offset); }
  void shift(std::size_t particle, const hgrid11::Image& m) {
    const std::array<double, 3> by = box().shift(m);
    for (std::size_t k = 0; k < 3; ++k) x[3 * particle + k] += by[k];
  }

  void step() {
    x.resize(3 * n), r.resize(n), owner.clear(), image.clear();
    offset += rate * length * dt;
    for (std::size_t i = 0; i < n; ++i) {
      x[3 * i] += dt * rate * x[3 * i + 1];
      for (std::size_t k = 0; k < 3; ++k) x[3 * i + k] += dt * v[3 * i + k];
      for (std::size_t k = 3; k-- > 0;) {
        hgrid11::Image off = {{0, 0, 0}};
        off.m[k] = -static_cast<std::int32_t>(std::floor(x[3 * i + k] / length));
        shift(i, off);
        periods[i].m[k] -= off.m[k];
      }
    }
    const int along = static_cast<int>(std::floor(offset / length));
    for (int c = 0; c < 45; ++c) {
      const int my = c / 5 % 3 - 1;
      const hgrid11::Image m = {{c % 5 - 2 - my * along, my, c / 15 - 1}};
      if (m[0] == 0 && m[1] == 0 && m[2] == 0) continue;
      for (std::size_t i = 0; i < n; ++i) copy(i, m);
    }
  }

  // Copies particle i as far as particles touch.
  void copy(std::size_t i, const hgrid11::Image& m) {
    const std::array<double, 3> by = box().shift(m);
    for (std::size_t k = 0; k < 3; ++k) {
      if (x[3 * i + k] + by[k] < -2 * largest || x[3 * i + k] + by[k] > length + 2 * largest) return;
    }
    for (std::size_t k = 0; k < 3; ++k) x.push_back(x[3 * i + k] + by[k]);
    r.push_back(r[i]), owner.push_back(static_cast<std::int32_t>(i)), image.push_back(m);
  }

  std::vector<double> unwrapped() const {
    Code all = *this;
    for (std::size_t i = 0; i < n; ++i) all.shift(i, periods[i]);
    all.x.resize(3 * n);
    return all.x;
  }

  bool touch(std::size_t i, std::size_t j) const {
    double squared = 0;
    for (std::size_t k = 0; k < 3; ++k) squared += (x[3 * i + k] - x[3 * j + k]) * (x[3 * i + k] - x[3 * j + k]);
    return squared <= (r[i] + r[j]) * (r[i] + r[j]);
  }
  Pairs pairs(hgrid11::ListKind kind) const {
    Pairs found;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = kind == hgrid11::ListKind::full ? 0 : i + 1; j < r.size(); ++j) {
        if (i != j && touch(i, j)) found.emplace_back(i, j);
      }
    }
    return found;
  }
};

/// The list gets positions that nobody wrapped, or knows that they are wrapped.
void test_loop_of(hgrid11::ListKind kind, bool wrapped) {
  const int steps = 150;
  Code code;
  hgrid11::Grid3 grid(code.box());
  hgrid11::VerletOptions options;
  options.kind = kind, options.skin = 0.2, options.wrapped = wrapped;
  hgrid11::VerletList3 list(grid, options);
  hgrid11::Copies copies(hgrid11::MissingCopy::skip);
  int builds = 0, across = 0, changes = 0;
  std::size_t before = 0;
  for (int step = 0; step < steps; ++step) {
    code.step();
    grid.set_box(code.box());
    const std::vector<double> x =
        wrapped ? std::vector<double>(code.x.begin(), code.x.begin() + 3 * Code::n) : code.unwrapped();
    const std::vector<double> r(code.r.begin(), code.r.begin() + Code::n);
    builds += list.update({x, r});
    require((list.periods() != nullptr) == wrapped, "periods of a list whose positions are wrapped");
    if (wrapped) {
      copies.take(Code::n, code.owner, code.image);
    } else {
      copies.take(Code::n, code.owner, code.image, code.periods);
    }
    for (std::size_t c = 0; c < code.owner.size(); ++c) {
      const std::size_t owner = static_cast<std::size_t>(code.owner[c]);
      const hgrid11::Image m = hgrid11::image_of_copy(code.box(), &code.x[3 * (Code::n + c)], &code.x[3 * owner]);
      require(m[0] == code.image[c][0] && m[1] == code.image[c][1] && m[2] == code.image[c][2], "the image of a copy");
    }
    changes += before != code.owner.size(), before = code.owner.size();
    Pairs found;
    copies.for_each_pair(list.neighbours(), kind, [&](std::int32_t i, std::int32_t j) {
      if (!code.touch(static_cast<std::size_t>(i), static_cast<std::size_t>(j))) return;
      found.emplace_back(i, j);
      across += j >= copies.particles();
    });
    std::sort(found.begin(), found.end());
    require(found == code.pairs(kind), "the pairs of particles and copies");
  }
  require(across > 500 && changes > steps / 3, "copies come and go");
  require(builds > 5 && builds < steps / 2, "and make nothing stale");
}

template <class F>
hgrid11::ErrorCode code_of(const F& f) {
  try {
    f();
  } catch (const hgrid11::Error& e) {
    return e.code();
  }
  return hgrid11::ErrorCode::internal;
}

void test_refused() {
  const hgrid11::Image across = {{1, 0, 0}}, none = {{0, 0, 0}};
  hgrid11::Copies copies;
  copies.take(3, {2, 2}, {across, {{0, -4, 0}}});
  require(copies.find(0, 2, {{0, -4, 0}}) == 4 && copies.find(0, 1, none) == 1 && copies.owner(4) == 2, "copies are found");
  require(code_of([&] { copies.find(0, 1, across); }) == hgrid11::ErrorCode::invalid_argument, "one is missing");
  const auto refused = [&](const std::vector<std::int32_t>& owner, const std::vector<hgrid11::Image>& image) {
    const hgrid11::ErrorCode code = code_of([&] { copies.take(3, owner, image); });
    require(copies.copies() == 0 && code_of([&] { copies.find(0, 2, across); }) == hgrid11::ErrorCode::invalid_argument,
            "there are no copies");
    return code;
  };
  require(refused({2, 3}, {across, across}) == hgrid11::ErrorCode::range_error, "an owner that is none");
  require(refused({2, 2}, {across, across}) == hgrid11::ErrorCode::invalid_argument, "one twice");
  require(refused({2, 1}, {across, none}) == hgrid11::ErrorCode::invalid_argument, "image 0");
  require(refused({2}, {across, across}) == hgrid11::ErrorCode::size_mismatch, "an image too many");
  require(code_of([&] { copies.take(3, {}, {}, {none}); }) == hgrid11::ErrorCode::size_mismatch, "periods too few");
}

/// Boxes have any vectors, with and without an open axis.
void test_image_of_copy() {
  const double vectors[3][3] = {{5, 1, -2}, {-1, 4, 0.5}, {2, 1.5, 6}}, x[3] = {1, 7, -3}, flat[2][2] = {{3, 1}, {-2, 4}};
  for (const bool open : {false, true}) {
    const hgrid11::Box3 box = hgrid11::Box3::of_vectors(vectors, {true, !open, true});
    const hgrid11::Image m = {{-3, open ? 0 : 2, 5}};
    const std::array<double, 3> by = box.shift(m);
    const double copy[3] = {x[0] + by[0], x[1] + by[1], x[2] + by[2]};
    const hgrid11::Image found = hgrid11::image_of_copy(box, copy, x);
    require(found[0] == m[0] && found[1] == m[1] && found[2] == m[2], "the image along vectors");
  }
  const hgrid11::Box2 box = hgrid11::Box2::of_vectors(flat, {true, true});
  const double copy[2] = {x[0] + 2 * 3 + 2, x[1] + 2 * 1 - 4};
  const hgrid11::Image found = hgrid11::image_of_copy(box, copy, x);
  require(found[0] == 2 && found[1] == -1 && found[2] == 0, "the image in two dimensions");
}

}  // namespace

void test_copies() {
  test_image_of_copy();
  for (const bool wrapped : {false, true}) {
    test_loop_of(hgrid11::ListKind::half, wrapped);
    test_loop_of(hgrid11::ListKind::full, wrapped);
  }
  test_refused();
}
