// SPDX-License-Identifier: BSD-3-Clause
// A built grid, a Verlet list, and the C API's required response to bad input: a typed error that names the argument. Nothing
// is written, and the grid stays as it was.
#pragma once

#include <array>
#include <functional>
#include <limits>

#include "support/c_door.hpp"

namespace support {

inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

class CDoorErrors : public ::testing::Test {
 protected:
  CDoorErrors() {
    options_.dimension = 3, options_.threads = HGRID_SERIAL;
    box_.hi[0] = box_.hi[1] = box_.hi[2] = 10;
    box_.periodic[0] = 1;
    EXPECT_EQ(hgrid_create(&options_, &box_, &door_.grid), HGRID_OK);
    p_.positions = c_array(x_.data(), {4, 3});
    p_.radii = c_array(r_.data(), {4});
    EXPECT_EQ(build(), HGRID_OK);
    auto verlet = sized<hgrid_verlet_options>();
    verlet.skin = 0.1;
    EXPECT_EQ(hgrid_create(&options_, &box_, &other_.grid), HGRID_OK);
    EXPECT_EQ(hgrid_verlet_create(other_.grid, &verlet, &list_.list), HGRID_OK);
    EXPECT_EQ(hgrid_verlet_update(list_.list, &p_, nullptr, nullptr), HGRID_OK);
    EXPECT_EQ(hgrid_create(&options_, &box_, &empty_.grid), HGRID_OK);
  }
  ~CDoorErrors() {
    std::int64_t n = 0;
    EXPECT_EQ(hgrid_count(door_.grid, &n), HGRID_OK);
    EXPECT_EQ(n, 2) << "the grid has changed";
  }

  int build() { return hgrid_build(door_.grid, &p_, 0); }

  static support::Verdict expect(int status, int got, const std::string& argument = "") {
    const support::Verdict v = support::verdict_of_door(got);
    EXPECT_EQ(got, status) << v.message;
    EXPECT_EQ(v.message.find(hgrid_status_name(status)), 0u) << v.message;
    EXPECT_TRUE(argument.empty() || v.argument == argument) << v.argument << " in " << v.message;
    return v;
  }

  /// Builds the particles after a change, which the C API must refuse. A Verlet list must refuse them as its particles and as
  /// its particles with margins, and so must a check.
  template <class Change>
  void expect_particles(int status, const Change& change, const std::string& argument = "") {
    hgrid_particles p = p_;
    change(p);
    expect(status, hgrid_build(door_.grid, &p, 0), argument);
    auto report = sized<hgrid_validity_report>();
    report.dirty = 77;
    expect(status, hgrid_validity(door_.grid, &p, &report), argument);
    EXPECT_EQ(report.dirty, 77);
    int rebuilt = 77;
    expect(status, hgrid_verlet_update(list_.list, &p, nullptr, &rebuilt), argument);
    expect(status, hgrid_verlet_update(list_.list, &p_, &p, &rebuilt), argument);
    EXPECT_EQ(rebuilt, 77);
    expect(status, hgrid_verlet_build(list_.list, &p), argument);
  }

  /// All that can be wrong with one array of particles, which `array` finds; `type` is another type than its own.
  void expect_array(const char* name, const std::function<hgrid_array&(hgrid_particles&)>& array, int type) {
    SCOPED_TRACE(name);
    const auto refuse = [&](int status, const std::function<void(hgrid_array&)>& change) {
      expect_particles(
          status, [&](hgrid_particles& p) { change(array(p)); }, name);
    };
    for (const int ndim : {-1, 0, 4, std::numeric_limits<int>::max()}) {
      refuse(HGRID_ERROR_INVALID_ARGUMENT, [&](hgrid_array& a) { a.ndim = ndim; });
    }
    refuse(HGRID_ERROR_INVALID_ARGUMENT, [](hgrid_array& a) { a.ndim = a.ndim == 1 ? 2 : 1; });
    for (const int other : {type, 0, -1, 0x210, 0x440, std::numeric_limits<int>::min()}) {
      refuse(HGRID_ERROR_INVALID_ARGUMENT, [&](hgrid_array& a) { a.type = other; });
    }
    refuse(HGRID_ERROR_INVALID_ARGUMENT, [](hgrid_array& a) { a.data = nullptr; });
    if (array(p_).type != HGRID_UINT8) {
      refuse(HGRID_ERROR_INVALID_ARGUMENT, [](hgrid_array& a) { a.data = static_cast<char*>(a.data) + 1; });
    }
    refuse(HGRID_ERROR_INVALID_ARGUMENT, [](hgrid_array& a) { a.strided = 2; });
    refuse(HGRID_ERROR_INVALID_ARGUMENT, [](hgrid_array& a) { a.reserved = 1; });
    for (const int device : {2, 4, 7, 10, 13, -1}) {
      refuse(HGRID_ERROR_UNSUPPORTED, [&](hgrid_array& a) { a.device_type = device; });
    }
    for (int k = 0; k < array(p_).ndim; ++k) {
      for (const std::int64_t size : {std::int64_t{-1}, std::numeric_limits<std::int64_t>::min()}) {
        refuse(HGRID_ERROR_SIZE_MISMATCH, [&](hgrid_array& a) { a.shape[k] = size; });
      }
    }
  }

  /// Checks an array that lies in one piece and has as many elements as there are particles.
  void expect_column(const char* name, const std::function<hgrid_array&(hgrid_particles&)>& array, int type,
                     std::int64_t n = 4) {
    expect_array(name, array, type);
    for (const std::int64_t size : {std::int64_t{0}, n - 1, n + 1, std::numeric_limits<std::int64_t>::max()}) {
      expect_particles(
          HGRID_ERROR_SIZE_MISMATCH, [&](hgrid_particles& p) { array(p).shape[0] = size; }, name);
    }
    expect_particles(
        HGRID_ERROR_UNSUPPORTED, [&](hgrid_particles& p) { array(p).strided = 1, array(p).stride[0] = 2; }, name);
  }

  /// Passes to `call` a struct of a size that no header has had.
  template <class T, class Call>
  static void expect_sizes(T good, const Call& call, const char* argument) {
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, sizeof(T) - 1, sizeof(T) + 1, 2 * sizeof(T), SIZE_MAX}) {
      good.struct_size = size;
      const support::Verdict v = expect(HGRID_ERROR_INVALID_ARGUMENT, call(&good), argument);
      EXPECT_NE(v.message.find("struct_size"), std::string::npos) << v.message;
    }
    expect(HGRID_ERROR_INVALID_ARGUMENT, call(static_cast<T*>(nullptr)), argument);
  }

  std::vector<double> x_{0.5, 5, 5, 9.6, 5, 5, 2, 5, 5, 6, 5, 5}, r_{1, 0.3, 0.6, 0.7};
  hgrid_options options_ = sized<hgrid_options>();
  hgrid_box box_ = sized<hgrid_box>();
  hgrid_particles p_ = sized<hgrid_particles>();
  support::DoorGrid door_, other_, empty_;
  support::DoorVerlet list_;
};

}  // namespace support
