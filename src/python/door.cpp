// SPDX-License-Identifier: BSD-3-Clause
#include "python/door.hpp"

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <map>
#include <mutex>

#include "python/turn.hpp"

namespace hgrid::python {
namespace {

std::atomic<int> fork_count{0};
[[maybe_unused]] const int registered = pthread_atfork(nullptr, nullptr, [] { ++fork_count; });

Door load(const std::string& library) {
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw DoorError{.code = "device", .message = dlerror()};
  Door door{};
#define HGRID_LOAD(name)                                                                                         \
  door.name = reinterpret_cast<decltype(door.name)>(dlsym(handle, "hgrid_" #name));                              \
  if (door.name == nullptr) {                                                                                    \
    throw DoorError{.code = "device", .message = library + " has no hgrid_" #name ": it is of another version"}; \
  }
  HGRID_DOOR(HGRID_LOAD)
#undef HGRID_LOAD
  if (std::string(door.version()) != hgrid_version()) {
    throw DoorError{.code = "device",
                    .message = library + " is hgrid " + door.version() + ", and this module hgrid " + hgrid_version()};
  }
  return door;
}

}  // namespace

int forks() { return fork_count; }

void Door::fail(int status) const {
  auto e = sized<hgrid_error>();
  last_error(&e);
  throw DoorError{status_name(status), e.message, e.argument, e.index, e.count, e.needed, e.value};
}

const Door& own_door() {
#define HGRID_OWN(name) &hgrid_##name,
  static const Door door{HGRID_DOOR(HGRID_OWN)};
#undef HGRID_OWN
  return door;
}

const Door& door_of(const std::string& library) {
  static std::mutex mutex;
  static std::map<std::string, Door> doors;
  const std::lock_guard lock(mutex);
  const auto found = doors.find(library);
  return found != doors.end() ? found->second : doors.emplace(library, load(library)).first->second;
}

}  // namespace hgrid::python
