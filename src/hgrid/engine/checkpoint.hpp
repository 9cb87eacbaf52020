// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints: the state from which a time loop continues, as bytes. One function of each type, `archive`, names the members
// that are saved, and serves both directions: `Saver` appends them to the bytes, `Restorer` reads them back. `archive` also
// checks the state by `require`, because the bytes may come from anywhere and later code trusts the state.
#pragma once

#include <cstddef>
#include <cstring>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "hgrid/core/error.hpp"
#include "hgrid/core/types.hpp"
#include "hgrid/inputs/input_error.hpp"

namespace hgrid::inline v0_2::detail {

/// The types that have checkpoints.
enum class Saved : std::uint32_t { grid = 1, list, pairs, asked_list, packed_list, rank_part };

/// The head of a checkpoint. Its number distinguishes layouts and byte orders.
struct CheckpointHeader {
  static constexpr std::uint64_t mark = 0x3564697267ff6868;  // not text; its first digit is raised when a layout changes

  std::uint64_t number = mark;
  Saved what{};
  std::uint32_t element = 0;  ///< dimension of a grid or list, bytes of a value of pairs
  std::uint64_t size = 0;     ///< bytes of the members
  std::uint64_t sum = 0;      ///< checksum of the members and the fields above
};

/// Returns a checksum that changes with any change of one word, because each step is a bijection of the sum before.
inline std::uint64_t checkpoint_sum(const CheckpointHeader& header, std::span<const std::byte> members) {
  std::uint64_t sum = 0;
  const auto add = [&](std::uint64_t word) {
    sum = (sum ^ word) * 0x9e3779b97f4a7c15;
    sum ^= sum >> 32;
  };
  add(header.number), add(static_cast<std::uint64_t>(header.what)), add(header.element), add(header.size);
  for (std::size_t k = 0; k < members.size(); k += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, members.data() + k, std::min(sizeof word, members.size() - k));
    add(word);
  }
  return sum;
}

/// Calls f, and throws `out_of_memory` if its containers find no memory.
template <class F>
auto with_host_memory(const F& f) {
  try {
    return f();
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, "the checkpoint found no host memory");
  }
}

template <class A, int D>
void archive(A& a, Box<D>& b) {
  a(b.lo, b.hi, b.wraps, b.tilted, b.tilt, b.periods, b.turned, b.axes);
  a.require("a box", [&] {
    check_box(b);
    return used_part(b) == b;
  });
}

/// Returns how many values an enumeration has, so that bytes outside its range are refused. An enumeration without this
/// function cannot be saved.
constexpr int values_of(Direction) { return 2; }
constexpr int values_of(KeyOrder) { return 2; }
constexpr int values_of(TableKind) { return 2; }
constexpr int values_of(SortKind) { return 2; }
constexpr int values_of(Schedule) { return 2; }
constexpr int values_of(ListKind) { return 2; }
constexpr int values_of(Rule) { return 3; }
constexpr int values_of(bool) { return 2; }

/// The largest value of a counter that goes up by one at a time, so that it cannot overflow.
inline constexpr std::int64_t most_counted = std::int64_t{1} << 62;

inline bool is_count(std::int64_t n, std::int64_t most = most_counted) { return n >= 0 && n <= most; }
inline bool is_length(double x) { return x >= 0 && x <= largest_length; }

/// Visits members in both directions. `Self` has `plain(T&)` for a number, `entries(vector, n)`, `array(exec, buffer, n)` for n
/// entries of an executor's buffer, which returns a copy on the host, `clear(exec, buffer)` if no entries are saved, and
/// `require(what, holds)`.
template <class Self>
class Archive {
 public:
  template <class... T>
  void operator()(T&... members) {
    (member(members), ...);
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }

  template <class T>
  void member(T& m) {
    Self& a = self();
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      a.plain(m);
    } else if constexpr (requires { m.archive(a); }) {
      m.archive(a);
    } else {
      archive(a, m);
    }
  }
  template <class T, int N>
  void member(Vec<T, N>& m) {
    member(m.v);
  }
  template <class T, std::size_t N>
  void member(T (&m)[N]) {
    for (T& each : m) member(each);
  }
  template <class T>
  void member(std::optional<T>& m) {
    bool there = m.has_value();
    member(there);
    if (there && !m) m.emplace();
    if (!there) m.reset();
    if (there) member(*m);
  }
  template <class T>
  void member(std::vector<T>& m) {
    auto n = static_cast<std::uint64_t>(m.size());
    member(n);
    self().entries(m, n);
  }
};

class Saver : public Archive<Saver> {
 public:
  Saver(Saved what, std::size_t element) : bytes_(sizeof(CheckpointHeader)) {
    header_.what = what, header_.element = static_cast<std::uint32_t>(element);
  }

  template <class T>
  void plain(const T& value) {
    append(&value, sizeof value);
  }
  template <class T>
  void entries(std::vector<T>& all, std::uint64_t) {
    if constexpr (std::is_same_v<T, std::byte>) {
      append(all.data(), all.size());
    } else {
      for (T& each : all) (*this)(each);
    }
  }

  /// Copies n entries of a buffer to the host and saves them. Waits.
  template <class Exec, class Buffer>
  auto array(const Exec& exec, const Buffer& buffer, offset_t n) {
    using T = std::remove_cvref_t<decltype(*buffer.data())>;
    std::vector<T> host(static_cast<std::size_t>(n));
    if (n > 0) exec.copy_out(host.data(), buffer.data(), n);
    append(host.data(), host.size() * sizeof(T));
    return host;
  }

  template <class Exec, class Buffer>
  void clear(const Exec&, const Buffer&) const {}

  template <class F>
  void require(const char*, const F&) const {}

  std::vector<std::byte> bytes() && {
    const std::span<const std::byte> members = std::span(bytes_).subspan(sizeof header_);
    header_.size = members.size();
    header_.sum = checkpoint_sum(header_, members);
    std::memcpy(bytes_.data(), &header_, sizeof header_);
    return std::move(bytes_);
  }

 private:
  void append(const void* from, std::size_t n) {
    const auto* const begin = static_cast<const std::byte*>(from);
    bytes_.insert(bytes_.end(), begin, begin + n);
  }

  CheckpointHeader header_;
  std::vector<std::byte> bytes_;
};

class Restorer : public Archive<Restorer> {
 public:
  /// Throws `format` unless the bytes are a checkpoint of this type, whole and undamaged.
  Restorer(std::span<const std::byte> bytes, Saved what, std::size_t element) {
    CheckpointHeader header;
    if (bytes.size() < sizeof header) refuse("is cut off in its header", bytes.size(), sizeof header);
    std::memcpy(&header, bytes.data(), sizeof header);
    if (header.number != CheckpointHeader::mark) refuse("is none, or of another version or kind of machine", 0);
    left_ = bytes.subspan(sizeof header);
    if (header.size != left_.size()) {
      refuse(header.size > left_.size() ? "is cut off" : "goes on behind its end", bytes.size(), sizeof header + header.size);
    }
    if (header.sum != checkpoint_sum(header, left_)) refuse("is damaged: its sum is another", 0);
    if (header.what != what) refuse(std::string("is of ") + name(header.what) + ", not of " + name(what), 0);
    if (header.element != element) {
      const bool is_of_pairs = what == Saved::pairs;
      refuse("has " + counted(header.element, is_of_pairs ? "byte" : "dimension") + (is_of_pairs ? " a value" : "") + ", not " +
                 std::to_string(element),
             header.element, element);
    }
  }

  template <class T>
  void plain(T& value) {
    if constexpr (std::is_enum_v<T> || std::is_same_v<T, bool>) {
      std::conditional_t<sizeof(T) == 1, std::uint8_t, std::uint32_t> number;
      static_assert(sizeof number == sizeof(T));
      std::memcpy(&number, next(sizeof number), sizeof number);
      if (number >= static_cast<std::uint32_t>(values_of(T{}))) refuse("has a choice of none", number, 0);
      value = static_cast<T>(number);
    } else {
      std::memcpy(&value, next(sizeof value), sizeof value);
    }
  }

  /// Reads n entries. Memory is bounded by the bytes that are left, even if n is wrong.
  template <class T>
  void entries(std::vector<T>& all, std::uint64_t n) {
    if constexpr (std::is_same_v<T, std::byte>) {
      const std::byte* const from = next_entries(n, 1);
      all.assign(from, from + n);
    } else {
      for (all.clear(); n > 0; --n) (*this)(all.emplace_back());
    }
  }

  /// Replaces the buffer by one with n entries that were saved, and returns a host copy. Throws `out_of_memory`; waits.
  template <class Exec, class Buffer>
  auto array(const Exec& exec, Buffer& buffer, offset_t n) {
    using T = std::remove_cvref_t<decltype(*buffer.data())>;
    const std::byte* const from = next_entries(static_cast<std::uint64_t>(n), sizeof(T));
    std::vector<T> host(static_cast<std::size_t>(n));
    if (n > 0) std::memcpy(host.data(), from, host.size() * sizeof(T));
    buffer = Buffer(exec, n);
    if (n > 0) exec.copy_in(buffer.data(), host.data(), n);
    return host;
  }

  /// Replaces the buffer by one with a single zero.
  template <class Exec, class Buffer>
  void clear(const Exec& exec, Buffer& buffer) const {
    const std::remove_cvref_t<decltype(*buffer.data())> zero{};
    buffer = Buffer(exec, 1);
    exec.copy_in(buffer.data(), &zero, 1);
  }

  /// Throws `format` unless holds(). The checksum finds damage, but not a forged state. `holds` may throw the errors of checks
  /// of arguments.
  template <class F>
  void require(const char* what, const F& holds) const {
    try {
      if (holds()) return;
    } catch (const Error&) {
    }
    refuse(std::string("does not hold together: ") + what, 0);
  }

  /// Throws `format` unless all bytes were read.
  void finish() const {
    if (!left_.empty()) refuse("has more than it should", left_.size(), 0);
  }

 private:
  static const char* name(Saved what) {
    static constexpr const char* names[] = {
        "a grid", "a VerletList", "values of pairs", "a list of an asker", "a VerletList of packed lists", "a rank"};
    const auto number = static_cast<std::uint32_t>(what) - 1;
    return number < std::size(names) ? names[number] : "something else";
  }

  const std::byte* next(std::size_t n) { return next_entries(n, 1); }
  const std::byte* next_entries(std::uint64_t n, std::size_t each) {
    if (n > left_.size() / each) refuse("has less than it says", left_.size(), n);
    const std::byte* const at = left_.data();
    left_ = left_.subspan(static_cast<std::size_t>(n) * each);
    return at;
  }

  [[noreturn]] static void refuse(const std::string& why, std::uint64_t there, std::uint64_t needed = 0) {
    throw Error(ErrorCode::format, "the checkpoint " + why + "; nothing was restored",
                {.argument = "checkpoint",
                 .value = static_cast<double>(there),
                 .count = static_cast<std::int64_t>(there),
                 .needed = static_cast<std::int64_t>(needed)});
  }

  std::span<const std::byte> left_;
};

}  // namespace hgrid::inline v0_2::detail
