// SPDX-License-Identifier: BSD-3-Clause
// For codes that keep copies of particles beyond the faces of a periodic box, made again at each step. The list is made of the
// particles only, whose number stays, and each entry is returned with the copy that represents (id, image).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "hgrid/core/error.hpp"
#include "hgrid/core/lattice.hpp"
#include "hgrid/lists.hpp"

namespace hgrid::inline v0_2 {

enum class MissingCopy { error, skip };  ///< for an entry whose copy was not made: throw, or leave it out

/// The copies that a code has made of its particles at one step. Its arrays hold the particles, then the copies: copy k has
/// index `particles + k`, and represents particle owner[k] at x + image[k] L (`image_of_copy` finds the image if the code does
/// not know it). The grid and the list do not use copies: pass only the particles, in a periodic box.
///
/// A missing copy is `invalid_argument`, with the id in `index` and the image in the text. Such an entry may be skipped if the
/// code copies all particles that may touch another one across a face: the two are within the skin, and do not touch. No entry
/// needs copies farther than 2 (largest interaction distance + skin) from the box.
///
/// On hosts only; all arrays are in host memory. Memory is 20 bytes per copy and 4 per particle.
class Copies {
 public:
  static constexpr index_t missing = -1;

  explicit Copies(MissingCopy if_missing = MissingCopy::error) : if_missing_(if_missing) {}

  /// Takes the copies at each step, after they were made. A code that wraps particles into the box has moved them by whole
  /// periods, which makes a list stale. So pass unwrapped positions x + periods[i] L to the list, and these `periods` here.
  /// `periods` is kept, not copied. Takes time proportional to the number of copies. Throws `size_mismatch` for arrays that
  /// differ in length; `range_error` for an owner that is not a particle; `invalid_argument` for a copy under image 0, or a
  /// duplicate. There are no copies then.
  void take(index_t particles, std::span<const index_t> owner, std::span<const Image> image,
            std::span<const Image> periods = {}) {
    clear();
    newest_.resize(static_cast<std::size_t>(particles), missing);
    require_length("image", image.size(), owner.size());
    if (!periods.empty()) require_length("periods", periods.size(), newest_.size());
    copies_.reserve(owner.size());
    for (std::size_t k = 0; k < owner.size(); ++k) add(owner[k], image[k]);
    periods_ = periods;
  }

  /// Numbers of the last `take`.
  index_t particles() const { return static_cast<index_t>(newest_.size()); }
  index_t copies() const { return static_cast<index_t>(copies_.size()); }
  index_t owner(index_t index) const { return index < particles() ? index : copy(index - particles()).owner; }

  /// Returns which of the code's particles represents j in an entry (i, j, image) of a list: j itself, or the copy near i. From
  /// the side of j, pass (j, i, -image). Returns `missing` if there is no copy and such entries are skipped. Any number of
  /// threads may call it.
  index_t find(index_t i, index_t j, const Image& image) const {
    const Image m = image_now(image, periods_.empty() ? nullptr : periods_.data(), i, j);
    if (m == Image{}) return j;
    for (index_t k = newest_[static_cast<std::size_t>(j)]; k != missing; k = copy(k).older) {
      if (copy(k).image == m) return particles() + k;
    }
    if (if_missing_ == MissingCopy::error) throw_missing(j, m);
    return missing;
  }

  /// Calls f(i, j) for the pairs of a list as a search among particles and copies would find them: i is a particle, j a
  /// particle or a copy, and no two copies pair. A half list gives a pair of two particles once, i < j, and a pair across a
  /// face from both sides, each with the copy of the other. A full list gives all pairs from both sides, with i ascending.
  /// Throws `size_mismatch` for a list of another number of particles.
  template <class Exec, class Entry, class F>
  void for_each_pair(const NeighbourList<Exec, Entry>& list, const F& f) const requires(Exec::on_host) {
    require_length("list", static_cast<std::size_t>(list.lists()), newest_.size());
    const auto view = detail::view_of(list);
    for (index_t i = 0; i < view.lists; ++i) {
      for (offset_t k = view.offsets[i]; k < view.offsets[i + 1]; ++k) {
        const index_t j = view.neighbour(k), partner = find(i, j, view.image(i, k));
        if (partner != missing) f(i, partner);
        if (partner == j || list.kind() == ListKind::full) continue;
        const index_t other = find(j, i, -view.image(i, k));
        if (other != missing) f(j, other);
      }
    }
  }

 private:
  struct Copy {
    index_t owner;
    Image image;
    index_t older;  // copy of the same particle, or missing
  };
  const Copy& copy(index_t k) const { return copies_[static_cast<std::size_t>(k)]; }

  // Clears only the used entries of newest_, so that the cost of a step is proportional to its copies.
  void clear() {
    for (const Copy& c : copies_) newest_[static_cast<std::size_t>(c.owner)] = missing;
    copies_.clear();
    periods_ = {};
  }

  void add(index_t owner, const Image& image) {
    const index_t k = copies();
    if (owner < 0 || owner >= particles()) {
      clear();
      throw Error(ErrorCode::range_error,
                  "copy " + std::to_string(k) + " is of particle " + std::to_string(owner) + "; there are " +
                      detail::counted(particles(), "particle"),
                  {.argument = "owner", .index = k, .value = static_cast<double>(owner), .count = 1});
    }
    index_t& newest = newest_[static_cast<std::size_t>(owner)];
    bool twice = image == Image{};
    for (index_t other = newest; other != missing && !twice; other = copy(other).older) twice = copy(other).image == image;
    if (twice) {
      clear();
      throw Error(ErrorCode::invalid_argument,
                  "copy " + std::to_string(k) + " lies where particle " + std::to_string(owner) + " or another copy of it lies",
                  {.argument = "image", .index = k, .count = 1});
    }
    copies_.push_back({owner, image, newest});
    newest = k;
  }

  static void require_length(const char* argument, std::size_t length, std::size_t needed) {
    if (length == needed) return;
    throw Error(
        ErrorCode::size_mismatch,
        std::string(argument) + " has " + std::to_string(length) + " entries, and needs " + std::to_string(needed),
        {.argument = argument, .count = static_cast<std::int64_t>(length), .needed = static_cast<std::int64_t>(needed)});
  }

  [[noreturn]] static void throw_missing(index_t id, const Image& m) {
    throw Error(ErrorCode::invalid_argument,
                "particle " + std::to_string(id) + " has no copy under image (" + std::to_string(m[0]) + ", " +
                    std::to_string(m[1]) + ", " + std::to_string(m[2]) +
                    "); make copies as far as the list reaches, or leave out such entries by MissingCopy::skip",
                {.argument = "copies", .index = id, .count = 1});
  }

  MissingCopy if_missing_;
  std::vector<Copy> copies_;
  std::vector<index_t> newest_;  // copy of each particle, or missing
  std::span<const Image> periods_;
};

}  // namespace hgrid::inline v0_2
