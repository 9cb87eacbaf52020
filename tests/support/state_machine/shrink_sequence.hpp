// SPDX-License-Identifier: BSD-3-Clause
// The shortest form of a sequence that fails: delta debugging over its operations, their fields, its objects and particles.
#pragma once

#include "support/state_machine/sequence_file.hpp"
#include "support/state_machine/sequence_process.hpp"

namespace support::machine {

class SequenceShrinker {
 public:
  SequenceShrinker(Sequence s, std::filesystem::path file) : s_(std::move(s)), file_(std::move(file)) {
    write(s_);
    fault_ = fault_of(file_);
  }

  const std::string& fault() const { return fault_; }

  Sequence operator()() {
    for (std::size_t before = SIZE_MAX; s_.operations.size() < before;) {
      before = s_.operations.size();
      drop(&Sequence::operations);
      shrink_worlds();
      simplify_fields();
    }
    list_particles();
    drop_objects();
    return s_;
  }

 private:
  void write(const Sequence& s) const { std::ofstream(file_) << to_text(s); }

  template <class Change>
  bool attempt(const Change& change) {
    Sequence changed = s_;
    change(changed);
    write(changed);
    if (fault_of(file_) != fault_) return false;
    s_ = std::move(changed);
    return true;
  }

  /// Pieces of a list of the sequence, halves first.
  template <class T>
  void drop(std::vector<T> Sequence::*member) {
    for (std::size_t step = ((s_.*member).size() + 1) / 2; step > 0; step = step > 1 ? (step + 1) / 2 : 0) {
      for (std::size_t at = 0; at + step <= (s_.*member).size();) {
        const bool gone = attempt([&](Sequence& s) {
          const auto first = (s.*member).begin() + static_cast<std::ptrdiff_t>(at);
          (s.*member).erase(first, first + static_cast<std::ptrdiff_t>(step));
        });
        if (!gone) at += step;
      }
    }
  }

  template <class Number, class Get>
  void lower(const Get& get) {
    while (get(s_) > 0) {
      const Number now = get(s_), half = static_cast<Number>(now / 2);
      if (!attempt([&](Sequence& s) { get(s) = half; }) && !attempt([&](Sequence& s) { get(s) = now - 1; })) return;
    }
  }

  void shrink_worlds() {
    for (std::size_t w = 0; w < s_.worlds.size(); ++w) {
      lower<int>([w](Sequence& s) -> int& { return s.worlds[w].count; });
      lower<int>([w](Sequence& s) -> int& { return s.worlds[w].apart; });
      for (bool WorldSpec::*flag :
           {&WorldSpec::clustered, &WorldSpec::ghosts, &WorldSpec::skip, &WorldSpec::grouped, &WorldSpec::excluding}) {
        if (s_.worlds[w].*flag) attempt([&](Sequence& s) { s.worlds[w].*flag = false; });
      }
      if (s_.worlds[w].scale != 1) attempt([&](Sequence& s) { s.worlds[w].scale = 1; });
    }
    for (std::size_t k = 0; k < s_.operations.size(); ++k) {
      if (s_.operations[k].what == Kind::resize)
        lower<double>([k](Sequence& s) -> double& { return s.operations[k].field[count]; });
    }
  }

  void simplify_fields() {
    attempt([](Sequence& s) { s.executor = 0; });
    attempt([](Sequence& s) {
      s.dimension = 2;
      for (WorldSpec& w : s.worlds) w.dimension = 2;
    });
    for (std::size_t g = 0; g < s_.grids.size(); ++g) attempt([g](Sequence& s) { s.grids[g] = {.box = s.grids[g].box}; });
    for (std::size_t g = 0; g < s_.grids.size(); ++g) attempt([g](Sequence& s) { s.grids[g].box = 0; });
    for (std::size_t k = 0; k < s_.operations.size(); ++k) {
      for (int f = 0; f < field_count; ++f) {
        if (s_.operations[k].field[f] != 0) attempt([&](Sequence& s) { s.operations[k].field[f] = 0; });
      }
    }
  }

  /// Writes few particles each as a row, and drops the ones that are not needed.
  void list_particles() {
    for (std::size_t w = 0; w < s_.worlds.size(); ++w) {
      if (s_.worlds[w].count > 60 || s_.worlds[w].count == 0) continue;
      attempt([&](Sequence& s) { s.worlds[w].listed = World(s.worlds[w]).system().particles; });
      for (std::size_t i = 0; i < s_.worlds[w].listed.size();) {
        const bool gone = attempt([&](Sequence& s) {
          s.worlds[w].listed.erase(s.worlds[w].listed.begin() + static_cast<std::ptrdiff_t>(i));
          s.worlds[w].count = static_cast<int>(s.worlds[w].listed.size());
        });
        if (!gone) ++i;
      }
      for (std::size_t i = 0; i < s_.worlds[w].listed.size(); ++i) {
        for (int k = 0; k < 3; ++k) shorten([w, i, k](Sequence& s) -> double& { return s.worlds[w].listed[i].x[k]; });
        shorten([w, i](Sequence& s) -> double& { return s.worlds[w].listed[i].radius; });
      }
    }
  }

  template <class Get>
  void shorten(const Get& get) {
    for (const char* digits : {"%.0f", "%.1f", "%.2f"}) {
      char text[40];
      std::snprintf(text, sizeof text, digits, get(s_));
      if (attempt([&](Sequence& s) { get(s) = std::strtod(text, nullptr); })) return;
    }
  }

  /// Objects at the end of their lists that nothing needs.
  void drop_objects() {
    while (s_.verlets.size() > 1 && attempt([](Sequence& s) { s.verlets.pop_back(); })) {
    }
    while (s_.worlds.size() > 1 && attempt([](Sequence& s) { s.worlds.pop_back(); })) {
    }
    while (s_.grids.size() > 1 && attempt([](Sequence& s) { s.grids.pop_back(); })) {
    }
  }

  Sequence s_;
  std::filesystem::path file_;
  std::string fault_;
};

/// Shrinks the sequence of a file, writes the rest into the working folder, and reports it.
inline std::string report_of_shrinking(const std::filesystem::path& file) {
  const Sequence s = read_sequence(file);
  const std::filesystem::path trial = file.string() + ".trial";
  SequenceShrinker shrinker(s, trial);
  if (shrinker.fault().empty()) return "it does not fail when it runs alone: " + file.string();
  const Sequence shortest = shrinker();
  std::filesystem::remove(trial);
  const std::string kept = "failed-sequence-" + std::to_string(s.drawn_from) + ".txt";
  std::ofstream(kept) << to_text(shortest);
  return "shortest form (" + shrinker.fault() + "), written as " + kept +
         " (run it by HGRID_SEQUENCE=FILE, keep it in tests/sequences):\n" + to_text(shortest);
}

}  // namespace support::machine
