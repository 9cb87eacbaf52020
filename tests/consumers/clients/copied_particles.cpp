// SPDX-License-Identifier: BSD-3-Clause
// A client like MercuryDPM, LIGGGHTS and LAMMPS: it wraps its particles into a periodic box and copies particles near a face
// beyond the opposite one, again at each step. An interaction is between two of these objects and has no image. The box may
// shear.
#include <hgrid/hgrid.hpp>
#include <hgrid/loop.hpp>

#include <algorithm>

#include "system.hpp"

namespace {

using Vec3 = hgrid::Vec<double, 3>;
enum class Faces { walls, periodic, shear };

struct Body {
  Vec3 x, v;
  double r;
  int copy_of;  // -1: a particle
};

constexpr double length = 12, largest = 1, dt = 0.01, rate = 0.3;
constexpr int particles = 500, steps = 400;

struct Code {
  std::vector<Body> bodies;           // particles, then copies
  std::vector<hgrid::Image> periods;  // taken off each particle's position
  Faces faces;
  double offset = 0;  // of the images across y

  explicit Code(Faces kind) : periods(particles), faces(kind) {
    const System system(particles);
    std::mt19937 random(2);
    std::uniform_real_distribution<double> velocity(-1, 1);
    for (int i = 0; i < particles; ++i) {
      Body b{{}, {}, system.r[i], -1};
      for (int k = 0; k < 3; ++k) b.x[k] = system.x[3 * i + k], b.v[k] = velocity(random);
      bodies.push_back(b);
    }
  }

  hgrid::Box3 box() const {
    if (faces == Faces::walls) return hgrid::Box3::open();
    return hgrid::sheared(hgrid::Box3::periodic({0, 0, 0}, {length, length, length}), offset);
  }

  void step() {
    bodies.resize(particles);
    if (faces == Faces::shear) offset += rate * length * dt;
    for (int i = 0; i < particles; ++i) {
      Body& b = bodies[i];
      b.x[0] += faces == Faces::shear ? dt * rate * b.x[1] : 0;  // velocities are beside the flow
      for (int k = 2; k >= 0; --k) {
        b.x[k] += dt * b.v[k];
        if (faces == Faces::walls) {
          if ((b.x[k] < 0) == (b.v[k] < 0) && (b.x[k] < 0 || b.x[k] > length)) b.v[k] = -b.v[k];
          continue;
        }
        const int taken_off = static_cast<int>(std::floor(b.x[k] / length));
        b.x[k] -= taken_off * length, periods[i][k] += taken_off;
        if (k == 1) b.x[0] -= taken_off * offset;
      }
    }
    if (faces == Faces::walls) return;
    for (int k = 2; k >= 0; --k) copy_along(k, bodies.size());
  }

  // Copies along an axis, as far as particles touch and no farther. Copies of copies lie beyond edges and corners.
  void copy_along(int k, std::size_t count) {
    for (std::size_t b = 0; b < count; ++b) {
      for (const int side : {-1, 1}) {
        Body copy = bodies[b];
        copy.x[k] += side * length;
        if (copy.x[k] < -2 * largest || copy.x[k] > length + 2 * largest) continue;
        if (k == 1) copy.x[0] += side * offset;
        if (k == 1) copy.x[0] -= length * std::floor(copy.x[0] / length);  // from there it is copied along x
        if (copy.copy_of < 0) copy.copy_of = static_cast<int>(b);
        bodies.push_back(copy);
      }
    }
  }

  bool touch(int i, int j) const {
    const Vec3 &a = bodies[i].x, &b = bodies[j].x;
    const double sum = bodies[i].r + bodies[j].r;
    return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]) <= sum * sum;
  }
};

// [docs: copied_particles]
struct Neighbours {
  hgrid::Grid<hgrid::OpenMPExec, 3> grid;
  hgrid::VerletList<hgrid::OpenMPExec, 3> list{grid, {.skin = 0.2}};
  hgrid::Copies copies{hgrid::MissingCopy::skip};  // this code copies only particles that may touch
  std::vector<double> x, r;
  std::vector<int> owner;
  std::vector<hgrid::Image> image;

  explicit Neighbours(const hgrid::Box3& box) : grid{hgrid::OpenMPExec{}, box} {}

  /// At each step, when the code has moved and wrapped its particles, and made its copies.
  void update(const Code& code) {
    const hgrid::Box3 box = code.box();
    x.clear(), r.clear(), owner.clear(), image.clear();
    for (std::size_t i = 0; i < code.bodies.size(); ++i) {
      const Body& body = code.bodies[i];
      if (body.copy_of < 0) {
        const Vec3 unwrapped = hgrid::separation(box, body.x, Vec3{}, -code.periods[i]);  // x + p L
        x.insert(x.end(), {unwrapped[0], unwrapped[1], unwrapped[2]}), r.push_back(body.r);
      } else {
        owner.push_back(body.copy_of);
        image.push_back(hgrid::image_of_copy(box, body.x, code.bodies[static_cast<std::size_t>(body.copy_of)].x));
      }
    }
    grid.set_box(box);
    list.update(x, r);  // particles only: copies make nothing stale
    copies.take(static_cast<int>(r.size()), owner, image, code.periods);
  }

  /// f(i, j): j is a particle, and forces go to both, or a copy, and the force goes to i; its particle has a call of its own.
  template <class F>
  void for_each_pair(const F& f) const {
    copies.for_each_pair(list.neighbours(), f);
  }
};
// [docs: end]

/// How often the list was built.
long long run(Faces faces) {
  Code code(faces);
  Neighbours neighbours(code.box());
  std::size_t all = 0, across = 0, made = 0, changes = 0;
  for (int step = 0; step < steps; ++step) {
    code.step();
    neighbours.update(code);
    std::vector<std::pair<int, int>> found, expected;
    neighbours.for_each_pair([&](int i, int j) {
      if (code.touch(i, j)) found.emplace_back(i, j);  // not merely within the skin
    });
    for (int i = 0; i < particles; ++i) {
      for (int j = i + 1; j < static_cast<int>(code.bodies.size()); ++j) {
        if (code.touch(i, j)) expected.emplace_back(i, j), across += j >= particles;
      }
    }
    std::sort(found.begin(), found.end());
    require(found == expected, "the pairs of particles and copies");
    all += found.size();
    changes += std::exchange(made, code.bodies.size()) != code.bodies.size();
  }
  require(all > 50 * steps, "there are contacts");
  require(faces == Faces::walls ? across == 0 : across > 10 * steps && changes > steps / 2, "copies come and go");
  const long long builds = neighbours.list.counters().builds;
  const char* const names[] = {"walls", "a periodic box", "a box in shear"};
  std::printf("%s: %g builds in 100 steps\n", names[static_cast<int>(faces)], 100.0 * static_cast<double>(builds) / steps);
  return builds;
}

}  // namespace

int main() {
  const long long walls = run(Faces::walls), periodic = run(Faces::periodic), sheared = run(Faces::shear);
  require(walls > 5 && periodic <= walls + walls / 4, "a periodic box costs no more builds than walls do");
  require(sheared <= 2 * walls, "nor does one in shear by much");
}
