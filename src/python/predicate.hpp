// SPDX-License-Identifier: BSD-3-Clause
// A predicate in a search: compiled, or a ctypes function that calls Python.
#pragma once

#include <atomic>
#include <utility>

#include "python/grid.hpp"

namespace hgrid::python {

/// A function at these addresses, to which a grid lends its turn; a null address: no function.
class Predicate {
 public:
  Predicate(const Grid& grid, std::uintptr_t ask, std::uintptr_t context)
      : grid_(grid), ask_(reinterpret_cast<decltype(hgrid_predicate::ask)>(ask)), context_(reinterpret_cast<void*>(context)) {}

  bool is_none() const { return ask_ == nullptr; }
  hgrid_predicate get() {
    auto predicate = sized<hgrid_predicate>();
    predicate.ask = [](void* self, const hgrid_contact* contacts, std::int64_t count, std::uint8_t* touch) {
      return static_cast<Predicate*>(self)->asked(contacts, count, touch);
    };
    predicate.context = this;
    return predicate;
  }

  /// Runs search(). If Python's code in the function has raised an exception, and it is known, raises it.
  template <class Search>
  auto search(const Search& search) {
    try {
      return search();
    } catch (const DoorError&) {
      if (!raised_.is_valid()) throw;
      PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(raised_.ptr())), raised_.ptr());
      throw nb::python_error();
    }
  }

  /// Takes an exception that has left Python's code in a predicate of this thread, and stops the search. Returns false if no
  /// predicate runs.
  static bool take(const nb::object& exception) {
    if (running == nullptr) return false;
    if (!running->raised_.is_valid()) running->raised_ = exception;
    running->stops_ = true;
    return true;
  }

 private:
  std::int32_t asked(const hgrid_contact* contacts, std::int64_t count, std::uint8_t* touch) {
    const Turn::Lent lent(grid_.turn());
    Predicate* const outer = std::exchange(running, this);
    const std::int32_t answer = ask_(context_, contacts, count, touch);
    running = outer;
    return stops_ ? 1 : answer;
  }

  static inline thread_local Predicate* running = nullptr;

  const Grid& grid_;
  decltype(hgrid_predicate::ask) ask_;
  void* context_;
  nb::object raised_;
  std::atomic<bool> stops_{false};
};

}  // namespace hgrid::python
