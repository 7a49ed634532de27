// SPDX-License-Identifier: Apache-2.0
#include "calibrate/device/gpu/shared_library.h"

#include <dlfcn.h>

#include <cstdlib>

#include "calibrate/device/gpu/gpu_error.h"

namespace railyard::device::gpu {
namespace {

std::vector<std::string> named_folders() {
  std::vector<std::string> folders;
  const char* const text = std::getenv("RAILYARD_GPU_LIBRARIES");
  std::string left = text == nullptr ? "" : text;
  while (!left.empty()) {
    const std::size_t end = left.find(':');
    if (end != 0) folders.push_back(left.substr(0, end));
    left = end == std::string::npos ? "" : left.substr(end + 1);
  }
  return folders;
}

}  // namespace

SharedLibrary::SharedLibrary(const std::vector<std::string>& names) {
  std::string all;
  const std::vector<std::string> folders = named_folders();
  for (const std::string& name : names) {
    for (const std::string& folder : folders) {
      if (handle_ == nullptr) handle_ = dlopen((folder + "/" + name).c_str(), RTLD_NOW | RTLD_LOCAL);
    }
    if (handle_ == nullptr) handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ != nullptr) {
      name_ = name;
      return;
    }
    all += (all.empty() ? "" : ", ") + name;
  }
  throw NotPossible("no library " + all + " here");
}

void* SharedLibrary::optional_symbol(const char* name) const { return dlsym(handle_, name); }

void* SharedLibrary::symbol(const char* name) const {
  void* const found = optional_symbol(name);
  if (found == nullptr) throw NotPossible(name_ + " has no " + name);
  return found;
}

}  // namespace railyard::device::gpu
