// SPDX-License-Identifier: BSD-3-Clause
// The particles inserted into a grid of one executor and dimension, on the host; unsupported on a device.
#pragma once

#include "c/status.hpp"
#include "hgrid/find/insertions.hpp"

namespace hgrid::c {

template <class Exec, int D>
class InsertionsOn {
 public:
  explicit InsertionsOn(const Grid<Exec, D>& grid) : insertions_(grid) {}

  bool touches(const double* position, double radius, std::int32_t world) const {
    return insertions_.touches(taken(position), radius, world);
  }
  std::int32_t insert(const double* position, double radius, std::int32_t world) {
    return insertions_.insert(taken(position), radius, world);
  }
  /// Returns the id, or -1 if the position is not free.
  std::int32_t insert_if_free(const double* position, double radius, std::int32_t world) {
    return insertions_.insert_if_free(taken(position), radius, world).value_or(-1);
  }

 private:
  static Vec<double, D> taken(const double* position) {
    if (position == nullptr) refuse("position", "is null");
    Vec<double, D> x;
    for (int k = 0; k < D; ++k) x[k] = position[k];
    return x;
  }

  Insertions<Exec, D> insertions_;
};

template <class Exec, int D>
requires(!Exec::on_host) class InsertionsOn<Exec, D> {
 public:
  explicit InsertionsOn(const Grid<Exec, D>&) {}
  bool touches(const double*, double, std::int32_t) const { fail(); }
  std::int32_t insert(const double*, double, std::int32_t) { fail(); }
  std::int32_t insert_if_free(const double*, double, std::int32_t) { fail(); }

 private:
  [[noreturn]] static void fail() { refuse("grid", "is on a device; insertions are for hosts", 0, ErrorCode::unsupported); }
};

}  // namespace hgrid::c
