// SPDX-License-Identifier: BSD-3-Clause
// 002, appendix: half a million discs, a jet that meets a rigid boundary. "There is no physical meaning to
// this problem": frictionless, inelastic impulses between discs that NBS finds in contact, and a push that
// undoes overlap.
#include <cmath>
#include <random>

#include "experiments.hpp"

namespace papers {
namespace {

using namespace hgrid::reference;

struct Jet {
  Points<2> discs;
  std::vector<double> v;

  // Slightly disordered columns of diameter 1 that fall at speed 1; the boundary is y = 0.
  Jet(int width, int length) {
    std::mt19937_64 engine(1);
    std::uniform_real_distribution<double> shake(-0.05, 0.05);
    for (int i = 0; i < width * length; ++i) {
      discs.x.push_back(1.12 * (i % width - 0.5 * width) + shake(engine));
      discs.x.push_back(1 + 1.12 * (i / width) + shake(engine));
      v.insert(v.end(), {0, -1});
    }
    discs.r.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(length), 0.5);
  }

  void collide(std::size_t i, std::size_t j) {
    std::vector<double>& x = discs.x;
    double nx = x[2 * i] - x[2 * j], ny = x[2 * i + 1] - x[2 * j + 1];
    const double distance = std::max(1e-9, std::hypot(nx, ny));
    nx /= distance, ny /= distance;
    const double push = 0.5 * std::max(0.0, 1 - distance);
    const double closing = (v[2 * i] - v[2 * j]) * nx + (v[2 * i + 1] - v[2 * j + 1]) * ny;
    const double impulse = std::max(0.0, -0.8 * closing);  // restitution 0.6
    x[2 * i] += push * nx, x[2 * i + 1] += push * ny, x[2 * j] -= push * nx, x[2 * j + 1] -= push * ny;
    v[2 * i] += impulse * nx, v[2 * i + 1] += impulse * ny;
    v[2 * j] -= impulse * nx, v[2 * j + 1] -= impulse * ny;
  }

  void move(double dt) {
    for (std::size_t i = 0; i < discs.r.size(); ++i) {
      discs.x[2 * i] += dt * v[2 * i];
      discs.x[2 * i + 1] += dt * v[2 * i + 1];
      if (discs.x[2 * i + 1] >= 0.5) continue;
      discs.x[2 * i + 1] = 0.5;
      v[2 * i + 1] = std::max(0.0, -0.3 * v[2 * i + 1]);
    }
  }

  void print(int step) const {
    for (std::size_t i = 0; i < discs.r.size(); i += 4) {
      std::printf("%d,%.2f,%.2f,%.2f\n", step, discs.x[2 * i], discs.x[2 * i + 1], std::hypot(v[2 * i], v[2 * i + 1]));
    }
  }
};

}  // namespace

void jet() {
  Jet state(250, 2000);
  std::puts("step,x,y,speed");
  double detection = 0;
  std::int64_t contacts = 0;
  constexpr int steps = 1200;
  for (int step = 0; step <= steps; ++step) {
    if (step % 400 == 0) state.print(step);
    const Bodies<2> bodies = state.discs.bodies();
    const auto start = std::chrono::steady_clock::now();
    const Contacts found = hgrid::reference::nbs(bodies);
    detection += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    contacts = static_cast<std::int64_t>(found.pairs.size());
    for (const hgrid::Pair& p : found.pairs) state.collide(static_cast<std::size_t>(p.i), static_cast<std::size_t>(p.j));
    state.move(0.5);
  }
  std::fprintf(stderr, "500,000 discs: %.1f ms a detection, %lld contacts at the end\n", 1e3 * detection / (steps + 1),
               static_cast<long long>(contacts));
}

}  // namespace papers
