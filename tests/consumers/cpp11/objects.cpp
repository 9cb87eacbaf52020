// SPDX-License-Identifier: BSD-3-Clause
// A code of MercuryDPM's shape: particles are objects, made one by one, of sizes 1:10. At each step it wraps them into a
// periodic box and copies particles near a face. Particles hold their interactions. A boundary inserts more of them.
#include <cmath>
#include <map>
#include <memory>

#include "all_pairs.hpp"

namespace {

// [docs: particle]
struct Interaction {
  int since, seen;  // steps
};

struct Particle {
  double x[3], v[3], r;
  Particle* copy_of;                                                     // or null
  int index;                                                             // in the handler
  std::map<const Particle*, std::unique_ptr<Interaction>> interactions;  // by the partner, never a copy
};
// [docs: end]

struct Handler {
  const double length = 12;
  std::vector<std::unique_ptr<Particle>> particles;  // then copies
  std::vector<hgrid11::Image> periods;               // taken off each particle so far
  std::size_t count = 0;                             // of particles

  void add(const double (&x)[3], const double (&v)[3], double r, Particle* copy_of = nullptr) {
    particles.emplace_back(
        new Particle{{x[0], x[1], x[2]}, {v[0], v[1], v[2]}, r, copy_of, static_cast<int>(particles.size()), {}});
    if (copy_of != nullptr) return;
    periods.push_back({{0, 0, 0}});
    ++count;
  }

  void move(double dt) {
    particles.resize(count);  // copies are made again
    double largest = 0;
    for (std::size_t i = 0; i < count; ++i) {
      Particle& p = *particles[i];
      largest = std::fmax(largest, p.r);
      for (int k = 0; k < 3; ++k) {
        const int wraps = static_cast<int>(std::floor((p.x[k] += dt * p.v[k]) / length));
        p.x[k] -= wraps * length, periods[i].m[k] += wraps;
      }
    }
    for (int k = 0; k < 3; ++k) {
      for (std::size_t i = 0, n = particles.size(); i < n; ++i) {
        const Particle& p = *particles[i];
        const double reach = p.r + largest;
        for (const int side : {-1, 1}) {
          if (side == 1 ? p.x[k] >= reach : p.x[k] <= length - reach) continue;
          double x[3] = {p.x[0], p.x[1], p.x[2]};
          x[k] += side * length;
          add(x, p.v, p.r, p.copy_of == nullptr ? particles[i].get() : p.copy_of);
        }
      }
    }
  }

  static bool touch(const Particle& p, const Particle& q) {
    double squared = 0;
    for (int k = 0; k < 3; ++k) squared += (p.x[k] - q.x[k]) * (p.x[k] - q.x[k]);
    return squared < (p.r + q.r) * (p.r + q.r);
  }
};

// [docs: search]
class Search {
 public:
  explicit Search(const hgrid11::Box3& box) : box_(box), grid_(box), list_(grid_, options()) {}

  /// At each step, when particles have moved and copies were made. f(p, q): q is a particle, and forces go to both, or a copy,
  /// and the force goes to p; the particle of q has a call of its own.
  template <class F>
  void for_each_pair(const Handler& handler, const F& f) {
    const std::vector<std::unique_ptr<Particle>>& all = handler.particles;
    x_.clear(), r_.clear(), owner_.clear(), image_.clear();
    for (std::size_t i = 0; i < handler.count; ++i) {
      const std::array<double, 3> off = box_.shift(handler.periods[i]);
      for (std::size_t k = 0; k < 3; ++k) x_.push_back(all[i]->x[k] + off[k]);
      r_.push_back(all[i]->r);
    }
    for (std::size_t c = handler.count; c < all.size(); ++c) {
      owner_.push_back(all[c]->copy_of->index);
      image_.push_back(hgrid11::image_of_copy(box_, all[c]->x, all[c]->copy_of->x));
    }
    list_.update({x_, r_});
    copies_.take(handler.count, owner_, image_, handler.periods);
    copies_.for_each_pair(list_.neighbours(), hgrid11::ListKind::half, [&](std::int32_t i, std::int32_t j) {
      f(*all[static_cast<std::size_t>(i)], *all[static_cast<std::size_t>(j)]);
    });
  }

  std::int64_t builds() const { return list_.counters().builds; }

 private:
  static hgrid11::VerletOptions options() {
    hgrid11::VerletOptions options;
    options.skin = 0.2;
    return options;
  }

  hgrid11::Box3 box_;
  hgrid11::Grid3 grid_;
  hgrid11::VerletList3 list_;
  hgrid11::Copies copies_{hgrid11::MissingCopy::skip};  // this code copies only particles that may touch
  std::vector<double> x_, r_;
  std::vector<std::int32_t> owner_;
  std::vector<hgrid11::Image> image_;
};
// [docs: end]

/// Inserts before the copies are made. The grid is its own, because the list's grid has particles where its last build saw
/// them.
void insert(Handler& handler, hgrid11::Grid3& grid, int tries, Random& random) {
  std::vector<double> x, r;
  for (std::size_t i = 0; i < handler.count; ++i) {
    const Particle& p = *handler.particles[i];
    x.insert(x.end(), p.x, p.x + 3), r.push_back(p.r);
  }
  grid.build({x, r});
  handler.particles.resize(handler.count);
  while (tries-- > 0) {
    const double at[3] = {random(0, handler.length), random(0, handler.length), random(0, handler.length)};
    const double v[3] = {random(-1, 1), random(-1, 1), random(-1, 1)}, radius = std::pow(10, random(-1, 0));
    if (grid.insert_if_free(at, radius) != hgrid11::Grid3::not_free) handler.add(at, v, radius);
  }
}

}  // namespace

void test_objects() {
  Handler handler;
  Random random(4);
  const hgrid11::Box3 box = hgrid11::Box3::periodic({0, 0, 0}, {handler.length, handler.length, handler.length});
  hgrid11::Grid3 boundary(box);
  Search search(box);
  std::size_t contacts = 0;
  const int steps = 60;
  for (int step = 0; step < steps; ++step) {
    if (step % 20 == 0) insert(handler, boundary, 300, random);
    handler.move(0.005);
    std::set<std::pair<int, int>> found, expected;
    search.for_each_pair(handler, [&](Particle& p, Particle& q) {
      if (!Handler::touch(p, q)) return;
      found.emplace(std::min(p.index, q.index), std::max(p.index, q.index));
      std::unique_ptr<Interaction>& held = p.interactions[q.copy_of == nullptr ? &q : q.copy_of];
      if (held == nullptr) held.reset(new Interaction{step, step});
      held->seen = step;
    });
    for (std::size_t i = 0; i < handler.count; ++i) {
      const Particle& p = *handler.particles[i];
      for (std::size_t j = i + 1; j < handler.particles.size(); ++j) {
        const Particle& q = *handler.particles[j];
        if (Handler::touch(p, q)) expected.emplace(p.index, q.index);
      }
    }
    require(found == expected, "the interactions of objects and their copies");
    contacts += found.size();
  }
  int lasting = 0;
  for (std::size_t i = 0; i < handler.count; ++i) {
    for (const auto& held : handler.particles[i]->interactions) lasting += held.second->seen > held.second->since;
  }
  require(handler.count > 300 && contacts > 500 && lasting > 20, "particles are inserted, and interactions last");
  require(search.builds() < steps / 2, "copies make nothing stale");
}
