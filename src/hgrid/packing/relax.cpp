// SPDX-License-Identifier: BSD-3-Clause
// Damped motion along the sum of the pushes of all partners. Each of two overlapping particles moves by a share of the overlap
// in proportion to the other's weight r^(D-1). A large particle is touched by as many small ones as its surface holds, so its
// shares sum to a bounded number at any size ratio: one step length is stable for all particles. Still it yields to a small one
// that is caught between two large ones. Every particle sums by itself, in an order that only the positions decide: threads do
// not change the result.
#include "hgrid/packing/relax.hpp"
#include "hgrid/inputs/input_error.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "hgrid/core/error.hpp"
#include "hgrid/hgrid.hpp"

namespace hgrid::inline v0_2 {
namespace {

constexpr double step = 0.3;      // of the sum of pushes; 12 neighbors are unstable beyond about 0.5
constexpr double momentum = 0.8;  // share of the last move that is kept; a particle that touches nothing rests

/// The effect of the partners on one particle.
template <int D>
struct Sum {
  Vec<double, D> push{};
  std::int64_t contacts = 0;
  double overlaps = 0, largest = 0;  // relative
};

template <int D>
struct Body {
  double* x[D];
  const double* r;
  Box<D> box;

  double weight(index_t i) const { return D == 2 ? r[i] : r[i] * r[i]; }
};

/// The functor for Grid::for_each_partner.
template <int D>
struct AddPush {
  Body<D> body;
  Sum<D>* sums;

  void operator()(index_t i, index_t j, const Image& image) const {
    Vec<double, D> d{};
    double squared = 0;
    for (int k = 0; k < D; ++k) {
      d[k] = separation(body.box, k, body.x[k][i], body.x[k][j], image);
      squared += d[k] * d[k];
    }
    const double distance = std::sqrt(squared);
    if (distance > 0) {
      for (int k = 0; k < D; ++k) d[k] /= distance;
    } else {
      // Concentric: the direction must be opposite for the two and differ between pairs.
      const double angle = 2.4 * (static_cast<double>(i) + j), sign = i < j ? 1 : -1;
      for (int k = 0; k < D; ++k) d[k] = sign * std::cos((1 + 0.3 * k) * angle + k);
    }
    const double overlap = std::max(body.r[i] + body.r[j] - distance, 0.0);
    const double relative = overlap / (2 * std::min(body.r[i], body.r[j]));
    const double share = body.weight(j) / (body.weight(i) + body.weight(j));
    Sum<D>& sum = sums[i];
    for (int k = 0; k < D; ++k) sum.push[k] += share * overlap * d[k];
    ++sum.contacts;
    sum.overlaps += relative;
    sum.largest = std::max(sum.largest, relative);
  }
};

template <int D>
class Relaxer {
 public:
  Relaxer(Packing& packing, const RelaxOptions& options)
      : packing_(packing),
        options_(options),
        grid_(OpenMPExec(options.threads), box()),
        sums_(packing.r.size()),
        move_(packing.r.size()) {
    std::vector<double>* columns[] = {&packing.x, &packing.y, &packing.z};
    for (int k = 0; k < D; ++k) body_.x[k] = columns[k]->data();
    body_.r = packing.r.data(), body_.box = grid_.box();
    require_that_all_fit();
  }

  Relaxation run() {
    keep_inside();
    Relaxation state = measure();
    while (!good(state) && state.iterations < options_.max_iterations) {
      move();
      keep_inside();
      const int iterations = state.iterations + 1;
      state = measure();
      state.iterations = iterations;
      if (options_.progress && !options_.progress(state)) break;
    }
    return state;
  }

 private:
  Box<D> box() const {
    const double length = packing_.length;
    const auto& axes = options_.periodic;
    return Box<D>::of_axes(Box3::periodic({}, {length, length, length}, {axes[0], axes[1], axes[2]}));
  }

  void require_that_all_fit() const {
    const double widest = packing_.r.empty() ? 0 : 2 * *std::max_element(packing_.r.begin(), packing_.r.end());
    for (int k = 0; k < D; ++k) {
      if (body_.box.wraps[k] || widest <= packing_.length) continue;
      throw Error(ErrorCode::invalid_argument,
                  "the largest particle, of diameter " + detail::to_text(widest) + ", does not fit into a box of " +
                      detail::to_text(packing_.length) + " between walls; more particles or a periodic box are needed",
                  {.argument = "packing", .value = widest});
    }
  }

  bool good(const Relaxation& state) const {
    return state.mean_overlap <= options_.mean_overlap && state.max_overlap <= options_.max_overlap;
  }

  Relaxation measure() {
    Particles<double, D> particles{};
    for (int k = 0; k < D; ++k) particles.position[k] = body_.x[k];
    particles.stride = 1;
    particles.radius = body_.r;
    particles.count = static_cast<std::int64_t>(sums_.size());
    grid_.build(particles);
    std::fill(sums_.begin(), sums_.end(), Sum<D>{});
    grid_.for_each_partner(AddPush<D>{body_, sums_.data()});
    Relaxation state;
    for (const Sum<D>& sum : sums_) {  // by one thread, so that the rounding is always the same
      state.contacts += sum.contacts;
      state.mean_overlap += sum.overlaps;
      state.max_overlap = std::max(state.max_overlap, sum.largest);
    }
    if (state.contacts > 0) state.mean_overlap /= static_cast<double>(state.contacts);
    state.contacts /= 2;  // both partners counted it
    return state;
  }

  void move() {
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      for (int k = 0; k < D; ++k) {
        move_[i][k] = sums_[i].contacts == 0 ? 0 : momentum * move_[i][k] + step * sums_[i].push[k];
        body_.x[k][i] += move_[i][k];
      }
    }
  }

  void keep_inside() {
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      Vec<double, D> x;
      for (int k = 0; k < D; ++k) x[k] = body_.x[k][i];
      x = wrap(body_.box, x).inside;
      for (int k = 0; k < D; ++k) {
        const double r = body_.r[i];
        body_.x[k][i] = body_.box.wraps[k] ? x[k] : std::clamp(x[k], r, std::max(r, packing_.length - r));
      }
    }
  }

  Packing& packing_;
  const RelaxOptions& options_;
  Grid<OpenMPExec, D> grid_;
  Body<D> body_{};
  std::vector<Sum<D>> sums_;
  std::vector<Vec<double, D>> move_;
};

}  // namespace

Relaxation relax(Packing& packing, const RelaxOptions& options) {
  return packing.dimension == 2 ? Relaxer<2>(packing, options).run() : Relaxer<3>(packing, options).run();
}

}  // namespace hgrid::inline v0_2
