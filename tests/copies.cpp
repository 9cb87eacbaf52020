// SPDX-License-Identifier: BSD-3-Clause
// Codes that wrap their particles and copy them beyond the faces again at each step: the list lives on the particles, and is
// handed out with copies; against brute force over particles and copies at each step.
#include "hgrid/loop/copies.hpp"

#include "hgrid/hgrid.hpp"
#include "hgrid/loop.hpp"
#include "support/gas.hpp"

namespace {

using hgrid::Copies;
using hgrid::ErrorCode;
using hgrid::Image;
using hgrid::index_t;
using hgrid::MissingCopy;
using support::expect_error;
using Pairs = std::vector<std::pair<index_t, index_t>>;

/// A code whose box may shear. Velocities are relative to the flow.
template <int D>
class Code {
 public:
  using Position = hgrid::Vec<double, D>;
  std::vector<Position> x;  // particles in the box, then copies
  std::vector<double> r;
  std::vector<index_t> owner;
  std::vector<Image> image, periods;
  hgrid::Box<D> box;
  double range;  // within which of the box copies are made

  Code(int n, const hgrid::Box<D>& at_first, double rate, double range_of_copies)
      : periods(static_cast<std::size_t>(n)), box(at_first), range(range_of_copies), n_(n), rate_(rate), at_first_(at_first) {
    support::Random random(3);
    for (int i = 0; i < n; ++i) {
      Position place, velocity;
      for (int k = 0; k < D; ++k) place[k] = random.real(0, 6), velocity[k] = random.real(-1, 1);
      x.push_back(place), v_.push_back(velocity), r.push_back(random.real(0.1, largest));
    }
  }
  static constexpr double largest = 0.45;

  void step(double dt) {
    x.resize(static_cast<std::size_t>(n_)), r.resize(static_cast<std::size_t>(n_));
    if (rate_ != 0) box = hgrid::sheared(at_first_, offset_ += rate_ * at_first_.length(1) * dt);
    for (std::size_t i = 0; i < x.size(); ++i) {
      for (int k = D - 1; k >= 0; --k) x[i][k] += dt * (v_[i][k] + (k == 0 ? rate_ * x[i][1] : 0));
      const auto wrapped = hgrid::wrap(box, x[i]);
      crossed += wrapped.periods != Image{};
      for (int k = 0; k < D; ++k) periods[i][k] += wrapped.periods[k];
      if (wrapped.periods != Image{}) x[i] = moved(x[i], -wrapped.periods);
    }
    copy_particles();
  }

  Position moved(const Position& place, const Image& m) const { return hgrid::separation(box, place, Position{}, -m); }

  std::vector<double> unwrapped() const {
    std::vector<double> flat;
    for (std::size_t i = 0; i < periods.size(); ++i) {
      const Position place = moved(x[i], periods[i]);
      for (int k = 0; k < D; ++k) flat.push_back(place[k]);
    }
    return flat;
  }

  bool touch(index_t i, index_t j) const {
    double squared = 0;
    for (int k = 0; k < D; ++k) squared += (at(i)[k] - at(j)[k]) * (at(i)[k] - at(j)[k]);
    const double sum = r[static_cast<std::size_t>(i)] + r[static_cast<std::size_t>(j)];
    return squared <= sum * sum;
  }

  /// Returns contacts from a search with copies as ghosts.
  Pairs contacts(hgrid::ListKind kind) const {
    Pairs found;
    for (index_t i = 0; i < n_; ++i) {
      for (index_t j = kind == hgrid::ListKind::full ? 0 : i + 1; j < static_cast<index_t>(x.size()); ++j) {
        if (i != j && touch(i, j)) found.emplace_back(i, j);
      }
    }
    return found;
  }

  int crossed = 0;  // how often a particle was wrapped

 private:
  const Position& at(index_t i) const { return x[static_cast<std::size_t>(i)]; }

  // Copies all particles next to the box, under all images of an edge of three vectors with small tilts.
  void copy_particles() {
    owner.clear(), image.clear();
    constexpr int sides[3] = {3, 3, D == 3 ? 3 : 1};
    for (int c = 0; c < sides[0] * sides[1] * sides[2]; ++c) {
      const hgrid::Vec<int, 3> m{c % 3 - 1, c / 3 % 3 - 1, D == 3 ? c / 9 - 1 : 0};
      hgrid::detail::Shift<D> shift{};
      bool open = false;
      for (int k = 0; k < D; ++k) shift.m[k] = m[k], open = open || (m[k] != 0 && !box.wraps[k]);
      const Image of_vectors = hgrid::detail::image_of(box, shift);
      if (open || of_vectors == Image{}) continue;
      for (index_t i = 0; i < n_; ++i) {
        const Position place = moved(at(i), of_vectors), along = hgrid::detail::in_frame(box, place);
        bool near = true;
        for (int k = 0; k < D; ++k)
          near = near && (!box.wraps[k] || (along[k] > box.lo[k] - range && along[k] < box.hi[k] + range));
        if (!near) continue;
        owner.push_back(i), image.push_back(of_vectors);
        x.push_back(place), r.push_back(r[static_cast<std::size_t>(i)]);
      }
    }
  }

  index_t n_;
  double rate_, offset_ = 0;
  hgrid::Box<D> at_first_;
  std::vector<Position> v_;
};

constexpr double skin = 0.3;
constexpr int steps = 200;

struct Seen {
  hgrid::offset_t builds = 0, across = 0, numbers = 0;  // pairs with a copy; steps with another number of copies
};

// Expects every touching pair once, and no other; without copies beyond the code's own range, too.
template <int D, class Entry>
Seen compare_with_all_pairs(const hgrid::Box<D>& box, double rate, hgrid::ListKind kind, MissingCopy if_missing) {
  const double reach = if_missing == MissingCopy::error ? 2 * (Code<D>::largest + skin) : 2 * Code<D>::largest;
  Code<D> code(D == 3 ? 150 : 60, box, rate, reach);
  hgrid::Grid<hgrid::SerialExec, D> grid(hgrid::SerialExec{}, box);
  hgrid::VerletList<hgrid::SerialExec, D, Entry> list(grid, {.kind = kind, .skin = skin});
  Copies copies(if_missing);
  Seen seen;
  std::size_t before = 0;
  for (int step = 0; step < steps; ++step) {
    code.step(0.02);
    const std::vector<double> x = code.unwrapped();
    grid.set_box(code.box);
    const auto particles = static_cast<index_t>(code.periods.size());
    seen.builds += list.update(hgrid::particles<D>(x.data(), code.r.data(), particles));
    copies.take(particles, code.owner, code.image, code.periods);
    seen.numbers += std::exchange(before, code.owner.size()) != code.owner.size();
    for (std::size_t k = 0; k < code.owner.size(); ++k) {
      const auto index = static_cast<std::size_t>(particles) + k;
      EXPECT_EQ(hgrid::image_of_copy(code.box, code.x[index], code.x[static_cast<std::size_t>(code.owner[k])]), code.image[k]);
    }
    Pairs found;
    copies.for_each_pair(list.neighbours(), [&](index_t i, index_t j) {
      if (!code.touch(i, j)) return;
      seen.across += j >= particles;
      found.emplace_back(i, j);
    });
    std::sort(found.begin(), found.end());
    if (found != code.contacts(kind)) {
      ADD_FAILURE() << "step " << step;
      return seen;
    }
  }
  EXPECT_GT(code.crossed, 20);
  return seen;
}

template <int D, class Entry = index_t>
void check(const hgrid::Box<D>& box, double rate) {
  for (const auto kind : {hgrid::ListKind::half, hgrid::ListKind::full}) {
    for (const auto if_missing : {MissingCopy::error, MissingCopy::skip}) {
      const Seen seen = compare_with_all_pairs<D, Entry>(box, rate, kind, if_missing);
      EXPECT_GT(seen.across, 500);
      EXPECT_GT(seen.numbers, steps / 4) << "copies come and go";
      EXPECT_LT(seen.builds, steps / 3) << "and make nothing stale";
      EXPECT_GT(seen.builds, 5);
    }
  }
}

TEST(Copies, OrthogonalBoxes) {
  check<3>(hgrid::Box3::periodic({0, 0, 0}, {6, 6, 6}), 0);
  check<3, hgrid::PackedNeighbour>(hgrid::Box3::periodic({0, 0, 0}, {6, 6, 6}, {true, false, true}), 0);
  check<2>(hgrid::Box2::periodic({0, 0}, {6, 6}), 0);
}

TEST(Copies, TiltedAndTurnedBoxes) {
  check<3>(hgrid::tilted(hgrid::Box3::periodic({0, 0, 0}, {6, 6, 6}), {8.5, -2, 1}), 0);
  check<3>(hgrid::box_of_vectors<3>({{{0, 6, 2}, {6, 1, 0}, {-1, 0, 6}}}, {true, true, true}), 0);
  check<2>(hgrid::box_of_vectors<2>({{{5, 4}, {-3, 6}}}, {true, true}), 0);
}

TEST(Copies, BoxesInShear) {  // to more than a period
  check<3, hgrid::PackedNeighbour>(hgrid::Box3::periodic({0, 0, 0}, {6, 6, 6}), 0.4);
  check<2>(hgrid::Box2::periodic({0, 0}, {6, 6}), 0.4);
}

const Image across{{1, 0, 0}};

TEST(Copies, AMissingOneIsNamedOrSkipped) {
  const std::vector<index_t> owner = {2, 0, 2};
  const std::vector<Image> image = {across, -across, {{0, 3, 0}}};
  Copies strict, lenient(MissingCopy::skip);
  strict.take(4, owner, image), lenient.take(4, owner, image);
  for (const Copies* copies : {&strict, &lenient}) {
    EXPECT_EQ(copies->find(1, 2, across), 4);
    EXPECT_EQ(copies->find(1, 0, -across), 5);
    EXPECT_EQ(copies->find(2, 2, {{0, 3, 0}}), 6);
    EXPECT_EQ(copies->find(1, 3, {}), 3);
    EXPECT_EQ(copies->owner(6), 2);
    EXPECT_EQ(copies->owner(3), 3);
  }
  EXPECT_EQ(lenient.find(1, 2, -across), Copies::missing);
  EXPECT_EQ(lenient.find(1, 3, across), Copies::missing);
  EXPECT_EQ(expect_error(ErrorCode::invalid_argument, [&] { strict.find(1, 2, -across); }).index, 2);
  try {
    strict.find(1, 3, {{0, -4, 5}});
    FAIL();
  } catch (const hgrid::Error& e) {
    EXPECT_NE(std::string(e.what()).find("particle 3 has no copy under image (0, -4, 5)"), std::string::npos) << e.what();
  }
}

TEST(Copies, ThoseOfTheStepBeforeAreGone) {
  Copies copies(MissingCopy::skip);
  copies.take(4, std::vector<index_t>{2, 3}, std::vector<Image>{across, across});
  copies.take(3, std::vector<index_t>{0}, std::vector<Image>{across});
  EXPECT_EQ(copies.find(1, 0, across), 3);
  EXPECT_EQ(copies.find(1, 2, across), Copies::missing);
  EXPECT_EQ(copies.copies(), 1);
  const std::vector<Image> periods = {{{0, 0, 0}}, {{5, 0, 0}}, {{0, 0, 0}}};
  copies.take(3, std::vector<index_t>{0}, std::vector<Image>{across}, periods);
  EXPECT_EQ(copies.find(1, 0, {{6, 0, 0}}), 3);
  EXPECT_EQ(copies.find(1, 0, {{5, 0, 0}}), 0) << "they lie side by side in the box";
  copies.take(4, {}, {});
  EXPECT_EQ(copies.find(1, 0, {}), 0);
  EXPECT_EQ(copies.find(1, 0, across), Copies::missing);
}

// A code may have copies beyond one of two faces only.
TEST(Copies, APairIsGivenFromTheSideThatHasACopy) {
  hgrid::Grid<hgrid::SerialExec, 3> grid(hgrid::SerialExec{}, hgrid::Box3::periodic({0, 0, 0}, {9, 9, 9}));
  const std::vector<double> x = {0.5, 1, 1, 8.5, 1, 1}, r = {0.6, 0.6};  // particle 1 touches 0 across the face at 0
  grid.build(hgrid::particles<3>(x.data(), r.data(), 2));
  auto half = grid.make_list(), full = grid.make_list(hgrid::ListKind::full);
  grid.find(half), grid.find(full);
  Copies copies(MissingCopy::skip);
  const auto given = [&](const auto& list) {
    Pairs pairs;
    copies.for_each_pair(list, [&](index_t i, index_t j) { pairs.emplace_back(i, j); });
    return pairs;
  };
  for (const auto& [owner, image, expected] : {std::tuple(1, -across, Pairs{{0, 2}}), std::tuple(0, across, Pairs{{1, 2}})}) {
    copies.take(2, std::vector<index_t>{owner}, std::vector<Image>{image});
    EXPECT_EQ(given(half), expected);
    EXPECT_EQ(given(full), expected);
  }
  copies.take(2, std::vector<index_t>{0, 1}, std::vector<Image>{across, -across});
  EXPECT_EQ(given(half), (Pairs{{0, 3}, {1, 2}}));
  EXPECT_EQ(given(full), (Pairs{{0, 3}, {1, 2}}));
}

TEST(Copies, ThoseThatCannotBeAreRefused) {
  Copies copies(MissingCopy::skip);
  const std::vector<Image> of_the_step_before = {{{0, 0, 0}}, {{5, 0, 0}}, {{0, 0, 0}}};
  const auto refused = [&](ErrorCode code, const std::vector<index_t>& owner, const std::vector<Image>& image) {
    copies.take(3, std::vector<index_t>{0}, std::vector<Image>{across}, of_the_step_before);
    const auto detail = expect_error(code, [&] { copies.take(3, owner, image); });
    EXPECT_EQ(copies.copies(), 0);
    for (const Image& m : {across, Image{{5, 0, 0}}, Image{{6, 0, 0}}}) EXPECT_EQ(copies.find(1, 0, m), Copies::missing);
    return detail;
  };
  EXPECT_EQ(refused(ErrorCode::size_mismatch, {0, 1}, {across}).argument, "image");
  EXPECT_EQ(refused(ErrorCode::range_error, {0, 3}, {across, across}).index, 1);
  EXPECT_EQ(refused(ErrorCode::range_error, {0, -1}, {across, across}).value, -1);
  EXPECT_EQ(refused(ErrorCode::invalid_argument, {0, 1}, {across, {}}).index, 1);
  EXPECT_EQ(refused(ErrorCode::invalid_argument, {0, 0, 0}, {across, -across, across}).index, 2);
  const std::vector<Image> periods(2);
  EXPECT_EQ(expect_error(ErrorCode::size_mismatch, [&] { copies.take(3, {}, {}, periods); }).argument, "periods");

  hgrid::Grid<hgrid::SerialExec, 3> grid(hgrid::SerialExec{}, hgrid::Box3::open());
  const std::vector<double> x(6), r(2, 1.0);
  grid.build(hgrid::particles<3>(x.data(), r.data(), 2));
  auto list = grid.make_list();
  grid.find(list);
  copies.take(3, {}, {});
  const auto detail = expect_error(ErrorCode::size_mismatch, [&] { copies.for_each_pair(list, [](index_t, index_t) {}); });
  EXPECT_EQ(detail.argument, "list");
  EXPECT_EQ(detail.needed, 3);
}

}  // namespace
