// SPDX-License-Identifier: Apache-2.0
// Opens a vendor's library while the program runs and finds its functions.
#pragma once

#include <string>
#include <vector>

namespace railyard::device::gpu {

/// Never closed: what it started in the process does not survive that.
class SharedLibrary {
 public:
  /// The first name that opens, looked for in RAILYARD_GPU_LIBRARIES (folders, colons between) and then as the loader
  /// does. Throws NotPossible naming all.
  explicit SharedLibrary(const std::vector<std::string>& names);

  /// Throws NotPossible when the library has no such function.
  template <class Function>
  void find(const char* name, Function*& function) const {
    function = reinterpret_cast<Function*>(symbol(name));
  }
  /// Null when it is not there.
  template <class Function>
  void try_find(const char* name, Function*& function) const {
    function = reinterpret_cast<Function*>(optional_symbol(name));
  }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  [[nodiscard]] void* symbol(const char* name) const;
  [[nodiscard]] void* optional_symbol(const char* name) const;

  void* handle_ = nullptr;
  std::string name_;
};

}  // namespace railyard::device::gpu
