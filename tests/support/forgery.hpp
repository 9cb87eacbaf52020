// SPDX-License-Identifier: BSD-3-Clause
// Forged checkpoints: changed bytes whose sum was corrected. Decisions come from a fuzzer's bytes.
#pragma once

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "fuzz/bytes.hpp"
#include "hgrid/engine/checkpoint.hpp"

namespace support {

using Bytes = std::vector<std::byte>;

inline constexpr std::size_t head_of_checkpoint = sizeof(hgrid::detail::CheckpointHeader);

/// Corrects length and sum, as a forger of a checkpoint would.
inline void mend(Bytes& checkpoint) {
  if (checkpoint.size() < head_of_checkpoint) return;
  hgrid::detail::CheckpointHeader header;
  std::memcpy(&header, checkpoint.data(), sizeof header);
  header.size = checkpoint.size() - sizeof header;
  header.sum = hgrid::detail::checkpoint_sum(header, std::span(std::as_const(checkpoint)).subspan(sizeof header));
  std::memcpy(checkpoint.data(), &header, sizeof header);
}

/// Changes some numbers, or the length.
class Forger {
 public:
  explicit Forger(fuzz::Bytes& decisions) : d_(decisions) {}

  Bytes operator()(Bytes checkpoint) {
    for (int changes = 1 + d_.below(8) / 5 + d_.below(8) / 6; changes > 0 && !checkpoint.empty(); --changes) change(checkpoint);
    mend(checkpoint);
    return checkpoint;
  }

 private:
  void change(Bytes& b) {
    const std::size_t at = place(b);
    switch (d_.below(16)) {
      case 0:
        return cut(b, at);
      case 1:
        return repeat(b, at);
      case 2:
      case 3:
        b[at] = static_cast<std::byte>(d_.flag() ? d_.below(4) : d_.take<std::uint8_t>());
        return;
      case 4:
      case 5:
      case 6:
        return put(b, at, real(old<double>(b, at)));
      case 7:
      case 8:
      case 9:
        return put(b, at, integer(old<std::int64_t>(b, at)));
      case 10:
        return put(b, at, old<std::uint64_t>(b, place(b)));
      default:
        return put(b, at, integer(old<std::int32_t>(b, at)));
    }
  }

  // Returns a place to forge. Numbers of a head and of a plan are fewer than numbers of arrays. Arrays begin at multiples of
  // four bytes or not.
  std::size_t place(const Bytes& b) {
    const std::size_t to = d_.take<std::uint32_t>(), n = b.size(), members = std::min(n - 1, head_of_checkpoint);
    switch (d_.below(8)) {
      case 0:
        return to % n;
      case 1:
      case 2:
        return std::min(n - 1, members + to % 320);
      case 3:
      case 4:
        return n - 1 - std::min(n - 1, to % 3000);
      default:
        return members + to % (n - members);
    }
  }

  void cut(Bytes& b, std::size_t at) {
    const std::size_t n = std::min(b.size() - at, std::size_t{1} << d_.below(8));
    const auto from = b.begin() + static_cast<std::ptrdiff_t>(at);
    b.erase(from, from + static_cast<std::ptrdiff_t>(n));
  }

  void repeat(Bytes& b, std::size_t at) {
    const std::size_t n = std::min(b.size() - at, std::size_t{1} << d_.below(8));
    const Bytes part(b.begin() + static_cast<std::ptrdiff_t>(at), b.begin() + static_cast<std::ptrdiff_t>(at + n));
    b.insert(b.begin() + static_cast<std::ptrdiff_t>(at), part.begin(), part.end());
  }

  template <class T>
  static T old(const Bytes& b, std::size_t at) {
    T value{};
    std::memcpy(&value, b.data() + at, std::min(sizeof value, b.size() - at));
    return value;
  }
  template <class T>
  static void put(Bytes& b, std::size_t at, const T& value) {
    std::memcpy(b.data() + at, &value, std::min(sizeof value, b.size() - at));
  }

  template <class Integer>
  Integer integer(Integer before) {
    using Limits = std::numeric_limits<Integer>;
    using Unsigned = std::make_unsigned_t<Integer>;  // whose sums have no overflow
    const auto sum = [&](Integer more) {
      return static_cast<Integer>(static_cast<Unsigned>(before) + static_cast<Unsigned>(more));
    };
    const Integer values[] = {0,
                              1,
                              -1,
                              2,
                              Limits::max(),
                              Limits::min(),
                              Limits::max() / 2,
                              65536,
                              INT32_MAX,
                              sum(1),
                              sum(-1),
                              sum(before),
                              static_cast<Integer>(d_.take<std::int8_t>()),
                              static_cast<Integer>(d_.take<std::int64_t>())};
    return values[d_.below(std::size(values))];
  }

  double real(double before) {
    const double any = d_.take<double>();
    const double values[] = {std::numeric_limits<double>::quiet_NaN(),
                             HUGE_VAL,
                             -HUGE_VAL,
                             0.0,
                             -1.0,
                             1e300,
                             1e-300,
                             1e15,
                             -1e15,
                             1e-15,
                             5e-324,
                             2 * before,
                             0.5 * before,
                             -before,
                             before + 1,
                             std::nextafter(before, HUGE_VAL),
                             any};
    return values[d_.below(std::size(values))];
  }

  fuzz::Bytes& d_;
};

}  // namespace support
