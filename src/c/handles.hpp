// SPDX-License-Identifier: BSD-3-Clause
// Contents of the handles of hgrid.h, and calls of their objects.
#pragma once

#include <functional>

#include "c/any_grid.hpp"

/// Lists and meshes share ownership of their grid, because some languages free handles in any order. `name` is the one of the
/// argument.
struct hgrid_grid {
  static constexpr const char* name = "grid";
  std::shared_ptr<hgrid::c::AnyGrid> grid;
  hgrid::c::AnyGrid& object() const { return *grid; }
};
struct hgrid_verlet {
  static constexpr const char* name = "list";
  std::shared_ptr<hgrid::c::AnyGrid> grid;
  std::unique_ptr<hgrid::c::AnyVerlet> list;
  hgrid::c::AnyVerlet& object() const { return *list; }
};
struct hgrid_mesh {
  static constexpr const char* name = "mesh";
  std::shared_ptr<hgrid::c::AnyGrid> grid;
  std::unique_ptr<hgrid::c::AnyMesh> mesh;
  hgrid::c::AnyMesh& object() const { return *mesh; }
};
struct hgrid_memory {
  hgrid::c::Owner owner;
};

namespace hgrid::c {

/// Returns an object for calls that change nothing. Callbacks of the grid may make these, too.
template <class Handle>
const auto& seen(const Handle* handle, const char* name = Handle::name) {
  if (handle == nullptr) refuse(name, "is null");
  return handle->object();
}

/// Returns an object for all other calls. Throws `reentrancy` in a callback of the grid.
template <class Handle>
auto& of(const Handle* handle, const char* name = Handle::name) {
  if (handle == nullptr) refuse(name, "is null");
  handle->grid->callbacks.begin();
  return handle->object();
}

/// Returns a function of a handle's object. A const one changes nothing.
template <class Handle, class Object, class R, class... P>
auto function_of(const Handle* handle, R (Object::*f)(P...)) {
  return std::bind_front(f, &of(handle));
}
template <class Handle, class Object, class R, class... P>
auto function_of(const Handle* handle, R (Object::*f)(P...) const) {
  return std::bind_front(f, &seen(handle));
}

/// Calls a function of a handle's object.
template <class Handle, class F, class... Arguments>
int call(const Handle* handle, F f, Arguments... arguments) {
  return status_of([&] { function_of(handle, f)(arguments...); });
}
/// Calls it and writes its result: a struct, or a number or pointer.
template <class T, class Handle, class F, class... Arguments>
int report(T* out, const Handle* handle, F f, Arguments... arguments) {
  return status_of([&] {
    check_struct(out, "out");
    give(*out, function_of(handle, f)(arguments...));
  });
}
template <class T, class Handle, class F, class... Arguments>
int answer(T* out, const char* name, const Handle* handle, F f, Arguments... arguments) {
  return status_of([&] {
    const auto asked = function_of(handle, f);
    T& to = written(out, name);
    to = asked(arguments...);
  });
}

/// Writes the checkpoint of a handle's object.
template <class Handle>
int saved(const Handle* handle, const void** bytes, std::int64_t* size) {
  return status_of([&] {
    auto& object = of(handle);
    const void*& to = written(bytes, "bytes");
    std::int64_t& number = written(size, "size");
    const std::span<const std::byte> all = object.save();
    to = all.data(), number = static_cast<std::int64_t>(all.size());
  });
}
/// Gives the object the state of a checkpoint.
template <class Handle>
int restored(const Handle* handle, const void* bytes, std::int64_t size) {
  return status_of([&] {
    auto& object = of(handle);
    if (size < 0) refuse("size", "is negative", static_cast<double>(size), ErrorCode::size_mismatch);
    if (bytes == nullptr) refuse("bytes", "is null");
    object.restore({static_cast<const std::byte*>(bytes), static_cast<std::size_t>(size)});
  });
}

}  // namespace hgrid::c
