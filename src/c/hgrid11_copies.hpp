// SPDX-License-Identifier: BSD-3-Clause
// Copies of particles beyond periodic faces, like hgrid::Copies. Include hgrid11.hpp.
#ifndef HGRID11_COPIES_HPP
#define HGRID11_COPIES_HPP

#include <cmath>
#include <string>
#include <vector>

#include "hgrid11_lists.hpp"

namespace hgrid11 {
inline namespace v0_2 {

enum class MissingCopy { error, skip };  ///< what to do with an entry whose copy was not made: throw, or skip it

/// Returns the image m of a copy of the particle at x: copy = x + shift(m), up to rounding. Both are D numbers.
template <int D>
Image image_of_copy(const Box<D>& box, const double* copy, const double* x) {
  double way[D], vectors[D][D], upright[D][D];  // upright: the part of a vector that is perpendicular to the vectors before it
  const auto along = [](const double(&a)[D], const double(&b)[D]) {
    double sum = 0;
    for (int k = 0; k < D; ++k) sum += a[k] * b[k];
    return sum;
  };
  for (int j = 0; j < D; ++j) {
    Image one = {{0, 0, 0}};
    one.m[j] = 1;
    const std::array<double, D> vector = box.shift(one);  // 0 for an open axis
    way[j] = copy[j] - x[j];
    for (int k = 0; k < D; ++k) vectors[j][k] = upright[j][k] = vector[static_cast<std::size_t>(k)];
    for (int i = 0; i < j; ++i) {
      const double squared = along(upright[i], upright[i]), share = squared > 0 ? along(vectors[j], upright[i]) / squared : 0;
      for (int k = 0; k < D; ++k) upright[j][k] -= share * upright[i][k];
    }
  }
  Image image = {{0, 0, 0}};
  for (int j = D; j-- > 0;) {
    const double squared = along(upright[j], upright[j]),
                 count = squared > 0 ? std::round(along(way, upright[j]) / squared) : 0;
    for (int k = 0; k < D; ++k) way[k] -= count * vectors[j][k];
    image.m[j] = static_cast<std::int32_t>(count);
  }
  return image;
}

/// The copies that a code has made of its particles at one step. Its arrays hold the particles, then the copies: copy k has
/// index `particles + k`, and represents particle owner[k] at x + shift(image[k]) (`image_of_copy` finds the image if the code
/// does not know it). Lists are made of the particles only, in a periodic box. An entry whose copy is missing may be skipped if
/// the code copies all particles that may touch another one across a face: the two are within the skin, and do not touch.
class Copies {
 public:
  enum : std::int32_t { missing = -1 };

  explicit Copies(MissingCopy if_missing = MissingCopy::error) : if_missing_(if_missing) {}

  /// Takes the copies at each step, after they were made. The list needs unwrapped positions x + shift(periods[i]); `periods`
  /// are the periods that the code has subtracted from each particle so far; omit them if it wraps no particles. Throws
  /// `size_mismatch`; `range_error` for an owner that is not a particle; `invalid_argument` for a copy under image 0, or a
  /// duplicate. There are no copies then.
  void take(std::size_t particles, const std::vector<std::int32_t>& owner, const std::vector<Image>& image,
            const std::vector<Image>& periods = std::vector<Image>()) {
    clear();
    require_length("image", image.size(), owner.size());
    if (!periods.empty()) require_length("periods", periods.size(), particles);
    if (particles > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
      throw Error(ErrorCode::too_many_particles, "is " + std::to_string(particles) + "; ids have 31 bits", "particles");
    }
    detail::make_room(newest_, static_cast<std::int64_t>(particles), 1, static_cast<std::int32_t>(missing), "particles");
    for (std::size_t k = 0; k < owner.size(); ++k) add(owner[k], image[k]);
    periods_ = periods;
  }

  std::int32_t particles() const { return static_cast<std::int32_t>(newest_.size()); }
  std::int32_t copies() const { return static_cast<std::int32_t>(copies_.size()); }
  std::int32_t owner(std::int32_t index) const { return index < particles() ? index : copy(index - particles()).owner; }

  /// Returns which of the code's particles represents j in an entry (i, j, image) of a list: j itself, or the copy near i. From
  /// the side of j, pass j, i and the negative image. Returns `missing` if there is no copy and such entries are skipped.
  std::int32_t find(std::int32_t i, std::int32_t j, Image image) const {
    for (std::size_t axis = 0; axis < 3 && !periods_.empty(); ++axis) {
      image.m[axis] += periods_[static_cast<std::size_t>(j)].m[axis] - periods_[static_cast<std::size_t>(i)].m[axis];
    }
    if (same(image, none())) return j;
    for (std::int32_t k = newest_[static_cast<std::size_t>(j)]; k != missing; k = copy(k).older) {
      if (same(copy(k).image, image)) return particles() + k;
    }
    if (if_missing_ == MissingCopy::skip) return missing;
    throw Error(ErrorCode::invalid_argument,
                "lack a copy of particle " + std::to_string(j) + " under image (" + std::to_string(image[0]) + ", " +
                    std::to_string(image[1]) + ", " + std::to_string(image[2]) +
                    "); make copies as far as the list reaches, or leave out such entries by MissingCopy::skip",
                "copies", j);
  }

  /// Calls f(i, j) for the pairs of a list of that kind: i is a particle, j a particle or a copy. A half list gives a pair of
  /// two particles once, i < j, and a pair across a face from both sides, each with the copy of the other. A full list gives
  /// all pairs from both sides, with i ascending.
  template <class List, class F>
  void for_each_pair(const List& list, ListKind kind, const F& f) const {
    require_length("list", static_cast<std::size_t>(list.lists()), newest_.size());
    for (std::int32_t i = 0; i < particles(); ++i) {
      for (const Neighbour n : list[i]) {
        const std::int32_t partner = find(i, n.id, n.image);
        if (partner != missing) f(i, partner);
        if (partner == n.id || kind == ListKind::full) continue;
        const Image back = {{-n.image[0], -n.image[1], -n.image[2]}};
        const std::int32_t other = find(n.id, i, back);
        if (other != missing) f(n.id, other);
      }
    }
  }

 private:
  struct Copy {
    std::int32_t owner;
    Image image;
    std::int32_t older;  // copy of the same particle, or missing
  };
  const Copy& copy(std::int32_t k) const { return copies_[static_cast<std::size_t>(k)]; }
  static Image none() { return {{0, 0, 0}}; }
  static bool same(const Image& a, const Image& b) { return a[0] == b[0] && a[1] == b[1] && a[2] == b[2]; }

  void add(std::int32_t owner, const Image& image) {
    if (owner < 0 || owner >= particles()) refuse(ErrorCode::range_error, "no particle", "owner", owner);
    std::int32_t& newest = newest_[static_cast<std::size_t>(owner)];
    bool twice = same(image, none());
    for (std::int32_t k = newest; k != missing && !twice; k = copy(k).older) twice = same(copy(k).image, image);
    if (twice) refuse(ErrorCode::invalid_argument, "none, or the image of another copy of it", "image", owner);
    const Copy made = {owner, image, newest};
    newest = copies();
    copies_.push_back(made);
  }

  void refuse(ErrorCode code, const char* why, const char* argument, std::int32_t owner) {
    const std::string text = "of copy " + std::to_string(copies()) + " of particle " + std::to_string(owner) + " is " + why;
    clear();
    throw Error(code, text, argument, owner);
  }

  // Clears only the used entries of newest_, so that the cost of a step is proportional to its copies.
  void clear() {
    for (const Copy& c : copies_) newest_[static_cast<std::size_t>(c.owner)] = missing;
    copies_.clear(), periods_.clear();
  }

  static void require_length(const char* argument, std::size_t length, std::size_t needed) {
    if (length == needed) return;
    throw Error(ErrorCode::size_mismatch, "has " + std::to_string(length) + " entries, and needs " + std::to_string(needed),
                argument, static_cast<std::int64_t>(length), static_cast<std::int64_t>(needed));
  }

  MissingCopy if_missing_;
  std::vector<Copy> copies_;
  std::vector<std::int32_t> newest_;  // copy of each particle, or missing
  std::vector<Image> periods_;
};

}  // namespace v0_2
}  // namespace hgrid11

#endif
