// SPDX-License-Identifier: BSD-3-Clause
// From a kernel's PTX to a function: a script makes C of it, the compiler a library, and both are kept by their contents.
#include <dlfcn.h>
#include <unistd.h>

#include <cxxabi.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "memory.hpp"
#include "module.hpp"
#include "settings.hpp"

namespace emulator {

namespace {

namespace fs = std::filesystem;

Module* loading = nullptr;

std::string demangled(const std::string& name) {
  int status = 0;
  char* text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  const std::string result = status == 0 ? text : name;
  std::free(text);
  return result;
}

std::string contents_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::uint64_t hash(std::string_view text, std::uint64_t h = 14695981039346656037u) {
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return h;
}

// Returns a hash of the translator: a change of it makes earlier translations unusable.
std::uint64_t hash_of_translator() {
  static const std::uint64_t once = [] {
    std::uint64_t sum = 0;
    for (const fs::directory_entry& file : fs::directory_iterator(EMULATOR_SOURCE)) {
      const std::string kind = file.path().extension();
      if (kind == ".py" || kind == ".h") sum += hash(contents_of(file.path()));
    }
    return sum;
  }();
  return once;
}

/// Returns the fault to plant: EMU_FAULT=KIND:NUMBER:KERNEL plants KIND:NUMBER (planted_fault.py) in the kernels whose names
/// contain KERNEL.
std::string fault_in(const Kernel& kernel) {
  const std::string& fault = settings().fault;
  const std::size_t first = fault.find(':'), second = fault.find(':', first + 1);
  if (first == std::string::npos || second == std::string::npos) return {};
  return kernel.label.find(fault.substr(second + 1)) == std::string::npos ? std::string() : fault.substr(0, second);
}

void run(const std::string& command, const Kernel& kernel) {
  if (std::system(command.c_str()) != 0) stop(fmt::format("cannot translate {}", kernel.label));
}

fs::path compiled(const Kernel& kernel) {
  const auto found = kernel.module->entries.find(kernel.name);
  if (found == kernel.module->entries.end()) stop(fmt::format("no PTX for {}", kernel.label));
  const std::string text = kernel.module->declarations + found->second, fault = fault_in(kernel);
  const bool counts = !settings().counts.empty();
  const std::uint64_t key = hash(text) ^ hash(fault, hash_of_translator()) ^ (settings().races ? 1 : 0) ^ (counts ? 2 : 0);
  fs::create_directories(settings().cache);
  const fs::path library = fs::path(settings().cache) / fmt::format("{:016x}.so", key);
  if (fs::exists(library)) return library;
  const std::string own = fmt::format("{}/{:016x}.{}", settings().cache, key, getpid());  // other processes may do so, too
  std::ofstream(own + ".ptx") << text;
  run(fmt::format("{} -B {}/translate.py {}.ptx {}.c {} {}", EMULATOR_PYTHON, EMULATOR_SOURCE, own, own, counts ? "counts" : "",
                  fault),
      kernel);
  run(fmt::format("{} -x c -w -O1 -fno-strict-aliasing -fwrapv -ffp-contract=off {} {} -I{} -fPIC -shared {}.c -o {}.so",
                  EMULATOR_COMPILER, EMULATOR_FLAGS, settings().races ? "-DEMU_RACES" : "", EMULATOR_SOURCE, own, own),
      kernel);
  fs::rename(own + ".so", library);
  fs::remove(own + ".ptx");
  fs::remove(own + ".c");
  return library;
}

template <class T>
T* symbol(void* library, const char* name) {
  void* const p = dlsym(library, name);
  if (p == nullptr) stop(dlerror());
  return reinterpret_cast<T*>(p);
}

}  // namespace

void load(Kernel& kernel) {
  if (kernel.run != nullptr) return;
  kernel.label = demangled(kernel.name);
  void* const library = dlopen(compiled(kernel).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) stop(dlerror());
  kernel.run = symbol<void(Thread*, const char*)>(library, "emu_kernel");
  loading = kernel.module;
  symbol<void()>(library, "emu_variables")();
  kernel.shared_bytes = *symbol<std::uint32_t>(library, "emu_shared_bytes");
  kernel.most_threads = *symbol<std::uint32_t>(library, "emu_most_threads");
  kernel.parameter_bytes = *symbol<std::uint32_t>(library, "emu_parameter_bytes");
  kernel.parameters = *symbol<std::uint32_t>(library, "emu_parameters");
  kernel.offset = symbol<std::uint32_t>(library, "emu_offset");
  kernel.bytes = symbol<std::uint32_t>(library, "emu_bytes");
  if (settings().counts.empty()) return;
  kernel.instructions = symbol<std::uint32_t>(library, "emu_instructions");
  kernel.meeting_points = symbol<std::uint32_t>(library, "emu_meeting_points");
  kernel.first_meeting_point = symbol<std::uint32_t>(library, "emu_first_meeting_point");
  kernel.all_instructions = *symbol<std::uint32_t>(library, "emu_all_instructions");
}

}  // namespace emulator

u64 emu_variable(const char* name, u32 bytes, const u8* initial) {
  using namespace emulator;
  auto [found, is_new] = loading->variables.try_emplace(name, 0);
  if (is_new) {
    void* const p = allocate(bytes, Place::device);
    if (p == nullptr) stop(fmt::format("no memory for {}", name));
    initial != nullptr ? static_cast<void>(std::memcpy(writable(p), initial, bytes))
                       : static_cast<void>(std::memset(writable(p), 0, bytes));
    mark_written(p, bytes);
    found->second = reinterpret_cast<u64>(p);
  }
  return found->second;
}
